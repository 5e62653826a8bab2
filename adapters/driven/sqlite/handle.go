package sqlite

import (
	"context"
	"sync"

	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// handle is a ports.DataLayer on an actor's file.
type handle struct {
	stores *Stores
	place  *place
	file   *file

	mu     sync.Mutex
	closed bool
}

// Actor implements ports.DataLayer.
func (h *handle) Actor() model.ActorID { return h.file.owner }

// View implements ports.DataLayer. Views take turns with updates.
func (h *handle) View(ctx context.Context, f func(ports.Reader) error) error {
	const op = "sqlite.view"
	if err := h.use(op); err != nil {
		return err
	}
	defer h.leave()
	return h.file.transact(ctx, op, beginReading, false, func(t *tx) error { return f(&t.reader) })
}

// Update implements ports.DataLayer.
func (h *handle) Update(ctx context.Context, f func(ports.Tx) error) error {
	const op = "sqlite.update"
	if err := h.use(op); err != nil {
		return err
	}
	defer h.leave()
	if h.stores.readOnly {
		return fault.New(op, h.file.owner.URI(), fault.Forbidden, "the store was opened to be read only")
	}
	return h.file.transact(ctx, op, beginWriting, true, func(t *tx) error { return f(t) })
}

// CloneForActor implements ports.DataLayer.
func (h *handle) CloneForActor(ctx context.Context, actor model.ActorID) (ports.DataLayer, error) {
	if err := h.use("sqlite.clone"); err != nil {
		return nil, err
	}
	defer h.leave()
	return h.stores.Open(ctx, actor)
}

// Close implements ports.DataLayer. The last handle closes the file; where a
// transaction runs meanwhile its end does.
func (h *handle) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil
	}
	h.closed = true
	return h.stores.release(h.place)
}

// use keeps the file open until leave.
func (h *handle) use(op string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return fault.New(op, h.file.owner.URI(), fault.Closed, "the handle was closed")
	}
	h.stores.retain(h.place)
	return nil
}

// leave drops what closing the file says: it is no answer to what was asked, and
// a transaction that is committed stays so.
func (h *handle) leave() { _ = h.stores.release(h.place) }
