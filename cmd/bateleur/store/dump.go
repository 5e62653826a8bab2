package store

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"bateleur/core/ledger"
	"bateleur/core/ports"
)

// page is how many records are held at once.
const page = 500

// Dump prints a store.
type Dump struct{ place }

// parts are a dump's, in their order.
var parts = []func(*printer, ports.Reader) error{objects, ledgers, inbox, outbox, pending, dead}

// Run prints the store's records as JSON, one a line and each with its sort in
// "record": the store, objects by kind in the order of their first writing,
// ledgers with their entries, the inbox by state, the outbox, and the deliveries
// yet to be made or given up (BA-05-002). Bodies that are JSON are shown as such,
// others as text.
func (d *Dump) Run(ctx context.Context, out io.Writer) error {
	o, err := d.find()
	if err != nil {
		return err
	}
	p := &printer{out: out}
	err = o.view(ctx, func(r ports.Reader) error {
		p.print(storeRecord{"store", o.actor.URI(), o.file})
		for _, part := range parts {
			if err := part(p, r); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return p.err
}

type storeRecord struct {
	Record string `json:"record"`
	Actor  string `json:"actor"`
	File   string `json:"file"`
}

type objectRecord struct {
	Record string          `json:"record"`
	Kind   ports.Kind      `json:"kind"`
	ID     string          `json:"id"`
	Rev    int64           `json:"rev"`
	Refs   []refRecord     `json:"refs,omitempty"`
	Body   json.RawMessage `json:"body"`
}

type refRecord struct {
	Name   string `json:"name"`
	Target string `json:"target"`
}

func objects(p *printer, r ports.Reader) error {
	kinds, err := r.Kinds()
	if err != nil {
		return err
	}
	for _, kind := range kinds {
		after := ""
		err := paged(p, func() ([]ports.Record, error) {
			return r.List(ports.ListParams{Kind: kind, After: after, Limit: page})
		}, func(rec ports.Record) {
			var refs []refRecord
			for _, ref := range rec.Refs {
				refs = append(refs, refRecord(ref))
			}
			p.print(objectRecord{"object", kind, rec.ID, rec.Rev, refs, shown(rec.Body)})
			after = rec.ID
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// paged shows what next gives, until a page is not full.
func paged[T any](p *printer, next func() ([]T, error), show func(T)) error {
	for p.err == nil {
		some, err := next()
		if err != nil {
			return err
		}
		for _, one := range some {
			show(one)
		}
		if len(some) < page {
			break
		}
	}
	return nil
}

type ledgerRecord struct {
	Record   string         `json:"record"`
	Case     string         `json:"case"`
	Standing ports.Standing `json:"standing"`
	Genesis  string         `json:"genesis"`
	Entries  int64          `json:"entries"`
	TailHash string         `json:"tailHash"`
}

type entryRecord struct {
	Record string       `json:"record"`
	Entry  ledger.Entry `json:"entry"`
}

func ledgers(p *printer, r ports.Reader) error {
	heads, err := r.Ledgers()
	if err != nil {
		return err
	}
	for _, h := range heads {
		p.print(ledgerRecord{"ledger", h.CaseID, h.Standing, h.Genesis, h.Tail + 1, h.TailHash})
		from := int64(0)
		err := paged(p, func() ([]ledger.Entry, error) { return r.Entries(h.CaseID, from, page) }, func(e ledger.Entry) {
			p.print(entryRecord{"entry", e})
			from = e.Index + 1
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// shown gives a body that is JSON as it is, any other as a JSON string.
func shown(body []byte) json.RawMessage {
	if json.Valid(body) {
		return body
	}
	text, err := json.Marshal(string(body))
	if err != nil {
		return nil
	}
	return text
}

// when is nil for the zero time, which stands for none.
func when(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}
