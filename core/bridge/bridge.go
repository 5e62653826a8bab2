// Package bridge is the only way to run a case tree: it decides as whom and in
// whose store, opens the unit of work, binds the collaborators to it, runs the
// tree, and commits what it came to.
package bridge

import (
	"context"
	"errors"
	"sync"
	"time"

	"bateleur/core/bt"
	"bateleur/core/cases"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/scope"
	"bateleur/core/usecases/leaf"
	"bateleur/core/work"
)

// Config is what a bridge is built of. Emitter is rebound for every run; Wire,
// IDs, Policy and Clock hold no store and are passed through as they are.
type Config struct {
	// Profile gives a hosted actor's set-up; false for an actor that this node
	// does not host.
	Profile func(model.ActorID) (ports.Profile, bool)
	Wire    ports.Wire
	IDs     ports.IDs
	Policy  ports.Policy
	Clock   ports.Clock
	Emitter ports.Emitter
}

// Bridge runs trees. Safe for concurrent use; runs share nothing.
type Bridge struct {
	cfg   Config
	memos sync.Map // of *cases.Memo by model.ActorID: one an actor
}

// New gives a bridge.
func New(cfg Config) *Bridge { return &Bridge{cfg: cfg} }

// Request asks for one run.
type Request struct {
	Tree *leaf.Tree
	// Executing is as whom the tree runs; the zero value means the owner of the
	// store that was handed in (BT-17-006).
	Executing model.ActorID
	// Receiving is who received the message; the zero value means Executing.
	Receiving model.ActorID
	Input     scope.Input
	// Trace, when not nil, records the run.
	Trace *bt.Trace
}

// Result is what a run came to.
type Result struct {
	// State is where the run's item goes: Done, Refused, Deferred, Ignored ("not
	// mine") or Dead.
	State   ports.InboxState
	Outcome ports.Outcome
	Wake    string    // Deferred: the key
	Until   time.Time // Deferred: when waiting ends
	Err     error     // Dead: what ended the run
	Stack   []byte    // Dead by panic: where
	Woke    bool      // it may have let other items of the queue run again
	Sent    []string  // to whom it queued something
}

// Run runs a tree in a transaction of its own, in the store of its executing
// actor: the one handed in when it is that actor's already, untouched and
// un-cloned, another one opened by CloneForActor otherwise (BT-05-005).
func (b *Bridge) Run(ctx context.Context, store ports.DataLayer, req Request) (Result, error) {
	executing := req.Executing
	if executing.IsZero() {
		executing = store.Actor()
	}
	if err := b.hosted(executing); err != nil {
		return Result{}, err
	}
	own, err := storeOf(ctx, store, executing)
	if err != nil {
		return Result{}, err
	}
	if own != store {
		defer own.Close()
	}
	var result Result
	err = own.Update(ctx, func(tx ports.Tx) error {
		result, err = b.RunIn(tx, own.Actor(), req)
		return err
	})
	return result, err
}

func storeOf(ctx context.Context, store ports.DataLayer, actor model.ActorID) (ports.DataLayer, error) {
	if store.Actor() == actor {
		return store, nil
	}
	return store.CloneForActor(ctx, actor)
}

// hosted refuses an actor that this node does not host: a node emits only as
// actors it hosts.
func (b *Bridge) hosted(actor model.ActorID) error {
	if _, ok := b.cfg.Profile(actor); !ok {
		return fault.New("bridge.run", actor.URI(), fault.NotHosted, "this node does not host the actor")
	}
	return nil
}

// RunIn runs a tree inside an open transaction of the owner's store. Executing
// actor, receiving actor and owner that differ are fault.Inconsistent
// (BT-05-006, BT-17-006).
//
// The error is one after which the transaction must be rolled back; a run that
// was refused, deferred or died is a Result, and leaves no more in the
// transaction than its answer.
func (b *Bridge) RunIn(tx ports.Tx, owner model.ActorID, req Request) (Result, error) {
	executing, receiving := req.Executing, req.Receiving
	if executing.IsZero() {
		executing = owner
	}
	if receiving.IsZero() {
		receiving = executing
	}
	if err := b.hosted(executing); err != nil {
		return Result{}, err
	}
	if executing != owner || executing != receiving {
		return Result{}, fault.New("bridge.run", executing.URI(), fault.Inconsistent,
			"a tree executes as the actor that received, in its store: received by "+receiving.URI()+", store of "+owner.URI())
	}
	unit := work.New(tx, owner)
	s := scope.New(unit, executing, receiving, req.Input, b.cfg.Clock.Now(), b.bind(unit, executing))
	var opts []bt.RunOption
	if req.Trace != nil {
		opts = append(opts, bt.WithTrace(req.Trace))
	}
	return finish(s, unit, req.Tree.Run(s, opts...))
}

