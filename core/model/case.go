package model

import "time"

// VulnerabilityCase is a case as the protocol carries it. With nothing but an
// id (and perhaps a summary) it is a stub, which never seeds or overwrites a
// replica (MV-10-004).
type VulnerabilityCase struct {
	ID                    string            `json:"id"`
	Type                  string            `json:"type"`
	Name                  string            `json:"name,omitempty"`
	Summary               string            `json:"summary,omitempty"`
	AttributedTo          string            `json:"attributedTo,omitempty"`
	Published             time.Time         `json:"published,omitzero"`
	Updated               time.Time         `json:"updated,omitzero"`
	CaseParticipants      []Item            `json:"caseParticipants,omitempty"`
	ActorParticipantIndex map[string]string `json:"actorParticipantIndex,omitempty"`
	VulnerabilityReports  []Item            `json:"vulnerabilityReports,omitempty"`
	CaseStatuses          []Item            `json:"caseStatuses,omitempty"`
	Notes                 []string          `json:"notes,omitempty"`
	GenesisHash           string            `json:"genesisHash,omitempty"`
	ActiveEmbargo         Item              `json:"activeEmbargo,omitzero"`
	ProposedEmbargoes     []string          `json:"proposedEmbargoes,omitempty"`
}

// ObjectID is the case's id.
func (o *VulnerabilityCase) ObjectID() string { return o.ID }

// ObjectType is VulnerabilityCase.
func (o *VulnerabilityCase) ObjectType() string { return TypeCase }

// IsStub tells whether the case names itself and nothing else of substance.
func (o *VulnerabilityCase) IsStub() bool {
	return o.AttributedTo == "" && len(o.CaseParticipants) == 0 && len(o.CaseStatuses) == 0 &&
		len(o.VulnerabilityReports) == 0 && o.GenesisHash == ""
}

// CaseParticipant is an actor's part in one case.
type CaseParticipant struct {
	ID                  string    `json:"id"`
	Type                string    `json:"type"`
	Name                string    `json:"name,omitempty"`
	AttributedTo        string    `json:"attributedTo,omitempty"`
	Context             string    `json:"context,omitempty"`
	CaseRoles           []Role    `json:"caseRoles,omitempty"`
	ParticipantStatuses []Item    `json:"participantStatuses,omitempty"`
	AcceptedEmbargoIDs  []string  `json:"acceptedEmbargoIds,omitempty"`
	EmbargoConsentState PEC       `json:"embargoConsentState,omitempty"`
	Published           time.Time `json:"published,omitzero"`
	Updated             time.Time `json:"updated,omitzero"`
}

// ObjectID is the participant's id.
func (o *CaseParticipant) ObjectID() string { return o.ID }

// ObjectType is CaseParticipant.
func (o *CaseParticipant) ObjectType() string { return TypeParticipant }

// ParticipantStatus is what a participant asserts of itself; CaseStatus inside
// is a suggestion about the case (RSH-04-001).
type ParticipantStatus struct {
	ID               string    `json:"id"`
	Type             string    `json:"type"`
	Name             string    `json:"name,omitempty"`
	Context          string    `json:"context,omitempty"`
	AttributedTo     string    `json:"attributedTo,omitempty"`
	RMState          RM        `json:"rmState,omitempty"`
	VFDState         VFD       `json:"vfdState,omitempty"`
	EMConsentState   PEC       `json:"emConsentState,omitempty"`
	EmbargoAdherence bool      `json:"embargoAdherence"`
	CaseEngagement   bool      `json:"caseEngagement"`
	CVDRole          []string  `json:"cvdRole,omitempty"`
	TrackingID       string    `json:"trackingId,omitempty"`
	CaseStatus       Item      `json:"caseStatus,omitzero"`
	Published        time.Time `json:"published,omitzero"`
	Updated          time.Time `json:"updated,omitzero"`
}

// ObjectID is the status's id.
func (o *ParticipantStatus) ObjectID() string { return o.ID }

// ObjectType is ParticipantStatus.
func (o *ParticipantStatus) ObjectType() string { return TypeParticipantStatus }

// CaseStatus is the case-wide state: embargo and public knowledge.
type CaseStatus struct {
	ID           string    `json:"id"`
	Type         string    `json:"type"`
	Name         string    `json:"name,omitempty"`
	Context      string    `json:"context,omitempty"`
	AttributedTo string    `json:"attributedTo,omitempty"`
	EMState      EM        `json:"emState,omitempty"`
	PXAState     PXA       `json:"pxaState,omitempty"`
	Published    time.Time `json:"published,omitzero"`
	Updated      time.Time `json:"updated,omitzero"`
}

// ObjectID is the status's id.
func (o *CaseStatus) ObjectID() string { return o.ID }

// ObjectType is CaseStatus.
func (o *CaseStatus) ObjectType() string { return TypeCaseStatus }
