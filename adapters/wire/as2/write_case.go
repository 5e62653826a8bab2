package as2

import "bateleur/core/model"

func (w *writer) vulnerabilityCase(o *model.VulnerabilityCase) {
	w.text(keyID, o.ID)
	w.text(keyType, model.TypeCase)
	w.text(keyName, o.Name)
	w.text(keySummary, o.Summary)
	w.text(keyAttributedTo, o.AttributedTo)
	w.instant(keyPublished, o.Published)
	w.instant(keyUpdated, o.Updated)
	w.items(keyCaseParticipants, o.CaseParticipants)
	w.index(keyActorParticipantIndex, o.ActorParticipantIndex)
	w.items(keyVulnerabilityReports, o.VulnerabilityReports)
	w.items(keyCaseStatuses, o.CaseStatuses)
	writeList(w, keyNotes, o.Notes)
	w.text(keyGenesisHash, o.GenesisHash)
	w.item(keyActiveEmbargo, o.ActiveEmbargo)
	writeList(w, keyProposedEmbargoes, o.ProposedEmbargoes)
}

func (w *writer) participant(o *model.CaseParticipant) {
	w.text(keyID, o.ID)
	w.text(keyType, model.TypeParticipant)
	w.text(keyName, participantName(o))
	w.text(keyAttributedTo, o.AttributedTo)
	w.text(keyContext, o.Context)
	writeList(w, keyCaseRoles, o.CaseRoles)
	w.items(keyParticipantStatuses, o.ParticipantStatuses)
	writeList(w, keyAcceptedEmbargoIDs, o.AcceptedEmbargoIDs)
	w.text(keyEmbargoConsentState, string(o.EmbargoConsentState))
	w.instant(keyPublished, o.Published)
	w.instant(keyUpdated, o.Updated)
}

func (w *writer) participantStatus(o *model.ParticipantStatus) {
	w.text(keyID, o.ID)
	w.text(keyType, model.TypeParticipantStatus)
	w.text(keyName, participantStatusName(o))
	w.text(keyContext, o.Context)
	w.text(keyAttributedTo, o.AttributedTo)
	w.text(keyRMState, string(o.RMState))
	w.text(keyVFDState, string(o.VFDState))
	w.text(keyEMConsentState, string(o.EMConsentState))
	w.flag(keyEmbargoAdherence, o.EmbargoAdherence)
	w.flag(keyCaseEngagement, o.CaseEngagement)
	writeList(w, keyCVDRole, o.CVDRole)
	w.text(keyTrackingID, o.TrackingID)
	w.item(keyCaseStatus, o.CaseStatus)
	w.instant(keyPublished, o.Published)
	w.instant(keyUpdated, o.Updated)
}

func (w *writer) caseStatus(o *model.CaseStatus) {
	w.text(keyID, o.ID)
	w.text(keyType, model.TypeCaseStatus)
	w.text(keyName, caseStatusName(o))
	w.text(keyContext, o.Context)
	w.text(keyAttributedTo, o.AttributedTo)
	w.text(keyEMState, string(o.EMState))
	w.text(keyPXAState, string(o.PXAState))
	w.instant(keyPublished, o.Published)
	w.instant(keyUpdated, o.Updated)
}
