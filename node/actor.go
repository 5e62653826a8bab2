package node

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"bateleur/core/bridge"
	"bateleur/core/dispatch"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// actor is one hosted actor at work: the only writer of its store.
type actor struct {
	id         model.ActorID
	store      ports.DataLayer
	dispatcher *dispatch.Dispatcher
	clock      ports.Clock
	log        *slog.Logger
	batch      int

	jobs    chan job
	stopped chan struct{} // closed when the loop has ended
	sender  *sender

	// Only the loop touches what follows.

	backlog bool      // items may be pending that no arrival announces
	alarm   time.Time // when the next deferral ends, zero for never
	waiters map[int64][]chan bridge.Result
	read    map[int64]*model.Activity // messages that were read when they arrived
}

// Bounds of what an actor holds in memory.
const (
	maxJobs = 256  // that share a transaction
	maxRead = 1024 // messages kept as read until their turn comes
)

// linger is how long a job that can wait is kept for others to share its
// transaction.
const linger = 2 * time.Millisecond

func newActor(id model.ActorID, store ports.DataLayer, d *dispatch.Dispatcher, cfg Config) *actor {
	a := &actor{id: id, store: store, dispatcher: d, clock: cfg.Clock, batch: cfg.Batch,
		log: cfg.Log.With("actor", id.URI()), jobs: make(chan job, maxJobs), stopped: make(chan struct{}),
		backlog: true, waiters: map[int64][]chan bridge.Result{}, read: map[int64]*model.Activity{}}
	a.sender = newSender(a, cfg)
	return a
}

// job is a write on somebody's behalf; done hears whether it is committed.
type job struct {
	write   func(ports.Tx) error
	arrival *arrival // an item to append, instead of write
	patient bool     // may wait a moment for others
	done    chan error
}

// do has the loop run a write and waits until it is committed.
func (a *actor) do(ctx context.Context, write func(ports.Tx) error) error {
	return a.await(ctx, job{write: write, done: make(chan error, 1)})
}

func (a *actor) await(ctx context.Context, j job) error {
	if err := a.submit(ctx, j); err != nil {
		return err
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

func (a *actor) submit(ctx context.Context, j job) error {
	select {
	case a.jobs <- j:
		return nil
	case <-a.stopped:
		return a.stopping()
	case <-ctx.Done():
		return fault.Wrap("node.do", a.id.URI(), fault.Cancelled, ctx.Err())
	}
}

func (a *actor) stopping() error {
	return fault.New("node.do", a.id.URI(), fault.Unavailable, "the node is stopping")
}

// loop takes turns until ctx ends.
func (a *actor) loop(ctx context.Context) {
	defer close(a.stopped)
	a.setAlarm(ctx)
	pause := time.Duration(0)
	for ctx.Err() == nil {
		jobs := a.rest(ctx, pause)
		if err := a.turn(ctx, jobs); err != nil && ctx.Err() == nil {
			pause = min(max(2*pause, 50*time.Millisecond), 5*time.Second)
			a.log.Error("queue stands still", "error", err, "retry", pause)
			continue
		}
		pause = 0
	}
}

// rest waits until there is something to do, and gives the jobs at hand.
func (a *actor) rest(ctx context.Context, pause time.Duration) []job {
	if a.backlog && pause == 0 {
		return a.collect(nil)
	}
	timer := time.NewTimer(a.nap(pause))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return nil
	case <-timer.C:
		return a.collect(nil)
	case j := <-a.jobs:
		return a.linger(ctx, a.collect([]job{j}))
	}
}

// nap is how long the actor may sleep: to the end of a pause or of a deferral.
func (a *actor) nap(pause time.Duration) time.Duration {
	nap := time.Hour
	if !a.alarm.IsZero() {
		nap = max(a.alarm.Sub(a.clock.Now()), 0)
	}
	if pause > 0 {
		nap = min(nap, pause)
	}
	return nap
}

// linger waits a moment when nothing at hand is urgent.
func (a *actor) linger(ctx context.Context, jobs []job) []job {
	timer := time.NewTimer(linger)
	defer timer.Stop()
	for len(jobs) < maxJobs && allPatient(jobs) {
		select {
		case <-ctx.Done():
			return jobs
		case <-timer.C:
			return jobs
		case j := <-a.jobs:
			jobs = a.collect(append(jobs, j))
		}
	}
	return jobs
}

func allPatient(jobs []job) bool {
	for _, j := range jobs {
		if !j.patient {
			return false
		}
	}
	return true
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

// update is the store's Update with a panic as an error: an actor's loop lives
// on. A transaction once begun is not cut off by the node's stop.
func (a *actor) update(ctx context.Context, f func(ports.Tx) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			a.log.Error("panic outside of a tree", "panic", p, "stack", string(debug.Stack()))
			err = fault.New("node.update", a.id.URI(), fault.Internal, fmt.Sprint("panic: ", p))
		}
	}()
	return a.store.Update(context.WithoutCancel(ctx), f)
}
