// Package store is the commands that look into an actor's store: read-only, so
// that a damaged or foreign one is never touched.
package store

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"bateleur/adapters/driven/sqlite"
	"bateleur/adapters/wire/as2"
	"bateleur/cmd/bateleur/exit"
	"bateleur/cmd/bateleur/serve"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/usecases/query"
)

// Command groups them.
type Command struct {
	Verify Verify `cmd:"" help:"Check owner, schema and every ledger of a store."`
	Dump   Dump   `cmd:"" help:"Print everything in a store as JSON."`
}

// place says which store.
type place struct {
	Actor string `required:"" help:"The actor's URI."`
	Data  string `help:"Folder of the stores." default:"bateleur-data" env:"BATELEUR_DATA" type:"path"`
	Store string `help:"Where the stores lie, instead of the data folder." placeholder:"URL" env:"BATELEUR_STORE"`
}

// view reads the store.
func (p *place) view(ctx context.Context, f func(ports.Reader) error) error {
	actor, err := model.ParseActorID(p.Actor)
	if err != nil {
		return exit.Error{Code: exit.Usage, Err: err}
	}
	template := p.Store
	if template == "" {
		template = serve.DataURL(p.Data)
	}
	dl, err := sqlite.OpenReadOnly(ctx, template, actor)
	if err != nil {
		return err
	}
	defer dl.Close()
	return dl.View(ctx, f)
}

// Verify checks a store.
type Verify struct {
	place
	JSON bool `help:"Print JSON."`
}

// Run verifies and prints; the exit code is 1 when a ledger does not hold.
func (v *Verify) Run(ctx context.Context, out io.Writer) error {
	found := []query.Verification{}
	err := v.view(ctx, func(r ports.Reader) error {
		heads, err := r.Ledgers()
		if err != nil {
			return err
		}
		for _, h := range heads {
			one, err := query.VerifyLedger(r, h.CaseID, as2.Codec{}.Decode)
			if err != nil {
				return err
			}
			found = append(found, one)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := v.print(out, found); err != nil {
		return err
	}
	for _, one := range found {
		if !one.OK {
			return exit.Error{Code: exit.Failed}
		}
	}
	return nil
}

func (v *Verify) print(out io.Writer, found []query.Verification) error {
	if v.JSON {
		return json.NewEncoder(out).Encode(map[string]any{"actor": v.Actor, "ledgers": found})
	}
	fmt.Fprintf(out, "owner and schema are right: %s\n", v.Actor)
	tab := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, one := range found {
		for _, c := range one.Checks {
			said := "holds"
			if !c.OK {
				said = "DOES NOT HOLD: " + c.Text
			}
			fmt.Fprintf(tab, "%s\t%s\t%d entries\t%s\t%s\n", one.Case, one.Standing, one.Entries, c.Name, said)
		}
	}
	return tab.Flush()
}
