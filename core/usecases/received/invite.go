package received

import (
	"encoding/json"
	"slices"

	"bateleur/core/authority"
	"bateleur/core/bt"
	"bateleur/core/cases"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/scope"
	"bateleur/core/semantics"
	"bateleur/core/usecases/leaf"
)

// inviteActor keeps an invitation until the actor's owner answers it. The case
// stays absent: an invitation is a trust anchor, not a replica (CBT-04-001).
var inviteActor = leaf.Compile(bt.Sequence("invite_actor_to_case",
	invitationIsForMe(),
	leaf.Do("keep the invitation", func(s *scope.Scope) error {
		m := s.Message()
		caseID := semantics.CaseOf(m, semantics.InviteActorToCase)
		return cases.Create(s, cases.KindInvite, m.ID, cases.Invite{ID: m.ID, CaseID: caseID,
			Manager: s.Sender().URI(), Roles: m.Roles, Activity: json.RawMessage(s.Raw())},
			ports.Ref{Name: cases.RefCase, Target: caseID})
	})))

func invitationIsForMe() leaf.Node {
	return leaf.Guard("invitation is for me", func(s *scope.Scope) bt.Result {
		m := s.Message()
		_, known, err := cases.Find[cases.Invite](s, cases.KindInvite, m.ID)
		switch {
		case err != nil:
			return bt.Abort(err)
		case known:
			return bt.Fail(leaf.Duplicate, "invitation "+m.ID+" is here")
		case m.Object.ID() != s.Executing().URI():
			return bt.Fail(leaf.NotForSender, "the invitation is to "+m.Object.ID())
		case m.Target.ID() == "":
			return bt.Fail(leaf.Malformed, "target: the invitation names no case")
		}
		return bt.Ok()
	})
}

// acceptInvite makes the accepting actor a participant and tells it the case and
// its whole ledger, before any later entry (CM-11-001, CM-17-004, PCR-02-002).
var acceptInvite = leaf.Compile(answerToInvite(cases.EventAcceptInvite,
	leaf.ForCase("ledger the participant", ledgerNewcomer),
	leaf.ForCase("announce the entries", (*scope.Scope).AnnounceMinted),
	leaf.ForCase("tell the newcomer the case", func(s *scope.Scope, auth authority.Case) error {
		return tellNewcomer(s, auth, s.Sender().URI())
	}),
	leaf.ForCase("send the newcomer the ledger", sendWholeLedger)))

// rejectInvite records a refusal; no participant comes of it.
var rejectInvite = leaf.Compile(answerToInvite(cases.EventRejectInvite,
	leaf.ForCase("announce the entries", (*scope.Scope).AnnounceMinted)))

func answerToInvite(event string, more ...leaf.Node) leaf.Node {
	commit := append([]leaf.Node{leaf.ForCase("ledger the answer", ledgerMessage(event))}, more...)
	return bt.Sequence(event,
		leaf.CaseIsHere(),
		invitationIsSenders(),
		leaf.NotLedgered(event),
		notAnswered(),
		leaf.WhenManager(bt.Sequence("commit", commit...)))
}

// invitationIsSenders lets pass an answer to an invitation that the ledger
// shows, by the actor that it invited. The roles it repeats must be those that
// were offered: they are what the answerer becomes.
func invitationIsSenders() leaf.Node {
	return leaf.Guard("invitation is the sender's", func(s *scope.Scope) bt.Result {
		invite := s.Message().ObjectActivity()
		if invite == nil {
			return bt.Fail(leaf.Malformed, "the invitation must be inline")
		}
		e, err := s.EntryByObject(cases.EventInviteActor, invite.ID)
		if fault.CodeOf(err) == fault.NotFound {
			return bt.Fail(leaf.Unknown, "the case has no invitation "+invite.ID)
		}
		if err != nil {
			return bt.Abort(err)
		}
		sent, err := s.ReadEntry(e)
		switch {
		case err != nil:
			return bt.Abort(err)
		case sent.Object.ID() != s.Sender().URI():
			return bt.Fail(leaf.NotForSender, "the invitation is to "+sent.Object.ID())
		case !slices.Equal(sent.Roles, invite.Roles):
			return bt.Fail(leaf.NotAuthentic, "the invitation answered offers other roles than the one sent")
		}
		return bt.Ok()
	})
}

// notAnswered lets pass the first answer: open or answered is read from the
// ledger (CLP-11-001).
func notAnswered() leaf.Node {
	return leaf.Guard("sender does not participate yet", func(s *scope.Scope) bt.Result {
		p, err := leaf.SenderIn(s)
		switch {
		case err != nil:
			return bt.Abort(err)
		case p != nil:
			return bt.Fail(leaf.Duplicate, s.Sender().URI()+" participates already")
		}
		return bt.Ok()
	})
}

func ledgerNewcomer(s *scope.Scope, auth authority.Case) error {
	c, err := s.Case()
	if err != nil {
		return err
	}
	p, err := cases.WholeParticipant(s, c, c.Of(s.Sender().URI()))
	if err != nil {
		return err
	}
	a := s.NewActivity(model.Add, p)
	a.Target = model.Inline(cases.Stub(c))
	return mint(s, auth, cases.EventAddParticipant, p.ID, a)
}

// sendWholeLedger sends a newcomer all entries from the first on (PCR-02-002).
func sendWholeLedger(s *scope.Scope, auth authority.Case) error {
	entries, err := s.Entries(0, 0)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := s.AnnounceEntry(auth, e, s.Sender().URI()); err != nil {
			return err
		}
	}
	return nil
}
