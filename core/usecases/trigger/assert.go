package trigger

import (
	"bateleur/core/bt"
	"bateleur/core/cases"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/scope"
	"bateleur/core/usecases/leaf"
)

// assert sends an assertion to the case's manager and remembers it, apart from
// the case, until the ledger confirms it.
func assert(s *scope.Scope, a *model.Activity, p cases.Pending) error {
	c, err := s.Case()
	if err != nil {
		return err
	}
	a.To = []string{c.Manager()}
	p.CaseID, p.At = c.ID, s.Instant()
	id := cases.PendingID(p.CaseID, p.EventType, p.ObjectID)
	if err := cases.Create(s, cases.KindPending, id, p, ports.Ref{Name: cases.RefCase, Target: c.ID}); err != nil {
		return err
	}
	if err := s.Emit(a, ports.EmitOptions{}); err != nil {
		return err
	}
	return s.Answer(map[string]any{"activity": a})
}

// me is the executing actor's participant as this actor sees it: what the ledger
// says and, ahead of it, what the actor itself has asserted.
func me(s *scope.Scope) (*cases.Participant, error) {
	c, err := s.Case()
	if err != nil {
		return nil, err
	}
	p := c.Of(s.Executing().URI())
	if p == nil {
		return nil, nil
	}
	pending, err := cases.All[cases.Pending](s, cases.KindPending, ports.Ref{Name: cases.RefCase, Target: c.ID})
	if err != nil {
		return nil, err
	}
	return p.With(pending, s.Instant()), nil
}

// managerIsKnown lets pass when there is someone to assert to: the route first,
// then the step (BT-19-001, PCR-08-011). The manager itself asserts nothing; what
// it does for the case is ledgered where it does it.
func managerIsKnown() leaf.Node {
	return leaf.Guard("manager is known", func(s *scope.Scope) bt.Result {
		c, err := s.Case()
		switch {
		case err != nil:
			return bt.Abort(err)
		case c.Manager() == "":
			return bt.Fail(leaf.Unknown, "nobody manages the case")
		case c.Manager() == s.Executing().URI():
			return bt.Fail(leaf.NotAllowed, "the case's manager takes no participant's steps")
		}
		return bt.Ok()
	})
}

// mayStep lets pass an own step of report management that its table has, from
// where the actor stands by its ledger and its pending assertions (RMB-15-001).
func mayStep(step string) leaf.Node {
	return leaf.Guard("may "+step, func(s *scope.Scope) bt.Result {
		p, err := me(s)
		switch {
		case err != nil:
			return bt.Abort(err)
		case p == nil:
			return bt.Fail(leaf.NotAllowed, s.Executing().URI()+" does not participate in the case")
		}
		if _, err := p.RM.Next(step); err != nil {
			return bt.Fail(leaf.NotAllowed, "cannot "+step+" from "+string(p.RM))
		}
		return bt.Ok()
	})
}

// caseIsHere is the gate of a command about a case. One that is not here is
// waited for while some case is due; otherwise the id is wrong.
func caseIsHere(caseOf func(*scope.Scope) (string, error)) leaf.Node {
	return leaf.Guard("case is here", func(s *scope.Scope) bt.Result {
		id, err := caseOf(s)
		if err != nil {
			return bt.Abort(err)
		}
		r := leaf.Here(s, id)
		if r.Status != bt.Failure {
			return r
		}
		due, err := leaf.AwaitsCase(s)
		switch {
		case err != nil:
			return bt.Abort(err)
		case !due:
			return bt.Fail(leaf.Unknown, "no case "+id+" here, and none is due")
		}
		return r
	})
}

func namedCase(s *scope.Scope) (string, error) {
	p, err := scope.Params[InCase](s)
	return p.CaseID, err
}
