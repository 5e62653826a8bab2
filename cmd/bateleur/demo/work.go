package demo

import (
	"context"
	"fmt"
	"time"
)

// patience is how long a state may take to show.
const patience = 20 * time.Second

// turn is a state that became another, in stores that agree.
type turn struct {
	What string   `json:"what"`
	From string   `json:"from"` // "" for none
	To   string   `json:"to"`
	At   []string `json:"at"` // whose stores say so, by their segments
}

// work takes the case from report to closure and takes the time.
func (s *story) work(ctx context.Context) error {
	if err := s.finder.node.meet(ctx, s.vendor, "Organization", "Vendor Inc."); err != nil {
		return err
	}
	if err := s.vendor.node.meet(ctx, s.finder, "Person", "Finn"); err != nil {
		return err
	}
	began := time.Now()
	for _, step := range s.steps() {
		if err := s.take(ctx, step); err != nil {
			return err
		}
	}
	s.took = time.Since(began)
	return nil
}

// take reads how things stand, gives the order, and tells each turn once every
// store that has to say so does.
func (s *story) take(ctx context.Context, step step) error {
	before := make([][][]string, len(step.lines))
	for i, l := range step.lines {
		for _, r := range l.turns {
			values, err := r.values(ctx)
			if err != nil {
				return err
			}
			before[i] = append(before[i], values)
		}
	}
	if err := step.order(ctx); err != nil {
		return err
	}
	for i, l := range step.lines {
		var turns []turn
		for j, r := range l.turns {
			after, err := r.wait(ctx)
			if err != nil {
				return err
			}
			turns = append(turns, r.turns(before[i][j], after)...)
		}
		if err := s.learnCase(ctx); err != nil {
			return err
		}
		s.tell.line(l, turns)
	}
	return nil
}

// learnCase takes note of the case's id once its manager has it.
func (s *story) learnCase(ctx context.Context) error {
	if s.caseID != "" {
		return nil
	}
	c, _, err := s.manager.theCase(ctx)
	s.caseID = c.ID
	return err
}

// values are what each store says now.
func (r reading) values(ctx context.Context) ([]string, error) {
	values := make([]string, len(r.at))
	for i, p := range r.at {
		var err error
		if values[i], err = r.read(ctx, p); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// wait asks each store until it says what is wanted, and gives what each said.
func (r reading) wait(ctx context.Context) ([]string, error) {
	values := make([]string, len(r.at))
	for i, p := range r.at {
		last, err := until(ctx, func() (string, bool, error) {
			value, err := r.read(ctx, p)
			return value, r.satisfied(value), err
		})
		if err != nil {
			return nil, fmt.Errorf("%s at %s: %w", r.what, p.segment, err)
		}
		if !r.satisfied(last) {
			return nil, fmt.Errorf("%s at %s is %q and did not become %q", r.what, p.segment, last, r.want)
		}
		values[i] = last
	}
	return values, nil
}

// turns joins the stores that said the same.
func (r reading) turns(before, after []string) (out []turn) {
	for i, p := range r.at {
		if n := len(out) - 1; n >= 0 && out[n].From == before[i] && out[n].To == after[i] {
			out[n].At = append(out[n].At, p.segment)
			continue
		}
		out = append(out, turn{r.what, before[i], after[i], []string{p.segment}})
	}
	return out
}

// until looks again, after pauses that grow, until what is looked for shows or
// patience ends, and gives what was seen last.
func until[T any](ctx context.Context, look func() (T, bool, error)) (T, error) {
	deadline := time.Now().Add(patience)
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		seen, shown, err := look()
		if err != nil || shown || time.Now().After(deadline) {
			return seen, err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return seen, ctx.Err()
		}
	}
}
