package porttest

import (
	"bytes"
	"strings"
	"testing"

	"bateleur/core/fault"
	"bateleur/core/ports"
)

var objectCases = []Case{
	{Name: "get gives a body byte for byte at every depth", Proves: "DL-01-001, DL-08-001", Run: nestedBody},
	{Name: "get gives odd and large bodies byte for byte", Proves: "DL-01-001", Run: oddBodies},
	{Name: "get gives the references as they were put", Proves: "DL-01-001", Run: refsComeBack},
	{Name: "get of an unknown key is not found", Run: unknownKey},
	{Name: "keys that differ in any byte are different", Run: similarKeys},
	{Name: "an id may be any text", Run: oddIDs},
	{Name: "records share an id under different kinds", Run: kindsApart},
	{Name: "put counts revisions from 1", Run: revisionsCount},
	{Name: "put with revision 0 of a taken key is a conflict", Run: createTaken},
	{Name: "put under another revision is a conflict", Proves: "DL-02-002", Run: staleRevision},
	{Name: "put under a revision of an absent key is not found", Run: replaceAbsent},
	{Name: "put replaces body and references as a whole", Proves: "DL-02-002", Run: replaceWhole},
	{Name: "a refused put changes nothing in a transaction that goes on", Run: refusedPut},
	{Name: "put and delete refuse an empty kind or id", Run: emptyKey},
	{Name: "delete removes the record of its revision", Run: deleteRecord},
	{Name: "delete has the errors of put", Run: deleteErrors},
	{Name: "a deleted key is free again", Run: deletedKeyIsFree},
	{Name: "a caller's later changes to its bytes change nothing", Run: aliasing},
}

// comesBack puts a record in one transaction and reads it in another.
func (d *desk) comesBack(r ports.Record, sentence string) {
	d.Helper()
	d.update(func(tx ports.Tx) { r = d.put(tx, r) })
	d.view(func(v ports.Reader) {
		got, err := v.Get(r.Kind, r.ID)
		d.must(err, sentence)
		if !bytes.Equal(r.Body, got.Body) {
			d.Errorf("broken: %s: the body of %d bytes came back as other %d bytes", sentence, len(r.Body), len(got.Body))
		}
		r.Body, got.Body = nil, nil
		d.same(r, got, sentence)
	})
}

func nestedBody(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.comesBack(ports.Record{Kind: "activity", ID: "urn:x", Body: []byte(nested)},
		"a nested body comes back byte for byte")
}

func oddBodies(t testing.TB, h Harness) {
	d := newDesk(t, h)
	for name, body := range map[string][]byte{
		"none": nil, "empty": {}, "NUL": {0}, "NUL inside": []byte("a\x00b"), "no UTF-8": {0xff, 0xfe, 0x80},
		"quotes": []byte(`'"` + "`"), "newlines": []byte("\r\n\n"), "BOM": []byte("\xef\xbb\xbf{}"),
		"10 MiB": bytes.Repeat([]byte("\x00ab\xff"), 10<<20/4),
	} {
		d.comesBack(ports.Record{Kind: "odd", ID: name, Body: body}, "a body comes back byte for byte: "+name)
	}
}

func refsComeBack(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.comesBack(note("refs", about("b"), about("a"), about("b"), ports.Ref{}, ports.Ref{Name: "n\x00", Target: "'\xff"},
		ports.Ref{Name: "case", Target: strings.Repeat("x", 5000)}), "references come back as they were put")
}

func unknownKey(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		d.put(tx, note("known"))
		_, err := tx.Get("note", "unknown")
		d.code(err, fault.NotFound, "Get of an unknown id")
		_, err = tx.Get("case", "known")
		d.code(err, fault.NotFound, "Get of a known id under another kind")
	})
}

func similarKeys(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.allApart("keys that differ in any byte are different keys",
		"https://a.example/x", "https://a.example/X", "https://A.example/x", "https://a.example/x/",
		"https://a.example/x#", "https://a.example/x#f", "https://a.example/x?", "https://a.example/%c3%a9",
		"https://a.example/%C3%A9", "https://a.example/é", "https://a.example/e\u0301",
		" https://a.example/x", "https://a.example/x ", "1", "01", "1.0", "1e0")
}

func oddIDs(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.allApart("an id may be any text",
		"a", "a\x00", "a\x00b", "\x00", "\xff", "'; DROP TABLE objects; --", "%", "_", "*", ":name", "?", "null",
		strings.Repeat("long/", 1000), strings.Repeat("long/", 1000)+"x")
}

// allApart stores a record under each id and finds each under its id alone.
func (d *desk) allApart(sentence string, all ...string) {
	d.Helper()
	d.update(func(tx ports.Tx) {
		for _, id := range all {
			d.put(tx, note(id))
		}
	})
	d.view(func(r ports.Reader) {
		for _, id := range all {
			got, err := r.Get("note", id)
			d.must(err, sentence)
			d.same("body of "+id, string(got.Body), sentence)
		}
		list, err := r.List(ports.ListParams{Kind: "note"})
		d.must(err, sentence)
		d.same(all, ids(list), sentence)
	})
}

func kindsApart(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		d.put(tx, ports.Record{Kind: "case", ID: "x", Body: []byte("the case")})
		d.put(tx, ports.Record{Kind: "note", ID: "x", Body: []byte("a note on it")})
		d.put(tx, ports.Record{Kind: "Note", ID: "x", Body: []byte("a Note on it")})
		got, err := tx.Get("case", "x")
		d.must(err, "an id is a key under each kind")
		d.same("the case", string(got.Body), "an id is a key under each kind")
	})
}

