package received

import (
	"bateleur/core/authority"
	"bateleur/core/cases"
	"bateleur/core/model"
	"bateleur/core/scope"
)

// ledgerBeginning records how the case begins, in the order that peers expect:
// the case, its report, the manager's way to ACCEPTED, the owner, the reporter,
// the case's own state (protocol, section 5.2).
func ledgerBeginning(s *scope.Scope, auth authority.Case) error {
	for _, step := range []func(*scope.Scope, authority.Case) error{
		ledgerCase, ledgerReport, ledgerParticipants, ledgerWorld,
	} {
		if err := step(s, auth); err != nil {
			return err
		}
	}
	return nil
}

func ledgerCase(s *scope.Scope, auth authority.Case) error {
	whole, err := s.WholeCase()
	if err != nil {
		return err
	}
	return mint(s, auth, cases.EventCreateCase, s.CaseID(), s.NewActivity(model.Create, whole))
}

// ledgerReport carries the offer's provenance, for nobody else can tell the
// replicas (CP-01-007).
func ledgerReport(s *scope.Scope, auth authority.Case) error {
	report := proposedReport(s)
	a := s.NewActivity(model.Add, report)
	a.Target = model.Inline(&model.VulnerabilityCase{ID: s.CaseID(), Type: model.TypeCase})
	a.OfferID, a.OfferActorID = proposal(s).OfferID, proposal(s).OfferActorID
	return mint(s, auth, cases.EventAddReport, report.ID, a)
}

func ledgerParticipants(s *scope.Scope, auth authority.Case) error {
	c, err := s.Case()
	if err != nil {
		return err
	}
	for i := range c.Participants {
		p := c.Participants[i]
		way := []model.RM{model.RMReceived}
		switch {
		case p.Has(model.RoleCaseManager):
			way = []model.RM{model.RMReceived, model.RMValid, model.RMAccepted}
		case p.Has(model.RoleReporter):
			way = []model.RM{model.RMAccepted}
		}
		for _, rm := range way {
			p.RM = rm
			if err := ledgerStatus(s, auth, c, &p); err != nil {
				return err
			}
		}
	}
	return nil
}

func ledgerStatus(s *scope.Scope, auth authority.Case, c *cases.Case, p *cases.Participant) error {
	status := cases.Status(c, p, s.NewID(), s.Now())
	a := s.NewActivity(model.Add, status)
	a.Target = model.Inline(cases.Brief(c, p))
	return mint(s, auth, cases.EventAddParticipantStatus, status.ID, a)
}

func ledgerWorld(s *scope.Scope, auth authority.Case) error {
	c, err := s.Case()
	if err != nil {
		return err
	}
	status := cases.World(c, s.Executing().URI(), s.NewID(), s.Now(), c.EM, c.PXA)
	a := s.NewActivity(model.Add, status)
	a.Target = model.Inline(cases.Stub(c))
	return mint(s, auth, cases.EventAddCaseStatus, status.ID, a)
}

// mint ledgers an assertion of the manager's own.
func mint(s *scope.Scope, auth authority.Case, event, objectID string, a *model.Activity) error {
	_, err := s.Mint(auth, scope.Draft{EventType: event, ObjectID: objectID, Activity: a})
	return err
}
