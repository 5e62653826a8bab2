package ports

// Kind names what a record is; with the id it is the record's key, so that a
// local note about an object may share the object's id.
type Kind string

// Record is one stored object. Body is opaque to a store.
type Record struct {
	Kind Kind
	ID   string
	// Rev counts the record's writes from 1; 0 means not stored yet.
	Rev int64
	// Refs are the named references by which the record can be listed.
	Refs []Ref
	Body []byte
}

// Ref is a named reference from a record to an id.
type Ref struct{ Name, Target string }

// ListParams selects records of one kind.
type ListParams struct {
	Kind Kind
	// Ref, when its Name is set, keeps the records that carry this reference.
	Ref Ref
	// After is the id of the last record of the page before; "" starts. An id
	// that was deleted meanwhile is fault.NotFound.
	After string
	// Limit bounds the page; 0 means no bound.
	Limit int
}

// ObjectReader reads records.
type ObjectReader interface {
	// Get gives the record, byte for byte as it was put, or fault.NotFound.
	Get(kind Kind, id string) (Record, error)
	// List gives records in the order of their first writing: total and stable.
	List(p ListParams) ([]Record, error)
	// Kinds gives the kinds that have records, sorted.
	Kinds() ([]Kind, error)
}

// ObjectWriter writes records.
type ObjectWriter interface {
	// Put writes the record and its references as a whole. Rev 0 creates:
	// fault.Conflict when the key is taken. Another Rev replaces the record of
	// just that revision: fault.Conflict when the stored one differs,
	// fault.NotFound when there is none. The new revision is returned. An empty
	// kind or id is fault.Invalid.
	Put(r Record) (int64, error)
	// Delete removes the record of the given revision, with the errors of Put.
	Delete(kind Kind, id string, rev int64) error
}
