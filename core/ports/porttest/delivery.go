package porttest

import (
	"fmt"
	"testing"
	"time"

	"bateleur/core/fault"
	"bateleur/core/ports"
)

var deliveryCases = []Case{
	{Name: "queues are those with pending deliveries, sorted", Proves: "BA-08-001", Run: queuesListed},
	{Name: "deliveries are given up to a limit, in order", Proves: "OX-01-001", Run: deliveriesPaged},
	{Name: "a delivery that succeeded is gone", Proves: "BA-08-002", Run: deliveredOnce},
	{Name: "a failed attempt is counted and tried again", Proves: "OX-13-001", Run: retried},
	{Name: "one recipient's queue delays no other", Proves: "BA-08-001", Run: queuesApart},
	{Name: "a given-up delivery is a dead letter with its reason", Proves: "OX-13-002", Run: deadLetter},
	{Name: "dead letters are given in the order of their items", Proves: "OX-13-002", Run: deadPaged},
	{Name: "a dead letter can be sent again", Proves: "OX-13-002", Run: deadRequeued},
	{Name: "only a pending delivery can be settled", Run: settleNotPending},
	{Name: "only a dead delivery can be requeued", Run: requeueNotDead},
	{Name: "an attempt is not both delivered and dead", Run: bothOutcomes},
	{Name: "attempts are counted over restarts", Proves: "OX-13-001, BA-08-002", Run: attemptsKept},
}

// delivery gives a recipient's first pending delivery.
func (d *desk) first(r ports.OutboxReader, recipient string) ports.Delivery {
	d.Helper()
	deliveries, err := r.Deliveries(recipient, 0, 1)
	d.must(err, "deliveries can be read")
	if len(deliveries) != 1 {
		d.Fatalf("broken: Deliveries with limit 1 gives the first of a queue: got %d", len(deliveries))
	}
	return deliveries[0]
}

func (d *desk) dead(r ports.OutboxReader, after int64, limit int) []string {
	d.Helper()
	deliveries, err := r.DeadDeliveries(after, limit)
	d.must(err, "dead letters can be read")
	var all []string
	for _, v := range deliveries {
		d.same(ports.DeliveryDead, v.State, "a dead letter is dead")
		all = append(all, fmt.Sprint(v.Item.Seq, v.Recipient))
	}
	return all
}

func queuesListed(t testing.TB, h Harness) {
	d := newDesk(t, h)
	queues := func(r ports.OutboxReader, want ...ports.RecipientQueue) {
		d.Helper()
		got, err := r.Queues()
		d.must(err, "queues can be read")
		d.same(want, got, "the recipients with pending deliveries, sorted, and when their first may be tried")
	}
	d.update(func(tx ports.Tx) {
		queues(tx)
		d.send(tx, activity("urn:1", "b", "a", "B"))
		d.send(tx, activity("urn:2", "a"))
		d.attempt(tx, ports.Attempt{Recipient: "a", Seq: 1, NotBefore: at})
		d.attempt(tx, ports.Attempt{Recipient: "B", Seq: 1, Dead: true})
		queues(tx, ports.RecipientQueue{Recipient: "a", Pending: 2, NotBefore: at}, ports.RecipientQueue{Recipient: "b", Pending: 1})
		d.attempt(tx, ports.Attempt{Recipient: "a", Seq: 1, Delivered: true})
		d.attempt(tx, ports.Attempt{Recipient: "b", Seq: 1, Delivered: true})
		d.must(tx.DeliveryRequeue("B", 1), "a dead delivery can be requeued")
	})
	d.view(func(r ports.Reader) {
		queues(r, ports.RecipientQueue{Recipient: "B", Pending: 1}, ports.RecipientQueue{Recipient: "a", Pending: 1})
	})
}

func deliveriesPaged(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		for n := range 5 {
			d.send(tx, activity(fmt.Sprint("urn:", n), "a", "b"))
		}
		d.attempt(tx, ports.Attempt{Recipient: "a", Seq: 2, Dead: true})
		d.attempt(tx, ports.Attempt{Recipient: "a", Seq: 1, NotBefore: at.Add(time.Hour)})
	})
	d.view(func(r ports.Reader) {
		for limit, want := range map[int][]int64{1: {1}, 2: {1, 3}, 4: {1, 3, 4, 5}, 9: {1, 3, 4, 5}, 0: {1, 3, 4, 5}} {
			deliveries, err := r.Deliveries("a", 0, limit)
			d.must(err, "deliveries can be read")
			var got []int64
			for _, v := range deliveries {
				got = append(got, v.Item.Seq)
			}
			d.same(want, got, "up to limit pending deliveries in the order of writing, whenever they may be tried")
		}
		rest, err := r.Deliveries("a", 3, 1)
		d.must(err, "deliveries can be read")
		d.same(1, len(rest), "a page behind a Seq is as long as asked for")
		d.same(int64(4), rest[0].Item.Seq, "a page begins behind the Seq it is asked for")
	})
}

