package semantics

// Meaning is what a message asks or tells. Its text is the protocol's name,
// which ledger entries repeat as their event type.
type Meaning string

// The fifty meanings, in the order of the protocol's table.
const (
	CreateReport                      Meaning = "create_report"
	SubmitReport                      Meaning = "submit_report"
	AckReport                         Meaning = "ack_report"
	ValidateReport                    Meaning = "validate_report"
	InvalidateReport                  Meaning = "invalidate_report"
	CloseReport                       Meaning = "close_report"
	CreateCaseProposal                Meaning = "create_case_proposal"
	AcceptCaseProposal                Meaning = "accept_case_proposal"
	RejectCaseProposal                Meaning = "reject_case_proposal"
	CreateCase                        Meaning = "create_case"
	UpdateCase                        Meaning = "update_case"
	EngageCase                        Meaning = "engage_case"
	DeferCase                         Meaning = "defer_case"
	AddReportToCase                   Meaning = "add_report_to_case"
	OfferActorToCase                  Meaning = "offer_actor_to_case"
	OfferCaseParticipant              Meaning = "offer_case_participant"
	AcceptOfferCaseParticipant        Meaning = "accept_offer_case_participant"
	RejectOfferCaseParticipant        Meaning = "reject_offer_case_participant"
	OfferCaseParticipantRole          Meaning = "offer_case_participant_role"
	AcceptCaseParticipantRole         Meaning = "accept_case_participant_role"
	RejectCaseParticipantRole         Meaning = "reject_case_participant_role"
	OfferCaseOwnershipTransfer        Meaning = "offer_case_ownership_transfer"
	AcceptCaseOwnershipTransfer       Meaning = "accept_case_ownership_transfer"
	RejectCaseOwnershipTransfer       Meaning = "reject_case_ownership_transfer"
	InviteActorToCase                 Meaning = "invite_actor_to_case"
	AcceptInviteActorToCase           Meaning = "accept_invite_actor_to_case"
	RejectInviteActorToCase           Meaning = "reject_invite_actor_to_case"
	AnnounceVulnerabilityCase         Meaning = "announce_vulnerability_case"
	CreateEmbargoEvent                Meaning = "create_embargo_event"
	AddEmbargoEventToCase             Meaning = "add_embargo_event_to_case"
	RemoveEmbargoEventFromCase        Meaning = "remove_embargo_event_from_case"
	AnnounceEmbargoEventToCase        Meaning = "announce_embargo_event_to_case"
	InviteToEmbargoOnCase             Meaning = "invite_to_embargo_on_case"
	AcceptInviteToEmbargoOnCase       Meaning = "accept_invite_to_embargo_on_case"
	RejectInviteToEmbargoOnCase       Meaning = "reject_invite_to_embargo_on_case"
	CloseCase                         Meaning = "close_case"
	AnnounceCaseLedgerEntry           Meaning = "announce_case_ledger_entry"
	RejectCaseLedgerEntry             Meaning = "reject_case_ledger_entry"
	CreateCaseParticipant             Meaning = "create_case_participant"
	AddCaseParticipantToCase          Meaning = "add_case_participant_to_case"
	RemoveCaseParticipantFromCase     Meaning = "remove_case_participant_from_case"
	CreateNote                        Meaning = "create_note"
	AddNoteToCase                     Meaning = "add_note_to_case"
	RemoveNoteFromCase                Meaning = "remove_note_from_case"
	CreateCaseStatus                  Meaning = "create_case_status"
	AddCaseStatusToCase               Meaning = "add_case_status_to_case"
	CreateParticipantStatus           Meaning = "create_participant_status"
	AddParticipantStatusToParticipant Meaning = "add_participant_status_to_participant"

	// UnknownUnresolvableObject is a known kind of activity about a bare id that no
	// pattern can judge: what it refers to was not sent along.
	UnknownUnresolvableObject Meaning = "unknown_unresolvable_object"
	// Unknown is an activity that the protocol gives no meaning.
	Unknown Meaning = "unknown"
)

// Understood tells whether a pattern of the registry gave the meaning.
func (m Meaning) Understood() bool { return m != Unknown && m != UnknownUnresolvableObject }
