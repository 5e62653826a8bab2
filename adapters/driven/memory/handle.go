package memory

import (
	"context"
	"sync/atomic"

	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// store is everything of one actor.
type store struct {
	owner model.ActorID
	gate  gate
	state state
}

func newStore(owner model.ActorID) *store {
	return &store{owner: owner, state: newState()}
}

// handle is a ports.DataLayer on a store.
type handle struct {
	place  *Stores
	store  *store
	closed atomic.Bool
}

// Actor implements ports.DataLayer.
func (h *handle) Actor() model.ActorID { return h.store.owner }

// View implements ports.DataLayer. Views run side by side.
func (h *handle) View(ctx context.Context, f func(ports.Reader) error) error {
	const op = "memory.view"
	if err := h.enter(ctx, op, false); err != nil {
		return err
	}
	defer h.store.gate.leave(false)
	r := &reader{store: h.store}
	defer r.end()
	if err := f(r); err != nil {
		return err
	}
	return fault.Wrap(op, h.store.owner.URI(), fault.Cancelled, ctx.Err())
}

// Update implements ports.DataLayer.
func (h *handle) Update(ctx context.Context, f func(ports.Tx) error) error {
	const op = "memory.update"
	if err := h.enter(ctx, op, true); err != nil {
		return err
	}
	defer h.store.gate.leave(true)
	t := &tx{reader: reader{store: h.store}}
	kept := false
	defer func() { // a panic or a runtime.Goexit in f comes through here too
		t.end()
		if !kept {
			t.rollback()
		}
	}()
	if err := f(t); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return fault.Wrap(op, h.store.owner.URI(), fault.Cancelled, err)
	}
	kept = true
	return nil
}

func (h *handle) enter(ctx context.Context, op string, write bool) error {
	if h.closed.Load() {
		return fault.New(op, h.store.owner.URI(), fault.Closed, "the handle was closed")
	}
	return fault.Wrap(op, h.store.owner.URI(), fault.Cancelled, h.store.gate.enter(ctx, write))
}

// CloneForActor implements ports.DataLayer.
func (h *handle) CloneForActor(ctx context.Context, actor model.ActorID) (ports.DataLayer, error) {
	if h.closed.Load() {
		return nil, fault.New("memory.clone", actor.URI(), fault.Closed, "the handle was closed")
	}
	return h.place.Open(ctx, actor)
}

// Close implements ports.DataLayer.
func (h *handle) Close() error {
	h.closed.Store(true)
	return nil
}
