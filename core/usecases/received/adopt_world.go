package received

import (
	"bateleur/core/authority"
	"bateleur/core/bt"
	"bateleur/core/cases"
	"bateleur/core/model"
	"bateleur/core/scope"
	"bateleur/core/usecases/leaf"
)

func worldIsUnchanged(s *scope.Scope, cells *bt.Cells) bt.Result {
	c, err := s.Case()
	if err != nil {
		return bt.Abort(err)
	}
	told := cases.Seen(judged(cells).status)
	if told == "" || c.PXA.Union(told) == c.PXA {
		return bt.Ok()
	}
	return bt.Fail("news", "the world is said to know "+string(told))
}

// ownerApproves lets the owner's own word pass and asks the policy about that
// of others (RSH-01-001).
func ownerApproves(s *scope.Scope, cells *bt.Cells) bt.Result {
	p, err := leaf.SenderIn(s)
	switch {
	case err != nil:
		return bt.Abort(err)
	case p.Has(model.RoleCaseOwner), s.Policy().AdoptStatus(p.Actor, cases.Seen(judged(cells).status)):
		return bt.Ok()
	}
	return bt.Fail(leaf.NotAllowed, "the owner does not take over what "+p.Actor+" says of the world")
}

// adoptWorld ledgers the case's new state as the manager's own assertion, in the
// run that emits it: only the manager says how a case stands (RSH-04-001), and
// it sends itself nothing.
func adoptWorld(s *scope.Scope, cells *bt.Cells) bt.Result {
	c, err := s.Case()
	if err != nil {
		return bt.Abort(err)
	}
	status := cases.World(c, s.Sender().URI(), s.NewID(), s.Now(), c.EM, c.PXA.Union(cases.Seen(judged(cells).status)))
	a := s.NewActivity(model.Add, status, c.Audience()...)
	a.Target = model.Inline(cases.Stub(c))
	if err := mint(s, s.Authority(), cases.EventAddCaseStatus, a.ID, a); err != nil {
		return bt.Abort(err)
	}
	return bt.Ok()
}

// endPointlessEmbargo tears an embargo down once the public, an exploit or an
// attack is there and the policy does not want to keep it: authored by the
// manager, addressed to the participants (EMB-16-001, EMB-19-001, RSH-02-001).
func endPointlessEmbargo(s *scope.Scope, auth authority.Case) error {
	c, err := s.Case()
	if err != nil || !c.EM.InForce() || c.PXA == model.PXANone || !s.Policy().EndEmbargo(c.PXA) {
		return err
	}
	embargo, err := cases.Load[*model.EmbargoEvent](s, cases.KindEmbargo, c.Embargo)
	if err != nil {
		return err
	}
	a := s.NewActivity(model.Remove, embargo.Value, c.Audience()...)
	a.Origin = model.Link(s.CaseID())
	return mint(s, auth, cases.EventRemoveEmbargo, a.ID, a)
}
