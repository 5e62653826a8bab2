package received

import (
	"slices"

	"bateleur/core/bt"
	"bateleur/core/cases"
	"bateleur/core/model"
	"bateleur/core/scope"
	"bateleur/core/usecases/leaf"
)

// createCase takes over the replica of a new case. The Create is trusted from
// the manager of a report that this actor offered or proposed, and from nobody
// else (CBT-01-004..007).
var createCase = leaf.Compile(bt.LatchLast("create_case",
	leaf.Latch("link the reports", linkReports),
	caseIsWhole(),
	caseIsNew(),
	senderFoundedCase(),
	caseIsOfMyReport(),
	leaf.Do("seed the replica", seedReplica),
))

// announceCase takes over the replica of a case that this actor joined, or whose
// Create was lost; it never overwrites one (MV-10-004).
var announceCase = leaf.Compile(bt.LatchLast("announce_vulnerability_case",
	leaf.Latch("link the reports", linkReports),
	caseIsWhole(),
	caseIsNew(),
	senderFoundedCase(),
	bt.Selector("trusted",
		invitationWasAccepted(),
		caseIsOfMyReport()),
	leaf.Do("seed the replica", seedReplica),
))

func toldCase(s *scope.Scope) *model.VulnerabilityCase {
	vc, _ := model.InlineAs[*model.VulnerabilityCase](s.Message().Object)
	return vc
}

func caseIsWhole() leaf.Node {
	return leaf.Guard("case is told whole", func(s *scope.Scope) bt.Result {
		vc := toldCase(s)
		if vc == nil || vc.ID == "" || vc.IsStub() {
			return bt.Fail(leaf.Malformed, "the case must be inline and whole")
		}
		return bt.Ok()
	})
}

func caseIsNew() leaf.Node {
	return leaf.Guard("case is new", func(s *scope.Scope) bt.Result {
		here, err := s.HasCase(toldCase(s).ID)
		switch {
		case err != nil:
			return bt.Abort(err)
		case here:
			return bt.Fail(leaf.Duplicate, "case "+toldCase(s).ID+" is here already")
		}
		return bt.Ok()
	})
}

// senderFoundedCase lets pass when the sender holds CASE_MANAGER in the case it
// tells, founded it, does not own it, and lets this actor take part.
func senderFoundedCase() leaf.Node {
	return leaf.Guard("sender manages the case told", func(s *scope.Scope) bt.Result {
		vc := toldCase(s)
		manager, owner, me := holder(vc, model.RoleCaseManager), holder(vc, model.RoleCaseOwner), false
		for _, item := range vc.CaseParticipants {
			p, _ := model.InlineAs[*model.CaseParticipant](item)
			me = me || p != nil && p.AttributedTo == s.Executing().URI()
		}
		switch {
		case manager != s.Sender().URI() || vc.AttributedTo != s.Sender().URI():
			return bt.Fail(leaf.NotForSender, "the case is managed by "+manager)
		case owner == "" || owner == manager:
			return bt.Fail(leaf.NotAuthentic, "the case needs an owner that does not manage it")
		case !me:
			return bt.Fail(leaf.NotForSender, "the case is not this actor's")
		}
		return bt.Ok()
	})
}

// holder is the actor that holds a role in a case as told.
func holder(vc *model.VulnerabilityCase, role model.Role) string {
	for _, item := range vc.CaseParticipants {
		p, ok := model.InlineAs[*model.CaseParticipant](item)
		for i := 0; ok && i < len(p.CaseRoles); i++ {
			if p.CaseRoles[i] == role {
				return p.AttributedTo
			}
		}
	}
	return ""
}

// caseIsOfMyReport lets pass a case of a report that this actor proposed to the
// sender, or offered to the case's owner; the offer named must be that offer. A
// report that has a case vouches for no other one, so that nobody who knows the
// offer can put itself into the manager's place (CBT-02-003).
func caseIsOfMyReport() leaf.Node {
	return leaf.Guard("case is of a report of mine", func(s *scope.Scope) bt.Result {
		for _, item := range toldCase(s).VulnerabilityReports {
			vouched, err := reportVouches(s, item.ID())
			switch {
			case err != nil:
				return bt.Abort(err)
			case vouched:
				return bt.Ok()
			}
		}
		return bt.Fail(leaf.NotForSender, "no report of this actor's vouches for the case")
	})
}

func reportVouches(s *scope.Scope, reportID string) (bool, error) {
	vc := toldCase(s)
	link, linked, err := cases.Find[cases.CaseLink](s, cases.KindCaseLink, reportID)
	if err != nil || linked && (link.Value.CaseID != vc.ID || link.Value.Manager != s.Sender().URI()) {
		return false, err
	}
	offers, err := offersOf(s, reportID)
	return slices.ContainsFunc(offers, func(o cases.OfferRecord) bool { return vouches(s, vc, o) }), err
}

func vouches(s *scope.Scope, vc *model.VulnerabilityCase, offer cases.OfferRecord) bool {
	me, named := s.Executing().URI(), s.Message().OfferID
	if named != "" && named != offer.ID {
		return false
	}
	received := offer.To == me && offer.Manager == s.Sender().URI() && holder(vc, model.RoleCaseOwner) == me
	offered := offer.Actor == me && offer.To == holder(vc, model.RoleCaseOwner)
	return received || offered
}

func invitationWasAccepted() leaf.Node {
	return leaf.Guard("invitation was accepted", func(s *scope.Scope) bt.Result {
		consent, known, err := cases.Find[cases.Answer](s, cases.KindConsent, toldCase(s).ID)
		switch {
		case err != nil:
			return bt.Abort(err)
		case !known || !consent.Value.Accepted || consent.Value.Manager != s.Sender().URI():
			return bt.Fail(leaf.NotForSender, "no invitation of "+s.Sender().URI()+" to this case was accepted")
		}
		return bt.Ok()
	})
}

// seedReplica writes the replica and wakes what waited for the case, entries
// that came before it included.
func seedReplica(s *scope.Scope) error {
	vc := toldCase(s)
	if err := s.SeedReplica(vc); err != nil {
		return err
	}
	head, err := s.Ledger()
	if err != nil {
		return err
	}
	s.Wake(scope.WakeCase(vc.ID))
	s.Wake(scope.WakeLedger(vc.ID, head.Genesis))
	return nil
}

func linkReports(s *scope.Scope) error {
	for _, item := range toldCase(s).VulnerabilityReports {
		_, known, err := cases.Find[cases.CaseLink](s, cases.KindCaseLink, item.ID())
		if err != nil {
			return err
		}
		if known {
			continue
		}
		if err := linkCase(s, item.ID(), toldCase(s).ID, s.Sender().URI()); err != nil {
			return err
		}
	}
	return nil
}
