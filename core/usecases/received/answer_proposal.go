package received

import (
	"bateleur/core/bt"
	"bateleur/core/cases"
	"bateleur/core/ports"
	"bateleur/core/scope"
	"bateleur/core/usecases/leaf"
)

// acceptCaseProposal and rejectCaseProposal record a manager's answer
// (CP-06-003, CP-06-004). An accepted proposal makes no case here: the case is
// absent until its Create arrives (PCR-01-003).
var (
	acceptCaseProposal = leaf.Compile(answered("accept_case_proposal", cases.ProposalAccepted))
	rejectCaseProposal = leaf.Compile(answered("reject_case_proposal", cases.ProposalRejected))
)

func answered(name, state string) leaf.Node {
	return bt.LatchLast(name,
		leaf.Latch("record the answer", func(s *scope.Scope) error { return recordAnswer(s, state) }),
		answerIsFromManager(),
		notAnsweredYet(state))
}

// answerIsFromManager lets pass an answer to a proposal that this actor made,
// from the manager to whom it was made.
func answerIsFromManager() leaf.Node {
	return leaf.Guard("answer is from the manager asked", func(s *scope.Scope) bt.Result {
		p := proposal(s)
		if p == nil || p.ID == "" || proposedReport(s) == nil {
			return bt.Fail(leaf.Malformed, "the proposal must be inline with its report")
		}
		offers, err := offersOf(s, proposedReport(s).ID)
		if err != nil {
			return bt.Abort(err)
		}
		for _, offer := range offers {
			if offer.To == s.Executing().URI() && offer.Manager == s.Sender().URI() {
				return bt.Ok()
			}
		}
		return bt.Fail(leaf.NotForSender, "no case was proposed to "+s.Sender().URI()+" for the report")
	})
}

func offersOf(s *scope.Scope, reportID string) ([]cases.OfferRecord, error) {
	return cases.All[cases.OfferRecord](s, cases.KindOffer, ports.Ref{Name: cases.RefReport, Target: reportID})
}

func notAnsweredYet(state string) leaf.Node {
	return leaf.Guard("not answered like this yet", func(s *scope.Scope) bt.Result {
		p, known, err := cases.Find[cases.Proposal](s, cases.KindProposal, proposal(s).ID)
		switch {
		case err != nil:
			return bt.Abort(err)
		case known && p.Value.State == state:
			return bt.Fail(leaf.Duplicate, "the proposal was "+state+" before")
		}
		return bt.Ok()
	})
}

func recordAnswer(s *scope.Scope, state string) error {
	p := proposal(s)
	record, _, err := cases.Find[cases.Proposal](s, cases.KindProposal, p.ID)
	if err != nil {
		return err
	}
	record.Value = cases.Proposal{ID: p.ID, ReportID: proposedReport(s).ID, Proposer: s.Executing().URI(),
		State: state, Reason: s.Message().Summary, AcceptID: s.Message().ID}
	return cases.Save(s, cases.KindProposal, p.ID, &record,
		ports.Ref{Name: cases.RefReport, Target: proposedReport(s).ID})
}
