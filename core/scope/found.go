package scope

import (
	"bateleur/core/authority"
	"bateleur/core/cases"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// Found makes a new case in the executing actor's store, with a ledger of its
// own: the first step of case creation, before any gate could ask for a role in
// it. The case carries no embargo yet.
func (s *Scope) Found(vc *model.VulnerabilityCase) error {
	if vc.AttributedTo != s.executing.URI() || !vc.ActiveEmbargo.IsZero() {
		return fault.New("scope.found", vc.ID, fault.Inconsistent, "a case is founded by its manager, without an embargo")
	}
	return s.seed(vc, ports.Own)
}

// SeedReplica takes over a case whole from its manager (CBT-01-002). A case that
// is here already is fault.Conflict: seeding never overwrites.
func (s *Scope) SeedReplica(vc *model.VulnerabilityCase) error { return s.seed(vc, ports.Replica) }

func (s *Scope) seed(vc *model.VulnerabilityCase, standing ports.Standing) error {
	if err := s.SetCase(vc.ID); err != nil {
		return err
	}
	c, err := cases.Seed(s.unit, vc)
	if err != nil {
		return err
	}
	return s.unit.OpenLedger(c.ID, standing, c.Genesis)
}

// AdoptEmbargo puts a new case, one without a ledger entry, under an embargo
// with the consent of all its participants (EP-04-001): PROPOSED is never seen
// (EP-04-002).
func (s *Scope) AdoptEmbargo(auth authority.Case, e *model.EmbargoEvent) error {
	if err := auth.Check(s.executing, s.caseID); err != nil {
		return err
	}
	head, err := s.Ledger()
	if err != nil {
		return err
	}
	if head.Tail >= 0 {
		return fault.New("scope.adopt-embargo", s.caseID, fault.Inconsistent, "the case has entries already")
	}
	return cases.AdoptEmbargo(s.unit, s.caseID, e)
}

// WholeCase assembles the case as a new replica is told it.
func (s *Scope) WholeCase() (*model.VulnerabilityCase, error) {
	c, err := s.Case()
	if err != nil {
		return nil, err
	}
	return cases.Whole(s.unit, c)
}
