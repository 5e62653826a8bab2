package sqlite

import (
	"bytes"

	"bateleur/core/ports"
)

// different gives each of the references once.
func different(refs []ports.Ref) map[ports.Ref]bool {
	set := make(map[ports.Ref]bool, len(refs))
	for _, r := range refs {
		set[r] = true
	}
	return set
}

// link makes the record listed by references.
func (t *tx) link(op string, r ports.Record, refs map[ports.Ref]bool, position int64) error {
	for ref := range refs {
		if _, _, err := t.exec(op, r.ID, insertRef, r.Kind, ref.Name, ref.Target, position); err != nil {
			return err
		}
	}
	return nil
}

// relink changes what a record is listed by from what is held to the record's
// references.
func (t *tx) relink(op string, r ports.Record, held heldRow) error {
	if bytes.Equal(held.Refs, packRefs(r.Refs)) {
		return nil
	}
	before, err := unpackRefs(op, r.ID, held.Refs)
	if err != nil {
		return err
	}
	gone, fresh := different(before), different(r.Refs)
	for ref := range fresh {
		if gone[ref] {
			delete(gone, ref)
			delete(fresh, ref)
		}
	}
	for ref := range gone {
		if _, _, err := t.exec(op, r.ID, deleteRef, r.Kind, ref.Name, ref.Target, held.Position); err != nil {
			return err
		}
	}
	return t.link(op, r, fresh, held.Position)
}
