package cases

import (
	"encoding/json"
	"time"

	"bateleur/core/model"
)

// OfferRecord is an offer of a report, sent or received, with the activity as
// it went over the wire: answers carry it whole (RF-02-004).
type OfferRecord struct {
	ID       string          `json:"id"`
	Actor    string          `json:"actor"`  // who offered
	To       string          `json:"target"` // to whom
	ReportID string          `json:"report"`
	Activity json.RawMessage `json:"activity,omitempty"` // absent when learned from a ledger
	Manager  string          `json:"manager,omitempty"`  // to whom the receiver proposed the case
}

// ReportStatus is an actor's own state of a report, before and beside any case.
type ReportStatus struct {
	ReportID string   `json:"report"`
	RM       model.RM `json:"rmState"`
}

// CaseLink tells which case a report became.
type CaseLink struct {
	ReportID string `json:"report"`
	CaseID   string `json:"case"`
	Manager  string `json:"manager"`
}

// Proposal is a case proposal as its two sides keep it.
type Proposal struct {
	ID       string `json:"id"`
	ReportID string `json:"report"`
	Proposer string `json:"proposer"`
	State    string `json:"state"` // accepted or rejected
	Reason   string `json:"reason,omitempty"`
	CaseID   string `json:"case,omitempty"`
	AcceptID string `json:"accept,omitempty"`
}

// The states of a proposal.
const (
	ProposalAccepted = "accepted"
	ProposalRejected = "rejected"
)

// Pending is what this actor asserted and the ledger has not confirmed.
type Pending struct {
	CaseID    string    `json:"case"`
	EventType string    `json:"eventType"`
	ObjectID  string    `json:"object"`
	RM        model.RM  `json:"rmState,omitempty"`
	VFD       model.VFD `json:"vfdState,omitempty"`
	PXA       model.PXA `json:"pxaState,omitempty"`
	At        time.Time `json:"at"`
}

// PendingID is the key of a pending assertion.
func PendingID(caseID, eventType, objectID string) string {
	return caseID + "|" + eventType + "|" + objectID
}

// Invite is an invitation to a case that this actor received.
type Invite struct {
	ID       string          `json:"id"`
	CaseID   string          `json:"case"`
	Manager  string          `json:"manager"` // who sent it: the trust anchor of a later Announce
	Roles    []model.Role    `json:"roles"`
	Activity json.RawMessage `json:"activity"`
}

// Answer is this actor's answer to an invitation.
type Answer struct {
	InviteID string `json:"invite"`
	CaseID   string `json:"case"`
	Manager  string `json:"manager"`
	Accepted bool   `json:"accepted"`
}

// Replication is what the manager knows of a peer's replica.
type Replication struct {
	CaseID       string    `json:"case"`
	Peer         string    `json:"peer"`
	Acknowledged string    `json:"lastAcknowledgedHash"`
	ReplayedFrom string    `json:"lastReplayedFrom"`
	ReplayedAt   time.Time `json:"lastReplayedAt"`
}

// ReplayRequest is when and from where this replica last asked for a replay.
type ReplayRequest struct {
	CaseID string    `json:"case"`
	From   string    `json:"from"`
	At     time.Time `json:"at"`
}
