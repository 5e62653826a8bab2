// Package store is the commands that look into an actor's store: read-only, so
// that a damaged or foreign one is never touched.
package store

import (
	"context"
	"encoding/json"
	"io"

	"bateleur/adapters/driven/sqlite"
	"bateleur/cmd/bateleur/exit"
	"bateleur/cmd/bateleur/serve"
	"bateleur/cmd/bateleur/terminal"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// Command groups them.
type Command struct {
	Verify Verify `cmd:"" help:"Check owner, schema, pages and every ledger of a store."`
	Dump   Dump   `cmd:"" help:"Print everything in a store as JSON, a record a line."`
}

// place says which store.
type place struct {
	Actor string `required:"" help:"The actor's URI." placeholder:"URI"`
	Data  string `help:"Folder of the stores." default:"bateleur-data" env:"BATELEUR_DATA" placeholder:"DIR" type:"path"`
	Store string `help:"Where the stores lie, instead of the data folder: sqlite:///PATH." env:"BATELEUR_STORE" placeholder:"URL"`
}

// opened is a store that is looked at.
type opened struct {
	template string
	file     string
	actor    model.ActorID
}

func (p *place) find() (opened, error) {
	actor, err := model.ParseActorID(p.Actor)
	if err != nil {
		return opened{}, exit.Error{Code: exit.Usage, Err: err}
	}
	o := opened{template: p.Store, actor: actor}
	if o.template == "" {
		o.template = serve.DataURL(p.Data)
	}
	if o.file, err = sqlite.Path(o.template, actor); err != nil {
		return opened{}, exit.Error{Code: exit.Usage, Err: err}
	}
	return o, nil
}

// view reads one state of the store.
func (o opened) view(ctx context.Context, f func(ports.Reader) error) error {
	dl, err := sqlite.OpenReadOnly(ctx, o.template, o.actor)
	if err != nil {
		return o.named(err)
	}
	defer dl.Close()
	return o.named(dl.View(ctx, f))
}

// named says in which file an error was met.
func (o opened) named(err error) error { return fault.Wrap("store", o.file, fault.CodeOf(err), err) }

// printer writes JSON documents, one a line; the first error is the last word.
type printer struct {
	out io.Writer
	err error
}

func (p *printer) print(v any) {
	if p.err != nil {
		return
	}
	line, err := json.Marshal(v)
	if err == nil {
		_, err = p.out.Write(append(terminal.JSON(line), '\n'))
	}
	p.err = err
}
