package received

import (
	"bateleur/core/bt"
	"bateleur/core/cases"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/scope"
	"bateleur/core/usecases/leaf"
)

// against says what speaks against a proposal, the zero Reason when nothing
// does: what it lacks, whose it is, or the manager's own policy (CP-05-002).
func against(s *scope.Scope) (bt.Reason, error) {
	if r := flaw(s); r.Code != "" {
		return r, nil
	}
	if r, err := takenByAnother(s); err != nil || r.Code != "" {
		return r, err
	}
	if !s.Profile().ManagesCases {
		return bt.Reason{Code: leaf.NotAllowed, Text: s.Executing().URI() + " does not manage cases"}, nil
	}
	if why := s.Policy().AcceptProposal(proposedReport(s)); why != "" {
		return bt.Reason{Code: leaf.NotAllowed, Text: why}, nil
	}
	return bt.Reason{}, nil
}

// flaw is what makes the proposal one that no manager could accept.
func flaw(s *scope.Scope) bt.Reason {
	p, report := proposal(s), proposedReport(s)
	switch {
	case report == nil || report.ID == "":
		return bt.Reason{Code: leaf.Malformed, Text: "object.object: the report must be inline"}
	case reporter(p, report) == "":
		return bt.Reason{Code: leaf.Malformed, Text: "object.object.attributedTo: the report names no actor as reporter"}
	case p.AttributedTo != "" && p.AttributedTo != s.Sender().URI():
		return bt.Reason{Code: leaf.NotForSender, Text: "the proposal is " + p.AttributedTo + "'s"}
	case p.Target.ID() != "" && p.Target.ID() != s.Executing().URI():
		return bt.Reason{Code: leaf.NotForSender, Text: "the proposal is made to " + p.Target.ID()}
	case s.Sender() == s.Executing():
		return bt.Reason{Code: leaf.NotForSender, Text: "the manager of a case does not own it (CM-02-010)"}
	}
	return bt.Reason{}
}

// takenByAnother looks for a case of the report that the sender does not own.
func takenByAnother(s *scope.Scope) (bt.Reason, error) {
	link, known, err := cases.Find[cases.CaseLink](s, cases.KindCaseLink, proposedReport(s).ID)
	if err != nil || !known {
		return bt.Reason{}, err
	}
	c, known, err := cases.Find[cases.Case](s, cases.KindCase, link.Value.CaseID)
	if err != nil || !known {
		return bt.Reason{}, err
	}
	if p := c.Value.Of(s.Sender().URI()); p != nil && p.Has(model.RoleCaseOwner) {
		return bt.Reason{}, nil
	}
	return bt.Reason{Code: leaf.Duplicate, Text: "the report has a case that another owns"}, nil
}

func somethingAgainstIt() leaf.Node {
	return leaf.Guard("something speaks against it", func(s *scope.Scope) bt.Result {
		r, err := against(s)
		switch {
		case err != nil:
			return bt.Abort(err)
		case r.Code == "":
			return bt.Fail("acceptable", "nothing speaks against the proposal")
		}
		return bt.Ok()
	})
}

func nothingAgainstIt() leaf.Node {
	return leaf.Guard("nothing speaks against it", func(s *scope.Scope) bt.Result {
		r, err := against(s)
		switch {
		case err != nil:
			return bt.Abort(err)
		case r.Code != "":
			return bt.Fail(r.Code, r.Text)
		}
		return bt.Ok()
	})
}

// refuseProposal answers with the proposal and the reason (CP-05-004).
func refuseProposal(s *scope.Scope) error {
	r, err := against(s)
	if err != nil {
		return err
	}
	s.Refuse(r.Code, r.Text)
	a := s.NewActivity(model.Reject, proposal(s), s.Sender().URI())
	a.Summary, a.InReplyTo = r.Text, s.Message().ID
	return s.Emit(a, ports.EmitOptions{})
}

func recordRefusal(s *scope.Scope) error {
	r, err := against(s)
	if err != nil {
		return err
	}
	return recordProposal(s, cases.Proposal{State: cases.ProposalRejected, Reason: r.Text})
}
