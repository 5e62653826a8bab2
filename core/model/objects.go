package model

import (
	"encoding/json"
	"time"

	"bateleur/core/ledger"
)

// Report is a VulnerabilityReport: what a finder tells a vendor.
type Report struct {
	ID           string    `json:"id"`
	Type         string    `json:"type"`
	Name         string    `json:"name,omitempty"`
	Content      string    `json:"content,omitempty"`
	AttributedTo string    `json:"attributedTo,omitempty"`
	Published    time.Time `json:"published,omitzero"`
	Updated      time.Time `json:"updated,omitzero"`
}

// EmbargoEvent is the span in which a case is kept from the public.
type EmbargoEvent struct {
	ID        string    `json:"id"`
	Type      string    `json:"type"`
	Name      string    `json:"name,omitempty"`
	Context   string    `json:"context,omitempty"`
	StartTime time.Time `json:"startTime,omitzero"`
	EndTime   time.Time `json:"endTime,omitzero"`
	Summary   string    `json:"summary,omitempty"`
	Content   string    `json:"content,omitempty"`
	Published time.Time `json:"published,omitzero"`
	Updated   time.Time `json:"updated,omitzero"`
}

// CaseProposal asks a case manager to create a case for a report. The report is
// inline (CP-01-004); OfferID and OfferActorID say in which offer it arrived and
// from whom, since only the proposer saw that (CP-01-007).
type CaseProposal struct {
	ID           string    `json:"id"`
	Type         string    `json:"type"`
	AttributedTo string    `json:"attributedTo,omitempty"`
	Object       Item      `json:"object,omitzero"`
	Target       Item      `json:"target,omitzero"`
	Summary      string    `json:"summary,omitempty"`
	OfferID      string    `json:"offerId,omitempty"`
	OfferActorID string    `json:"offerActorId,omitempty"`
	Roles        []Role    `json:"roles,omitempty"`
	Published    time.Time `json:"published,omitzero"`
	Updated      time.Time `json:"updated,omitzero"`
}

// CaseParticipantRole is an offer's object when a role is offered.
type CaseParticipantRole struct {
	ID   string `json:"id"`
	Type string `json:"type"`
	Role Role   `json:"role,omitempty"`
}

// Note is a remark on a case.
type Note struct {
	ID           string    `json:"id"`
	Type         string    `json:"type"`
	Name         string    `json:"name,omitempty"`
	Content      string    `json:"content,omitempty"`
	Context      string    `json:"context,omitempty"`
	AttributedTo string    `json:"attributedTo,omitempty"`
	InReplyTo    string    `json:"inReplyTo,omitempty"`
	Published    time.Time `json:"published,omitzero"`
	Updated      time.Time `json:"updated,omitzero"`
}

// Actor describes an actor: hosted here, or a peer in an address book. Inbox
// and Outbox are URLs; the collections some peers inline are never kept.
type Actor struct {
	ID                string `json:"id"`
	Type              string `json:"type"`
	Name              string `json:"name,omitempty"`
	PreferredUsername string `json:"preferredUsername,omitempty"`
	Inbox             string `json:"inbox,omitempty"`
	Outbox            string `json:"outbox,omitempty"`
}

// LedgerEntry is a CaseLedgerEntry as an activity's inline object.
type LedgerEntry struct{ Entry ledger.Entry }

// Generic is an object of a type that has no Go type here. Its JSON is kept.
type Generic struct {
	ID   string
	Type string
	Raw  json.RawMessage
}

// ObjectID and ObjectType make each type an Object.

func (o *Report) ObjectID() string                { return o.ID }
func (o *Report) ObjectType() string              { return TypeReport }
func (o *EmbargoEvent) ObjectID() string          { return o.ID }
func (o *EmbargoEvent) ObjectType() string        { return orType(o.Type, TypeEmbargo) }
func (o *CaseProposal) ObjectID() string          { return o.ID }
func (o *CaseProposal) ObjectType() string        { return TypeProposal }
func (o *CaseParticipantRole) ObjectID() string   { return o.ID }
func (o *CaseParticipantRole) ObjectType() string { return TypeParticipantRole }
func (o *Note) ObjectID() string                  { return o.ID }
func (o *Note) ObjectType() string                { return TypeNote }
func (o *Actor) ObjectID() string                 { return o.ID }
func (o *Actor) ObjectType() string               { return o.Type }
func (o *LedgerEntry) ObjectID() string           { return o.Entry.ID() }
func (o *LedgerEntry) ObjectType() string         { return TypeLedgerEntry }
func (o *Generic) ObjectID() string               { return o.ID }
func (o *Generic) ObjectType() string             { return o.Type }

func orType(typ, fallback string) string {
	if typ == "" {
		return fallback
	}
	return typ
}

// MarshalJSON writes the entry's wire object.
func (o *LedgerEntry) MarshalJSON() ([]byte, error) { return o.Entry.MarshalJSON() }

// UnmarshalJSON reads an entry's wire object.
func (o *LedgerEntry) UnmarshalJSON(b []byte) error { return o.Entry.UnmarshalJSON(b) }

// MarshalJSON writes the kept JSON.
func (o *Generic) MarshalJSON() ([]byte, error) {
	if len(o.Raw) == 0 {
		return json.Marshal(map[string]string{"id": o.ID, "type": o.Type})
	}
	return o.Raw, nil
}

// UnmarshalJSON keeps the JSON and reads id and type.
func (o *Generic) UnmarshalJSON(b []byte) error {
	var head struct {
		ID   string `json:"id"`
		Type string `json:"type"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return err
	}
	o.ID, o.Type, o.Raw = head.ID, head.Type, append(o.Raw[:0:0], b...)
	return nil
}
