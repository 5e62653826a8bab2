package received

import (
	"time"

	"bateleur/core/authority"
	"bateleur/core/bt"
	"bateleur/core/cases"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/scope"
	"bateleur/core/usecases/leaf"
)

// createCaseProposal is how a case begins: the manager creates it in its own
// store, records how it stands, and tells the proposer and the reporter.
//
// The order of what is sent is the order in which a recipient must learn it:
// the answer, the case, then the entries (CP-05-003, CBT-01-001).
var createCaseProposal = leaf.Compile(bt.Selector("create_case_proposal",
	bt.Sequence("known report",
		proposalIsNew(),
		nothingAgainstIt(),
		reportHasCase(),
		leaf.AsManager(leaf.ForCase("tell the case again", tellAgain))),
	bt.LatchLast("refused",
		leaf.Latch("record the refusal", recordRefusal),
		proposalIsNew(),
		somethingAgainstIt(),
		leaf.Do("refuse the proposal", refuseProposal)),
	bt.LatchLast("new case",
		leaf.Latch("record the proposal and the case", recordCase),
		proposalIsNew(),
		nothingAgainstIt(),
		leaf.Do("found the case", foundCase),
		leaf.AsManager(bt.Sequence("initialise",
			leaf.ForCase("adopt the default embargo", adoptEmbargo),
			leaf.ForCase("ledger how the case begins", ledgerBeginning),
			leaf.ForCase("accept the proposal", acceptProposal),
			leaf.ForCase("tell owner and reporter", tellCase),
			leaf.ForCase("announce the entries", (*scope.Scope).AnnounceMinted)))),
))

func proposal(s *scope.Scope) *model.CaseProposal {
	p, _ := model.InlineAs[*model.CaseProposal](s.Message().Object)
	return p
}

func proposedReport(s *scope.Scope) *model.Report {
	r, _ := model.InlineAs[*model.Report](proposal(s).Object)
	return r
}

// proposalIsNew lets pass a proposal that can be answered and was not answered
// before; the same report proposed anew is another matter.
func proposalIsNew() leaf.Node {
	return leaf.Guard("proposal is new", func(s *scope.Scope) bt.Result {
		p := proposal(s)
		if p == nil || p.ID == "" {
			return bt.Fail(leaf.Malformed, "the proposal must be inline and have an id")
		}
		_, known, err := cases.Find[cases.Proposal](s, cases.KindProposal, p.ID)
		switch {
		case err != nil:
			return bt.Abort(err)
		case known:
			return bt.Fail(leaf.Duplicate, "proposal "+p.ID+" was answered before")
		}
		return bt.Ok()
	})
}

// reportHasCase finds the case of a report that its owner proposes once more: an
// answer may have been lost (CP-05-006).
func reportHasCase() leaf.Node {
	return leaf.Guard("report has a case", func(s *scope.Scope) bt.Result {
		link, known, err := cases.Find[cases.CaseLink](s, cases.KindCaseLink, proposedReport(s).ID)
		switch {
		case err != nil:
			return bt.Abort(err)
		case !known:
			return bt.Fail(leaf.Unknown, "the report has no case")
		}
		return leaf.Here(s, link.Value.CaseID)
	})
}

func recordCase(s *scope.Scope) error {
	if err := recordProposal(s, cases.Proposal{State: cases.ProposalAccepted, CaseID: s.CaseID()}); err != nil {
		return err
	}
	return linkCase(s, proposedReport(s).ID, s.CaseID(), s.Executing().URI())
}

func recordProposal(s *scope.Scope, r cases.Proposal) error {
	p := proposal(s)
	r.ID, r.ReportID, r.Proposer = p.ID, p.Object.ID(), s.Sender().URI()
	var refs []ports.Ref
	if r.ReportID != "" {
		refs = append(refs, ports.Ref{Name: cases.RefReport, Target: r.ReportID})
	}
	return cases.Create(s, cases.KindProposal, p.ID, r, refs...)
}

// linkCase records which case a report became, and wakes what waited for it.
func linkCase(s *scope.Scope, reportID, caseID, manager string) error {
	s.Wake(scope.WakeReport(reportID))
	return cases.Create(s, cases.KindCaseLink, reportID,
		cases.CaseLink{ReportID: reportID, CaseID: caseID, Manager: manager})
}

