package memory

import (
	"slices"
	"time"

	"bateleur/core/fault"
	"bateleur/core/ports"
)

// state is what a store holds.
type state struct {
	objects objects
	ledgers ledgers
	inbox   inbox
	outbox  outbox
}

func newState() state {
	return state{objects: newObjects(), ledgers: newLedgers(), inbox: newInbox(), outbox: newOutbox()}
}

var (
	_ ports.Reader = (*reader)(nil)
	_ ports.Tx     = (*tx)(nil)
)

// reader reads a store's state while its gate is held.
type reader struct {
	store *store
	over  bool
}

func (r *reader) end() { r.over = true }

// use refuses a reader that was kept beyond its function.
func (r *reader) use(op, subject string) error {
	if r.over {
		return fault.New(op, subject, fault.Closed, "the transaction is over")
	}
	return nil
}

func (r *reader) state() *state { return &r.store.state }

// tx also writes. Each change appends how to undo it.
type tx struct {
	reader
	undo []func()
}

func (t *tx) onRollback(f func()) { t.undo = append(t.undo, f) }

func (t *tx) rollback() {
	for _, f := range slices.Backward(t.undo) {
		f()
	}
}

// instant is t as it comes back from a store: in UTC, without a monotonic part.
func instant(t time.Time) time.Time { return t.UTC().Round(0) }

// full tells whether a page with n elements has reached its limit; a limit of 0
// is no bound.
func full(n, limit int) bool { return limit > 0 && n >= limit }
