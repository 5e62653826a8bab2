package cases

import (
	"time"

	"bateleur/core/model"
)

// Status is a participant's present state as the protocol's status object.
func Status(c *Case, p *Participant, id string, at time.Time) *model.ParticipantStatus {
	st := &model.ParticipantStatus{ID: id, Type: model.TypeParticipantStatus, Context: c.ID,
		AttributedTo: p.Actor, RMState: p.RM, VFDState: p.VFD, EMConsentState: p.PEC,
		EmbargoAdherence: p.PEC == model.PECSignatory, CaseEngagement: true,
		Published: at, Updated: at}
	for _, r := range p.Roles {
		st.CVDRole = append(st.CVDRole, r.EnumName())
	}
	return st
}

// World is a case-wide state as the protocol's status object.
func World(c *Case, by, id string, at time.Time, em model.EM, pxa model.PXA) *model.CaseStatus {
	return &model.CaseStatus{ID: id, Type: model.TypeCaseStatus, Context: c.ID, AttributedTo: by,
		EMState: em, PXAState: pxa, Published: at, Updated: at}
}

// Seen is what a participant's status says that the world knows, "" when it says
// nothing of it.
func Seen(st *model.ParticipantStatus) model.PXA {
	if world, ok := model.InlineAs[*model.CaseStatus](st.CaseStatus); ok && world.PXAState.Known() {
		return world.PXAState
	}
	return ""
}
