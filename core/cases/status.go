package cases

import (
	"fmt"
	"strings"
	"time"

	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
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

// ClosedBy is the index of the entry by which a participant closed.
func ClosedBy(s Source, c *Case, p *Participant) (int64, error) {
	statuses, err := All[*model.ParticipantStatus](s, KindParticipantStatus, ports.Ref{Name: RefParticipant, Target: p.ID})
	if err != nil {
		return 0, err
	}
	for _, st := range statuses {
		if st.RMState != model.RMClosed {
			continue
		}
		var index int64
		if _, err := fmt.Sscanf(strings.TrimPrefix(st.ID, c.ID), "/log/%d#", &index); err == nil {
			return index, nil
		}
	}
	return 0, fault.New("cases.closed-by", p.ID, fault.Inconsistent, "no entry closed the participant")
}
