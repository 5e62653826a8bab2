package cases

import "bateleur/core/ports"

// Kinds of record.
const (
	// KindCase, KindParticipantStatus, KindCaseStatus, KindEmbargo, KindNote and
	// KindSeed are a case's projection; only Found, Seed and Project write them.
	KindCase              ports.Kind = "Case"
	KindParticipantStatus ports.Kind = "ParticipantStatus"
	KindCaseStatus        ports.Kind = "CaseStatus"
	KindEmbargo           ports.Kind = "EmbargoEvent"
	KindNote              ports.Kind = "Note"
	KindSeed              ports.Kind = "CaseSeed"

	// KindReport and KindOffer are reports, and the offers in which they came.
	KindReport ports.Kind = "VulnerabilityReport"
	KindOffer  ports.Kind = "Offer"
	// KindPending is an assertion of this actor that no entry confirmed yet.
	KindPending ports.Kind = "PendingAssertion"
	// KindInvite is an invitation that this actor received.
	KindInvite ports.Kind = "Invite"
	// KindReplication is how far a peer's replica is known to be.
	KindReplication ports.Kind = "ReplicationState"
	// KindRejection is when this replica last asked for a replay.
	KindRejection ports.Kind = "ReplayRequest"
	// KindAddress is a peer in this actor's address book.
	KindAddress ports.Kind = "AddressBook"

	// The kinds below are latches: later guards read them as evidence that a
	// transition happened, so they are written last (ID-04-005).

	// KindReportStatus is this actor's report-phase state of a report.
	KindReportStatus ports.Kind = "ReportStatus"
	// KindCaseLink tells which case a report became, and who manages it.
	KindCaseLink ports.Kind = "ReportCaseLink"
	// KindProposal is a case proposal and its answer.
	KindProposal ports.Kind = "CaseProposal"
	// KindConsent is this actor's answer to an invitation.
	KindConsent ports.Kind = "InviteAnswer"
)

// IsLatch tells whether records of the kind are evidence for later guards.
func IsLatch(k ports.Kind) bool {
	switch k {
	case KindReportStatus, KindCaseLink, KindProposal, KindConsent:
		return true
	}
	return false
}

// IsProjection tells whether records of the kind follow from a ledger alone.
func IsProjection(k ports.Kind) bool {
	switch k {
	case KindCase, KindParticipantStatus, KindCaseStatus, KindEmbargo, KindNote, KindSeed:
		return true
	}
	return false
}

// Names of references.
const (
	RefCase        = "case"
	RefReport      = "report"
	RefParticipant = "participant"
)
