package porttest

import (
	"context"
	"errors"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"bateleur/core/fault"
	"bateleur/core/ports"
)

var transactionCases = []Case{
	{Name: "a transaction sees its own writes", Run: ownWrites},
	{Name: "an error keeps nothing of any kind of write", Proves: "BA-09-001", Run: errorKeepsNothing},
	{Name: "update and view return their function's own error", Run: ownError},
	{Name: "a panic keeps nothing and goes on", Proves: "BA-09-001", Run: panicKeepsNothing},
	{Name: "a goroutine that ends inside keeps nothing", Proves: "BA-09-001", Run: goexitKeepsNothing},
	{Name: "an ended context keeps nothing", Proves: "BA-09-001", Run: endedBefore},
	{Name: "a context that ends inside keeps nothing", Proves: "BA-09-001", Run: endsInside},
	{Name: "a cancelled transaction leaves the store usable", Proves: "BA-09-001", Run: cancelThenUse},
	{Name: "a commit that fails is reported and keeps nothing", Proves: "BA-09-003", Run: commitFails},
	{Name: "a reader is closed after its view", Run: readerAfterwards},
	{Name: "a tx is closed after its update", Run: txAfterwards},
}

func ownWrites(t testing.TB, h Harness) {
	d := newDesk(t, h)
	var inside string
	d.update(func(tx ports.Tx) {
		d.fillIn(tx, vendor)
		text, err := Dump(tx)
		d.must(err, "a transaction can read everything")
		inside = text
	})
	d.unchanged(inside, "what a transaction sees of its writes is what it commits")
	other := d.create(finder)
	d.fill(other)
	want := strings.ReplaceAll(d.dump(other), strconv.Quote(finder.URI())+" for", strconv.Quote(vendor.URI())+" for")
	d.same(want, inside, "a transaction sees its own writes as others see them afterwards")
}

// breaking are writes of every kind to a filled store.
func (d *desk) breaking() map[string]func(tx ports.Tx) error {
	return map[string]func(tx ports.Tx) error{
		"create":  func(tx ports.Tx) error { _, err := tx.Put(note("new", about("a"))); return err },
		"replace": func(tx ports.Tx) error { _, err := tx.Put(ports.Record{Kind: "note", ID: "1", Rev: 2}); return err },
		"delete":  func(tx ports.Tx) error { return tx.Delete("note", "2", 1) },
		"delete and create": func(tx ports.Tx) error {
			_, err := tx.Put(note("2", about("c")))
			return errors.Join(tx.Delete("note", "2", 1), ignoreConflict(err))
		},
		"open ledger": func(tx ports.Tx) error { return tx.OpenLedger("urn:case:3", ports.Own, "g3") },
		"mint":        func(tx ports.Tx) error { return tx.Mint(entry(3)) },
		"mint thrice": func(tx ports.Tx) error {
			return errors.Join(tx.Mint(entry(3)), tx.Mint(entry(4)), tx.Mint(entry(5)))
		},
		"apply": func(tx ports.Tx) error {
			e := entry(0)
			e.CaseID, e.PrevHash = "urn:case:2", "g2"
			return tx.Apply(e)
		},
		"inbox append": func(tx ports.Tx) error { _, _, err := tx.InboxAppend(message("s", "urn:in:new")); return err },
		"inbox settle": func(tx ports.Tx) error {
			return errors.Join(
				tx.InboxSettle(ports.Settlement{Seq: 1, State: ports.Deferred, Wake: "w", Until: at}),
				tx.InboxSettle(ports.Settlement{Seq: 1, State: ports.Done}),
				tx.InboxSettle(ports.Settlement{Seq: 2, State: ports.Dead}))
		},
		"inbox requeue": func(tx ports.Tx) error { return errors.Join(tx.InboxRequeue(2), tx.InboxRequeue(6)) },
		"inbox wake":    func(tx ports.Tx) error { _, err := tx.InboxWake("key"); return err },
		"outbox append": func(tx ports.Tx) error {
			_, err := tx.OutboxAppend(activity("urn:out:new", "peer-a", "peer-d"))
			return err
		},
		"delivered": func(tx ports.Tx) error {
			return errors.Join(tx.DeliverySettle(ports.Attempt{Recipient: "peer-b", Seq: 1, Delivered: true}),
				tx.DeliverySettle(ports.Attempt{Recipient: "peer-b", Seq: 2, Delivered: true}),
				tx.DeliverySettle(ports.Attempt{Recipient: "peer-b", Seq: 3, Delivered: true}))
		},
		"dead": func(tx ports.Tx) error {
			return tx.DeliverySettle(ports.Attempt{Recipient: "peer-a", Seq: 2, Dead: true})
		},
		"retried": func(tx ports.Tx) error {
			return tx.DeliverySettle(ports.Attempt{Recipient: "peer-a", Seq: 2, Error: "x"})
		},
		"sent again": func(tx ports.Tx) error {
			return errors.Join(tx.DeliveryRequeue("peer-c", 2),
				tx.DeliverySettle(ports.Attempt{Recipient: "peer-c", Seq: 2, Delivered: true}))
		},
	}
}

