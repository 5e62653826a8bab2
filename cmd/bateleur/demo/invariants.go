package demo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"

	"bateleur/core/ledger"
	"bateleur/core/ports"
	"bateleur/core/usecases/query"
)

// holding is one actor's store as its node shows it at the end.
type holding struct {
	who          *party
	entries      []ledger.Entry
	verification query.Verification
	queue        query.Queue
	dead         query.DeadLetters
	unconfirmed  int
}

// close shows the ledger, verifies it in every store, and looks whether all that
// has to hold holds; the error names the first invariant that does not.
func (s *story) close(ctx context.Context) error {
	var held []holding
	for _, p := range []*party{s.manager, s.vendor, s.finder} {
		h, err := s.look(ctx, p)
		if err != nil {
			return err
		}
		held = append(held, h)
	}
	s.tell.ledger(held[0].entries)
	for _, h := range held {
		s.tell.verified(h)
	}
	for _, n := range []*node{s.finder.node, s.vendor.node} {
		t, err := n.traffic(ctx)
		if err != nil {
			return err
		}
		s.count.Posts, s.count.Bytes = s.count.Posts+t.Posts, s.count.Bytes+t.Bytes
	}
	s.tell.counted(s, held)
	checked := s.invariants(held)
	s.tell.invariants(checked)
	for _, i := range checked {
		if !i.OK {
			return fmt.Errorf("this does not hold: %s: %s", i.Name, i.Text)
		}
	}
	return nil
}

// look reads a store's ledger and, once the node has nothing left to do for it,
// what was left over.
func (s *story) look(ctx context.Context, p *party) (h holding, err error) {
	h.who = p
	if h.queue, err = until(ctx, func() (query.Queue, bool, error) {
		q, err := get[query.Queue](ctx, p, "/queue")
		return q, q.Inbox[ports.Pending] == 0 && len(q.Recipients) == 0, err
	}); err != nil {
		return h, err
	}
	if h.dead, err = get[query.DeadLetters](ctx, p, "/dead-letters"); err != nil {
		return h, err
	}
	at := "/cases/" + url.PathEscape(s.caseID)
	if h.verification, err = get[query.Verification](ctx, p, at+"/ledger/verify"); err != nil {
		return h, err
	}
	c, err := get[query.Case](ctx, p, at)
	if err != nil {
		return h, err
	}
	h.unconfirmed = len(c.Pending)
	h.entries, err = get[[]ledger.Entry](ctx, p, at+"/ledger")
	return h, err
}

// deadLetters tells what the nodes gave up, which may be why the story did not go
// on; nil when that is nothing.
func (s *story) deadLetters(ctx context.Context) error {
	var errs []error
	for _, p := range []*party{s.manager, s.vendor, s.finder} {
		dead, err := get[query.DeadLetters](ctx, p, "/dead-letters")
		if err != nil {
			errs = append(errs, fmt.Errorf("%s cannot be asked: %w", p.segment, err))
		}
		for _, i := range dead.Inbox {
			errs = append(errs, fmt.Errorf("%s gave up a message of %s: %s: %s", p.segment, i.Sender, i.Reason.Code, i.Reason.Text))
		}
		for _, d := range dead.Deliveries {
			errs = append(errs, fmt.Errorf("%s gave up a delivery to %s: %s", p.segment, d.Recipient, d.Error))
		}
	}
	return errors.Join(errs...)
}

// Invariant is something that has to hold at the end of the story.
type Invariant struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Text string `json:"text,omitempty"` // what is wrong
}

// invariants looks at what the stores hold, the manager's first.
func (s *story) invariants(held []holding) (all []Invariant) {
	canonical := held[0].entries
	for _, h := range held {
		want := managersEntries
		if h.who == s.finder {
			want = findersEntries
		}
		all = append(all,
			same(h, "has all its entries", want, len(h.entries)),
			verifies(h),
			agrees(h, canonical),
			same(h, "has nothing left to decide", 0, int(h.queue.Inbox[ports.Pending]+h.queue.Inbox[ports.Deferred])),
			same(h, "refused nothing", 0, int(h.queue.Inbox[ports.Refused])),
			same(h, "has nothing left to deliver", 0, len(h.queue.Recipients)),
			same(h, "has no dead letters", 0, len(h.dead.Inbox)+len(h.dead.Deliveries)),
			same(h, "has nothing left that the ledger did not confirm", 0, h.unconfirmed))
	}
	return all
}

func same(h holding, what string, want, got int) Invariant {
	i := Invariant{Name: h.who.segment + " " + what, OK: got == want}
	if !i.OK {
		i.Text = fmt.Sprintf("%d, not %d", got, want)
	}
	return i
}

func verifies(h holding) Invariant {
	i := Invariant{Name: h.who.segment + "'s ledger verifies", OK: h.verification.OK}
	for _, c := range h.verification.Checks {
		if !c.OK {
			i.Text = c.Name + ": " + c.Text
			break
		}
	}
	return i
}

// agrees looks that a store's entries are the first of the manager's, byte for
// byte where it matters.
func agrees(h holding, canonical []ledger.Entry) Invariant {
	i := Invariant{Name: h.who.segment + "'s entries are the case manager's", OK: len(h.entries) <= len(canonical)}
	for n, e := range h.entries[:min(len(h.entries), len(canonical))] {
		if e.Hash != canonical[n].Hash || !bytes.Equal(e.Payload, canonical[n].Payload) {
			i.OK, i.Text = false, fmt.Sprintf("entry %d differs", n)
			break
		}
	}
	return i
}

// floor is the least number of messages with which the story can be told: one a
// replica for each of its entries, and those that the steps are made of.
func (s *story) floor(held []holding) (n int64) {
	for _, h := range held {
		if h.who != s.manager {
			n += int64(len(h.entries))
		}
	}
	for _, step := range s.steps() {
		n += int64(step.messages)
	}
	return n
}
