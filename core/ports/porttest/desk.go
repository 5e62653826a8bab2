package porttest

import (
	"context"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// The actors of the suite.
var (
	vendor = actor("https://vendor.example/actors/vendor")
	finder = actor("https://finder.example/actors/finder")
)

func actor(uri string) model.ActorID {
	id, err := model.ParseActorID(uri)
	if err != nil {
		panic(err)
	}
	return id
}

// desk is a case at work: a place, and the store of vendor in it.
type desk struct {
	testing.TB
	h      Harness
	stores ports.Stores
	store  ports.DataLayer
}

func newDesk(t testing.TB, h Harness) *desk {
	t.Helper()
	d := &desk{TB: t, h: h, stores: h.Open(t)}
	d.store = d.create(vendor)
	return d
}

func (d *desk) create(a model.ActorID) ports.DataLayer {
	d.Helper()
	store, err := d.stores.Create(d.Context(), a)
	d.must(err, "an actor without a store can be given one")
	d.Cleanup(func() { d.must(store.Close(), "a handle can be closed") })
	return store
}

func (d *desk) open(a model.ActorID) ports.DataLayer {
	d.Helper()
	store, err := d.stores.Open(d.Context(), a)
	d.must(err, "a store that was made can be opened")
	d.Cleanup(func() { d.must(store.Close(), "a handle can be closed") })
	return store
}

// must ends the case when something failed that the sentence says must not.
func (d *desk) must(err error, sentence string) {
	d.Helper()
	if err != nil {
		d.Fatalf("broken: %s: got the error %v", sentence, err)
	}
}

// code reports an error that has another code than the sentence says.
func (d *desk) code(err error, want fault.Code, sentence string) {
	d.Helper()
	if got := fault.CodeOf(err); got != want {
		d.Errorf("broken: %s: got code %q (%v), want %q", sentence, got, err, want)
	}
}

// same reports a difference that the sentence says must not be. An empty list
// and none are the same; a want of nil is got's zero value.
func (d *desk) same(want, got any, sentence string) {
	d.Helper()
	if want == nil {
		want = reflect.Zero(reflect.TypeOf(got)).Interface()
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmp.AllowUnexported(model.ActorID{})); diff != "" {
		d.Errorf("broken: %s (-want +got):\n%s", sentence, clip(diff))
	}
}

// clip keeps a failure about a large body readable.
func clip(s string) string {
	if len(s) > 8000 {
		return s[:8000] + "\n…"
	}
	return s
}

// update commits what f writes.
func (d *desk) update(f func(tx ports.Tx)) {
	d.Helper()
	d.updateIn(d.store, f)
}

func (d *desk) updateIn(store ports.DataLayer, f func(tx ports.Tx)) {
	d.Helper()
	d.must(store.Update(d.Context(), func(tx ports.Tx) error {
		f(tx)
		return nil
	}), "an update whose function returns nil commits")
}

// view reads the committed state.
func (d *desk) view(f func(r ports.Reader)) {
	d.Helper()
	d.viewIn(d.store, f)
}

func (d *desk) viewIn(store ports.DataLayer, f func(r ports.Reader)) {
	d.Helper()
	d.must(store.View(d.Context(), func(r ports.Reader) error {
		f(r)
		return nil
	}), "a view whose function returns nil succeeds")
}

// dump is the whole committed state of a store as text.
func (d *desk) dump(store ports.DataLayer) string {
	d.Helper()
	var text string
	d.must(store.View(d.Context(), func(r ports.Reader) (err error) {
		text, err = Dump(r)
		return err
	}), "a store can be read whole")
	return text
}

// unchanged reports a store whose state is not the one of the dump.
func (d *desk) unchanged(before string, sentence string) {
	d.Helper()
	d.same(before, d.dump(d.store), sentence)
}

// ended is a context that has ended.
func ended(parent context.Context) context.Context {
	ctx, cancel := context.WithCancel(parent)
	cancel()
	return ctx
}
