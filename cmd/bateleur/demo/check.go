package demo

import (
	"fmt"
	"net/url"
	"strconv"

	"bateleur/core/ledger"
	"bateleur/core/ports"
	"bateleur/core/usecases/query"
)

func escaped(id string) string { return url.PathEscape(id) }
func itoa(n int) string        { return strconv.Itoa(n) }

// The case's ledger, and how far one who left before the end has it.
const (
	allEntries    = 21
	findersPrefix = 19
)

// check shows the ledger and verifies it on every replica; the error names the
// first thing that does not hold.
func (s *story) check() error {
	canonical, err := s.manager.ledger(s.ctx, s.caseID)
	if err != nil {
		return err
	}
	s.tell.ledger(canonical)
	for _, r := range []struct {
		who  *party
		want int
	}{{s.manager, allEntries}, {s.vendor, allEntries}, {s.finder, findersPrefix}} {
		if err := s.checkReplica(r.who, r.want, canonical); err != nil {
			return err
		}
	}
	for _, p := range []*party{s.manager, s.vendor, s.finder} {
		if err := s.checkQueue(p); err != nil {
			return err
		}
	}
	s.tell.counts(s)
	return nil
}

func (s *story) checkReplica(p *party, want int, canonical []ledger.Entry) error {
	v, err := p.verify(s.ctx, s.caseID)
	if err != nil {
		return err
	}
	s.tell.verified(p, v)
	for _, c := range v.Checks {
		if !c.OK {
			return fmt.Errorf("%s's ledger does not hold: %s: %s", p.segment, c.Name, c.Text)
		}
	}
	own, err := p.ledger(s.ctx, s.caseID)
	if err != nil {
		return err
	}
	if len(own) != want {
		return fmt.Errorf("%s's ledger has %d entries, not %d", p.segment, len(own), want)
	}
	for i := range own {
		if own[i].Hash != canonical[i].Hash {
			return fmt.Errorf("%s's entry %d is not the case manager's", p.segment, i)
		}
	}
	return nil
}

// checkQueue looks that nothing is left over: no dead letter, nothing waiting, no
// replay asked for.
func (s *story) checkQueue(p *party) error {
	return s.until(p.segment+" has nothing left to do", func() (bool, error) {
		var dead query.DeadLetters
		if err := get(s.ctx, p.id+"/dead-letters", &dead); err != nil {
			return false, err
		}
		if len(dead.Inbox)+len(dead.Deliveries) > 0 {
			return false, fmt.Errorf("%s has dead letters: %+v", p.segment, dead)
		}
		var q query.Queue
		err := get(s.ctx, p.id+"/queue", &q)
		return q.Inbox[ports.Pending]+q.Inbox[ports.Deferred]+q.Inbox[ports.Refused] == 0 && len(q.Recipients) == 0, err
	})
}
