package node

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"bateleur/core/bridge"
	"bateleur/core/fault"
	"bateleur/core/ports"
)

// decide runs a batch of pending items in one transaction, a unit of work and a
// mark for each. When the transaction fails, the items get one each, so that the
// one at fault is found.
func (a *actor) decide(ctx context.Context) (more bool, err error) {
	items, err := a.pending(ctx)
	if err != nil || len(items) == 0 {
		return false, err
	}
	if err := a.decideTogether(ctx, items); err == nil {
		return len(items) == a.batch, nil
	}
	for _, item := range items {
		if err := a.decideAlone(ctx, item); err != nil {
			return false, err
		}
	}
	return true, nil
}

func (a *actor) pending(ctx context.Context) (items []ports.InboxItem, err error) {
	err = a.store.View(ctx, func(r ports.Reader) error {
		items, err = r.Inbox(ports.Pending, 0, a.batch)
		return err
	})
	return items, err
}

func (a *actor) decideTogether(ctx context.Context, items []ports.InboxItem) error {
	results := make([]bridge.Result, len(items))
	err := a.update(ctx, func(tx ports.Tx) error {
		for i, item := range items {
			r, err := a.dispatcher.Decide(tx, a.id, item, a.read[item.Seq])
			if err != nil {
				return err
			}
			if err := tx.InboxSettle(r.Settlement(item.Seq)); err != nil {
				return err
			}
			results[i] = r
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, item := range items {
		a.report(item, results[i])
	}
	a.sender.wakeUp()
	return nil
}

// decideAlone decides an item in its own transaction. An error that will not
// pass by itself makes it a dead letter, so that it delays no other.
func (a *actor) decideAlone(ctx context.Context, item ports.InboxItem) error {
	err := a.decideTogether(ctx, []ports.InboxItem{item})
	switch fault.CodeOf(err) {
	case "":
		return nil
	case fault.Unavailable, fault.Cancelled, fault.Closed:
		return err
	}
	dead := bridge.Result{State: ports.Dead, Err: err, Outcome: ports.Outcome{
		Code: string(fault.CodeOf(err)), Text: err.Error(), At: a.clock.Now()}}
	return a.settle(ctx, item, dead)
}

func (a *actor) settle(ctx context.Context, item ports.InboxItem, r bridge.Result) error {
	err := a.update(ctx, func(tx ports.Tx) error { return tx.InboxSettle(r.Settlement(item.Seq)) })
	if err == nil {
		a.report(item, r)
	}
	return err
}

// report logs what became of an item and tells who waits for it.
func (a *actor) report(item ports.InboxItem, r bridge.Result) {
	attrs := []any{"item", item.Seq, "activity", item.ActivityID, "sender", item.Sender,
		"code", r.Outcome.Code, "path", r.Outcome.Path, "reason", r.Outcome.Text}
	switch r.State {
	case ports.Dead:
		if r.Stack != nil {
			attrs = append(attrs, "stack", string(r.Stack))
		}
		a.log.Error("dead letter", attrs...)
	case ports.Done:
		a.log.Debug("decided", attrs...)
	default:
		a.log.Info(string(r.State), attrs...)
	}
	for _, waiter := range a.waiters[item.Seq] {
		waiter <- r
	}
	delete(a.waiters, item.Seq)
	delete(a.read, item.Seq)
}

// expire makes dead letters of items that waited too long; their owner can have
// them run again.
func (a *actor) expire(ctx context.Context) error {
	var late []ports.InboxItem
	err := a.store.View(ctx, func(r ports.Reader) (err error) {
		late, err = r.DeferredUntil(a.clock.Now(), a.batch)
		return err
	})
	if err != nil {
		return err
	}
	for _, item := range late {
		waited := bridge.Result{State: ports.Dead, Outcome: ports.Outcome{Code: "waited-too-long",
			Text: "nothing came for " + item.Wake + "; " + item.Outcome.Text, Path: item.Outcome.Path, At: a.clock.Now()}}
		if err := a.settle(ctx, item, waited); err != nil {
			return err
		}
	}
	return nil
}

func (a *actor) untilNextDeferral(ctx context.Context) time.Duration {
	var next time.Time
	err := a.store.View(ctx, func(r ports.Reader) (err error) {
		next, err = r.NextDeferral()
		return err
	})
	if err != nil || next.IsZero() {
		return 0
	}
	return max(next.Sub(a.clock.Now()), time.Millisecond)
}

// panicError keeps a panic outside of any tree as an error with its stack.
func panicError(p any) error {
	return fault.New("node.update", "panic", fault.Internal, fmt.Sprintf("%v\n%s", p, debug.Stack()))
}
