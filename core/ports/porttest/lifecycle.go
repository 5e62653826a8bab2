package porttest

import (
	"testing"

	"bateleur/core/fault"
	"bateleur/core/ports"
)

var lifecycleCases = []Case{
	{Name: "open never makes a store", Proves: "BA-09-004", Run: openNeverMakes},
	{Name: "create of an existing store is a conflict", Proves: "BA-09-004, DL-07-001", Run: createTwice},
	{Name: "of twenty creators of one store one wins", Proves: "BA-09-004, DL-07-001", Run: createRace},
	{Name: "an ended context opens and makes nothing", Run: openEnded},
	{Name: "a handle names its actor", Run: handleNamesActor},
	{Name: "two handles are on one store", Run: twoHandles},
	{Name: "a closed handle refuses every call", Run: closedHandle},
	{Name: "closing a handle leaves other handles usable", Run: othersStayUsable},
	{Name: "a handle closed in use ends its transaction whole", Run: closedInUse},
	{Name: "a store closed and opened again is as it was committed", Proves: "BA-09-004", Run: closeAndOpen},
	{Name: "a place opened again has everything that was committed", Proves: "BA-09-004, BA-08-002, OX-01-001", Run: reopened},
	{Name: "a place opened again goes on where it stood", Proves: "BA-09-004, BA-08-002", Run: reopenedGoesOn},
}

func openNeverMakes(t testing.TB, h Harness) {
	d := newDesk(t, h)
	for range 2 {
		_, err := d.stores.Open(d.Context(), finder)
		d.code(err, fault.NotFound, "Open of a store that was not made")
	}
}

func createTwice(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.fill(d.store)
	before := d.dump(d.store)
	_, err := d.stores.Create(d.Context(), vendor)
	d.code(err, fault.Conflict, "Create of a store that is open")
	d.must(d.store.Close(), "a handle can be closed")
	_, err = d.stores.Create(d.Context(), vendor)
	d.code(err, fault.Conflict, "Create of a store that is closed")
	d.same(before, d.dump(d.open(vendor)), "a refused Create changes nothing")
}

func createRace(t testing.TB, h Harness) {
	d := newDesk(t, h)
	handles := make([]ports.DataLayer, crowd)
	results := atOnce(func(i int) (err error) {
		handles[i], err = d.stores.Create(d.Context(), finder)
		return err
	})
	winner := d.oneOf(results, "of the creators of one store exactly one wins")
	d.fill(handles[winner])
	d.same(d.dump(handles[winner]), d.dump(d.open(finder)), "the winner's handle is on the store")
	d.must(handles[winner].Close(), "a handle can be closed")
}

func openEnded(t testing.TB, h Harness) {
	d := newDesk(t, h)
	_, err := d.stores.Open(ended(d.Context()), vendor)
	d.code(err, fault.Cancelled, "Open under an ended context")
	_, err = d.stores.Create(ended(d.Context()), finder)
	d.code(err, fault.Cancelled, "Create under an ended context")
	_, err = d.stores.Open(d.Context(), finder)
	d.code(err, fault.NotFound, "Create under an ended context makes nothing")
	d.create(finder)
}

func handleNamesActor(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.same(vendor, d.store.Actor(), "Actor is whose store it is")
	d.same(finder, d.create(finder).Actor(), "Actor is whose store it is")
	d.same(vendor, d.open(vendor).Actor(), "Actor is whose store it is")
}

func twoHandles(t testing.TB, h Harness) {
	d := newDesk(t, h)
	second := d.open(vendor)
	d.fill(second)
	d.unchanged(d.dump(second), "what one handle commits the other sees")
	d.update(d.everything)
	d.same(d.dump(d.store), d.dump(second), "what one handle commits the other sees")
}

func closedHandle(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.create(finder)
	handle := d.open(vendor)
	d.must(handle.Close(), "a handle can be closed")
	d.must(handle.Close(), "closing twice is harmless")
	d.code(handle.View(d.Context(), func(ports.Reader) error { return nil }), fault.Closed, "View of a closed handle")
	d.code(handle.Update(d.Context(), func(ports.Tx) error { return nil }), fault.Closed, "Update of a closed handle")
	_, err := handle.CloneForActor(d.Context(), finder)
	d.code(err, fault.Closed, "CloneForActor of a closed handle")
	d.same(vendor, handle.Actor(), "a closed handle still names its actor")
}

func othersStayUsable(t testing.TB, h Harness) {
	d := newDesk(t, h)
	second := d.open(vendor)
	d.must(d.store.Close(), "a handle can be closed")
	d.must(d.store.Close(), "closing twice is harmless")
	d.fill(second)
	third := d.open(vendor)
	d.same(d.dump(second), d.dump(third), "other handles stay usable")
}

func closedInUse(t testing.TB, h Harness) {
	d := newDesk(t, h)
	err := d.store.Update(d.Context(), func(tx ports.Tx) error {
		d.put(tx, note("before"))
		d.must(d.store.Close(), "a handle can be closed while it is used")
		d.put(tx, note("after"))
		return nil
	})
	d.must(err, "only calls after Close are refused")
	d.viewIn(d.open(vendor), func(r ports.Reader) {
		d.same([]string{"before", "after"}, d.list(r, ports.ListParams{Kind: "note"}),
			"a transaction whose handle is closed meanwhile ends whole")
	})
}

func closeAndOpen(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.fill(d.store)
	d.update(d.everything)
	_ = d.store.Update(d.Context(), func(tx ports.Tx) error {
		d.put(tx, note("dropped"))
		return errOwn
	})
	before := d.dump(d.store)
	d.must(d.store.Close(), "a handle can be closed")
	d.same(before, d.dump(d.open(vendor)), "a store closed and opened again shows exactly what was committed")
}

// reopen closes the handle, ends the place and opens it and the handle again.
func (d *desk) reopen() {
	d.Helper()
	if d.h.Reopen == nil {
		d.Skip("declared: nothing is kept beyond the place's end")
	}
	d.must(d.store.Close(), "a handle can be closed")
	d.stores = d.h.Reopen(d.TB, d.stores)
	d.store = d.open(vendor)
}

func reopened(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.fill(d.store)
	d.update(d.everything)
	before := d.dump(d.store)
	for range 2 {
		d.reopen()
		d.unchanged(before, "a place opened again shows exactly what was committed")
	}
	_, err := d.stores.Create(d.Context(), vendor)
	d.code(err, fault.Conflict, "Create of a store made before the place was opened again")
	_, err = d.stores.Open(d.Context(), finder)
	d.code(err, fault.NotFound, "Open of a store that was never made, in a place opened again")
}

func reopenedGoesOn(t testing.TB, h Harness) {
	d := newDesk(t, h)
	other := d.create(finder)
	d.fill(d.store)
	d.fill(other)
	d.must(other.Close(), "a handle can be closed")
	d.reopen()
	other = d.open(finder)
	d.update(d.everything)
	d.updateIn(other, func(tx ports.Tx) {
		seq := d.receive(tx, message(finder.URI(), "urn:in:after"))
		d.same(int64(len(inboxStates)+1), seq, "sequence numbers go on")
		_, duplicate, err := tx.InboxAppend(message(finder.URI(), "urn:in:0"))
		d.must(err, "a message is taken into the inbox")
		d.same(true, duplicate, "duplicates are found over a restart")
		d.must(tx.Mint(entry(3)), "a ledger goes on at its tail")
		d.must(tx.DeliverySettle(ports.Attempt{Recipient: "peer-a", Seq: 2, Delivered: true}), "a delivery goes on")
	})
}
