package model

import "slices"

// Type names of the protocol's objects.
const (
	TypeReport            = "VulnerabilityReport"
	TypeCase              = "VulnerabilityCase"
	TypeParticipant       = "CaseParticipant"
	TypeParticipantStatus = "ParticipantStatus"
	TypeCaseStatus        = "CaseStatus"
	TypeEmbargo           = "EmbargoEvent"
	TypeEvent             = "Event"
	TypeProposal          = "CaseProposal"
	TypeParticipantRole   = "CaseParticipantRole"
	TypeLedgerEntry       = "CaseLedgerEntry"
	TypeNote              = "Note"
)

// Type names of the activities the protocol uses.
const (
	Accept          = "Accept"
	Add             = "Add"
	Announce        = "Announce"
	Create          = "Create"
	Ignore          = "Ignore"
	Invite          = "Invite"
	Join            = "Join"
	Leave           = "Leave"
	Offer           = "Offer"
	Question        = "Question"
	Read            = "Read"
	Reject          = "Reject"
	Remove          = "Remove"
	TentativeReject = "TentativeReject"
	Undo            = "Undo"
	Update          = "Update"
)

// activityTypes are the activity types of Activity Streams 2.0, known here
// whether the protocol gives them a meaning or not.
var activityTypes = map[string]bool{
	Accept: true, Add: true, Announce: true, "Arrive": true, "Block": true, Create: true,
	"Delete": true, "Dislike": true, "Flag": true, "Follow": true, Ignore: true, Invite: true,
	Join: true, Leave: true, "Like": true, "Listen": true, "Move": true, Offer: true,
	Question: true, Reject: true, Read: true, Remove: true, TentativeReject: true,
	"TentativeAccept": true, "Travel": true, Undo: true, Update: true, "View": true, "Activity": true,
	"IntransitiveActivity": true,
}

// ActorTypes are the five concrete actor types of Activity Streams.
var ActorTypes = []string{"Application", "Group", "Organization", "Person", "Service"}

// IsActivityType tells whether typ names an activity.
func IsActivityType(typ string) bool { return activityTypes[typ] }

// IsActorType tells whether typ names an actor; the abstract Actor and the
// reference implementation's CoreActor count.
func IsActorType(typ string) bool {
	return slices.Contains(ActorTypes, typ) || typ == "Actor" || typ == "CoreActor"
}
