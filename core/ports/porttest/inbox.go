package porttest

import (
	"fmt"
	"testing"

	"bateleur/core/fault"
	"bateleur/core/ports"
)

var inboxCases = []Case{
	{Name: "an appended item is pending, whole, and has the next seq", Proves: "DL-01-001", Run: itemAppended},
	{Name: "an item of the same sender, id and digest is not stored twice", Proves: "ID-02-001", Run: duplicateFound},
	{Name: "an id that another sender used is blocked by nothing", Proves: "ID-02-001", Run: sameIDOtherSender},
	{Name: "of twenty who deliver one message one stores it", Proves: "ID-02-001", Run: duplicateRace},
	{Name: "the inbox is given in the order of arrival, in pages", Run: inboxPaged},
	{Name: "settling moves an item, counts the attempt and keeps the outcome", Run: itemSettled},
	{Name: "a settled item is not given again", Proves: "BA-08-002", Run: settledOnce},
	{Name: "settling an unknown item is not found", Run: settleUnknown},
	{Name: "a dead or deferred item can be made pending again", Run: requeued},
	{Name: "an item in another state cannot be requeued", Run: requeueRefused},
	{Name: "items are counted by state", Run: inboxCounted},
	{Name: "an inbox item keeps odd bytes", Proves: "DL-01-001", Run: oddMessages},
}

func (d *desk) item(r ports.InboxReader, seq int64) ports.InboxItem {
	d.Helper()
	item, err := r.InboxItem(seq)
	d.must(err, "an item that was stored can be read")
	return item
}

// in gives the Seqs of all items of a state.
func (d *desk) in(r ports.InboxReader, state ports.InboxState) []int64 {
	d.Helper()
	items, err := r.Inbox(state, 0, 0)
	d.must(err, "the inbox can be read")
	return seqs(items)
}

func seqs(items []ports.InboxItem) []int64 {
	var all []int64
	for _, i := range items {
		all = append(all, i.Seq)
	}
	return all
}

// arrive stores n pending messages with the Seqs 1 to n.
func (d *desk) arrive(tx ports.InboxWriter, n int) {
	d.Helper()
	for i := range n {
		d.same(int64(i+1), d.receive(tx, message("sender", fmt.Sprint("urn:in:", i))), "a later item has the next Seq")
	}
}

func itemAppended(t testing.TB, h Harness) {
	d := newDesk(t, h)
	first, second := message("s", "urn:1"), message("s", "urn:2")
	second.Class = ports.Command
	given := first // what is not the caller's to say is not taken from it
	given.Seq, given.State, given.Attempts, given.Wake = 77, ports.Done, 5, "w"
	d.update(func(tx ports.Tx) {
		first.Seq, second.Seq = d.receive(tx, given), d.receive(tx, second)
	})
	first.State, second.State = ports.Pending, ports.Pending
	if second.Seq <= first.Seq {
		d.Errorf("broken: a later item has a higher Seq: got %d after %d", second.Seq, first.Seq)
	}
	d.view(func(r ports.Reader) {
		d.same(first, d.item(r, first.Seq), "a new item is pending and whole")
		items, err := r.Inbox(ports.Pending, 0, 0)
		d.must(err, "the inbox can be read")
		d.same([]ports.InboxItem{first, second}, items, "new items are pending, in the order of arrival")
		_, err = r.InboxItem(second.Seq + 1)
		d.code(err, fault.NotFound, "InboxItem of an unknown Seq")
	})
}

func duplicateFound(t testing.TB, h Harness) {
	d := newDesk(t, h)
	again := func(tx ports.Tx, item ports.InboxItem, want int64) {
		d.Helper()
		item.Body, item.Class, item.ReceivedAt = []byte("not compared"), ports.Command, at.Add(1)
		seq, duplicate, err := tx.InboxAppend(item)
		d.must(err, "a duplicate is no error")
		d.same(true, duplicate, "an item of the same sender, id and digest is a duplicate")
		d.same(want, seq, "a duplicate gives the Seq of the first")
	}
	var seq int64
	d.update(func(tx ports.Tx) {
		d.receive(tx, message("s", "urn:before"))
		seq = d.receive(tx, message("s", "urn:x"))
		d.receive(tx, message("s", "urn:behind"))
		again(tx, message("s", "urn:x"), seq)
	})
	before := d.dump(d.store)
	d.update(func(tx ports.Tx) { again(tx, message("s", "urn:x"), seq) })
	d.unchanged(before, "a duplicate changes nothing")
	for _, state := range inboxStates {
		d.update(func(tx ports.Tx) {
			d.settle(tx, ports.Settlement{Seq: seq, State: state})
			again(tx, message("s", "urn:x"), seq)
		})
	}
}