func ignoreConflict(err error) error {
	if fault.CodeOf(err) == fault.Conflict {
		return nil
	}
	return err
}

// everything does all breaking writes that can follow each other.
func (d *desk) everything(tx ports.Tx) {
	d.Helper()
	writes := d.breaking()
	for _, name := range []string{
		"replace", "delete", "create", "open ledger", "mint thrice", "apply", "inbox append", "inbox wake",
		"inbox settle", "outbox append", "delivered", "dead", "sent again",
	} {
		d.must(writes[name](tx), "a transaction can "+name)
	}
}

var errOwn = errors.New("the function's own error")

func errorKeepsNothing(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.fill(d.store)
	before := d.dump(d.store)
	for name, write := range d.breaking() {
		err := d.store.Update(d.Context(), func(tx ports.Tx) error {
			d.must(write(tx), "a transaction can "+name)
			return errOwn
		})
		if !errors.Is(err, errOwn) {
			d.Errorf("broken: the function's own error is returned: got %v", err)
		}
		d.unchanged(before, "an error keeps nothing: "+name)
	}
	_ = d.store.Update(d.Context(), func(tx ports.Tx) error {
		d.everything(tx)
		return errOwn
	})
	d.unchanged(before, "an error keeps nothing of all kinds of writes together")
	d.update(d.everything)
	if d.dump(d.store) == before {
		d.Errorf("broken: the same writes without an error are kept")
	}
}

func ownError(t testing.TB, h Harness) {
	d := newDesk(t, h)
	for _, c := range []struct {
		call string
		err  error
	}{
		{"Update", d.store.Update(d.Context(), func(ports.Tx) error { return errOwn })},
		{"View", d.store.View(d.Context(), func(ports.Reader) error { return errOwn })},
	} {
		if c.err != errOwn { //nolint:errorlint // as it is, so not wrapped
			d.Errorf("broken: %s returns f's own error as it is: got %v", c.call, c.err)
		}
	}
}

func panicKeepsNothing(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.fill(d.store)
	before := d.dump(d.store)
	func() {
		defer func() {
			if got := recover(); got != "thrown" {
				d.Errorf("broken: a panic goes on to the caller: recovered %v", got)
			}
		}()
		_ = d.store.Update(d.Context(), func(tx ports.Tx) error {
			d.everything(tx)
			panic("thrown")
		})
	}()
	d.unchanged(before, "a panic keeps nothing")
	func() {
		defer func() { _ = recover() }()
		_ = d.store.View(d.Context(), func(ports.Reader) error { panic("thrown") })
	}()
	d.update(d.everything)
}

