package trigger

import (
	"bateleur/core/bt"
	"bateleur/core/cases"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/scope"
	"bateleur/core/usecases/leaf"
)

// The answers to an invitation. What was answered is what a later Announce of
// the case is trusted by, so it is written last (CBT-04-001).
var (
	acceptInvite = answerInvite("accept-case-invite", model.Accept)
	rejectInvite = answerInvite("reject-case-invite", model.Reject)
)

func answerInvite(name, verb string) Trigger {
	return Trigger{Name: name, Check: check[AnswerInvite](name), Tree: leaf.Compile(bt.LatchLast(name,
		leaf.Latch("record the answer", func(s *scope.Scope) error { return recordConsent(s, verb == model.Accept) }),
		invitationIsOpen(),
		leaf.Do("answer the manager", func(s *scope.Scope) error { return answerManager(s, verb) })))}
}

func invitation(s *scope.Scope) (cases.Invite, error) {
	p, err := scope.Params[AnswerInvite](s)
	if err != nil {
		return cases.Invite{}, err
	}
	i, err := cases.Load[cases.Invite](s, cases.KindInvite, p.InviteID)
	return i.Value, err
}

func invitationIsOpen() leaf.Node {
	return leaf.Guard("invitation is open", func(s *scope.Scope) bt.Result {
		i, err := invitation(s)
		switch fault.CodeOf(err) {
		case "":
		case fault.NotFound:
			return bt.Fail(leaf.Unknown, "no such invitation here")
		default:
			return bt.Abort(err)
		}
		answer, known, err := cases.Find[cases.Answer](s, cases.KindConsent, i.CaseID)
		switch {
		case err != nil:
			return bt.Abort(err)
		case known && (answer.Value.InviteID == i.ID || answer.Value.Accepted):
			return bt.Fail(leaf.Duplicate, "the invitation was answered before")
		}
		return bt.Ok()
	})
}

func answerManager(s *scope.Scope, verb string) error {
	i, err := invitation(s)
	if err != nil {
		return err
	}
	invite, err := s.ReadActivity(i.Activity)
	if err != nil {
		return err
	}
	a := s.NewActivity(verb, invite, i.Manager)
	a.InReplyTo = i.ID
	if err := s.Emit(a, ports.EmitOptions{}); err != nil {
		return err
	}
	return s.Answer(map[string]any{"activity": a})
}

func recordConsent(s *scope.Scope, accepted bool) error {
	i, err := invitation(s)
	if err != nil {
		return err
	}
	answer, _, err := cases.Find[cases.Answer](s, cases.KindConsent, i.CaseID)
	if err != nil {
		return err
	}
	answer.Value = cases.Answer{InviteID: i.ID, CaseID: i.CaseID, Manager: i.Manager, Accepted: accepted}
	return cases.Save(s, cases.KindConsent, i.CaseID, &answer, ports.Ref{Name: cases.RefCase, Target: i.CaseID})
}
