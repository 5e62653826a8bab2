package node

import (
	"context"
	"time"

	"bateleur/core/bridge"
	"bateleur/core/ports"
)

// report logs what became of an item and tells who waits for it.
func (a *actor) report(item ports.InboxItem, r bridge.Result) {
	a.logResult(item, r)
	if r.State == ports.Deferred && (a.alarm.IsZero() || r.Until.Before(a.alarm)) {
		a.alarm = r.Until
	}
	for _, waiter := range a.waiters[item.Seq] {
		waiter <- r
	}
	delete(a.waiters, item.Seq)
	delete(a.read, item.Seq)
}

func (a *actor) logResult(item ports.InboxItem, r bridge.Result) {
	if r.State == ports.Done {
		a.log.Debug("decided", "item", item.Seq, "activity", item.ActivityID)
		return
	}
	attrs := []any{"item", item.Seq, "activity", item.ActivityID, "sender", item.Sender,
		"code", r.Outcome.Code, "path", r.Outcome.Path, "reason", r.Outcome.Text}
	if r.State != ports.Dead {
		a.log.Info(string(r.State), attrs...) //nolint:sloglint // one of few constants
		return
	}
	if r.Stack != nil {
		attrs = append(attrs, "stack", string(r.Stack))
	}
	a.log.Error("dead letter", attrs...)
}

// expire makes dead letters of items that waited too long; their owner can have
// them run again.
func (a *actor) expire(ctx context.Context) error {
	if a.alarm.IsZero() || a.alarm.After(a.clock.Now()) {
		return nil
	}
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
	a.setAlarm(ctx)
	return nil
}

// setAlarm reads when the next deferral ends.
func (a *actor) setAlarm(ctx context.Context) {
	err := a.store.View(ctx, func(r ports.Reader) (err error) {
		a.alarm, err = r.NextDeferral()
		return err
	})
	if err != nil {
		a.alarm = a.clock.Now().Add(time.Second)
	}
}
