package demo

import (
	"context"
	"fmt"
	"time"

	"bateleur/adapters/wire/advisory"
	"bateleur/core/model"
	"bateleur/core/usecases/query"
)

// story is one case from report to closure.
type story struct {
	ctx                     context.Context
	tell                    *teller
	report                  advisory.Report
	finder, vendor, manager *party
	nodes                   []*child

	offerID, reportID, caseID string
	began                     time.Time
	took                      time.Duration
	count                     traffic
}

// play tells the story step by step and then looks whether everything holds.
func (s *story) play() error {
	if err := s.meet(); err != nil {
		return err
	}
	before, err := s.traffic()
	if err != nil {
		return err
	}
	s.began = time.Now()
	for _, step := range []func() error{
		s.submit, s.received, s.created, s.replicated, s.validate, s.engage, s.notes,
		s.fixReady, s.published, s.tornDown, s.leave, s.closed,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	s.took = time.Since(s.began)
	after, err := s.traffic()
	if err != nil {
		return err
	}
	s.count = traffic{after.InboxPosts - before.InboxPosts, after.InboxBytes - before.InboxBytes}
	return s.check()
}

func (s *story) meet() error {
	if err := s.nodes[0].meet(s.ctx, s.vendor, "Organization", "Vendor Inc."); err != nil {
		return err
	}
	return s.nodes[1].meet(s.ctx, s.finder, "Person", "Finn")
}

func (s *story) traffic() (traffic, error) {
	var sum traffic
	for _, n := range s.nodes {
		t, err := n.traffic(s.ctx)
		if err != nil {
			return sum, err
		}
		sum.InboxPosts, sum.InboxBytes = sum.InboxPosts+t.InboxPosts, sum.InboxBytes+t.InboxBytes
	}
	return sum, nil
}

// until asks again until what is expected shows.
func (s *story) until(what string, look func() (bool, error)) error {
	deadline := time.Now().Add(20 * time.Second)
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		shown, err := look()
		switch {
		case err != nil:
			return err
		case shown:
			return nil
		case time.Now().After(deadline):
			return fmt.Errorf("did not come about: %s", what)
		}
		time.Sleep(pause)
	}
}

// sees waits until a party's own store shows the case in a state.
func (s *story) sees(p *party, what string, shows func(query.Case) bool) error {
	return s.until(p.segment+" sees that "+what, func() (bool, error) {
		c, err := p.show(s.ctx, s.caseID)
		return err == nil && shows(c), err
	})
}

// all waits until manager and replicas show the same.
func (s *story) all(what string, shows func(query.Case) bool) error {
	for _, p := range []*party{s.manager, s.vendor, s.finder} {
		if err := s.sees(p, what, shows); err != nil {
			return err
		}
	}
	return nil
}

// rm is a participant's report-management state in a case as shown.
func rm(c query.Case, p *party) model.RM { return part(c, p).RM }

func part(c query.Case, p *party) query.Participant {
	for _, x := range c.Participants {
		if x.Actor == p.id {
			return x
		}
	}
	return query.Participant{}
}

func (s *story) inCase() map[string]string { return map[string]string{"case_id": s.caseID} }
