package node

import (
	"context"

	"bateleur/core/bridge"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// turn is one transaction of an actor: the jobs at hand, and a batch of its
// queue, a unit of work and a mark for each item. An item that arrives alone is
// appended and decided in one commit.
type turn struct {
	actor   *actor
	items   []ports.InboxItem
	results []bridge.Result
	read    map[int64]*model.Activity // arrivals of this turn
	woke    bool
}

// turn writes jobs and decides a batch. When the transaction fails, jobs and
// items get one each, so that the one at fault spoils no other.
func (a *actor) turn(ctx context.Context, jobs []job) error {
	if err := a.expire(ctx); err != nil {
		return err
	}
	t := &turn{actor: a}
	err := a.update(ctx, func(tx ports.Tx) error { return t.run(tx, jobs) })
	if err == nil {
		t.committed(jobs)
		return nil
	}
	for _, j := range jobs {
		a.alone(ctx, j)
	}
	return a.decideApart(ctx)
}

func (t *turn) run(tx ports.Tx, jobs []job) error {
	decide := t.actor.backlog
	for _, j := range jobs {
		if err := t.write(tx, j); err != nil {
			return err
		}
		decide = decide || !j.patient
	}
	if !decide {
		return nil
	}
	items, err := tx.Inbox(ports.Pending, 0, t.actor.batch)
	if err != nil {
		return err
	}
	for _, item := range items {
		if err := t.decide(tx, item); err != nil {
			return err
		}
	}
	return nil
}

func (t *turn) write(tx ports.Tx, j job) error {
	if j.arrival == nil {
		return j.write(tx)
	}
	if err := j.arrival.append(tx); err != nil {
		return err
	}
	if j.arrival.read != nil && !j.arrival.duplicate {
		if t.read == nil {
			t.read = map[int64]*model.Activity{}
		}
		t.read[j.arrival.seq] = j.arrival.read
	}
	return nil
}

func (t *turn) decide(tx ports.Tx, item ports.InboxItem) error {
	read := t.read[item.Seq]
	if read == nil {
		read = t.actor.read[item.Seq]
	}
	r, err := t.actor.dispatcher.Decide(tx, t.actor.id, item, read)
	if err != nil {
		return err
	}
	t.items, t.results, t.woke = append(t.items, item), append(t.results, r), t.woke || r.Woke
	return tx.InboxSettle(r.Settlement(item.Seq))
}

// committed tells everybody who waits, and takes note of what is left to do. Who
// hears that an item is taken finds it in the log if it was decided with that.
func (t *turn) committed(jobs []job) {
	a := t.actor
	for _, j := range jobs {
		a.arrived(j)
	}
	a.backlog = t.woke || len(t.items) == a.batch
	for i, item := range t.items {
		a.report(item, t.results[i])
		a.sender.expect(t.results[i].Sent...)
	}
	for _, j := range jobs {
		j.done <- nil
	}
}

// arrived remembers an arrival until its turn comes.
func (a *actor) arrived(j job) {
	if j.arrival == nil || j.arrival.duplicate {
		return
	}
	if j.arrival.waiter != nil {
		a.waiters[j.arrival.seq] = append(a.waiters[j.arrival.seq], j.arrival.waiter)
	}
	if j.arrival.read != nil && len(a.read) < maxRead {
		a.read[j.arrival.seq] = j.arrival.read
	}
}

// alone gives a job a transaction of its own.
func (a *actor) alone(ctx context.Context, j job) {
	t := &turn{actor: a}
	err := a.update(ctx, func(tx ports.Tx) error { return t.write(tx, j) })
	if err == nil {
		a.arrived(j)
	}
	j.done <- err
}

// decideApart gives each item of a batch a transaction of its own. An error that
// will not pass by itself makes the item a dead letter, so that it delays no
// other.
func (a *actor) decideApart(ctx context.Context) error {
	var items []ports.InboxItem
	err := a.store.View(ctx, func(r ports.Reader) (err error) {
		items, err = r.Inbox(ports.Pending, 0, a.batch)
		return err
	})
	if err != nil {
		return err
	}
	for _, item := range items {
		if err := a.decideAlone(ctx, item); err != nil {
			return err
		}
	}
	a.backlog = len(items) > 0
	return nil
}

func (a *actor) decideAlone(ctx context.Context, item ports.InboxItem) error {
	t := &turn{actor: a}
	err := a.update(ctx, func(tx ports.Tx) error { return t.decide(tx, item) })
	switch fault.CodeOf(err) {
	case "":
		t.committed(nil)
		return nil
	case fault.Unavailable, fault.Cancelled, fault.Closed:
		a.backlog = true
		return err
	}
	return a.settle(ctx, item, bridge.Result{State: ports.Dead, Err: err, Outcome: ports.Outcome{
		Code: string(fault.CodeOf(err)), Text: err.Error(), At: a.clock.Now()}})
}

func (a *actor) settle(ctx context.Context, item ports.InboxItem, r bridge.Result) error {
	err := a.update(ctx, func(tx ports.Tx) error { return tx.InboxSettle(r.Settlement(item.Seq)) })
	if err == nil {
		a.report(item, r)
	}
	return err
}
