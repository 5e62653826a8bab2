package porttest

import (
	"testing"
	"time"

	"bateleur/core/ports"
)

var deferralCases = []Case{
	{Name: "a deferred item keeps its wake key and its bound", Run: deferralKept},
	{Name: "a settled item keeps no wake key and no bound", Run: deferralCleared},
	{Name: "deferred items come due earliest first", Run: deferralDue},
	{Name: "the next deferral is the earliest of all", Run: nextDeferral},
	{Name: "a wake key wakes just its items", Run: wakes},
	{Name: "waiting items are found by the prefix of their wake key", Run: waitingByPrefix},
	{Name: "times come back equal in UTC to the nanosecond", Proves: "DL-01-001", Run: timesComeBack},
}

func (d *desk) deferItem(tx ports.InboxWriter, seq int64, wake string, until time.Time) {
	d.Helper()
	d.settle(tx, ports.Settlement{Seq: seq, State: ports.Deferred, Wake: wake, Until: until})
}

func deferralKept(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		d.arrive(tx, 1)
		d.deferItem(tx, 1, "case:x", at)
	})
	d.view(func(r ports.Reader) {
		item := d.item(r, 1)
		d.same("case:x", item.Wake, "a Deferred item keeps its wake key")
		d.same(at, item.Until, "a Deferred item keeps when waiting ends")
	})
}

func deferralCleared(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		d.arrive(tx, 1)
		for _, state := range []ports.InboxState{ports.Pending, ports.Done, ports.Refused, ports.Ignored, ports.Dead} {
			d.deferItem(tx, 1, "w", at)
			d.settle(tx, ports.Settlement{Seq: 1, State: state, Wake: "w", Until: at})
			item := d.item(tx, 1)
			d.same("", item.Wake, "only a Deferred item has a wake key")
			d.same(time.Time{}, item.Until, "only a Deferred item has a bound")
		}
	})
}

func deferralDue(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		d.arrive(tx, 6)
		for seq, after := range map[int64]time.Duration{1: 30, 2: 10, 3: 20, 4: 10, 5: 31} {
			d.deferItem(tx, seq, "w", at.Add(after))
		}
	})
	d.view(func(r ports.Reader) {
		for _, c := range []struct {
			now   time.Duration
			limit int
			want  []int64
		}{
			{9, 0, nil}, {10, 0, []int64{2, 4}}, {30, 0, []int64{2, 4, 3, 1}}, {30, 3, []int64{2, 4, 3}},
			{30, 1, []int64{2}}, {time.Hour, 9, []int64{2, 4, 3, 1, 5}},
		} {
			// The instant counts, not the zone in which it is given.
			items, err := r.DeferredUntil(at.Add(c.now).In(time.FixedZone("", 3600)), c.limit)
			d.must(err, "due items can be read")
			d.same(c.want, seqs(items), "items whose Until is not after now, earliest first, up to limit")
		}
	})
}

func nextDeferral(t testing.TB, h Harness) {
	d := newDesk(t, h)
	next := func(r ports.InboxReader, want time.Time) {
		d.Helper()
		got, err := r.NextDeferral()
		d.must(err, "the next deferral can be read")
		d.same(want, got, "NextDeferral is the earliest Until of all Deferred items, zero without any")
	}
	d.update(func(tx ports.Tx) {
		next(tx, time.Time{})
		d.arrive(tx, 3)
		next(tx, time.Time{})
		d.deferItem(tx, 1, "a", at.Add(2))
		d.deferItem(tx, 2, "b", at.Add(1))
		d.deferItem(tx, 3, "c", at.Add(3))
		next(tx, at.Add(1))
		_, err := tx.InboxWake("b")
		d.must(err, "items can be woken")
		next(tx, at.Add(2))
		d.settle(tx, ports.Settlement{Seq: 1, State: ports.Done})
		d.must(tx.InboxRequeue(3), "a Deferred item can be requeued")
		next(tx, time.Time{})
	})
}

