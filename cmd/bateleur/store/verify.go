package store

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"bateleur/adapters/driven/sqlite"
	"bateleur/adapters/wire/as2"
	"bateleur/cmd/bateleur/exit"
	"bateleur/cmd/bateleur/terminal"
	"bateleur/core/fault"
	"bateleur/core/ports"
	"bateleur/core/usecases/query"
)

// Verify checks a store.
type Verify struct {
	place
	JSON bool `help:"Print JSON."`
}

// verified is what checking a store came to.
type verified struct {
	Actor   string               `json:"actor"`
	File    string               `json:"file"`
	OK      bool                 `json:"ok"`
	Ledgers []query.Verification `json:"ledgers"`
}

// Run verifies and prints. The error says what is wrong first of all: the store
// as a whole, or a ledger in it (BA-05-001).
func (v *Verify) Run(ctx context.Context, out io.Writer) error {
	o, err := v.find()
	if err != nil {
		return err
	}
	if err := sqlite.Verify(ctx, o.template, o.actor); err != nil {
		return o.named(err)
	}
	found := verified{Actor: o.actor.URI(), File: o.file, OK: true, Ledgers: []query.Verification{}}
	if err := o.view(ctx, found.ledgers); err != nil {
		return err
	}
	if v.JSON {
		p := &printer{out: out}
		p.print(found)
		err = p.err
	} else {
		err = found.table(out)
	}
	if damage := found.damage(); err == nil && damage != "" {
		err = exit.Error{Code: exit.Failed, Err: fault.New("store.verify", o.file, fault.Corrupt, damage)}
	}
	return err
}

func (v *verified) ledgers(r ports.Reader) error {
	heads, err := r.Ledgers()
	if err != nil {
		return err
	}
	for _, h := range heads {
		one, err := query.VerifyLedger(r, h.CaseID, as2.Codec{}.Decode)
		if err != nil {
			return err
		}
		v.OK = v.OK && one.OK
		v.Ledgers = append(v.Ledgers, one)
	}
	return nil
}

// damage is the first thing that does not hold, "" when all does.
func (v *verified) damage() string {
	for _, l := range v.Ledgers {
		for _, c := range l.Checks {
			if !c.OK {
				return fmt.Sprintf("the ledger of %s does not hold: %s: %s", l.Case, c.Name, c.Text)
			}
		}
	}
	return ""
}

func (v *verified) table(out io.Writer) error {
	style := terminal.StyleOf(out)
	fmt.Fprintf(out, "%s\n%s\nowner, schema and pages hold\n\n", terminal.Line(v.Actor, 2048), v.File)
	tab := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tab, "CASE\tLEDGER\tENTRIES\tCHECK\tRESULT")
	for _, l := range v.Ledgers {
		for _, c := range l.Checks {
			result := style.Good("holds")
			if !c.OK {
				result = style.Bad("DOES NOT HOLD: " + terminal.Line(c.Text, 500))
			}
			fmt.Fprintf(tab, "%s\t%s\t%d\t%s\t%s\n", terminal.Line(l.Case, 100), l.Standing, l.Entries, c.Name, result)
		}
	}
	return tab.Flush()
}
