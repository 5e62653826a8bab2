package semantics

import (
	"slices"

	"bateleur/core/model"
)

// Type names in a shape that stand for several.
const (
	AnyActor = "Actor"         // every type of actor
	AnyEvent = model.TypeEvent // Event and EmbargoEvent
)

// Pattern gives a shape its meaning.
type Pattern struct {
	Row     int // in the protocol's table, from 1
	Meaning Meaning
	Shape
}

// Shape is what an activity must look like. An empty field asks for nothing.
type Shape struct {
	Activity string // type of the activity
	Object   string // type of its object
	Inner    *Shape // or: its object is an inline activity of this shape
	Target   string // type of its target
	Context  string // type of its context, of which only the id is looked at
	Strict   bool   // a bare id does not do where a type is asked for
}

// Registry gives the patterns in matching order; the result is the caller's.
func Registry() []Pattern {
	out := slices.Clone(registry)
	for i := range out {
		if inner := out[i].Inner; inner != nil {
			own := *inner
			out[i].Inner = &own
		}
	}
	return out
}

var (
	offeredReport      = Shape{Activity: model.Offer, Object: model.TypeReport}
	offeredParticipant = Shape{Activity: model.Offer, Object: model.TypeParticipant, Target: model.TypeCase}
	offeredRole        = Shape{Activity: model.Offer, Object: model.TypeParticipantRole, Context: model.TypeCase}
	offeredCase        = Shape{Activity: model.Offer, Object: model.TypeCase}
	invitedActor       = Shape{Activity: model.Invite, Object: AnyActor, Target: model.TypeCase}
	invitedToEmbargo   = Shape{Activity: model.Invite, Object: AnyEvent, Context: model.TypeCase}
)

// registry holds rows 1 to 48; the two meanings of what fits none follow.
var registry = []Pattern{
	{1, CreateReport, Shape{Activity: model.Create, Object: model.TypeReport}},
	{2, SubmitReport, offeredReport},
	{3, AckReport, Shape{Activity: model.Read, Inner: &offeredReport}},
	{4, ValidateReport, Shape{Activity: model.Accept, Inner: &offeredReport}},
	{5, InvalidateReport, Shape{Activity: model.TentativeReject, Inner: &offeredReport}},
	{6, CloseReport, Shape{Activity: model.Reject, Inner: &offeredReport}},

	{7, CreateCaseProposal, Shape{Activity: model.Create, Object: model.TypeProposal, Strict: true}},
	{8, AcceptCaseProposal, Shape{Activity: model.Accept, Object: model.TypeProposal, Strict: true}},
	{9, RejectCaseProposal, Shape{Activity: model.Reject, Object: model.TypeProposal, Strict: true}},
	{10, CreateCase, Shape{Activity: model.Create, Object: model.TypeCase}},
	{11, UpdateCase, Shape{Activity: model.Update, Object: model.TypeCase}},
	{12, EngageCase, Shape{Activity: model.Join, Object: model.TypeCase}},
	{13, DeferCase, Shape{Activity: model.Ignore, Object: model.TypeCase}},
	{14, AddReportToCase, Shape{Activity: model.Add, Object: model.TypeReport, Target: model.TypeCase}},

	{15, OfferActorToCase, Shape{Activity: model.Offer, Object: AnyActor, Target: model.TypeCase}},
	{16, OfferCaseParticipant, offeredParticipant},
	{17, AcceptOfferCaseParticipant, Shape{Activity: model.Accept, Inner: &offeredParticipant}},
	{18, RejectOfferCaseParticipant, Shape{Activity: model.Reject, Inner: &offeredParticipant}},
	{19, OfferCaseParticipantRole, offeredRole},
	{20, AcceptCaseParticipantRole, Shape{Activity: model.Accept, Inner: &offeredRole}},
	{21, RejectCaseParticipantRole, Shape{Activity: model.Reject, Inner: &offeredRole}},
	{22, OfferCaseOwnershipTransfer, offeredCase},
	{23, AcceptCaseOwnershipTransfer, Shape{Activity: model.Accept, Inner: &offeredCase}},
	{24, RejectCaseOwnershipTransfer, Shape{Activity: model.Reject, Inner: &offeredCase}},
	{25, InviteActorToCase, invitedActor},
	{26, AcceptInviteActorToCase, Shape{Activity: model.Accept, Inner: &invitedActor}},
	{27, RejectInviteActorToCase, Shape{Activity: model.Reject, Inner: &invitedActor}},
	{28, AnnounceVulnerabilityCase, Shape{Activity: model.Announce, Object: model.TypeCase}},

	{29, CreateEmbargoEvent, Shape{Activity: model.Create, Object: AnyEvent, Context: model.TypeCase}},
	{30, AddEmbargoEventToCase, Shape{Activity: model.Add, Object: AnyEvent, Target: model.TypeCase}},
	{31, RemoveEmbargoEventFromCase, Shape{Activity: model.Remove, Object: AnyEvent}},
	{32, AnnounceEmbargoEventToCase, Shape{Activity: model.Announce, Object: AnyEvent, Context: model.TypeCase}},
	{33, InviteToEmbargoOnCase, invitedToEmbargo},
	{34, AcceptInviteToEmbargoOnCase, Shape{Activity: model.Accept, Inner: &invitedToEmbargo}},
	{35, RejectInviteToEmbargoOnCase, Shape{Activity: model.Reject, Inner: &invitedToEmbargo}},

	{36, CloseCase, Shape{Activity: model.Leave, Object: model.TypeCase}},
	{37, AnnounceCaseLedgerEntry, Shape{Activity: model.Announce, Object: model.TypeLedgerEntry}},
	{38, RejectCaseLedgerEntry, Shape{Activity: model.Reject, Object: model.TypeLedgerEntry}},

	{39, CreateCaseParticipant, Shape{Activity: model.Create, Object: model.TypeParticipant, Context: model.TypeCase}},
	{40, AddCaseParticipantToCase, Shape{Activity: model.Add, Object: model.TypeParticipant, Target: model.TypeCase}},
	{41, RemoveCaseParticipantFromCase, Shape{Activity: model.Remove, Object: model.TypeParticipant, Target: model.TypeCase}},

	{42, CreateNote, Shape{Activity: model.Create, Object: model.TypeNote}},
	{43, AddNoteToCase, Shape{Activity: model.Add, Object: model.TypeNote, Target: model.TypeCase}},
	{44, RemoveNoteFromCase, Shape{Activity: model.Remove, Object: model.TypeNote, Target: model.TypeCase}},

	{45, CreateCaseStatus, Shape{Activity: model.Create, Object: model.TypeCaseStatus, Context: model.TypeCase}},
	{46, AddCaseStatusToCase, Shape{Activity: model.Add, Object: model.TypeCaseStatus, Target: model.TypeCase}},
	{47, CreateParticipantStatus, Shape{Activity: model.Create, Object: model.TypeParticipantStatus}},
	{48, AddParticipantStatusToParticipant, Shape{Activity: model.Add, Object: model.TypeParticipantStatus, Target: model.TypeParticipant}},
}
