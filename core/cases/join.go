package cases

import (
	"crypto/sha256"
	"encoding/hex"

	"bateleur/core/model"
)

// acceptInvite makes the accepting actor a participant: RECEIVED, with the roles
// of the invitation, and a signatory of the embargo in force (CM-11-001,
// CM-17-004).
func (p *projection) acceptInvite() error {
	invite := p.act.ObjectActivity()
	if invite == nil || p.act.Actor == "" || p.c.Of(p.act.Actor) != nil {
		return nil
	}
	p.c.Participants = append(p.c.Participants, p.c.Joining(p.act.Actor, invite.Roles))
	joined := p.actor()
	return keepStatus(p.store, p.c.ID, joined.ID, p.status(joined))
}

// Joining is the participant that an actor becomes by accepting an invitation.
func (c *Case) Joining(actor string, roles []model.Role) Participant {
	if len(roles) == 0 {
		roles = []model.Role{model.RoleObserver}
	}
	joined := Participant{ID: c.participantID(actor), Actor: actor, Name: actor, Roles: roles,
		RM: model.RMReceived, VFD: model.VFDUnaware, PEC: model.PECNone}
	if c.EM.InForce() {
		joined.PEC = model.PECSignatory
		joined.Accepted = []string{c.Embargo}
	}
	return joined
}

// participantID is {case}/participants/{segment}; two actors with one last
// segment stay apart by a digest of the later one's id.
func (c *Case) participantID(actor string) string {
	id := c.ID + "/participants/" + model.LastSegment(actor)
	for i := range c.Participants {
		if c.Participants[i].ID == id {
			sum := sha256.Sum256([]byte(actor))
			return id + "-" + hex.EncodeToString(sum[:6])
		}
	}
	return id
}

// addParticipant takes over a participant that the manager describes whole.
func (p *projection) addParticipant() error {
	told, ok := model.InlineAs[*model.CaseParticipant](p.act.Object)
	if !ok || told.AttributedTo == "" {
		return nil
	}
	for _, item := range told.ParticipantStatuses {
		if st, ok := model.InlineAs[*model.ParticipantStatus](item); ok {
			if err := keepStatus(p.store, p.c.ID, told.ID, st); err != nil {
				return err
			}
		}
	}
	if p.c.Of(told.AttributedTo) == nil {
		p.c.Participants = append(p.c.Participants, participant(told))
	}
	return nil
}
