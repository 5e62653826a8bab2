package porttest

import (
	"fmt"
	"testing"

	"bateleur/core/fault"
	"bateleur/core/ports"
)

var outboxCases = []Case{
	{Name: "an appended activity comes back whole", Proves: "DL-01-001, DL-08-001", Run: activityComesBack},
	{Name: "append gives each recipient a place in its queue", Proves: "OX-01-001, DL-04-004", Run: placesGiven},
	{Name: "another actor's activity is refused", Proves: "DL-04-004, DL-07-003", Run: foreignActivity},
	{Name: "an activity without an id or a recipient is refused", Proves: "OX-08-001", Run: incompleteActivity},
	{Name: "an activity id is taken once", Proves: "ID-01-001", Run: activityOnce},
	{Name: "the outbox is given in the order of writing, in pages", Proves: "OX-01-001", Run: outboxPaged},
	{Name: "an activity is found by its id", Run: activityByID},
	{Name: "an activity stays when it was delivered", Run: activityStays},
}

func activityComesBack(t testing.TB, h Harness) {
	d := newDesk(t, h)
	whole := activity("urn:x", "https://B.example/", "https://b.example/", "a\x00")
	whole.Body, whole.PerRecipient = []byte(nested), true
	bare := ports.OutboxItem{ActivityID: "urn:y", Actor: vendor, Recipients: []string{"z"}, Body: []byte{0, 0xff}}
	var want []ports.OutboxItem
	d.update(func(tx ports.Tx) {
		given := whole
		given.Seq = 99
		want = []ports.OutboxItem{d.send(tx, given), d.send(tx, bare)}
	})
	d.view(func(r ports.Reader) {
		got, err := r.OutboxItems(0, 0)
		d.must(err, "the outbox can be read")
		d.same(want, got, "an activity comes back whole, its recipients in their order")
		got[0].Body[0], got[0].Recipients[0] = '!', "!"
	})
	before := d.dump(d.store)
	whole.Body[0], whole.Recipients[0] = '!', "!"
	d.unchanged(before, "what a caller does to an activity that it gave or read changes nothing")
	d.view(func(r ports.Reader) {
		deliveries, err := r.Deliveries("z", 0, 0)
		d.must(err, "deliveries can be read")
		wantDelivery := []ports.Delivery{{Item: want[1], Recipient: "z", State: ports.DeliveryPending}}
		d.same(wantDelivery, deliveries, "a delivery carries its activity whole")
	})
}

func placesGiven(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		d.send(tx, activity("urn:1", "b", "a"))
		d.send(tx, activity("urn:2", "a"))
		d.send(tx, activity("urn:3", "c", "a"))
	})
	d.view(func(r ports.Reader) {
		for recipient, want := range map[string][]int64{"a": {1, 2, 3}, "b": {1}, "c": {3}, "A": nil} {
			d.same(want, d.queue(r, recipient), "every recipient has its own queue in the order of writing")
		}
	})
}

// queue gives the Seqs of the pending deliveries to a recipient.
func (d *desk) queue(r ports.OutboxReader, recipient string) []int64 {
	d.Helper()
	deliveries, err := r.Deliveries(recipient, 0, 0)
	d.must(err, "deliveries can be read")
	var all []int64
	for _, v := range deliveries {
		all = append(all, v.Item.Seq)
	}
	return all
}

func foreignActivity(t testing.TB, h Harness) {
	d := newDesk(t, h)
	before := d.dump(d.store)
	d.update(func(tx ports.Tx) {
		item := activity("urn:x", "a")
		item.Actor = finder
		_, err := tx.OutboxAppend(item)
		d.code(err, fault.OwnerMismatch, "OutboxAppend of another actor's activity")
		item.Actor = actor("https://vendor.example/actors/vendor/")
		_, err = tx.OutboxAppend(item)
		d.code(err, fault.OwnerMismatch, "OutboxAppend of a similar actor's activity")
		item.Actor = actor("https://x.example/y")
		item.Recipients = nil
		_, err = tx.OutboxAppend(item)
		d.code(err, fault.OwnerMismatch, "OutboxAppend of another actor's activity")
	})
	d.unchanged(before, "a refused activity leaves nothing")
}

func incompleteActivity(t testing.TB, h Harness) {
	d := newDesk(t, h)
	before := d.dump(d.store)
	d.update(func(tx ports.Tx) {
		for _, item := range []ports.OutboxItem{
			activity("urn:x"), activity("", "a"), activity("urn:x", "a", "b", "a"), activity("urn:x", "a", ""),
		} {
			_, err := tx.OutboxAppend(item)
			d.code(err, fault.Invalid, "OutboxAppend without an id or a recipient, or with one twice or empty")
		}
	})
	d.unchanged(before, "a refused activity leaves nothing")
}

func activityOnce(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		d.send(tx, activity("urn:x", "a"))
		_, err := tx.OutboxAppend(activity("urn:x", "b"))
		d.code(err, fault.Conflict, "OutboxAppend of an id taken in the same transaction")
		d.send(tx, activity("urn:X", "a"))
	})
	before := d.dump(d.store)
	d.update(func(tx ports.Tx) {
		_, err := tx.OutboxAppend(activity("urn:x", "b"))
		d.code(err, fault.Conflict, "OutboxAppend of an id taken before")
		d.same(nil, d.queue(tx, "b"), "a refused activity stands in no queue")
	})
	d.unchanged(before, "a refused activity leaves nothing")
}

func outboxPaged(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		for _, id := range []string{"z", "a", "m", "b"} {
			d.send(tx, activity(id, "peer"))
		}
	})
	d.view(func(r ports.Reader) {
		for _, c := range []struct {
			after int64
			limit int
			want  []string
		}{
			{0, 0, []string{"z", "a", "m", "b"}}, {0, 2, []string{"z", "a"}}, {2, 1, []string{"m"}},
			{2, 9, []string{"m", "b"}}, {4, 0, nil},
		} {
			items, err := r.OutboxItems(c.after, c.limit)
			d.must(err, "the outbox can be read")
			var got []string
			for _, i := range items {
				got = append(got, i.ActivityID)
			}
			d.same(c.want, got, fmt.Sprintf("up to %d activities above %d in the order of writing", c.limit, c.after))
		}
	})
}

func activityByID(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		want := d.send(tx, activity("urn:x", "a", "b"))
		got, err := tx.OutboxItem("urn:x")
		d.must(err, "an activity is found by its id")
		d.same(want, got, "an activity is found by its id")
		for _, id := range []string{"urn:X", "", "urn:x/"} {
			_, err = tx.OutboxItem(id)
			d.code(err, fault.NotFound, "OutboxItem of an unknown id")
		}
	})
}

func activityStays(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		want := d.send(tx, activity("urn:x", "a"))
		d.attempt(tx, ports.Attempt{Recipient: "a", Seq: want.Seq, Delivered: true})
		got, err := tx.OutboxItem("urn:x")
		d.must(err, "a delivered activity stays in the outbox")
		d.same(want, got, "a delivered activity stays in the outbox")
		_, err = tx.OutboxAppend(activity("urn:x", "a"))
		d.code(err, fault.Conflict, "OutboxAppend of an id that was delivered")
	})
}
