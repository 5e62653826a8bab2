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

	mu     sync.Mutex
	active map[string]bool // recipients that are being served
}

func newSender(a *actor, cfg Config) *sender {
	return &sender{actor: a, wire: cfg.Wire, transport: cfg.Transport, cfg: cfg.Delivery,
		log: cfg.Log.With("actor", a.id.URI()), wake: make(chan struct{}, 1),
		free: make(chan struct{}, cfg.Delivery.Parallel), active: map[string]bool{}}
}

// wakeUp says that there may be something to deliver.
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
	s.wakeUp()
	for ctx.Err() == nil {
		next := s.serveDue(ctx, &servers)
		var timer <-chan time.Time
		if next > 0 {
			timer = time.After(next)
		}
		select {
		case <-ctx.Done():
		case <-s.wake:
		case <-timer:
		}
	}
}

// serveDue starts a server for every recipient whose queue is due and gives the
// time until the next one is, 0 for never.
func (s *sender) serveDue(ctx context.Context, servers *sync.WaitGroup) time.Duration {
	var queues []ports.RecipientQueue
	err := s.actor.store.View(ctx, func(r ports.Reader) (err error) {
		queues, err = r.Queues()
		return err
	})
	if err != nil {
		return time.Second
	}
	next, now := time.Duration(0), s.actor.clock.Now()
	for _, q := range queues {
		if wait := q.NotBefore.Sub(now); wait > 0 {
			if next == 0 || wait < next {
				next = wait
			}
			continue
		}
		if s.claim(q.Recipient) {
			servers.Go(func() { s.serve(ctx, q.Recipient) })
		}
	}
	return next
}

func (s *sender) claim(recipient string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.active[recipient] {
		return false
	}
	s.active[recipient] = true
	return true
}

// serve delivers to one recipient until its queue is empty or an attempt failed.
func (s *sender) serve(ctx context.Context, recipient string) {
	defer s.wakeUp() // something may have come since the queue was read
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.active, recipient)
	}()
	select {
	case s.free <- struct{}{}:
		defer func() { <-s.free }()
	case <-ctx.Done():
		return
	}
	q := &queue{sender: s, recipient: recipient, sent: map[int64]chan error{}}
	for ctx.Err() == nil {
		again, err := q.deliverBatch(ctx)
		if err == nil && !again {
			err = q.settled(ctx)
		}
		if err != nil && ctx.Err() == nil {
			s.log.Error("delivery cannot be recorded", "recipient", recipient, "error", err)
			pause(ctx, time.Second) // or the peer would be sent the same again and again
		}
		if err != nil || !again {
			return
		}
	}
	_ = q.settled(ctx)
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