func deliveredOnce(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		d.send(tx, activity("urn:1", "a", "b"))
		d.send(tx, activity("urn:2", "a"))
	})
	d.update(func(tx ports.Tx) { d.attempt(tx, ports.Attempt{Recipient: "a", Seq: 1, Delivered: true}) })
	d.view(func(r ports.Reader) {
		d.same([]int64{2}, d.queue(r, "a"), "a delivery that succeeded is gone")
		d.same([]int64{1}, d.queue(r, "b"), "another recipient's delivery of the same activity stays")
		d.same(nil, d.dead(r, 0, 0), "a delivery that succeeded is no dead letter")
	})
}

func retried(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) { d.send(tx, activity("urn:1", "a")) })
	for n := 1; n <= 3; n++ {
		later := at.Add(time.Duration(n) * time.Minute)
		d.update(func(tx ports.Tx) {
			d.attempt(tx, ports.Attempt{Recipient: "a", Seq: 1, NotBefore: later, Error: fmt.Sprint("attempt ", n)})
		})
		d.view(func(r ports.Reader) {
			got := d.first(r, "a")
			d.same(n, got.Attempts, "every attempt is counted")
			d.same(later, got.NotBefore, "a failed delivery is tried again at NotBefore")
			d.same(fmt.Sprint("attempt ", n), got.LastError, "the last error is kept")
			d.same(ports.DeliveryPending, got.State, "a failed delivery is still pending")
		})
	}
}

func queuesApart(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		d.send(tx, activity("urn:1", "dead", "slow", "well"))
		d.send(tx, activity("urn:2", "dead", "slow", "well"))
		d.attempt(tx, ports.Attempt{Recipient: "slow", Seq: 1, NotBefore: at.Add(time.Hour), Error: "later"})
		d.attempt(tx, ports.Attempt{Recipient: "dead", Seq: 1, Dead: true, Error: "gone"})
		well := d.first(tx, "well")
		d.same(0, well.Attempts, "another recipient's failures are not counted")
		d.same(time.Time{}, well.NotBefore, "another recipient's failure delays nobody")
		d.same([]int64{1, 2}, d.queue(tx, "well"), "another recipient's dead letter leaves the queue")
		d.same([]int64{1, 2}, d.queue(tx, "slow"), "a failed delivery keeps its place")
		d.same([]int64{2}, d.queue(tx, "dead"), "a dead letter does not block what follows it")
	})
}

func deadLetter(t testing.TB, h Harness) {
	d := newDesk(t, h)
	var item ports.OutboxItem
	d.update(func(tx ports.Tx) {
		item = d.send(tx, activity("urn:1", "a", "b"))
		d.attempt(tx, ports.Attempt{Recipient: "a", Seq: 1, Error: "first"})
		d.attempt(tx, ports.Attempt{Recipient: "a", Seq: 1, Dead: true, Error: "410 gone"})
	})
	d.view(func(r ports.Reader) {
		got, err := r.DeadDeliveries(0, 0)
		d.must(err, "dead letters can be read")
		want := []ports.Delivery{{Item: item, Recipient: "a", State: ports.DeliveryDead, Attempts: 2, LastError: "410 gone"}}
		d.same(want, got, "a dead letter has its activity, recipient, attempts and reason")
		d.same(nil, d.queue(r, "a"), "a dead letter is not pending")
	})
}

func deadPaged(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		for n := range 3 {
			d.send(tx, activity(fmt.Sprint("urn:", n), "c", "a", "b"))
		}
		for _, v := range []struct {
			seq       int64
			recipient string
		}{{3, "a"}, {1, "c"}, {2, "b"}, {1, "a"}, {2, "a"}} {
			d.attempt(tx, ports.Attempt{Recipient: v.recipient, Seq: v.seq, Dead: true})
		}
	})
	d.view(func(r ports.Reader) {
		for _, c := range []struct {
			after int64
			limit int
			want  []string
		}{
			{0, 0, []string{"1a", "1c", "2a", "2b", "3a"}}, {0, 1, []string{"1a", "1c"}}, {0, 2, []string{"1a", "1c"}},
			{0, 3, []string{"1a", "1c", "2a", "2b"}}, {1, 2, []string{"2a", "2b"}}, {2, 9, []string{"3a"}}, {3, 0, nil},
		} {
			d.same(c.want, d.dead(r, c.after, c.limit),
				fmt.Sprintf("up to %d dead letters of items above %d, an item's together", c.limit, c.after))
		}
	})
}