func sameIDOtherSender(t testing.TB, h Harness) {
	d := newDesk(t, h)
	base := message("s", "urn:x")
	sender, id, digest := base, base, base
	sender.Sender, id.ActivityID, digest.Digest = "S", "urn:X", "other"
	all := []ports.InboxItem{base, sender, id, digest}
	// The same bytes in a row, divided otherwise.
	for _, divided := range [][3]string{
		{"a", "bc", "d"}, {"ab", "c", "d"}, {"a", "b", "cd"}, {"a\xff", "b", "d"}, {"a", "\xffb", "d"},
		{"a", "b\xff", "d"}, {"a\x00", "b", "d"}, {"a", "\x00b", "d"}, {"a|b", "c", "d"}, {"a", "b|c", "d"},
		{"1a", "b", "d"}, {"", "1ab", "d"}, {"", "", ""},
	} {
		all = append(all, ports.InboxItem{Sender: divided[0], ActivityID: divided[1], Digest: divided[2]})
	}
	d.update(func(tx ports.Tx) {
		for i, item := range all {
			seq, duplicate, err := tx.InboxAppend(item)
			d.must(err, "a message is taken into the inbox")
			d.same(false, duplicate, "only the same sender, id and digest together are a duplicate")
			d.same(int64(i+1), seq, "a message that is no duplicate gets a Seq of its own")
		}
	})
}

func duplicateRace(t testing.TB, h Harness) {
	d := newDesk(t, h)
	stored := make([]bool, crowd)
	for _, err := range atOnce(func(i int) error {
		return d.store.Update(d.Context(), func(tx ports.Tx) error {
			_, duplicate, err := tx.InboxAppend(message("s", "urn:x"))
			stored[i] = !duplicate
			return err
		})
	}) {
		d.must(err, "a duplicate is no error")
	}
	n := 0
	for _, one := range stored {
		if one {
			n++
		}
	}
	d.same(1, n, "of all who deliver one message one stores it")
	d.view(func(r ports.Reader) { d.same([]int64{1}, d.in(r, ports.Pending), "a message stands once") })
}

func inboxPaged(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		d.arrive(tx, 9)
		for _, seq := range []int64{8, 2, 5} {
			d.settle(tx, ports.Settlement{Seq: seq, State: ports.Done})
		}
	})
	d.view(func(r ports.Reader) {
		for _, c := range []struct {
			state ports.InboxState
			after int64
			limit int
			want  []int64
		}{
			{ports.Pending, 0, 0, []int64{1, 3, 4, 6, 7, 9}}, {ports.Pending, 0, 2, []int64{1, 3}},
			{ports.Pending, 3, 2, []int64{4, 6}}, {ports.Pending, 5, 1, []int64{6}}, {ports.Pending, 9, 0, nil},
			{ports.Done, 0, 0, []int64{2, 5, 8}}, {ports.Done, 2, 9, []int64{5, 8}}, {ports.Dead, 0, 0, nil},
		} {
			items, err := r.Inbox(c.state, c.after, c.limit)
			d.must(err, "the inbox can be read")
			d.same(c.want, seqs(items), fmt.Sprintf("up to %d %s items above %d in the order of arrival", c.limit, c.state, c.after))
		}
	})
}

func itemSettled(t testing.TB, h Harness) {
	d := newDesk(t, h)
	want := message("sender", "urn:in:0")
	want.Seq = 1
	d.update(func(tx ports.Tx) { d.arrive(tx, 2) })
	for n, state := range inboxStates {
		want.State, want.Attempts = state, n+1
		want.Outcome = ports.Outcome{
			Code: fmt.Sprint("code", n), Text: "why\x00", Path: "root/leaf", Result: []byte(nested), At: at.Add(1),
		}
		d.update(func(tx ports.Tx) {
			d.settle(tx, ports.Settlement{Seq: 1, State: state, Outcome: want.Outcome})
			d.same(want, d.item(tx, 1), "settling moves the item, counts one attempt and keeps the outcome")
		})
	}
	d.view(func(r ports.Reader) {
		d.same(want, d.item(r, 1), "settling moves the item, counts one attempt and keeps the outcome")
		d.same([]int64{2}, d.in(r, ports.Pending), "settling leaves other items")
	})
}

