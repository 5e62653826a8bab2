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
		proposalIsWellFormed(),
		reportHasCase(),
		leaf.AsManager(leaf.ForCase("tell the case again", tellAgain))),
	bt.Sequence("unacceptable",
		proposalIsWellFormed(),
		reportHasNoCase(),
		proposalIsUnacceptable(),
		leaf.Do("refuse the proposal", refuseProposal)),
	bt.LatchLast("new case",
		leaf.Latch("record the proposal and the case", recordCase),
		proposalIsWellFormed(),
		reportHasNoCase(),
		proposalIsAcceptable(),
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

// proposalIsWellFormed checks what makes a proposal one that can be answered.
func proposalIsWellFormed() leaf.Node {
	return leaf.Guard("proposal is well-formed", func(s *scope.Scope) bt.Result {
		p := proposal(s)
		if p == nil || p.ID == "" {
			return bt.Fail(leaf.Malformed, "the proposal must be inline and have an id")
		}
		report := proposedReport(s)
		switch {
		case report == nil || report.ID == "":
			return bt.Fail(leaf.Malformed, "object.object: the report must be inline")
		case reporter(report) == "":
			return bt.Fail(leaf.Malformed, "object.object.attributedTo: the report names no actor as reporter")
		case p.AttributedTo != "" && p.AttributedTo != s.Sender().URI():
			return bt.Fail(leaf.NotForSender, "the proposal is "+p.AttributedTo+"'s")
		case p.Target.ID() != "" && p.Target.ID() != s.Executing().URI():
			return bt.Fail(leaf.NotForSender, "the proposal is made to "+p.Target.ID())
		case s.Sender() == s.Executing():
			return bt.Fail(leaf.NotForSender, "the manager of a case does not own it (CM-02-010)")
		}
		return bt.Ok()
	})
}

func reportHasNoCase() leaf.Node {
	return leaf.Guard("report has no case", func(s *scope.Scope) bt.Result {
		link, known, err := cases.Find[cases.CaseLink](s, cases.KindCaseLink, proposedReport(s).ID)
		switch {
		case err != nil:
			return bt.Abort(err)
		case known:
			return bt.Fail(leaf.Duplicate, "the report has case "+link.Value.CaseID)
		}
		return bt.Ok()
	})
}

// reportHasCase finds the case of a report that its owner proposes once more: an
// answer may have been lost (CP-05-006).
func reportHasCase() leaf.Node {
	return leaf.Guard("report has a case of the sender", func(s *scope.Scope) bt.Result {
		link, known, err := cases.Find[cases.CaseLink](s, cases.KindCaseLink, proposedReport(s).ID)
		switch {
		case err != nil:
			return bt.Abort(err)
		case !known:
			return bt.Fail(leaf.Unknown, "the report has no case")
		}
		if r := leaf.Here(s, link.Value.CaseID); r.Status != bt.Success {
			return r
		}
		p, err := leaf.SenderIn(s)
		switch {
		case err != nil:
			return bt.Abort(err)
		case p == nil || !p.Has(model.RoleCaseOwner):
			return bt.Fail(leaf.NotForSender, "the report has a case that another owns")
		}
		return bt.Ok()
	})
}

func proposalIsUnacceptable() leaf.Node {
	return leaf.Guard("proposal is unacceptable", func(s *scope.Scope) bt.Result {
		if refusal(s) == "" {
			return bt.Fail("acceptable", "nothing speaks against the proposal")
		}
		return bt.Ok()
	})
}

func proposalIsAcceptable() leaf.Node {
	return bt.Invert("not unacceptable", proposalIsUnacceptable())
}

func refusal(s *scope.Scope) string {
	if !s.Profile().ManagesCases {
		return s.Executing().URI() + " does not manage cases"
	}
	return s.Policy().AcceptProposal(proposedReport(s))
}

func refuseProposal(s *scope.Scope) error {
	a := s.NewActivity(model.Reject, proposal(s), s.Sender().URI())
	a.Summary, a.InReplyTo = refusal(s), s.Message().ID
	s.Refuse(leaf.NotAllowed, a.Summary)
	return s.Emit(a, ports.EmitOptions{})
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
	if who := reporter(report); who != s.Sender().URI() {
		join(who, who, model.RoleReporter)
	}
	return s.Found(vc)
}

// reporter is the canonical id of the actor that made the report, "" when it
// names none.
func reporter(r *model.Report) string {
	id, err := model.ParseActorID(r.AttributedTo)
	if err != nil {
		return ""
	}
	return id.URI()
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

func recordCase(s *scope.Scope) error {
	p, report := proposal(s), proposedReport(s)
	if err := cases.Create(s, cases.KindProposal, p.ID, cases.Proposal{ID: p.ID, ReportID: report.ID,
		Proposer: s.Sender().URI(), State: cases.ProposalAccepted, CaseID: s.CaseID()},
		ports.Ref{Name: cases.RefReport, Target: report.ID}); err != nil {
		return err
	}
	return linkCase(s, report.ID, s.CaseID(), s.Executing().URI())
}

// linkCase records which case a report became, and wakes what waited for it.
func linkCase(s *scope.Scope, reportID, caseID, manager string) error {
	s.Wake(scope.WakeReport(reportID))
	return cases.Create(s, cases.KindCaseLink, reportID,
		cases.CaseLink{ReportID: reportID, CaseID: caseID, Manager: manager})
}
