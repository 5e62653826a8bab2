package semantics

import (
	"strings"

	"bateleur/core/model"
)

// CaseOf gives the id of the case that a message of meaning m belongs to, "" when
// it names none. Which member says so depends on the meaning:
//
//   - about a case itself: the object's id;
//   - adding to, or inviting into, a case: the target;
//   - an answer: what the answered activity says;
//   - removing an embargo: the origin;
//   - a ledger entry: the entry's own case. The context of a refused entry is a
//     hash and never read;
//   - the rest: the context of the object, then of the activity.
//
// A report has no case of its own: what is said about a report, or about a
// proposal that has no case yet, gives "" and is resolved through the report. So
// does what is not understood. A context without ':' is no id.
func CaseOf(a *model.Activity, m Meaning) string {
	if a == nil {
		return ""
	}
	switch m {
	case CreateCase, UpdateCase, EngageCase, DeferCase, CloseCase, AnnounceVulnerabilityCase,
		OfferCaseOwnershipTransfer:
		return a.Object.ID()
	case AddReportToCase, OfferActorToCase, OfferCaseParticipant, InviteActorToCase,
		AddEmbargoEventToCase, AddCaseParticipantToCase, RemoveCaseParticipantFromCase,
		AddNoteToCase, RemoveNoteFromCase, AddCaseStatusToCase:
		return a.Target.ID()
	case AcceptOfferCaseParticipant, RejectOfferCaseParticipant:
		return caseOfAnswered(a, OfferCaseParticipant)
	case AcceptCaseOwnershipTransfer, RejectCaseOwnershipTransfer:
		return caseOfAnswered(a, OfferCaseOwnershipTransfer)
	case AcceptInviteActorToCase, RejectInviteActorToCase:
		return caseOfAnswered(a, InviteActorToCase)
	case AcceptCaseParticipantRole, RejectCaseParticipantRole:
		return caseOfAnswered(a, OfferCaseParticipantRole)
	case AcceptInviteToEmbargoOnCase, RejectInviteToEmbargoOnCase:
		return caseOfAnswered(a, InviteToEmbargoOnCase)
	case RemoveEmbargoEventFromCase:
		return firstID(a.Origin.ID(), a.Target.ID(), contextOf(a))
	case AnnounceCaseLedgerEntry, RejectCaseLedgerEntry:
		return caseOfEntry(a)
	case OfferCaseParticipantRole, CreateEmbargoEvent, AnnounceEmbargoEventToCase, InviteToEmbargoOnCase:
		return firstID(a.Context, contextOf(a)) // their pattern asks for the activity's context
	case CreateCaseParticipant, CreateNote, CreateCaseStatus, CreateParticipantStatus,
		AddParticipantStatusToParticipant:
		return contextOf(a)
	}
	return ""
}

// caseOfAnswered is the case of the inline activity that a answers; its meaning
// is known from the answer's pattern.
func caseOfAnswered(a *model.Activity, m Meaning) string {
	return firstID(CaseOf(a.ObjectActivity(), m), a.Context)
}

func caseOfEntry(a *model.Activity) string {
	entry, ok := model.InlineAs[*model.LedgerEntry](a.Object)
	if !ok {
		return ""
	}
	return entry.Entry.CaseID
}

// contextOf is the context of the activity's object, or else its own.
func contextOf(a *model.Activity) string {
	var context string
	switch o := a.Object.Object().(type) {
	case *model.ParticipantStatus:
		context = o.Context
	case *model.CaseStatus:
		context = o.Context
	case *model.CaseParticipant:
		context = o.Context
	case *model.EmbargoEvent:
		context = o.Context
	case *model.Note:
		context = o.Context
	}
	return firstID(context, a.Context)
}

func firstID(candidates ...string) string {
	for _, s := range candidates {
		if strings.Contains(s, ":") {
			return s
		}
	}
	return ""
}
