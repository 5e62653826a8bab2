package as2

import (
	"strings"

	"bateleur/core/model"
)

func (r *reader) vulnerabilityCase(o *model.VulnerabilityCase, m *members) {
	o.ID = r.id(m[keyID])
	o.Name = r.words(m[keyName], m[keyNameMap])
	o.Summary = r.words(m[keySummary], m[keySummaryMap])
	o.AttributedTo = r.ref(m[keyAttributedTo])
	o.Published, o.Updated = r.instant(m[keyPublished]), r.instant(m[keyUpdated])
	o.CaseParticipants = r.items(m[keyCaseParticipants])
	o.ActorParticipantIndex = r.index(m[keyActorParticipantIndex])
	o.VulnerabilityReports = r.items(m[keyVulnerabilityReports])
	o.CaseStatuses = r.items(either(m[keyCaseStatuses], m[keyCaseStatus])) // a stub has one, older documents a list
	o.Notes = r.refs(m[keyNotes])
	o.GenesisHash = r.text(m[keyGenesisHash])
	o.ActiveEmbargo = r.item(m[keyActiveEmbargo])
	o.ProposedEmbargoes = r.refs(m[keyProposedEmbargoes])
}

func (r *reader) participant(o *model.CaseParticipant, m *members) {
	o.ID = r.id(m[keyID])
	o.Name = r.words(m[keyName], m[keyNameMap])
	o.AttributedTo = r.ref(either(m[keyAttributedTo], m[keyActor]))
	o.Context = r.ref(m[keyContext])
	o.CaseRoles = r.roles(m[keyCaseRoles])
	o.ParticipantStatuses = r.items(m[keyParticipantStatuses])
	o.AcceptedEmbargoIDs = r.refs(m[keyAcceptedEmbargoIDs])
	o.EmbargoConsentState = model.PEC(r.id(m[keyEmbargoConsentState]))
	o.Published, o.Updated = r.instant(m[keyPublished]), r.instant(m[keyUpdated])
}

func (r *reader) participantStatus(o *model.ParticipantStatus, m *members) {
	o.ID = r.id(m[keyID])
	o.Name = r.words(m[keyName], m[keyNameMap])
	o.Context = r.ref(m[keyContext])
	o.AttributedTo = r.ref(either(m[keyAttributedTo], m[keyActor]))
	o.RMState = model.RM(r.id(m[keyRMState]))
	o.VFDState = model.VFD(r.id(m[keyVFDState]))
	o.EMConsentState = model.PEC(r.id(m[keyEMConsentState]))
	o.EmbargoAdherence = r.flag(m[keyEmbargoAdherence], true)
	o.CaseEngagement = r.flag(m[keyCaseEngagement], true)
	o.CVDRole = r.enumRoles(m[keyCVDRole])
	o.TrackingID = r.text(m[keyTrackingID])
	o.CaseStatus = r.item(m[keyCaseStatus])
	o.Published, o.Updated = r.instant(m[keyPublished]), r.instant(m[keyUpdated])
}

func (r *reader) caseStatus(o *model.CaseStatus, m *members) {
	o.ID = r.id(m[keyID])
	o.Name = r.words(m[keyName], m[keyNameMap])
	o.Context = r.ref(m[keyContext])
	o.AttributedTo = r.ref(m[keyAttributedTo])
	o.EMState = model.EM(r.id(m[keyEMState]))
	o.PXAState = model.PXA(r.id(m[keyPXAState]))
	o.Published, o.Updated = r.instant(m[keyPublished]), r.instant(m[keyUpdated])
}

// enumRoles reads role names in the upper-case spelling that statuses use.
func (r *reader) enumRoles(at int32) (out []string) {
	for _, role := range r.roles(at) {
		out = append(out, strings.ToUpper(string(role)))
	}
	return out
}

func either(a, b int32) int32 {
	if a != 0 {
		return a
	}
	return b
}
