package node

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/google/uuid"

	"bateleur/core/model"
	"bateleur/core/ports"
)

// sender delivers what one actor sends: a queue for each recipient, in order, so
// that a dead peer delays nobody else. The actor's loop keeps its books.
type sender struct {
	actor     *actor
	wire      ports.Wire
	transport ports.Transport
	cfg       DeliveryConfig
	log       *slog.Logger

	wake chan struct{} // holds one wake-up
	free chan struct{} // a token for each recipient served at once

	mu    sync.Mutex
	peers map[string]*peer // the recipients with something to deliver
}

// peer is a recipient's queue as the sender knows it.
type peer struct {
	due     time.Time // when it may be served
	serving bool
	more    bool // something was queued while it was served
}

func newSender(a *actor, cfg Config) *sender {
	return &sender{actor: a, wire: cfg.Wire, transport: cfg.Transport, cfg: cfg.Delivery,
		log: cfg.Log.With("actor", a.id.URI()), wake: make(chan struct{}, 1),
		free: make(chan struct{}, cfg.Delivery.Parallel), peers: map[string]*peer{}}
}

// expect says that something was queued for the recipients.
func (s *sender) expect(recipients ...string) {
	if len(recipients) == 0 {
		return
	}
	s.mu.Lock()
	for _, r := range recipients {
		if p := s.peers[r]; p != nil {
			p.more = true
		} else {
			s.peers[r] = &peer{}
		}
	}
	s.mu.Unlock()
	s.wakeUp()
}

func (s *sender) wakeUp() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// loop serves recipients until ctx ends and its servers are done.
func (s *sender) loop(ctx context.Context) {
	var servers sync.WaitGroup
	defer servers.Wait()
	for s.recall(ctx) != nil && ctx.Err() == nil {
		pause(ctx, time.Second)
	}
	for ctx.Err() == nil {
		timer := time.NewTimer(s.serveDue(ctx, &servers))
		select {
		case <-ctx.Done():
		case <-s.wake:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// recall reads what an earlier run of the node left to deliver.
func (s *sender) recall(ctx context.Context) error {
	return s.actor.store.View(ctx, func(r ports.Reader) error {
		queues, err := r.Queues()
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, q := range queues {
			if s.peers[q.Recipient] == nil {
				s.peers[q.Recipient] = &peer{due: q.NotBefore}
			}
		}
		return err
	})
}

// serveDue starts a server for every recipient whose queue is due and gives the
// time until the next one is.
func (s *sender) serveDue(ctx context.Context, servers *sync.WaitGroup) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	next, now := time.Hour, s.actor.clock.Now()
	for recipient, p := range s.peers {
		wait := p.due.Sub(now)
		switch {
		case p.serving:
		case wait > 0:
			next = min(next, wait)
		default:
			p.serving, p.more = true, false
			servers.Go(func() { s.release(recipient, s.serve(ctx, recipient)) })
		}
	}
	return next
}

// release ends a recipient's serving; due is when its head may be tried again,
// zero when its queue is empty.
func (s *sender) release(recipient string, due time.Time) {
	s.mu.Lock()
	p := s.peers[recipient]
	p.serving, p.due = false, due
	if due.IsZero() && !p.more {
		delete(s.peers, recipient)
	}
	s.mu.Unlock()
	s.wakeUp()
}

// serve delivers to one recipient until its queue is empty or an attempt failed,
// and tells when to try again.
func (s *sender) serve(ctx context.Context, recipient string) (due time.Time) {
	select {
	case s.free <- struct{}{}:
		defer func() { <-s.free }()
	case <-ctx.Done():
		return s.actor.clock.Now()
	}
	q := &queue{sender: s, recipient: recipient, sent: map[int64]chan error{}}
	err := q.deliver(ctx)
	if settled := q.settled(); err == nil {
		err = settled
	}
	if err != nil && ctx.Err() == nil {
		s.log.Error("delivery cannot be recorded", "recipient", recipient, "error", err)
		return s.actor.clock.Now().Add(time.Second) // or the peer would be sent the same again and again
	}
	return q.notBefore
}

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}

// attempt makes one attempt and says what follows from it.
func (s *sender) attempt(ctx context.Context, d ports.Delivery) ports.Attempt {
	out := ports.Attempt{Recipient: d.Recipient, Seq: d.Item.Seq}
	message, err := s.message(d)
	if err == nil {
		bounded, cancel := context.WithTimeout(ctx, s.cfg.Timeout)
		err = s.transport.Deliver(bounded, message)
		cancel()
	}
	if err == nil {
		out.Delivered = true
		return out
	}
	out.Error = err.Error()
	var failure *ports.DeliveryError
	terminal := !errors.As(err, &failure) || failure.Terminal
	if terminal || d.Attempts+1 >= s.cfg.Budget {
		out.Dead = true
		s.log.Error("delivery given up", "recipient", d.Recipient, "activity", d.Item.ActivityID,
			"about", d.Item.About, "attempts", d.Attempts+1, "error", err)
		return out
	}
	wait := max(s.backoff(d.Attempts), failure.RetryAfter)
	out.NotBefore = s.actor.clock.Now().Add(wait)
	s.log.Warn("delivery failed", "recipient", d.Recipient, "activity", d.Item.ActivityID,
		"attempt", d.Attempts+1, "retry", wait, "error", err)
	return out
}

// backoff doubles with each attempt, up to a bound, with jitter.
func (s *sender) backoff(attempts int) time.Duration {
	p := s.cfg.First << min(attempts, 30)
	if p <= 0 || p > s.cfg.Longest {
		p = s.cfg.Longest
	}
	return p + rand.N(s.cfg.First+1)
}

// message is what goes over the wire. An item for each recipient of its own gets
// an id that follows from the item's and the recipient's, the same on every
// retry (ID-01-002).
func (s *sender) message(d ports.Delivery) (ports.Outgoing, error) {
	to, err := model.ParseActorID(d.Recipient)
	if err != nil {
		return ports.Outgoing{}, err
	}
	body := d.Item.Body
	if d.Item.PerRecipient {
		own := "urn:uuid:" + uuid.NewSHA1(uuid.NameSpaceURL, []byte(d.Item.ActivityID+"|"+d.Recipient)).String()
		if body, err = s.wire.Readdress(body, own, d.Recipient); err != nil {
			return ports.Outgoing{}, err
		}
	}
	return ports.Outgoing{Sender: s.actor.id, Inbox: to.Inbox(), Body: body}, nil
}
