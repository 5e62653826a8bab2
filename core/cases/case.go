package cases

import (
	"slices"
	"time"

	"bateleur/core/model"
)

// Case is a case's present state in one store. Histories (statuses, notes) are
// records of their own, so that a message costs the same however long the case
// has lasted.
type Case struct {
	ID           string        `json:"id"`
	Name         string        `json:"name,omitempty"`
	Founder      string        `json:"founder"` // attributedTo at creation: an input of the genesis hash
	Published    time.Time     `json:"published"`
	Genesis      string        `json:"genesis"`
	Reports      []string      `json:"reports,omitempty"`
	Participants []Participant `json:"participants"`
	EM           model.EM      `json:"em"`
	PXA          model.PXA     `json:"pxa"`
	Embargo      string        `json:"embargo,omitempty"`
	Proposed     []string      `json:"proposedEmbargoes,omitempty"`
	Closed       bool          `json:"closed,omitempty"`
}

// Participant is one actor's present state in a case.
type Participant struct {
	ID       string       `json:"id"`
	Actor    string       `json:"actor"`
	Name     string       `json:"name,omitempty"`
	Roles    []model.Role `json:"roles"`
	RM       model.RM     `json:"rm"`
	VFD      model.VFD    `json:"vfd"`
	PEC      model.PEC    `json:"pec"`
	Seen     model.PXA    `json:"seen,omitempty"` // what it said the world knows
	Accepted []string     `json:"acceptedEmbargoes,omitempty"`
}

// Has tells whether the participant holds the role.
func (p *Participant) Has(r model.Role) bool { return slices.Contains(p.Roles, r) }

// sees adds to what the participant said that the world knows; no bit of it is
// ever taken back.
func (p *Participant) sees(told model.PXA) {
	if told != "" {
		p.Seen = orDefault(p.Seen, model.PXANone).Union(told)
	}
}

// Of gives the actor's participant, nil when it has none.
func (c *Case) Of(actor string) *Participant {
	for i := range c.Participants {
		if c.Participants[i].Actor == actor {
			return &c.Participants[i]
		}
	}
	return nil
}

// Holder gives the participant that holds a role, nil when none does.
func (c *Case) Holder(r model.Role) *Participant {
	for i := range c.Participants {
		if c.Participants[i].Has(r) {
			return &c.Participants[i]
		}
	}
	return nil
}

// Manager is the actor that holds CASE_MANAGER, "" when none does. It is looked
// up by role, never by the shape of an id.
func (c *Case) Manager() string {
	if p := c.Holder(model.RoleCaseManager); p != nil {
		return p.Actor
	}
	return ""
}

// Audience lists who learns of an entry: every participant but the manager that
// has not left (CM-23-004) and, while an embargo is in force, consented to it.
func (c *Case) Audience() []string {
	var out []string
	for i := range c.Participants {
		p := &c.Participants[i]
		if p.Has(model.RoleCaseManager) || p.RM == model.RMClosed ||
			c.EM.InForce() && p.PEC != model.PECSignatory {
			continue
		}
		out = append(out, p.Actor)
	}
	return out
}

// clone copies the case so that a caller may change it.
func (c *Case) clone() *Case {
	out := *c
	out.Reports = slices.Clone(c.Reports)
	out.Proposed = slices.Clone(c.Proposed)
	out.Participants = slices.Clone(c.Participants)
	return &out
}

// PendingWindow is how long an assertion counts before the ledger confirms it;
// what was never confirmed may then be asserted anew (CLP-06-003).
const PendingWindow = 180 * time.Second

// With is the participant as its own actor sees it at an instant: what it
// asserted within the PendingWindow applied, in the order of asserting. The
// receiver is left as it was.
func (p *Participant) With(pending []Pending, now time.Time) *Participant {
	out := *p
	for _, a := range pending {
		if now.Sub(a.At) >= PendingWindow {
			continue
		}
		out.RM, out.VFD = orDefault(a.RM, out.RM), orDefault(a.VFD, out.VFD)
		out.Seen = orDefault(a.PXA, out.Seen)
	}
	return &out
}
