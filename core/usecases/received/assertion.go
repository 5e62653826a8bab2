package received

import (
	"bateleur/core/authority"
	"bateleur/core/bt"
	"bateleur/core/cases"
	"bateleur/core/model"
	"bateleur/core/scope"
	"bateleur/core/usecases/leaf"
)

// assertion is the common form of a participant's assertion about itself: the
// manager ledgers it, the case's state follows, its audience is told. more are
// steps under the gate that come between commit and announcement.
func assertion(name, event string, guards []leaf.Node, more ...leaf.Node) leaf.Node {
	commit := append([]leaf.Node{leaf.ForSender("ledger "+event, ledgerMessage(event))}, more...)
	commit = append(commit, leaf.ForSender("announce the entries", (*scope.Scope).AnnounceMinted))
	return bt.Sequence(name, append(guards, leaf.WhenManager(bt.Sequence("commit", commit...)))...)
}

// ledgerMessage ledgers the message as its sender asserted it (CLP-07-003).
func ledgerMessage(event string) func(*scope.Scope, authority.Case) error {
	return func(s *scope.Scope, auth authority.Case) error {
		a := *s.Message()
		if a.Target.IsLink() {
			a.Target = model.Inline(&model.VulnerabilityCase{ID: s.CaseID(), Type: model.TypeCase})
		}
		_, err := s.Mint(auth, scope.Draft{EventType: event, ObjectID: a.ID, Activity: &a, Raw: s.Raw()})
		return err
	}
}

// senderMayReach lets pass when the sender's report management may move to the
// state: forward, jumps included, never back (RSH-05).
func senderMayReach(to model.RM) leaf.Node {
	return leaf.Guard("sender may reach "+string(to), func(s *scope.Scope) bt.Result {
		p, err := leaf.SenderIn(s)
		switch {
		case err != nil:
			return bt.Abort(err)
		case p.RM == to:
			return bt.Fail(leaf.NothingChange, s.Sender().URI()+" is "+string(to)+" already")
		case !p.RM.AcceptsReported(to):
			return bt.Fail(leaf.NotAllowed, "no way from "+string(p.RM)+" to "+string(to))
		}
		return bt.Ok()
	})
}

// aboutReport makes the tree of an answer to a report's offer: a step of the
// sender's report management.
func aboutReport(name string, to model.RM) leaf.Node {
	return assertion(name, name, []leaf.Node{
		leaf.CaseOfReportIsHere(answeredReport),
		leaf.SenderParticipates(),
		leaf.NotLedgered(name),
		senderMayReach(to),
	})
}

// answeredReport is the report whose offer the message answers.
func answeredReport(s *scope.Scope) (string, error) {
	offer := s.Message().ObjectActivity()
	if offer == nil {
		return "", nil
	}
	return offer.Object.ID(), nil
}

// aboutCase makes the tree of a step of the sender's part in a case.
func aboutCase(name string, to model.RM, more ...leaf.Node) leaf.Node {
	return assertion(name, name, []leaf.Node{
		leaf.CaseIsHere(),
		leaf.SenderParticipates(),
		leaf.NotLedgered(name),
		senderMayReach(to),
	}, more...)
}

// The steps of a participant's report management.
var (
	validateReport   = leaf.Compile(aboutReport(cases.EventValidateReport, model.RMValid))
	invalidateReport = leaf.Compile(aboutReport(cases.EventInvalidateReport, model.RMInvalid))
	closeReport      = leaf.Compile(aboutReport(cases.EventCloseReport, model.RMClosed))
	engageCase       = leaf.Compile(aboutCase(cases.EventEngageCase, model.RMAccepted))
	deferCase        = leaf.Compile(aboutCase(cases.EventDeferCase, model.RMDeferred))
	closeCase        = leaf.Compile(aboutCase(cases.EventCloseCase, model.RMClosed,
		leaf.ForCase("close the case when its owner leaves", closeWithOwner)))
)

// closeWithOwner ledgers the case's end when the owner left it (CM-23-005); it
// is the last entry.
func closeWithOwner(s *scope.Scope, auth authority.Case) error {
	c, err := s.Case()
	if err != nil {
		return err
	}
	leaver := c.Of(s.Sender().URI())
	if leaver == nil || !leaver.Has(model.RoleCaseOwner) {
		return nil
	}
	a := s.NewActivity(model.Leave, cases.Stub(c))
	return mint(s, auth, cases.EventCaseFullyClosed, s.CaseID(), a)
}
