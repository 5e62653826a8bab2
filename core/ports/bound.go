package ports

import (
	"bateleur/core/model"
)

// Storeless is what a collaborator embeds in its interface when it holds no
// store: the bridge passes the same instance through (DL-07-009).
type Storeless interface{ holdsNoStore() }

// NoStore is embedded in an implementation to declare that it holds no store.
type NoStore struct{}

func (NoStore) holdsNoStore() {}

// StoreBound is what a collaborator embeds in its interface when it holds a
// store: the bridge binds it to the open unit of work and uses only the bound
// copy (DL-07-009). T is the collaborator's own interface.
type StoreBound[T any] interface {
	// ForStore gives the collaborator bound to the unit; the receiver is left as
	// it was.
	ForStore(u Unit) T
}

// Unit is the open unit of work as a bound collaborator sees it.
type Unit interface {
	// Actor is whose store the unit writes.
	Actor() model.ActorID
	// Get and List read records, uncommitted writes of the unit included.
	Get(kind Kind, id string) (Record, error)
	List(p ListParams) ([]Record, error)
	// OutboxAppend queues an activity; it is stored when the unit commits.
	OutboxAppend(item OutboxItem) error
}

// Emitter puts an actor's activities into its outbox.
type Emitter interface {
	StoreBound[Emitter]
	// Emit encodes the activity and appends it to the bound unit's outbox for the
	// recipients. fault.Invalid when it has no recipient or a bare id where the
	// protocol demands an inline object (AKM-03-002), fault.OwnerMismatch when its
	// actor is not the unit's.
	Emit(a *model.Activity, o EmitOptions) error
}

// EmitOptions says to whom an activity goes.
type EmitOptions struct {
	// Recipients, when empty, are the activity's addressees.
	Recipients   []string
	PerRecipient bool
	About        string
}
