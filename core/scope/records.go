package scope

import (
	"bateleur/core/cases"
	"bateleur/core/fault"
	"bateleur/core/ports"
)

// Get reads a record of the unit, or fault.NotFound.
func (s *Scope) Get(kind ports.Kind, id string) (ports.Record, error) { return s.unit.Get(kind, id) }

// List reads records of the unit.
func (s *Scope) List(p ports.ListParams) ([]ports.Record, error) { return s.unit.List(p) }

// Put writes a record of the actor's own. A latch can be written only from a
// tree's latch position (ID-04-005); a case's projection not at all, since it
// follows from entries alone. Both are fault.Forbidden.
func (s *Scope) Put(r ports.Record) (int64, error) {
	if err := s.mayWrite(r.Kind, r.ID); err != nil {
		return 0, err
	}
	return s.unit.Put(r)
}

// Delete removes a record, under the rules of Put.
func (s *Scope) Delete(kind ports.Kind, id string, rev int64) error {
	if err := s.mayWrite(kind, id); err != nil {
		return err
	}
	return s.unit.Delete(kind, id, rev)
}

func (s *Scope) mayWrite(kind ports.Kind, id string) error {
	switch {
	case cases.IsProjection(kind):
		return fault.New("scope.put", id, fault.Forbidden, string(kind)+" follows from the ledger alone")
	case cases.IsLatch(kind) && !s.latching:
		return fault.New("scope.put", id, fault.Forbidden, string(kind)+" is written from the latch position only")
	}
	return nil
}

// Wake lets items that wait for the key run again once the run commits.
func (s *Scope) Wake(key string) { s.unit.Wake(key) }

// Waiting gives the items that wait for a key with this prefix.
func (s *Scope) Waiting(prefix string) ([]ports.InboxItem, error) { return s.unit.Waiting(prefix) }