func revisionsCount(t testing.TB, h Harness) {
	d := newDesk(t, h)
	for want := int64(1); want <= 3; want++ {
		d.update(func(tx ports.Tx) {
			r := note("x")
			r.Rev = want - 1
			d.same(want, d.put(tx, r).Rev, "Rev counts the writes from 1")
			got, err := tx.Get("note", "x")
			d.must(err, "a written record can be read")
			d.same(want, got.Rev, "Get gives the revision that Put returned")
		})
	}
}

func createTaken(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		d.put(tx, note("x"))
		_, err := tx.Put(note("x"))
		d.code(err, fault.Conflict, "Put with Rev 0 of a key taken in the same transaction")
	})
	err := d.store.Update(d.Context(), func(tx ports.Tx) error {
		_, err := tx.Put(note("x"))
		return err
	})
	d.code(err, fault.Conflict, "Put with Rev 0 of a key taken before")
}

func staleRevision(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) { d.put(tx, d.put(tx, note("x"))) })
	before := d.dump(d.store)
	for _, rev := range []int64{0, 1, 3, -1} {
		d.update(func(tx ports.Tx) {
			r := note("x", about("stale"))
			r.Rev, r.Body = rev, []byte("stale")
			_, err := tx.Put(r)
			d.code(err, fault.Conflict, "Put under a revision that is not the stored one")
		})
		d.unchanged(before, "a conflict changes nothing")
	}
}

func replaceAbsent(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		r := note("x")
		r.Rev = 1
		_, err := tx.Put(r)
		d.code(err, fault.NotFound, "Put under a revision of a key that is not there")
		_, err = tx.Get("note", "x")
		d.code(err, fault.NotFound, "a refused Put creates nothing")
	})
}

func replaceWhole(t testing.TB, h Harness) {
	d := newDesk(t, h)
	var r ports.Record
	d.update(func(tx ports.Tx) { r = d.put(tx, note("x", about("a"), about("b"))) })
	r.Refs, r.Body = []ports.Ref{about("b"), about("c")}, []byte("b")
	d.comesBack(r, "Put replaces body and references as a whole")
	d.view(func(v ports.Reader) {
		for target, want := range map[string][]string{"a": nil, "b": {"x"}, "c": {"x"}} {
			list, err := v.List(ports.ListParams{Kind: "note", Ref: about(target)})
			d.must(err, "records can be listed by reference")
			d.same(want, ids(list), "a replaced record is listed by the references of its last writing")
		}
	})
}

func refusedPut(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) { d.put(tx, note("x", about("a"))) })
	before := d.dump(d.store)
	d.update(func(tx ports.Tx) {
		_, err := tx.Put(note("x", about("b")))
		d.code(err, fault.Conflict, "Put with Rev 0 of a taken key")
		d.code(tx.Delete("note", "x", 7), fault.Conflict, "Delete of another revision")
	})
	d.unchanged(before, "a refused write changes nothing although its transaction commits")
}

func emptyKey(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		for _, r := range []ports.Record{{Kind: "note"}, {ID: "x"}, {}} {
			_, err := tx.Put(r)
			d.code(err, fault.Invalid, "Put with an empty kind or id")
			d.code(tx.Delete(r.Kind, r.ID, 1), fault.Invalid, "Delete with an empty kind or id")
		}
	})
}

func deleteRecord(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		d.put(tx, note("x", about("a")))
		d.put(tx, note("y", about("a")))
	})
	d.update(func(tx ports.Tx) {
		d.must(tx.Delete("note", "x", 1), "Delete removes the record of its revision")
	})
	d.view(func(r ports.Reader) {
		_, err := r.Get("note", "x")
		d.code(err, fault.NotFound, "Get of a deleted record")
		for _, p := range []ports.ListParams{{Kind: "note"}, {Kind: "note", Ref: about("a")}} {
			list, err := r.List(p)
			d.must(err, "records can be listed")
			d.same([]string{"y"}, ids(list), "a deleted record is in no list")
		}
	})
}

func deleteErrors(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		d.code(tx.Delete("note", "x", 1), fault.NotFound, "Delete of an absent key")
		d.code(tx.Delete("note", "x", 0), fault.NotFound, "Delete of an absent key under revision 0")
		d.put(tx, note("x"))
		for _, rev := range []int64{0, 2} {
			d.code(tx.Delete("note", "x", rev), fault.Conflict, "Delete of another revision")
		}
	})
}

func deletedKeyIsFree(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		d.put(tx, note("x"))
		d.put(tx, note("y"))
		d.must(tx.Delete("note", "x", 1), "Delete removes the record of its revision")
		d.same(int64(1), d.put(tx, note("x")).Rev, "a record made anew begins at revision 1")
		list, err := tx.List(ports.ListParams{Kind: "note"})
		d.must(err, "records can be listed")
		d.same([]string{"y", "x"}, ids(list), "a record made anew stands where it was made anew")
	})
}

func aliasing(t testing.TB, h Harness) {
	d := newDesk(t, h)
	r := note("x", about("a"))
	d.update(func(tx ports.Tx) { d.put(tx, r) })
	before := d.dump(d.store)
	r.Body[0], r.Refs[0].Target = '!', "!"
	d.unchanged(before, "what a caller does to a record after Put changes nothing")
	d.view(func(v ports.Reader) {
		got, err := v.Get("note", "x")
		d.must(err, "a stored record can be read")
		got.Body[0], got.Refs[0].Target = '!', "!"
		list, err := v.List(ports.ListParams{Kind: "note"})
		d.must(err, "records can be listed")
		list[0].Body[0] = '?'
	})
	d.unchanged(before, "what a caller does to a record that it read changes nothing")
}
