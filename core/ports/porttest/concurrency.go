package porttest

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"bateleur/core/fault"
	"bateleur/core/ports"
)

var concurrencyCases = []Case{
	{Name: "of twenty writers of one revision one wins", Proves: "BA-09-002", Run: oneWinner},
	{Name: "of twenty creators of one key one wins", Proves: "BA-09-002", Run: oneCreator},
	{Name: "writers take turns", Proves: "BA-09-002", Run: writersTakeTurns},
	{Name: "a view sees one unchanging state", Run: viewIsolated},
	{Name: "a view sees nothing of an update that is under way", Run: viewSeesCommitted},
	{Name: "a context that ends while waiting for its turn keeps nothing", Proves: "BA-09-001", Run: endsWhileWaiting},
	{Name: "a store is safe for concurrent use", Run: concurrentUse},
}

const crowd = 20

// atOnce lets a crowd of goroutines run f together and gives what each returned.
func atOnce(f func(i int) error) []error {
	results := make([]error, crowd)
	start := make(chan struct{})
	var all sync.WaitGroup
	for i := range crowd {
		all.Go(func() {
			<-start
			results[i] = f(i)
		})
	}
	close(start)
	all.Wait()
	return results
}

func (d *desk) oneOf(results []error, sentence string) (winner int) {
	d.Helper()
	winners := 0
	for i, err := range results {
		if err == nil {
			winner = i
			winners++
			continue
		}
		d.code(err, fault.Conflict, "who does not win gets a conflict")
	}
	d.same(1, winners, sentence)
	return winner
}

func oneWinner(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) { d.put(tx, note("x")) })
	results := atOnce(func(i int) error {
		return d.store.Update(d.Context(), func(tx ports.Tx) error {
			_, err := tx.Put(ports.Record{Kind: "note", ID: "x", Rev: 1, Body: []byte(fmt.Sprint(i))})
			return err
		})
	})
	winner := d.oneOf(results, "of the writers that replace one revision exactly one wins")
	d.view(func(r ports.Reader) {
		got, err := r.Get("note", "x")
		d.must(err, "a replaced record can be read")
		d.same(fmt.Sprint(winner), string(got.Body), "what is stored is the winner's")
		d.same(int64(2), got.Rev, "one writer counted")
	})
}

func oneCreator(t testing.TB, h Harness) {
	d := newDesk(t, h)
	results := atOnce(func(i int) error {
		return d.store.Update(d.Context(), func(tx ports.Tx) error {
			if _, err := tx.Put(note(fmt.Sprint("trace of ", i))); err != nil {
				return err
			}
			_, err := tx.Put(ports.Record{Kind: "case", ID: "x"})
			return err
		})
	})
	winner := d.oneOf(results, "of the writers that create one key exactly one wins")
	d.view(func(r ports.Reader) {
		d.same([]string{fmt.Sprint("trace of ", winner)}, d.list(r, ports.ListParams{Kind: "note"}),
			"nothing of the others is kept")
	})
}

func writersTakeTurns(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) { d.put(tx, note("x")) })
	results := atOnce(func(int) error {
		return d.store.Update(d.Context(), func(tx ports.Tx) error {
			r, err := tx.Get("note", "x")
			if err != nil {
				return err
			}
			_, err = tx.Put(r)
			return err
		})
	})
	for _, err := range results {
		d.must(err, "a writer that reads and writes in one transaction meets no other writer")
	}
	d.view(func(r ports.Reader) {
		got, err := r.Get("note", "x")
		d.must(err, "a replaced record can be read")
		d.same(int64(1+crowd), got.Rev, "no writer's work is lost")
	})
}

// briefly is how long a case lets a writer try what the store may make it wait
// for until the case ends.
const briefly = 50 * time.Millisecond

func viewIsolated(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.fill(d.store)
	before := d.dump(d.store)
	var wrote error
	d.view(func(r ports.Reader) {
		_, err := r.Get("note", "1")
		d.must(err, "a stored record can be read")
		// A store may let the writer commit meanwhile or keep it waiting.
		ctx, cancel := context.WithTimeout(d.Context(), briefly)
		defer cancel()
		done := make(chan error)
		go func() {
			done <- d.store.Update(ctx, func(tx ports.Tx) error { _, err := tx.Put(note("new", about("a"))); return err })
		}()
		wrote = <-done
		after, err := Dump(r)
		d.must(err, "a view can read everything")
		d.same(before, after, "a view sees one unchanging state")
	})
	if wrote != nil {
		d.code(wrote, fault.Cancelled, "a writer that waited for a view until its context ended")
		d.unchanged(before, "a writer whose context ended while it waited keeps nothing")
	}
}

func viewSeesCommitted(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.fill(d.store)
	before := d.dump(d.store)
	d.update(func(tx ports.Tx) {
		d.everything(tx)
		ctx, cancel := context.WithTimeout(d.Context(), briefly)
		defer cancel()
		done := make(chan error)
		var seen string
		go func() {
			done <- d.store.View(ctx, func(r ports.Reader) (err error) { seen, err = Dump(r); return err })
		}()
		if err := <-done; err != nil {
			d.code(err, fault.Cancelled, "a view that waited for a writer until its context ended")
			return
		}
		d.same(before, seen, "a view sees nothing of an update that is under way")
	})
}

func endsWhileWaiting(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		d.put(tx, note("first"))
		ctx, cancel := context.WithTimeout(d.Context(), briefly)
		defer cancel()
		done := make(chan error)
		go func() {
			done <- d.store.Update(ctx, func(tx ports.Tx) error { _, err := tx.Put(note("second")); return err })
		}()
		d.code(<-done, fault.Cancelled, "Update whose context ends while another writes")
	})
	d.view(func(r ports.Reader) {
		d.same([]string{"first"}, d.list(r, ports.ListParams{Kind: "note"}), "who gave up waiting wrote nothing")
	})
}

func concurrentUse(t testing.TB, h Harness) {
	d := newDesk(t, h)
	second := d.open(vendor)
	results := atOnce(func(i int) error {
		store := d.store
		if i%2 == 0 {
			store = second
		}
		for n := range 5 {
			err := store.Update(d.Context(), func(tx ports.Tx) error {
				_, _, err := tx.InboxAppend(message("s", fmt.Sprintf("%d/%d", i, n)))
				return err
			})
			if err != nil {
				return err
			}
			if err := store.View(d.Context(), func(r ports.Reader) error { _, err := Dump(r); return err }); err != nil {
				return err
			}
		}
		return nil
	})
	for _, err := range results {
		d.must(err, "a store is safe for concurrent use through any of its handles")
	}
	d.view(func(r ports.Reader) {
		items, err := r.Inbox(ports.Pending, 0, 0)
		d.must(err, "the inbox can be read")
		d.same(5*crowd, len(items), "every writer's item is there")
	})
}
