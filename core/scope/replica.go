package scope

import (
	"bateleur/core/cases"
	"bateleur/core/fault"
	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// ReadEntry reads the assertion that an entry records.
func (s *Scope) ReadEntry(e ledger.Entry) (*model.Activity, error) {
	return s.tools.Wire.Decode(e.Payload)
}

// ReadActivity reads an activity that the store kept as it was sent.
func (s *Scope) ReadActivity(raw []byte) (*model.Activity, error) { return s.tools.Wire.Decode(raw) }

// ProjectEntry applies a verified entry's effects to the replica and clears the
// pending assertion that it confirms. The entry itself is stored last, by
// StoreEntry: its presence says that its effects are there (SYNC-12-002).
//
// What is not the next entry of the run's case changes nothing: fault.Conflict.
// In a ledger of the store's own it is fault.Forbidden, with a hash that does not
// follow from its content fault.Corrupt.
func (s *Scope) ProjectEntry(e ledger.Entry) error {
	if err := s.isNext(e); err != nil {
		return err
	}
	if _, err := ledger.Verify(e); err != nil {
		return err
	}
	a, err := s.ReadEntry(e)
	if err != nil {
		return err
	}
	if err := cases.Project(s.unit, s.tools.Memo, e, a); err != nil {
		return err
	}
	return s.confirm(e)
}

func (s *Scope) isNext(e ledger.Entry) error {
	const op = "scope.project-entry"
	head, err := s.Ledger()
	switch {
	case err != nil:
		return err
	case head.Standing != ports.Replica:
		return fault.New(op, e.ID(), fault.Forbidden, "this actor's ledger of the case is its own")
	case e.CaseID != s.caseID || e.Index != head.Tail+1 || e.PrevHash != head.TailHash:
		return fault.New(op, e.ID(), fault.Conflict, "is not the next entry of "+s.caseID)
	}
	return nil
}

func (s *Scope) confirm(e ledger.Entry) error {
	id := cases.PendingID(e.CaseID, e.EventType, e.ObjectID)
	r, err := s.unit.Get(cases.KindPending, id)
	if fault.CodeOf(err) == fault.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	return s.unit.Delete(cases.KindPending, id, r.Rev)
}

// StoreEntry appends the entry to the replica and lets wait no longer what
// waited for it. It is a latch: fault.Forbidden outside the latch position.
func (s *Scope) StoreEntry(e ledger.Entry) error {
	if !s.latching {
		return fault.New("scope.store-entry", e.ID(), fault.Forbidden, "an entry is stored from the latch position only")
	}
	if err := s.unit.Apply(e); err != nil {
		return err
	}
	s.unit.Wake(WakeLedger(e.CaseID, e.Hash))
	return nil
}