func deadRequeued(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		d.send(tx, activity("urn:1", "a", "b"))
		d.send(tx, activity("urn:2", "a"))
		d.attempt(tx, ports.Attempt{Recipient: "a", Seq: 1, Dead: true, Error: "gone", NotBefore: at})
		d.attempt(tx, ports.Attempt{Recipient: "b", Seq: 1, Dead: true})
	})
	d.update(func(tx ports.Tx) {
		d.must(tx.DeliveryRequeue("a", 1), "a dead delivery can be requeued")
		d.same([]int64{1, 2}, d.queue(tx, "a"), "a requeued delivery is pending at its place")
		got := d.first(tx, "a")
		d.same(0, got.Attempts, "a requeued delivery's attempts are counted from zero")
		d.same(time.Time{}, got.NotBefore, "a requeued delivery may be tried at once")
		d.same([]string{"1b"}, d.dead(tx, 0, 0), "other dead letters stay")
		d.attempt(tx, ports.Attempt{Recipient: "a", Seq: 1, Delivered: true})
	})
}

func settleNotPending(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		d.send(tx, activity("urn:1", "gone", "dead", "open"))
		d.attempt(tx, ports.Attempt{Recipient: "gone", Seq: 1, Delivered: true})
		d.attempt(tx, ports.Attempt{Recipient: "dead", Seq: 1, Dead: true})
	})
	before := d.dump(d.store)
	d.update(func(tx ports.Tx) {
		for _, a := range []ports.Attempt{
			{Recipient: "gone", Seq: 1}, {Recipient: "dead", Seq: 1}, {Recipient: "open", Seq: 2}, {Recipient: "none", Seq: 1},
		} {
			for _, end := range []ports.Attempt{{}, {Delivered: true}, {Dead: true}} {
				a.Delivered, a.Dead = end.Delivered, end.Dead
				d.code(tx.DeliverySettle(a), fault.NotFound, "DeliverySettle of what is not pending")
			}
		}
	})
	d.unchanged(before, "a refused settlement changes nothing")
}

func requeueNotDead(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		d.send(tx, activity("urn:1", "gone", "open"))
		d.attempt(tx, ports.Attempt{Recipient: "gone", Seq: 1, Delivered: true})
	})
	before := d.dump(d.store)
	d.update(func(tx ports.Tx) {
		d.code(tx.DeliveryRequeue("gone", 1), fault.NotFound, "DeliveryRequeue of a delivery that succeeded")
		d.code(tx.DeliveryRequeue("open", 1), fault.NotFound, "DeliveryRequeue of a pending delivery")
		d.code(tx.DeliveryRequeue("open", 2), fault.NotFound, "DeliveryRequeue of an unknown delivery")
	})
	d.unchanged(before, "a refused requeue changes nothing")
}

func bothOutcomes(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) { d.send(tx, activity("urn:1", "a")) })
	before := d.dump(d.store)
	d.update(func(tx ports.Tx) {
		err := tx.DeliverySettle(ports.Attempt{Recipient: "a", Seq: 1, Delivered: true, Dead: true})
		d.code(err, fault.Invalid, "an attempt that is both Delivered and Dead")
	})
	d.unchanged(before, "a refused settlement changes nothing")
}

func attemptsKept(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		d.send(tx, activity("urn:1", "a", "b"))
		d.attempt(tx, ports.Attempt{Recipient: "a", Seq: 1, NotBefore: at, Error: "one"})
		d.attempt(tx, ports.Attempt{Recipient: "b", Seq: 1, Delivered: true})
	})
	d.reopen()
	d.update(func(tx ports.Tx) {
		got := d.first(tx, "a")
		d.same(1, got.Attempts, "attempts are counted over restarts")
		d.same(at, got.NotBefore, "when to try again is kept over restarts")
		d.same(nil, d.queue(tx, "b"), "what was delivered is not delivered again after a restart")
	})
}
