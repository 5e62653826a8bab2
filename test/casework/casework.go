// Package casework sets the table for tests of what runs over one actor's store:
// a store in memory, tools that need no node, and a case in it, as its manager's
// or as a replica.
package casework

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"bateleur/adapters/driven/memory"
	"bateleur/adapters/wire/as2"
	"bateleur/core/bt"
	"bateleur/core/fault"
	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/outbound"
	"bateleur/core/ports"
	"bateleur/core/ports/porttest"
	"bateleur/core/scope"
	"bateleur/core/work"
)

// The parties of the case, each with an ordinary id: the role decides, and not
// the address.
var (
	Manager  = Actor("desk")
	Owner    = Actor("vendor")
	Reporter = Actor("zoe")
	Stranger = Actor("case-actor")
)

// CaseID is the case.
const CaseID = "urn:uuid:11111111-1111-4111-8111-111111111111"

// Begin is when it was founded, and what a Clock shows.
var Begin = time.Date(2026, 9, 1, 8, 0, 0, 0, time.UTC)

// Actor gives an actor's id.
func Actor(segment string) model.ActorID {
	id, err := model.HostedActorID("https://node.test", segment)
	if err != nil {
		panic(err)
	}
	return id
}

// Clock stands still.
type Clock struct{ At time.Time }

// Now is the instant at which the clock stands.
func (c Clock) Now() time.Time { return c.At }

// IDs counts.
type IDs struct{ last atomic.Int64 }

// New is the next id.
func (i *IDs) New() string {
	return fmt.Sprintf("urn:uuid:%08d-0000-4000-8000-000000000000", i.last.Add(1))
}

// Desk is one actor's store with what a run over it needs.
type Desk struct {
	testing.TB
	Actor model.ActorID
	Store ports.DataLayer
	Now   time.Time
	Tools scope.Tools
	Clock ports.Clock
}

// New gives an actor an empty store.
func New(t testing.TB, actor model.ActorID) *Desk {
	t.Helper()
	store, err := memory.New().Create(t.Context(), actor)
	if err != nil {
		t.Fatal(err)
	}
	return &Desk{TB: t, Actor: actor, Store: store, Now: Begin, Clock: Clock{Begin},
		Tools: scope.Tools{Wire: as2.Codec{}, IDs: &IDs{}, Policy: ports.DefaultPolicy{},
			Profile: ports.Profile{Actor: model.Actor{ID: actor.URI(), Type: "Organization"}, Manager: Manager, ManagesCases: true}}}
}

// Run runs a tree over a new scope and commits what it came to, unless it failed.
func (d *Desk) Run(in scope.Input, root bt.Node[*scope.Scope]) bt.Outcome {
	d.Helper()
	tree, err := scope.Compile(root)
	if err != nil {
		d.Fatal(err)
	}
	var out bt.Outcome
	d.Update(func(tx ports.Tx) error {
		unit := work.New(tx, d.Actor)
		if out = tree.Run(d.Scope(unit, in)); out.Status == bt.Success {
			return unit.Commit()
		}
		return nil
	})
	return out
}

// Scope opens a scope over a unit of the desk's store.
func (d *Desk) Scope(unit *work.Unit, in scope.Input) *scope.Scope {
	tools := d.Tools
	tools.Emitter = outbound.New(tools.Wire, d.Clock).ForStore(unit)
	if in.Sender.IsZero() {
		in.Sender = d.Actor
	}
	return scope.New(unit, d.Actor, d.Actor, in, d.Now, tools)
}

// Update writes the store.
func (d *Desk) Update(f func(ports.Tx) error) {
	d.Helper()
	if err := d.Store.Update(context.WithoutCancel(d.Context()), f); err != nil {
		d.Fatal(err)
	}
}

// View reads the store.
func (d *Desk) View(f func(ports.Reader) error) {
	d.Helper()
	if err := d.Store.View(context.WithoutCancel(d.Context()), f); err != nil {
		d.Fatal(err)
	}
}

// Dump is everything that can be read of the store.
func (d *Desk) Dump() (text string) {
	d.Helper()
	d.View(func(r ports.Reader) (err error) {
		text, err = porttest.Dump(r)
		return err
	})
	return text
}

// Entries are the case's ledger.
func (d *Desk) Entries() (out []ledger.Entry) {
	d.Helper()
	d.View(func(r ports.Reader) (err error) {
		out, err = r.Entries(CaseID, 0, 0)
		return err
	})
	return out
}

// Sent is what the actor queued, read again.
func (d *Desk) Sent() (out []*model.Activity) {
	d.Helper()
	d.View(func(r ports.Reader) error {
		items, err := r.OutboxItems(0, 0)
		for _, item := range items {
			a, err := d.Tools.Wire.Decode(item.Body)
			if err != nil {
				return err
			}
			a.BTo = item.Recipients // to whom it really goes
			out = append(out, a)
		}
		return err
	})
	return out
}

// Code wants an error of this code.
func Code(t testing.TB, err error, want fault.Code) {
	t.Helper()
	if got := fault.CodeOf(err); got != want {
		t.Errorf("code %q (%v), want %q", got, err, want)
	}
}
