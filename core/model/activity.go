package model

import (
	"slices"
	"time"

	"github.com/samber/lo"
)

// Activity is one protocol message.
//
// Three things must not be confused: Actor, who emits it; AttributedTo, for
// whom the emitter speaks (CM-24-002); and whose store it lies in.
type Activity struct {
	ID             string    `json:"id,omitempty"`
	Type           string    `json:"type"`
	Name           string    `json:"name,omitempty"`
	Actor          string    `json:"actor,omitempty"`
	AttributedTo   string    `json:"attributedTo,omitempty"`
	Object         Item      `json:"object,omitzero"`
	Target         Item      `json:"target,omitzero"`
	Origin         Item      `json:"origin,omitzero"`
	Context        string    `json:"context,omitempty"`
	InReplyTo      string    `json:"inReplyTo,omitempty"`
	To             []string  `json:"to,omitempty"`
	CC             []string  `json:"cc,omitempty"`
	BTo            []string  `json:"bto,omitempty"`
	BCC            []string  `json:"bcc,omitempty"`
	Summary        string    `json:"summary,omitempty"`
	Content        string    `json:"content,omitempty"`
	Roles          []Role    `json:"roles,omitempty"`
	SuggestedRoles []Role    `json:"suggestedRoles,omitempty"`
	OfferID        string    `json:"offerId,omitempty"`      // ledger snapshots of add_report_to_case, proposals
	OfferActorID   string    `json:"offerActorId,omitempty"` // the same
	EndTime        time.Time `json:"endTime,omitzero"`
	Published      time.Time `json:"published,omitzero"`
	Updated        time.Time `json:"updated,omitzero"`

	// HasContext tells an empty context from an absent one: on a refused ledger
	// entry "" says "I have nothing" (SYNC-03-001).
	HasContext bool `json:"-"`
}

// ObjectID is the activity's id.
func (a *Activity) ObjectID() string { return a.ID }

// ObjectType is the activity's type.
func (a *Activity) ObjectType() string { return a.Type }

// Addressees lists to, cc, bto and bcc in that order, each address once.
func (a *Activity) Addressees() []string {
	return lo.Uniq(slices.Concat(a.To, a.CC, a.BTo, a.BCC))
}

// ObjectActivity is the inline activity that this one answers, nil when its
// object is something else.
func (a *Activity) ObjectActivity() *Activity {
	inner, _ := InlineAs[*Activity](a.Object)
	return inner
}
