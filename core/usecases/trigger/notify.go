package trigger

import (
	"bateleur/core/bt"
	"bateleur/core/cases"
	"bateleur/core/model"
	"bateleur/core/scope"
	"bateleur/core/usecases/leaf"
)

// What a participant reports of its way to a fix and of the world. An own step
// goes one state at a time, so "fix ready" may be two reports (protocol, 2.4).
var (
	notifyFixReady = notify("notify-fix-ready",
		mayProgress(model.VFDReady, model.RoleVendor),
		leaf.Do("report the steps", func(s *scope.Scope) error { return reportSteps(s, model.VFDReady) }))
	notifyFixDeployed = notify("notify-fix-deployed",
		mayProgress(model.VFDDeployed, model.RoleDeployer),
		leaf.Do("report the steps", func(s *scope.Scope) error { return reportSteps(s, model.VFDDeployed) }))
	// notifyPublished says that the public is aware, and nothing else (CSB-15-003).
	notifyPublished = notify("notify-published",
		isNews("Pxa"),
		leaf.Do("report the publication", reportPublication))
)

func notify(name string, steps ...leaf.Node) Trigger {
	all := append([]leaf.Node{caseIsHere(namedCase), managerIsKnown(), hasNotLeft()}, steps...)
	return Trigger{Name: name, Check: check[InCase](name), Tree: leaf.Compile(bt.Sequence(name, all...))}
}

// mayProgress lets pass progress that is ahead, the role's to report, and that
// of an engaged participant (CSB-15-001, CSB-15-002, CSB-18-001).
func mayProgress(to model.VFD, role model.Role) leaf.Node {
	return leaf.Guard("may report "+string(to), func(s *scope.Scope) bt.Result {
		p, err := me(s)
		switch {
		case err != nil:
			return bt.Abort(err)
		case !p.Has(role):
			return bt.Fail(leaf.NotAllowed, "needs the role "+string(role))
		case !p.RM.Engaged():
			return bt.Fail(leaf.NotAllowed, "needs an engaged participant, not "+string(p.RM))
		case len(p.VFD.StepsTo(to)) == 0:
			return bt.Fail(leaf.NothingChange, "reported before: "+string(p.VFD))
		case to == model.VFDDeployed && p.VFD != model.VFDReady:
			return bt.Fail(leaf.NotAllowed, "no fix is ready")
		}
		return bt.Ok()
	})
}

func isNews(told model.PXA) leaf.Node {
	return leaf.Guard("is news", func(s *scope.Scope) bt.Result {
		p, err := me(s)
		switch {
		case err != nil:
			return bt.Abort(err)
		case p.Seen != "" && p.Seen.Union(told) == p.Seen:
			return bt.Fail(leaf.NothingChange, "reported before")
		}
		return bt.Ok()
	})
}

func reportSteps(s *scope.Scope, to model.VFD) error {
	p, err := me(s)
	if err != nil {
		return err
	}
	for _, step := range p.VFD.StepsTo(to) {
		p.VFD = step
		if err := report(s, p, model.Item{}, cases.Pending{VFD: step}); err != nil {
			return err
		}
	}
	return nil
}

// reportPublication suggests to the manager that the public is aware; only the
// manager says how the case stands (RSH-04-001).
func reportPublication(s *scope.Scope) error {
	p, err := me(s)
	if err != nil {
		return err
	}
	c, err := s.Case()
	if err != nil {
		return err
	}
	told := model.PXA("Pxa")
	if p.Seen != "" {
		told = p.Seen.Union(told)
	}
	world := cases.World(c, s.Executing().URI(), s.NewID(), s.Now(), c.EM, c.PXA.Union(told))
	return report(s, p, model.Inline(world), cases.Pending{PXA: told})
}

func report(s *scope.Scope, p *cases.Participant, world model.Item, pending cases.Pending) error {
	c, err := s.Case()
	if err != nil {
		return err
	}
	status := cases.Status(c, p, s.NewID(), s.Now())
	status.CaseStatus = world
	a := s.NewActivity(model.Add, status)
	a.Target = model.Link(p.ID)
	pending.EventType, pending.ObjectID = cases.EventAddParticipantStatus, a.ID
	if err := assert(s, a, pending); err != nil {
		return err
	}
	return s.Answer(map[string]any{"activity": a, "activity_id": a.ID, "status_id": status.ID})
}
