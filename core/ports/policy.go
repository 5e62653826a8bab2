package ports

import (
	"time"

	"bateleur/core/model"
)

// Policy makes the decisions that the protocol leaves to an actor. It holds no
// store: what it needs is passed in.
type Policy interface {
	Storeless
	// DefaultEmbargo is how long a new case is kept from the public and the rule
	// that says so; zero for no embargo.
	DefaultEmbargo(owner string) (length time.Duration, rule string)
	// AcceptProposal says why a manager will not make a case of a report, "" when
	// it will.
	AcceptProposal(report *model.Report) (refusal string)
	// AdoptStatus tells whether the case takes over what a participant that does
	// not own it says of the world (RSH-01).
	AdoptStatus(participant string, world model.PXA) bool
	// EndEmbargo tells whether an embargo in force ends now that the world knows
	// what it knows (RSH-02).
	EndEmbargo(world model.PXA) bool
}

// DefaultPolicy accepts every proposal and status, sets the protocol's default
// embargo of 90 days (EP-04-001) and ends it as soon as it is pointless.
type DefaultPolicy struct{ NoStore }

// DefaultEmbargoLength is the protocol's default.
const DefaultEmbargoLength = 90 * 24 * time.Hour

// DefaultEmbargo implements Policy.
func (DefaultPolicy) DefaultEmbargo(string) (time.Duration, string) {
	return DefaultEmbargoLength, "protocol default of 90 days"
}

// AcceptProposal implements Policy.
func (DefaultPolicy) AcceptProposal(*model.Report) string { return "" }

// AdoptStatus implements Policy.
func (DefaultPolicy) AdoptStatus(string, model.PXA) bool { return true }

// EndEmbargo implements Policy.
func (DefaultPolicy) EndEmbargo(model.PXA) bool { return true }

// Profile is how a hosted actor is set up.
type Profile struct {
	Actor model.Actor
	// Manager is the actor to which this one proposes its cases.
	Manager model.ActorID
	// Roles are what the actor is in cases that it owns, vendor unless configured.
	Roles []model.Role
	// ManagesCases lets the actor become the manager of cases that are proposed to
	// it; the authority over each comes from the role it then holds.
	ManagesCases bool
	// KeepReports leaves a received report without a case until a person decides
	// (CM-15-002).
	KeepReports bool
}
