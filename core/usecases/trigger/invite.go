package trigger

import (
	"github.com/samber/lo"

	"bateleur/core/authority"
	"bateleur/core/bt"
	"bateleur/core/cases"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/scope"
	"bateleur/core/usecases/leaf"
)

// inviteActor is a delegated emit: the owner wants it, the case's manager does
// it, in the manager's own store and by what that store says of the requester
// (CM-24-001, CM-24-004). The requester's store is not touched.
var inviteActor = Trigger{Name: "invite-actor-to-case", Delegated: true, CaseID: caseOf,
	Check: check[InviteActor]("invite-actor-to-case"),
	Tree: leaf.Compile(bt.Sequence("invite-actor-to-case",
		caseIsHere(func(s *scope.Scope) (string, error) {
			p, err := scope.Params[InviteActor](s)
			return p.CaseID, err
		}),
		requesterOwnsCase(),
		inviteeIsNew(),
		leaf.AsManager(bt.Sequence("invite",
			leaf.ForCase("invite on the owner's behalf", sendInvitation),
			leaf.ForCase("announce the entries", (*scope.Scope).AnnounceMinted)))))}

// requesterOwnsCase asks the manager's own store whether the requester may: only
// the owner admits participants (CM-02-005).
func requesterOwnsCase() leaf.Node {
	return leaf.Guard("requester owns the case", func(s *scope.Scope) bt.Result {
		p, err := leaf.SenderIn(s)
		switch {
		case err != nil:
			return bt.Abort(err)
		case p == nil || !p.Has(model.RoleCaseOwner) || p.RM == model.RMClosed:
			return bt.Fail(leaf.NotAllowed, s.Sender().URI()+" does not own the case")
		}
		return bt.Ok()
	})
}

func inviteeIsNew() leaf.Node {
	return leaf.Guard("invitee does not participate", func(s *scope.Scope) bt.Result {
		p, err := inviteParams(s)
		if err != nil {
			return bt.Abort(err)
		}
		c, err := s.Case()
		switch {
		case err != nil:
			return bt.Abort(err)
		case c.Of(p.Invitee) != nil:
			return bt.Fail(leaf.Duplicate, p.Invitee+" participates already")
		}
		return bt.Ok()
	})
}

// inviteParams are the command's parameters with the invitee's canonical id.
func inviteParams(s *scope.Scope) (InviteActor, error) {
	p, err := scope.Params[InviteActor](s)
	if err != nil {
		return p, err
	}
	invitee, err := model.ParseActorID(p.Invitee)
	p.Invitee = invitee.URI()
	return p, err
}

// sendInvitation emits and ledgers one activity: actor is the manager,
// attributedTo the owner, in store, wire and ledger alike. It shows the embargo
// to which its acceptance consents (CM-17-002).
func sendInvitation(s *scope.Scope, auth authority.Case) error {
	p, err := inviteParams(s)
	if err != nil {
		return err
	}
	c, err := s.Case()
	if err != nil {
		return err
	}
	stub, err := cases.InvitationStub(s, c)
	if err != nil {
		return err
	}
	a := s.NewActivity(model.Invite, &model.Actor{ID: p.Invitee, Type: "Organization",
		Name: model.LastSegment(p.Invitee)}, p.Invitee)
	a.AttributedTo, a.Target, a.Roles = s.Sender().URI(), model.Inline(stub), invitedRoles(p)
	if err := s.EmitForCase(auth, a, ports.EmitOptions{About: c.ID}); err != nil {
		return err
	}
	if _, err := s.Mint(auth, scope.Draft{EventType: cases.EventInviteActor, ObjectID: a.ID, Activity: a}); err != nil {
		return err
	}
	return s.Answer(map[string]any{"activity": a})
}

func invitedRoles(p InviteActor) []model.Role {
	if len(p.Roles) == 0 {
		return []model.Role{model.RoleVendor}
	}
	return lo.Map(p.Roles, func(name string, _ int) model.Role {
		role, _ := model.ParseRole(name)
		return role
	})
}