// foundCase writes the case with its three participants; their states follow
// from the first entries.
func foundCase(s *scope.Scope) error {
	p, report, caseID := proposal(s), proposedReport(s), s.NewID()
	vc := &model.VulnerabilityCase{ID: caseID, Type: model.TypeCase, Name: report.Name,
		AttributedTo: s.Executing().URI(), Published: s.Now(), Updated: s.Now(),
		VulnerabilityReports: []model.Item{model.Inline(report)}}
	join := func(actor, name string, roles ...model.Role) {
		vc.CaseParticipants = append(vc.CaseParticipants, model.Inline(&model.CaseParticipant{
			ID: s.NewID(), Type: model.TypeParticipant, Name: name, AttributedTo: actor, Context: caseID,
			CaseRoles: roles, Published: s.Now(), Updated: s.Now()}))
	}
	join(s.Executing().URI(), "CaseActor for "+caseID, model.RoleCoordinator, model.RoleCaseManager)
	join(s.Sender().URI(), s.Sender().URI(), ownerRoles(p)...)
	if who := reporter(p, report); who != s.Sender().URI() {
		join(who, who, model.RoleReporter)
	}
	return s.Found(vc)
}

// reporter is the canonical id of the actor that submitted the report, as the
// proposer says; where it does not, of the one that made it; "" when neither is
// an actor.
func reporter(p *model.CaseProposal, r *model.Report) string {
	for _, who := range []string{p.OfferActorID, r.AttributedTo} {
		if id, err := model.ParseActorID(who); err == nil {
			return id.URI()
		}
	}
	return ""
}

// ownerRoles are the proposer's configured roles and case_owner; what nobody may
// claim for itself is left out (CM-20-004).
func ownerRoles(p *model.CaseProposal) []model.Role {
	var roles []model.Role
	for _, r := range p.Roles {
		if r != model.RoleCaseManager && r != model.RoleCaseOwner {
			roles = append(roles, r)
		}
	}
	if len(roles) == 0 {
		roles = []model.Role{model.RoleVendor}
	}
	return append(roles, model.RoleCaseOwner)
}

func adoptEmbargo(s *scope.Scope, auth authority.Case) error {
	length, rule := s.Policy().DefaultEmbargo(s.Sender().URI())
	if length == 0 {
		return nil
	}
	start := s.Instant().Truncate(time.Microsecond)
	return s.AdoptEmbargo(auth, &model.EmbargoEvent{ID: s.NewID(), Type: model.TypeEmbargo,
		Context: s.CaseID(), StartTime: start, EndTime: start.Add(length), Summary: "Set by " + rule,
		Published: s.Now(), Updated: s.Now()})
}

func acceptProposal(s *scope.Scope, auth authority.Case) error {
	a := s.NewActivity(model.Accept, proposal(s), s.Sender().URI())
	a.InReplyTo = s.Message().ID
	return s.EmitForCase(auth, a, ports.EmitOptions{About: s.CaseID()})
}

// tellCase seeds the replicas of owner and reporter; it says in which offer the
// report came, so that the reporter can tell its own (CBT-01-004).
func tellCase(s *scope.Scope, auth authority.Case) error {
	c, err := s.Case()
	if err != nil {
		return err
	}
	return sendCase(s, auth, c.Audience()...)
}

func sendCase(s *scope.Scope, auth authority.Case, to ...string) error {
	whole, err := s.WholeCase()
	if err != nil {
		return err
	}
	a := s.NewActivity(model.Create, whole, to...)
	a.Context, a.InReplyTo = s.CaseID(), s.Message().ID
	a.OfferID, a.OfferActorID = proposal(s).OfferID, proposal(s).OfferActorID
	return s.EmitForCase(auth, a, ports.EmitOptions{About: s.CaseID()})
}

// tellAgain repeats the answers to the one who asked again, and to nobody else.
func tellAgain(s *scope.Scope, auth authority.Case) error {
	if err := acceptProposal(s, auth); err != nil {
		return err
	}
	s.Refuse(leaf.Duplicate, "the report has case "+s.CaseID())
	return sendCase(s, auth, s.Sender().URI())
}