func goexitKeepsNothing(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.fill(d.store)
	before := d.dump(d.store)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_ = d.store.Update(context.WithoutCancel(d.Context()), func(tx ports.Tx) error {
			_, _ = tx.Put(note("new"))
			runtime.Goexit()
			return nil
		})
	}()
	<-gone
	d.unchanged(before, "a goroutine that ends inside a transaction keeps nothing")
}

func endedBefore(t testing.TB, h Harness) {
	d := newDesk(t, h)
	before := d.dump(d.store)
	err := d.store.Update(ended(d.Context()), func(tx ports.Tx) error {
		_, _ = tx.Put(note("x"))
		return nil
	})
	d.code(err, fault.Cancelled, "Update under an ended context")
	err = d.store.View(ended(d.Context()), func(ports.Reader) error { return nil })
	d.code(err, fault.Cancelled, "View under an ended context")
	d.unchanged(before, "an ended context keeps nothing")
}

func endsInside(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.fill(d.store)
	before := d.dump(d.store)
	ctx, cancel := context.WithCancel(d.Context())
	defer cancel()
	err := d.store.Update(ctx, func(tx ports.Tx) error {
		d.everything(tx)
		cancel()
		_, _ = tx.Put(note("after the end"))
		_ = tx.Mint(entry(6))
		return nil
	})
	d.code(err, fault.Cancelled, "Update whose context ends inside")
	d.unchanged(before, "a context that ends inside keeps nothing")
}

func cancelThenUse(t testing.TB, h Harness) {
	d := newDesk(t, h)
	for n := range 5 {
		ctx, cancel := context.WithCancel(d.Context())
		_ = d.store.Update(ctx, func(tx ports.Tx) error {
			d.put(tx, note("cancelled"))
			cancel()
			_, err := tx.Get("note", "cancelled")
			return err
		})
		_ = d.store.View(ctx, func(ports.Reader) error { return nil })
		d.update(func(tx ports.Tx) {
			r := note("kept")
			r.Rev = int64(n)
			d.same(int64(n+1), d.put(tx, r).Rev, "after a cancelled transaction the next one works")
		})
	}
	d.view(func(r ports.Reader) {
		d.same([]string{"kept"}, d.list(r, ports.ListParams{Kind: "note"}), "only what was committed is there")
	})
}

func commitFails(t testing.TB, h Harness) {
	if h.FailNextCommit == nil {
		t.Skip("declared: a commit cannot fail")
	}
	d := newDesk(t, h)
	d.fill(d.store)
	before := d.dump(d.store)
	h.FailNextCommit(t, d.store)
	err := d.store.Update(d.Context(), func(tx ports.Tx) error {
		d.everything(tx)
		return nil
	})
	if err == nil {
		d.Errorf("broken: a commit that fails is reported: got no error")
	}
	d.unchanged(before, "a commit that fails keeps nothing")
	d.update(d.everything)
}

func readerAfterwards(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.fill(d.store)
	var kept ports.Reader
	d.view(func(r ports.Reader) { kept = r })
	_, err := kept.Get("note", "1")
	d.code(err, fault.Closed, "a Reader kept after its View")
	_, err = kept.Inbox(ports.Pending, 0, 0)
	d.code(err, fault.Closed, "a Reader kept after its View")
}

func txAfterwards(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.fill(d.store)
	var kept ports.Tx
	d.update(func(tx ports.Tx) { kept = tx })
	before := d.dump(d.store)
	_, err := kept.Put(note("late"))
	d.code(err, fault.Closed, "a Tx kept after its Update")
	d.code(kept.Mint(entry(3)), fault.Closed, "a Tx kept after its Update")
	_, _, err = kept.InboxAppend(message("s", "late"))
	d.code(err, fault.Closed, "a Tx kept after its Update")
	_, err = kept.OutboxAppend(activity("late", "peer"))
	d.code(err, fault.Closed, "a Tx kept after its Update")
	d.unchanged(before, "a Tx kept after its Update changes nothing")
}