func settledOnce(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) { d.arrive(tx, 12) })
	var handled []int64
	for range 40 {
		var next []ports.InboxItem
		d.view(func(r ports.Reader) { next, _ = r.Inbox(ports.Pending, 0, 1) })
		if len(next) == 0 {
			break
		}
		handled = append(handled, next[0].Seq)
		state := inboxStates[1+len(handled)%5] // any but Pending
		d.update(func(tx ports.Tx) { d.settle(tx, ports.Settlement{Seq: next[0].Seq, State: state}) })
	}
	d.same([]int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, handled, "each item comes once and in its turn")
}

func settleUnknown(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		d.arrive(tx, 1)
		for _, seq := range []int64{0, 2, -1} {
			d.code(tx.InboxSettle(ports.Settlement{Seq: seq, State: ports.Done}), fault.NotFound, "InboxSettle of an unknown item")
		}
		d.same([]int64{1}, d.in(tx, ports.Pending), "a refused settlement changes nothing")
	})
}

func requeued(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		d.arrive(tx, 3)
		d.settle(tx, ports.Settlement{Seq: 1, State: ports.Dead, Outcome: ports.Outcome{Code: "internal"}})
		d.settle(tx, ports.Settlement{Seq: 2, State: ports.Deferred, Wake: "w", Until: at})
	})
	d.update(func(tx ports.Tx) {
		d.must(tx.InboxRequeue(2), "a Deferred item can be requeued")
		d.must(tx.InboxRequeue(1), "a Dead item can be requeued")
		d.same([]int64{1, 2, 3}, d.in(tx, ports.Pending), "a requeued item is pending at its place of arrival")
		d.same(1, d.item(tx, 1).Attempts, "a requeued item keeps its attempts")
		d.same("", d.item(tx, 2).Wake, "a requeued item waits for no key")
	})
}

func requeueRefused(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		d.arrive(tx, 4)
		for n, state := range []ports.InboxState{ports.Done, ports.Refused, ports.Ignored} {
			d.settle(tx, ports.Settlement{Seq: int64(n + 1), State: state})
		}
		for seq := int64(1); seq <= 4; seq++ {
			d.code(tx.InboxRequeue(seq), fault.Conflict, "InboxRequeue of an item that is neither Dead nor Deferred")
		}
		for _, seq := range []int64{0, 5} {
			d.code(tx.InboxRequeue(seq), fault.NotFound, "InboxRequeue of an unknown item")
		}
		d.same([]int64{4}, d.in(tx, ports.Pending), "a refused requeue changes nothing")
	})
}

func inboxCounted(t testing.TB, h Harness) {
	d := newDesk(t, h)
	count := func(r ports.InboxReader, want map[ports.InboxState]int64) {
		d.Helper()
		got, err := r.InboxCounts()
		d.must(err, "items can be counted")
		for _, state := range inboxStates {
			d.same(want[state], got[state], "items are counted by state: "+string(state))
		}
	}
	d.view(func(r ports.Reader) { count(r, nil) })
	d.update(func(tx ports.Tx) {
		d.arrive(tx, 6)
		_, _, err := tx.InboxAppend(message("sender", "urn:in:0"))
		d.must(err, "a duplicate is no error")
		for seq, state := range map[int64]ports.InboxState{1: ports.Done, 2: ports.Done, 3: ports.Dead, 4: ports.Deferred} {
			d.settle(tx, ports.Settlement{Seq: seq, State: state, Wake: "w"})
		}
		count(tx, map[ports.InboxState]int64{ports.Pending: 2, ports.Done: 2, ports.Dead: 1, ports.Deferred: 1})
		d.settle(tx, ports.Settlement{Seq: 1, State: ports.Done})
		d.must(tx.InboxRequeue(3), "a Dead item can be requeued")
		_, err = tx.InboxWake("w")
		d.must(err, "items can be woken")
	})
	d.view(func(r ports.Reader) { count(r, map[ports.InboxState]int64{ports.Pending: 4, ports.Done: 2}) })
}

func oddMessages(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		for i, odd := range []string{"", "\x00", "\xff\xfe", "a\x00b", "'", nested} {
			want := ports.InboxItem{Sender: odd + "s", ActivityID: odd, Digest: odd, Body: []byte(odd), ReceivedAt: at}
			want.Seq, want.State = d.receive(tx, want), ports.Pending
			d.same(want, d.item(tx, int64(i+1)), "an item keeps every byte")
		}
	})
}