// bind gives the run its collaborators: those that hold a store bound to the
// open unit, the others as the same instances (DL-07-009).
func (b *Bridge) bind(u ports.Unit, executing model.ActorID) scope.Tools {
	profile, _ := b.cfg.Profile(executing)
	memo, ok := b.memos.Load(executing)
	if !ok {
		memo, _ = b.memos.LoadOrStore(executing, cases.NewMemo())
	}
	return scope.Tools{Wire: b.cfg.Wire, IDs: b.cfg.IDs, Policy: b.cfg.Policy,
		Emitter: b.cfg.Emitter.ForStore(u), Profile: profile, Memo: memo.(*cases.Memo)}
}

// finish turns a tree's outcome into a result and commits what stands.
func finish(s *scope.Scope, unit *work.Unit, out bt.Outcome) (Result, error) {
	r := Result{Outcome: ports.Outcome{Path: out.Path, At: s.Instant()}}
	switch {
	case out.Err != nil:
		return died(r, out)
	case out.Status == bt.Failure:
		return undecided(s, r, out), nil
	}
	v := s.Verdict()
	r.Outcome.Code, r.Outcome.Text, r.Outcome.Result = v.Reason.Code, v.Reason.Text, v.Result
	switch {
	case v.Kind == scope.VerdictRefused:
		r.State = ports.Refused
	case v.Kind == scope.VerdictDeferred:
		r.State, r.Wake, r.Until = ports.Deferred, v.Wake, v.Until
	case out.NotMine:
		r.State = ports.Ignored
		r.Outcome.Code, r.Outcome.Text, r.Outcome.Path = "not-mine", out.Reason.Text, out.NotMinePath
	default:
		r.State, r.Outcome.Code = ports.Done, "ok"
	}
	r.Woke, r.Sent = unit.Woke(), unit.Recipients()
	return r, unit.Commit()
}

// undecided is a run that failed: it waits when something is absent that may yet
// arrive, and is refused otherwise. Nothing is left of it.
func undecided(s *scope.Scope, r Result, out bt.Outcome) Result {
	r.State = ports.Refused
	r.Outcome.Code, r.Outcome.Text = out.Reason.Code, out.Reason.Text
	if wake, until := s.Awaited(); wake != "" && out.Reason.Code == leaf.Absent {
		r.State, r.Wake, r.Until = ports.Deferred, wake, until
	}
	return r
}

// died is a run that an error ended. What may pass by itself is handed to the
// caller; the rest is a dead letter, with the reason.
func died(r Result, out bt.Outcome) (Result, error) {
	switch fault.CodeOf(out.Err) {
	case fault.Unavailable, fault.Cancelled, fault.Closed:
		return Result{}, out.Err
	}
	r.State, r.Err = ports.Dead, out.Err
	r.Outcome.Code, r.Outcome.Text = string(fault.CodeOf(out.Err)), out.Err.Error()
	var panicked *bt.PanicError
	var closed *bt.ClosedGateError
	switch {
	case errors.As(out.Err, &panicked):
		r.Outcome.Code, r.Stack = "panic", panicked.Stack
	case errors.As(out.Err, &closed):
		r.Outcome.Code, r.Outcome.Text = string(fault.Forbidden), closed.Reason.Text
	}
	return r, nil
}

// Settlement is where the item with this sequence number goes.
func (r Result) Settlement(seq int64) ports.Settlement {
	return ports.Settlement{Seq: seq, State: r.State, Wake: r.Wake, Until: r.Until, Outcome: r.Outcome}
}
