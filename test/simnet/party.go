package simnet

import (
	"context"
	"encoding/json"
	"time"

	"bateleur/core/cases"
	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/ports/porttest"
	"bateleur/node"
)

// Party is an actor of the network, wherever and on whatever node it runs at
// present.
type Party struct {
	net *Net
	ID  model.ActorID
}

// Party gives an actor's handle.
func (n *Net) Party(id model.ActorID) Party { return Party{n, id} }

// URI is the actor's id.
func (p Party) URI() string { return p.ID.URI() }

// Node is the node that hosts the actor at present, nil when it is stopped.
func (p Party) Node() *node.Node { return p.net.node(p.ID) }

// Command gives a command and waits for its decision.
func (p Party) Command(trigger string, params map[string]any) (node.CommandStatus, error) {
	p.net.t.Helper()
	body, err := json.Marshal(params)
	if err != nil {
		p.net.t.Fatal(err)
	}
	return p.Node().Command(context.Background(), p.ID,
		node.CommandRequest{Trigger: trigger, Params: body, Wait: 10 * time.Second})
}

// View reads the actor's store, whether or not its node runs.
func (p Party) View(f func(ports.Reader) error) {
	p.net.t.Helper()
	store := p.open()
	defer store.Close()
	if err := store.View(context.Background(), f); err != nil {
		p.net.t.Fatal(err)
	}
}

// Meddle writes the actor's store behind the back of everything.
func (p Party) Meddle(f func(ports.Tx) error) {
	p.net.t.Helper()
	store := p.open()
	defer store.Close()
	if err := store.Update(context.Background(), f); err != nil {
		p.net.t.Fatal(err)
	}
}

func (p Party) open() ports.DataLayer {
	p.net.t.Helper()
	p.net.mu.Lock()
	stores := p.net.config[hostOf(p.URI())].Stores
	p.net.mu.Unlock()
	store, err := stores.Open(context.Background(), p.ID)
	if err != nil {
		p.net.t.Fatal(err)
	}
	return store
}

// Dump is everything that can be read of the actor's store.
func (p Party) Dump() (text string) {
	p.net.t.Helper()
	p.View(func(r ports.Reader) (err error) {
		text, err = porttest.Dump(r)
		return err
	})
	return text
}

// Case is a case as the actor's store has it, nil when it has none.
func (p Party) Case(id string) (out *cases.Case) {
	p.net.t.Helper()
	p.View(func(r ports.Reader) error {
		c, known, err := cases.Find[cases.Case](r, cases.KindCase, id)
		if known {
			out = &c.Value
		}
		return err
	})
	return out
}

// Entries are the entries of a case in the actor's store.
func (p Party) Entries(caseID string) (out []ledger.Entry) {
	p.net.t.Helper()
	p.View(func(r ports.Reader) (err error) {
		out, err = r.Entries(caseID, 0, 0)
		return err
	})
	return out
}

// Items are the items of the actor's queue in these states, all for none.
func (p Party) Items(states ...ports.InboxState) (out []ports.InboxItem) {
	p.net.t.Helper()
	if len(states) == 0 {
		states = []ports.InboxState{ports.Pending, ports.Deferred, ports.Done, ports.Refused, ports.Ignored, ports.Dead}
	}
	p.View(func(r ports.Reader) error {
		for _, state := range states {
			items, err := r.Inbox(state, 0, 0)
			if err != nil {
				return err
			}
			out = append(out, items...)
		}
		return nil
	})
	return out
}

// Item is one item of the actor's queue.
func (p Party) Item(seq int64) (out ports.InboxItem) {
	p.net.t.Helper()
	p.View(func(r ports.Reader) (err error) {
		out, err = r.InboxItem(seq)
		return err
	})
	return out
}

// Outbox is everything that the actor ever queued.
func (p Party) Outbox() (out []ports.OutboxItem) {
	p.net.t.Helper()
	p.View(func(r ports.Reader) (err error) {
		out, err = r.OutboxItems(0, 0)
		return err
	})
	return out
}

// Records are the records of a kind in the actor's store.
func (p Party) Records(kind ports.Kind) (out []ports.Record) {
	p.net.t.Helper()
	p.View(func(r ports.Reader) (err error) {
		out, err = r.List(ports.ListParams{Kind: kind})
		return err
	})
	return out
}
