package node

import (
	"context"
	"time"

	"bateleur/core/ports"
)

// queue is one recipient's queue while it is served. What was sent is recorded
// by the actor's loop when it next commits; meanwhile the queue remembers it.
type queue struct {
	sender    *sender
	recipient string
	sent      map[int64]chan error // by Seq: hears when the attempt is recorded
	notBefore time.Time            // when a failed head may be tried again
	made      int64                // Seq of the last attempt
}

// deliveryBatch is how many deliveries to a recipient are read at a time.
const deliveryBatch = 32

// deliver works from the head of the queue until it is empty or an attempt
// failed, or ctx ends.
func (q *queue) deliver(ctx context.Context) error {
	for ctx.Err() == nil {
		due, err := q.due(ctx)
		if err != nil || len(due) == 0 {
			return err
		}
		for _, d := range due {
			outcome := q.sender.attempt(ctx, d)
			q.made = d.Item.Seq
			if ctx.Err() != nil && !outcome.Delivered {
				return nil // cut off by the node's stop: no attempt of the peer's doing
			}
			if err := q.record(ctx, outcome); err != nil {
				return err
			}
			if !outcome.Delivered && !outcome.Dead {
				q.notBefore = outcome.NotBefore
				return nil
			}
		}
	}
	return nil
}

// due reads the deliveries that were not made yet.
func (q *queue) due(ctx context.Context) (due []ports.Delivery, err error) {
	if err := q.reap(); err != nil {
		return nil, err
	}
	var head []ports.Delivery
	err = q.sender.actor.store.View(ctx, func(r ports.Reader) (err error) {
		head, err = r.Deliveries(q.recipient, q.made, deliveryBatch)
		return err
	})
	for _, d := range head {
		if d.NotBefore.After(q.sender.actor.clock.Now()) {
			q.notBefore = d.NotBefore
			break
		}
		due = append(due, d)
	}
	return due, err
}

// record has the loop record an attempt, in its own time when it succeeded. What
// a peer answered is recorded though the node is stopping.
func (q *queue) record(ctx context.Context, a ports.Attempt) error {
	ctx = context.WithoutCancel(ctx)
	j := job{write: func(tx ports.Tx) error { return tx.DeliverySettle(a) },
		patient: true, done: make(chan error, 1)}
	if !a.Delivered {
		return q.sender.actor.await(ctx, j)
	}
	q.sent[a.Seq] = j.done
	return q.sender.actor.submit(ctx, j)
}

// reap forgets what is recorded.
func (q *queue) reap() error {
	for seq, done := range q.sent {
		select {
		case err := <-done:
			if err != nil {
				return err
			}
			delete(q.sent, seq)
		default:
		}
	}
	return nil
}

// settled waits until everything sent is recorded.
func (q *queue) settled() error {
	for seq, done := range q.sent {
		select {
		case err := <-done:
			if err != nil {
				return err
			}
			delete(q.sent, seq)
		case <-q.sender.actor.stopped:
			return q.sender.actor.stopping()
		}
	}
	return nil
}
