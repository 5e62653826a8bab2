package demo

import (
	"context"
	"fmt"
	"net/url"
	"strconv"

	"bateleur/core/model"
	"bateleur/core/usecases/query"
)

// reading is a state that stores hold: how it is called, in whose stores it is
// looked for, and what it has to become.
type reading struct {
	what string
	at   []*party
	read func(context.Context, *party) (string, error) // "" where the store knows of none
	want string                                        // or anything
}

// anything is wanted where it only matters that there is something.
const anything = "*"

func (r reading) satisfied(value string) bool {
	return value == r.want || r.want == anything && value != ""
}

// ofCase reads something of the one case that a store holds.
func ofCase(read func(query.Case) string) func(context.Context, *party) (string, error) {
	return func(ctx context.Context, p *party) (string, error) {
		c, known, err := p.theCase(ctx)
		if err != nil || !known {
			return "", err
		}
		return read(c), nil
	}
}

// theCase reads the one case of a store.
func (p *party) theCase(ctx context.Context) (query.Case, bool, error) {
	list, err := get[[]query.Case](ctx, p, "/cases")
	switch {
	case err != nil || len(list) == 0:
		return query.Case{}, false, err
	case len(list) > 1:
		return query.Case{}, false, fmt.Errorf("%s's store holds %d cases, not one", p.segment, len(list))
	}
	return list[0], true, nil
}

// rm is how far somebody is with the report, by the case.
func (s *story) rm(of *party, want model.RM, at ...*party) reading {
	return reading{of.segment + "'s RM", at, ofCase(func(c query.Case) string { return string(part(c, of).RM) }), string(want)}
}

// vfd is how far somebody is with the fix.
func (s *story) vfd(of *party, want model.VFD, at ...*party) reading {
	return reading{of.segment + "'s VFD", at, ofCase(func(c query.Case) string { return string(part(c, of).VFD) }), string(want)}
}

// seen is what somebody said the world knows.
func (s *story) seen(of *party, want model.PXA, at ...*party) reading {
	return reading{of.segment + " says", at, ofCase(func(c query.Case) string { return string(part(c, of).Seen) }), string(want)}
}

// part is an actor's part in a case.
func part(c query.Case, of *party) query.Participant {
	for _, p := range c.Participants {
		if p.Actor == of.id {
			return p
		}
	}
	return query.Participant{}
}

// world is what the world knows, by the case.
func (s *story) world(want model.PXA, at ...*party) reading {
	return reading{"PXA", at, ofCase(func(c query.Case) string { return string(c.PXA) }), string(want)}
}

// embargo is whether one is in force.
func (s *story) embargo(want model.EM, at ...*party) reading {
	return reading{"EM", at, ofCase(func(c query.Case) string {
		if (c.EM == model.EMActive) != (c.Embargo != nil) {
			return string(c.EM) + " that does not go with the embargo"
		}
		return string(c.EM)
	}), string(want)}
}

// embargoEnds is when the embargo in force does.
func (s *story) embargoEnds(at ...*party) reading {
	return reading{"embargo until", at, ofCase(func(c query.Case) string {
		if c.Embargo == nil {
			return ""
		}
		return c.Embargo.End.UTC().Format("2006-01-02 15:04 UTC")
	}), anything}
}

// ledger is what a store's ledger of the case is.
func (s *story) ledger(want string, at ...*party) reading {
	return reading{"ledger", at, ofCase(func(c query.Case) string {
		if c.Ledger == nil {
			return ""
		}
		return string(c.Ledger.Standing)
	}), want}
}

// entries is how long it is.
func (s *story) entries(want int, at ...*party) reading {
	return reading{"entries", at, ofCase(func(c query.Case) string {
		if c.Ledger == nil {
			return ""
		}
		return strconv.FormatInt(c.Ledger.Entries, 10)
	}), strconv.Itoa(want)}
}

// state is whether the case is closed.
func (s *story) state(want string, at ...*party) reading {
	return reading{"case", at, ofCase(func(c query.Case) string {
		if c.Closed {
			return "closed"
		}
		return "open"
	}), want}
}

// reportOf is how an actor itself is with the report, beside any case.
func (s *story) reportOf(p *party, want model.RM) reading {
	return reading{"report", []*party{p}, func(ctx context.Context, p *party) (string, error) {
		list, err := get[[]query.Report](ctx, p, "/reports")
		if err != nil || len(list) == 0 {
			return "", err
		}
		return string(list[0].Status), nil
	}, string(want)}
}

// proposedTo is whom an actor asked to manage the case of the report.
func (s *story) proposedTo(p, manager *party) reading {
	return reading{"case proposed to", []*party{p}, func(ctx context.Context, p *party) (string, error) {
		list, err := get[[]query.Offer](ctx, p, "/offers")
		if err != nil || len(list) == 0 {
			return "", err
		}
		return model.LastSegment(list[0].Manager), nil
	}, manager.segment}
}

// notes is how many the case has.
func (s *story) notes(want int, at ...*party) reading {
	return reading{"notes", at, func(ctx context.Context, p *party) (string, error) {
		c, known, err := p.theCase(ctx)
		if err != nil || !known {
			return "", err
		}
		list, err := get[[]query.Note](ctx, p, "/cases/"+url.PathEscape(c.ID)+"/notes")
		return strconv.Itoa(len(list)), err
	}, strconv.Itoa(want)}
}
