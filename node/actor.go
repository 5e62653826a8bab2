package node

import (
	"context"
	"log/slog"
	"time"

	"bateleur/core/bridge"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/usecases"
)

// actor is one hosted actor at work: the only writer of its store.
type actor struct {
	id         model.ActorID
	store      ports.DataLayer
	dispatcher *usecases.Dispatcher
	clock      ports.Clock
	log        *slog.Logger
	batch      int

	jobs    chan job
	stopped chan struct{} // closed when the loop has ended
	sender  *sender

	// waiters are those who wait for an item's first decision, and read what
	// messages say that were read when they arrived; only the loop touches them.
	waiters map[int64][]chan bridge.Result
	read    map[int64]*model.Activity
}

// job is a short write on somebody's behalf; done hears whether it is committed.
type job struct {
	write func(ports.Tx) error
	done  chan error
}

// maxRead bounds the messages that are kept as read until their turn comes.
const maxRead = 1024

// maxJobs bounds the jobs that share a transaction.
const maxJobs = 256

func newActor(id model.ActorID, store ports.DataLayer, d *usecases.Dispatcher, cfg Config) *actor {
	a := &actor{id: id, store: store, dispatcher: d, clock: cfg.Clock, batch: cfg.Batch,
		log: cfg.Log.With("actor", id.URI()), jobs: make(chan job, maxJobs), stopped: make(chan struct{}),
		waiters: map[int64][]chan bridge.Result{}, read: map[int64]*model.Activity{}}
	a.sender = newSender(a, cfg)
	return a
}

// do has the loop run a write and waits until it is committed.
func (a *actor) do(ctx context.Context, write func(ports.Tx) error) error {
	j := job{write: write, done: make(chan error, 1)}
	select {
	case a.jobs <- j:
	case <-a.stopped:
		return a.stopping()
	case <-ctx.Done():
		return fault.Wrap("node.do", a.id.URI(), fault.Cancelled, ctx.Err())
	}
	select {
	case err := <-j.done:
		return err
	case <-a.stopped:
		return a.stopping()
	case <-ctx.Done():
		return fault.Wrap("node.do", a.id.URI(), fault.Cancelled, ctx.Err())
	}
}

func (a *actor) stopping() error {
	return fault.New("node.do", a.id.URI(), fault.Unavailable, "the node is stopping")
}

// loop writes jobs and decides items until ctx ends.
func (a *actor) loop(ctx context.Context) {
	defer close(a.stopped)
	pause := time.Duration(0)
	for ctx.Err() == nil {
		more, err := a.turn(ctx)
		switch {
		case err != nil && ctx.Err() == nil:
			pause = min(max(2*pause, 50*time.Millisecond), 5*time.Second)
			a.log.Error("queue stands still", "error", err, "retry", pause)
		case more:
			pause = 0
			continue
		default:
			pause = 0
		}
		a.rest(ctx, pause)
	}
}

// turn writes the jobs at hand and decides one batch; more tells that items are
// left.
func (a *actor) turn(ctx context.Context) (more bool, err error) {
	a.write(ctx, a.collect(nil))
	if err := a.expire(ctx); err != nil {
		return false, err
	}
	return a.decide(ctx)
}

// rest waits for a job, the end of a deferral, or the end of a pause.
func (a *actor) rest(ctx context.Context, pause time.Duration) {
	until := a.untilNextDeferral(ctx)
	if pause > 0 && (until <= 0 || pause < until) {
		until = pause
	}
	var timer <-chan time.Time
	if until > 0 {
		t := time.NewTimer(until)
		defer t.Stop()
		timer = t.C
	}
	select {
	case <-ctx.Done():
	case <-timer:
	case j := <-a.jobs:
		a.write(ctx, a.collect([]job{j}))
	}
}

// collect takes the jobs at hand without waiting.
func (a *actor) collect(jobs []job) []job {
	for len(jobs) < maxJobs {
		select {
		case j := <-a.jobs:
			jobs = append(jobs, j)
		default:
			return jobs
		}
	}
	return jobs
}

// write commits jobs together; when that fails each gets a transaction of its
// own, so that one cannot spoil another.
func (a *actor) write(ctx context.Context, jobs []job) {
	if len(jobs) == 0 {
		return
	}
	err := a.update(ctx, func(tx ports.Tx) error {
		for _, j := range jobs {
			if err := j.write(tx); err != nil {
				return err
			}
		}
		return nil
	})
	for _, j := range jobs {
		if err != nil && len(jobs) > 1 {
			j.done <- a.update(ctx, j.write)
			continue
		}
		j.done <- err
	}
}

// update is the store's Update with a panic as an error: an actor's loop lives
// on. A transaction once begun is not cut off by the node's stop.
func (a *actor) update(ctx context.Context, f func(ports.Tx) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicError(p)
		}
	}()
	return a.store.Update(context.WithoutCancel(ctx), f)
}
