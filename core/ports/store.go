package ports

import (
	"context"

	"bateleur/core/model"
)

// Stores opens the stores of one configured place: a template URL that names a
// place of its own for each actor. Safe for concurrent use.
type Stores interface {
	// Open gives the store of an actor that has one. Opening never creates:
	// fault.NotFound when there is none. fault.OwnerMismatch when what lies there
	// belongs to another actor, fault.Schema when a newer program wrote it,
	// fault.Corrupt when it is damaged; nothing is changed in these cases. The
	// zero ActorID is refused with fault.Invalid.
	// Opening a store twice in one process gives handles on the same store.
	Open(ctx context.Context, actor model.ActorID) (DataLayer, error)
	// Create makes the actor's store and opens it: fault.Conflict when there is
	// one already. The zero ActorID is refused with fault.Invalid.
	Create(ctx context.Context, actor model.ActorID) (DataLayer, error)
}

// DataLayer is one actor's store. Safe for concurrent use; writers take turns.
type DataLayer interface {
	// Actor is whose store this is.
	Actor() model.ActorID
	// View runs f over one unchanging state of the store. The Reader is valid
	// only inside f and only in f's goroutine; later calls on it are fault.Closed.
	View(ctx context.Context, f func(Reader) error) error
	// Update runs f in a transaction: everything f wrote is kept when f returns
	// nil and the commit succeeds, nothing otherwise (an error, a panic, an ended
	// context, a failed commit). A commit that fails is reported, f's own error is
	// returned as it is. The Tx is valid only inside f and only in f's goroutine;
	// later calls on it are fault.Closed. Calling View or Update of the same store
	// inside f is a defect.
	Update(ctx context.Context, f func(Tx) error) error
	// CloneForActor opens another actor's store of the same place: the only way
	// from one store to another (DL-07-007). fault.NotFound when it has none.
	CloneForActor(ctx context.Context, actor model.ActorID) (DataLayer, error)
	// Close releases the handle. Later calls are fault.Closed; closing twice is
	// harmless. Other handles on the same store stay usable.
	Close() error
}

// Reader reads one state of a store.
type Reader interface {
	ObjectReader
	LedgerReader
	InboxReader
	OutboxReader
}

// Tx reads and writes inside one transaction; it sees its own writes.
type Tx interface {
	ObjectReader
	ObjectWriter
	LedgerReader
	LedgerWriter
	InboxReader
	InboxWriter
	OutboxReader
	OutboxWriter
}