func wakes(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		d.arrive(tx, 7)
		for seq, key := range map[int64]string{1: "case:x", 2: "case:xy", 3: "case:x", 4: "CASE:X", 5: "case:x/", 6: ""} {
			d.deferItem(tx, seq, key, at)
		}
		d.settle(tx, ports.Settlement{Seq: 7, State: ports.Dead})
	})
	d.update(func(tx ports.Tx) {
		n, err := tx.InboxWake("case:x")
		d.must(err, "items can be woken")
		d.same(2, n, "InboxWake tells how many it woke")
		d.same([]int64{1, 3}, d.in(tx, ports.Pending), "InboxWake wakes every item with just this key")
		d.same("", d.item(tx, 1).Wake, "a woken item waits for no key")
		d.same(1, d.item(tx, 1).Attempts, "waking is no attempt")
		n, err = tx.InboxWake("case:x")
		d.must(err, "items can be woken")
		d.same(0, n, "a key that nobody waits for wakes nothing")
		d.same([]int64{2, 4, 5, 6}, d.in(tx, ports.Deferred), "other items wait on")
	})
}

func waitingByPrefix(t testing.TB, h Harness) {
	d := newDesk(t, h)
	keys := []string{"case:2", "case:1/log", "Case:1", "case%", "case:1", "\xff\xffx", "\xff\xff", "case_1", "", "b",
		"n\xfe", "n\xff", "n\ufffd", "n\uffff"}
	d.update(func(tx ports.Tx) {
		d.arrive(tx, len(keys)+1)
		for i, key := range keys {
			d.deferItem(tx, int64(i+1), key, at.Add(-time.Duration(i)))
		}
	})
	d.view(func(r ports.Reader) {
		for prefix, want := range map[string][]int64{
			"case:1": {2, 5}, "case:": {1, 2, 5}, "case%": {4}, "case_": {8}, "C": {3}, "\xff": {6, 7}, "\xff\xff": {6, 7},
			"\xff\xffx": {6}, "none": nil, "": {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14},
			"n\xfe": {11}, "n\ufffd": {13},
		} {
			items, err := r.Waiting(prefix)
			d.must(err, "waiting items can be read")
			d.same(want, seqs(items), "items whose key starts with a prefix, in the order of arrival: "+prefix)
		}
	})
}

func timesComeBack(t testing.TB, h Harness) {
	d := newDesk(t, h)
	zone := time.FixedZone("UTC+5:45", 5*3600+45*60)
	for _, instant := range []time.Time{
		{}, at, at.In(zone), time.Now(), time.Date(1969, 12, 31, 23, 59, 59, 999999999, time.UTC),
		time.Date(2200, 1, 1, 0, 0, 0, 1, time.UTC), time.Unix(0, 1).In(zone),
	} {
		d.update(func(tx ports.Tx) {
			item := message("s", instant.String())
			item.ReceivedAt = instant
			seq := d.receive(tx, item)
			d.settle(tx, ports.Settlement{Seq: seq, State: ports.Deferred, Until: instant, Outcome: ports.Outcome{At: instant}})
			out := activity("urn:out:"+instant.String(), "peer")
			out.CreatedAt = instant
			sent := d.send(tx, out)
			d.attempt(tx, ports.Attempt{Recipient: "peer", Seq: sent.Seq, NotBefore: instant})
		})
		want := instant.UTC().Round(0)
		d.view(func(r ports.Reader) {
			items, err := r.Inbox(ports.Deferred, 0, 0)
			d.must(err, "the inbox can be read")
			got := items[len(items)-1]
			deliveries, err := r.Deliveries("peer", 0, 0)
			d.must(err, "deliveries can be read")
			last := deliveries[len(deliveries)-1]
			for _, back := range []time.Time{got.ReceivedAt, got.Until, got.Outcome.At, last.Item.CreatedAt, last.NotBefore} {
				if back != want { // in UTC, without a monotonic part: the very value
					d.Errorf("broken: a time comes back equal in UTC to the nanosecond: got %v, want %v", back, want)
				}
			}
		})
	}
}
