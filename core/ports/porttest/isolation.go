package porttest

import (
	"strings"
	"testing"

	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
)

var isolationCases = []Case{
	{Name: "two actors use one object id apart", Proves: "DL-07-001, DL-07-004, DL-07-005", Run: sameObjectID},
	{Name: "one actor's writes of any kind change nothing of another's", Proves: "DL-07-001, DL-07-005, CM-01-001", Run: writesApart},
	{Name: "no store without an actor can be opened or made", Proves: "DL-07-002", Run: noActor},
	{Name: "similar actors have stores of their own", Proves: "DL-07-001, ARCH-13-003", Run: similarActors},
	{Name: "another spelling of an actor opens and makes nothing of it", Proves: "ARCH-13-003", Run: otherSpelling},
	{Name: "clone opens the store of the actor it names", Proves: "DL-07-007", Run: cloneOpens},
	{Name: "clone never makes a store", Proves: "DL-07-007", Run: cloneNeverMakes},
}

func sameObjectID(t testing.TB, h Harness) {
	d := newDesk(t, h)
	other := d.create(finder)
	d.updateIn(d.store, func(tx ports.Tx) {
		d.put(tx, ports.Record{Kind: "case", ID: "urn:x", Body: []byte("vendor's"), Refs: []ports.Ref{about("v")}})
	})
	mine := d.dump(d.store)
	d.viewIn(other, func(r ports.Reader) {
		_, err := r.Get("case", "urn:x")
		d.code(err, fault.NotFound, "one actor's object is not in another's store")
	})
	d.updateIn(other, func(tx ports.Tx) {
		r := d.put(tx, ports.Record{Kind: "case", ID: "urn:x", Body: []byte("finder's")})
		r.Body = []byte("finder's, again")
		d.same(int64(2), d.put(tx, r).Rev, "two actors each create and overwrite an object of the same id")
	})
	d.unchanged(mine, "one actor's writes change nothing that another reads")
	d.viewIn(other, func(r ports.Reader) {
		got, err := r.Get("case", "urn:x")
		d.must(err, "each actor reads back its own object of the same id")
		d.same("finder's, again", string(got.Body), "each actor reads back its own object of the same id")
	})
}

func writesApart(t testing.TB, h Harness) {
	d := newDesk(t, h)
	other := d.create(finder)
	empty := d.dump(other)
	d.fill(d.store)
	d.same(empty, d.dump(other), "what one actor writes is not in another's store")
	d.fill(other)
	before := d.dump(other)
	d.update(d.everything)
	d.same(before, d.dump(other), "one actor's writes of any kind change nothing of another's")
}

func noActor(t testing.TB, h Harness) {
	d := newDesk(t, h)
	var nobody model.ActorID
	_, err := d.stores.Create(d.Context(), nobody)
	d.code(err, fault.Invalid, "Create for no actor")
	_, err = d.stores.Open(d.Context(), nobody)
	d.code(err, fault.Invalid, "Open for no actor")
	_, err = d.store.CloneForActor(d.Context(), nobody)
	d.code(err, fault.Invalid, "CloneForActor for no actor")
}

func similarActors(t testing.TB, h Harness) {
	d := newDesk(t, h)
	long := "https://a.example/" + strings.Repeat("x", 1500) + "/"
	var stores []ports.DataLayer
	for _, uri := range []string{
		"https://a.example/actors/alice", "https://a.example/actors/Alice", "https://a.example/actors/alice/",
		"https://a.example/actors//alice", "http://a.example/actors/alice", "https://a.example:8443/actors/alice",
		"https://b.example/actors/alice", "https://a.example/actors/alic%65", "https://a.example/actors/%c3%a9",
		"https://a.example/actors/%C3%A9", "https://a.example/actors/é", "https://a.example/../../etc/passwd",
		"https://a.example/actors/..", "https://a.example/actors/CON", "https://a.example/actors/-wal",
		"https://a.example/actors/:memory:", "https://a.example/actors/a'b;c", long + "1", long + "2",
	} {
		store := d.create(actor(uri))
		stores = append(stores, store)
		d.updateIn(store, func(tx ports.Tx) { d.put(tx, ports.Record{Kind: "self", ID: "x", Body: []byte(uri)}) })
	}
	for _, store := range stores {
		d.viewIn(store, func(r ports.Reader) {
			got, err := r.Get("self", "x")
			d.must(err, "an actor's object is in its store")
			d.same(store.Actor().URI(), string(got.Body), "actors whose URIs differ in any byte have stores of their own")
		})
	}
}

func otherSpelling(t testing.TB, h Harness) {
	d := newDesk(t, h)
	for _, uri := range []string{
		"https://vendor.example/actors/Vendor", "https://vendor.example/actors/vendor/",
		"https://vendor.example/vendor", "https://other.example/actors/vendor",
	} {
		_, err := d.stores.Open(d.Context(), actor(uri))
		d.code(err, fault.NotFound, "Open under another spelling of an actor that has a store")
	}
	same := d.open(actor("HTTPS://Vendor.Example:443/actors/vendor"))
	d.same(vendor, same.Actor(), "a store is known by its actor's canonical URI")
}

func cloneOpens(t testing.TB, h Harness) {
	d := newDesk(t, h)
	other := d.create(finder)
	d.fill(other)
	clone, err := d.store.CloneForActor(d.Context(), finder)
	d.must(err, "CloneForActor opens the store of an actor that has one")
	d.same(finder, clone.Actor(), "CloneForActor gives the store of the actor it names")
	d.same(d.dump(other), d.dump(clone), "CloneForActor gives the store of the actor it names")
	d.must(clone.Close(), "a clone can be closed")
	d.same(vendor, d.store.Actor(), "CloneForActor leaves the receiver as it was")
	d.view(func(ports.Reader) {})
	_, err = d.store.CloneForActor(ended(d.Context()), finder)
	d.code(err, fault.Cancelled, "CloneForActor under an ended context")
}

func cloneNeverMakes(t testing.TB, h Harness) {
	d := newDesk(t, h)
	_, err := d.store.CloneForActor(d.Context(), finder)
	d.code(err, fault.NotFound, "CloneForActor for an actor without a store")
	_, err = d.stores.Open(d.Context(), finder)
	d.code(err, fault.NotFound, "Open after a refused CloneForActor")
}
