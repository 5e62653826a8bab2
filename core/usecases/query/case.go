package query

import (
	"time"

	"bateleur/core/cases"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// Case is a case as an actor's ledger says it stands. What the actor asserted
// and the ledger has not confirmed is in Pending and nowhere else (CLP-06-006).
type Case struct {
	ID           string          `json:"id"`
	Name         string          `json:"name,omitempty"`
	Published    time.Time       `json:"published"`
	Manager      string          `json:"manager,omitempty"`
	Owner        string          `json:"owner,omitempty"`
	EM           model.EM        `json:"em"`
	PXA          model.PXA       `json:"pxa"`
	Embargo      *Embargo        `json:"embargo,omitempty"`
	Closed       bool            `json:"closed"`
	Reports      []string        `json:"reports"`
	Participants []Participant   `json:"participants"`
	Pending      []cases.Pending `json:"pending"`
	Ledger       *LedgerHead     `json:"ledger,omitempty"`
}

// Participant is an actor's part in a case.
type Participant struct {
	ID    string       `json:"id"`
	Actor string       `json:"actor"`
	Name  string       `json:"name,omitempty"`
	Me    bool         `json:"me,omitempty"` // the actor whose store this is
	Roles []model.Role `json:"roles"`
	RM    model.RM     `json:"rm"`
	VFD   model.VFD    `json:"vfd"`
	PEC   model.PEC    `json:"pec"`
	Seen  model.PXA    `json:"seen,omitempty"` // what it said the world knows
}

// Embargo is the embargo in force; times are in UTC.
type Embargo struct {
	ID    string    `json:"id"`
	Start time.Time `json:"startTime,omitzero"`
	End   time.Time `json:"endTime,omitzero"`
}

// LedgerHead is where a ledger stands.
type LedgerHead struct {
	Standing ports.Standing `json:"standing"`
	Genesis  string         `json:"genesis"`
	Entries  int64          `json:"entries"`
	TailHash string         `json:"tailHash"` // the genesis while there is no entry
}

// Cases lists the store's cases in the order in which they came.
func Cases(r ports.Reader, me model.ActorID, p Page) ([]Case, error) {
	records, err := r.List(ports.ListParams{Kind: cases.KindCase, After: p.After, Limit: p.limit()})
	if err != nil {
		return nil, absent("case", p.After, err)
	}
	out := make([]Case, 0, len(records))
	for _, record := range records {
		c, err := FindCase(r, record.ID, me)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// FindCase reads one case; fault.NotFound when the store does not hold it.
func FindCase(r ports.Reader, id string, me model.ActorID) (Case, error) {
	stored, err := cases.Load[cases.Case](r, cases.KindCase, id)
	if err != nil {
		return Case{}, absent("case", id, err)
	}
	c := stored.Value
	out := Case{ID: c.ID, Name: c.Name, Published: c.Published.UTC(), Manager: c.Manager(), EM: c.EM, PXA: c.PXA,
		Closed: c.Closed, Reports: orEmpty(c.Reports), Participants: participants(&c, me)}
	if owner := c.Holder(model.RoleCaseOwner); owner != nil {
		out.Owner = owner.Actor
	}
	if out.Embargo, err = embargo(r, c.Embargo); err != nil {
		return Case{}, err
	}
	out.Pending, err = cases.All[cases.Pending](r, cases.KindPending, ports.Ref{Name: cases.RefCase, Target: id})
	if err != nil {
		return Case{}, err
	}
	out.Ledger, err = head(r, id)
	return out, err
}

func participants(c *cases.Case, me model.ActorID) []Participant {
	out := make([]Participant, 0, len(c.Participants))
	for i := range c.Participants {
		p := &c.Participants[i]
		out = append(out, Participant{ID: p.ID, Actor: p.Actor, Name: p.Name, Me: p.Actor == me.URI(),
			Roles: orEmpty(p.Roles), RM: p.RM, VFD: p.VFD, PEC: p.PEC, Seen: p.Seen})
	}
	return out
}

func embargo(r ports.Reader, id string) (*Embargo, error) {
	if id == "" {
		return nil, nil
	}
	e, known, err := cases.Find[model.EmbargoEvent](r, cases.KindEmbargo, id)
	if err != nil {
		return nil, err
	}
	if !known {
		return &Embargo{ID: id}, nil
	}
	return &Embargo{ID: id, Start: e.Value.StartTime.UTC(), End: e.Value.EndTime.UTC()}, nil
}

// head is nil where the case has no ledger yet.
func head(r ports.Reader, caseID string) (*LedgerHead, error) {
	h, err := r.Ledger(caseID)
	if fault.CodeOf(err) == fault.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &LedgerHead{Standing: h.Standing, Genesis: h.Genesis, Entries: h.Tail + 1, TailHash: h.TailHash}, nil
}

// orEmpty makes an absent list an empty one, as JSON's readers expect.
func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
