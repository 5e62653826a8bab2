package porttest

import (
	"fmt"
	"slices"
	"testing"

	"bateleur/core/fault"
	"bateleur/core/ports"
)

var listCases = []Case{
	{Name: "list is in the order of first writing", Proves: "BA-09-005", Run: listOrder},
	{Name: "list gives whole records of one kind", Proves: "DL-01-001", Run: listWhole},
	{Name: "list by reference keeps the records that carry it", Run: listByRef},
	{Name: "a record that carries a reference twice is listed once", Run: listTwiceCarried},
	{Name: "list with limit 0 has no bound", Run: listUnbounded},
	{Name: "pages join to the whole list", Proves: "BA-09-005", Run: pagesJoin},
	{Name: "paging while others write visits each record once", Proves: "BA-09-005", Run: pagingWhileWriting},
	{Name: "a page after a deleted record is not found", Run: pageAfterDeleted},
	{Name: "a page after a record that lost the reference goes on", Run: pageAfterChanged},
	{Name: "kinds are those that have records, sorted", Run: kindsSorted},
}

func (d *desk) list(r ports.ObjectReader, p ports.ListParams) []string {
	d.Helper()
	list, err := r.List(p)
	d.must(err, "records can be listed")
	return ids(list)
}

func listOrder(t testing.TB, h Harness) {
	d := newDesk(t, h)
	want := []string{"m", "z", "a", "Z", "10", "9"}
	for _, id := range want {
		d.update(func(tx ports.Tx) { d.put(tx, note(id, about("x"))) })
	}
	d.update(func(tx ports.Tx) {
		for _, id := range []string{"a", "m", "9"} {
			r := note(id, about("x"))
			r.Rev = 1
			d.put(tx, r)
		}
		d.same(want, d.list(tx, ports.ListParams{Kind: "note"}), "a list keeps the order of first writing inside a transaction")
	})
	d.view(func(r ports.Reader) {
		d.same(want, d.list(r, ports.ListParams{Kind: "note"}), "a list is in the order of first writing")
		d.same(want, d.list(r, ports.ListParams{Kind: "note", Ref: about("x")}), "a list by reference is in the order of first writing")
	})
}

func listWhole(t testing.TB, h Harness) {
	d := newDesk(t, h)
	var want []ports.Record
	d.update(func(tx ports.Tx) {
		for n := range 3 {
			want = append(want, d.put(tx, note(fmt.Sprint(n), about("a"), about(fmt.Sprint(n)))))
			d.put(tx, ports.Record{Kind: "other", ID: fmt.Sprint(n), Refs: []ports.Ref{about("a")}})
		}
	})
	d.view(func(r ports.Reader) {
		for _, p := range []ports.ListParams{{Kind: "note"}, {Kind: "note", Ref: about("a")}} {
			got, err := r.List(p)
			d.must(err, "records can be listed")
			d.same(want, got, "a list gives whole records of its kind alone")
		}
		d.same(nil, d.list(r, ports.ListParams{Kind: "none"}), "an unknown kind has no records")
	})
}

func listByRef(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		d.put(tx, note("1", about("a")))
		d.put(tx, note("2", about("b"), about("a")))
		d.put(tx, note("3", ports.Ref{Name: "of", Target: "a"}))
		d.put(tx, note("4", about("A"), about("a/")))
		d.put(tx, note("5"))
		d.put(tx, note("6", about("")))
	})
	d.view(func(r ports.Reader) {
		for target, want := range map[string][]string{"a": {"1", "2"}, "b": {"2"}, "A": {"4"}, "c": nil, "": {"6"}} {
			d.same(want, d.list(r, ports.ListParams{Kind: "note", Ref: about(target)}),
				"a list by reference keeps the records that carry just this reference")
		}
	})
}

func listTwiceCarried(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		r := d.put(tx, note("1", about("a"), about("a")))
		d.put(tx, r)
		d.put(tx, note("2", about("a")))
		d.same([]string{"1", "2"}, d.list(tx, ports.ListParams{Kind: "note", Ref: about("a")}), "a record is listed once")
	})
}

func listUnbounded(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.seed(2500)
	d.view(func(r ports.Reader) {
		d.same(2500, len(d.list(r, ports.ListParams{Kind: "note"})), "limit 0 means no bound")
	})
}

// seed puts n notes "0", "1", …, every second of which is about "even".
func (d *desk) seed(n int) (all, even []string) {
	d.Helper()
	d.update(func(tx ports.Tx) {
		for i := range n {
			r := note(fmt.Sprint(i))
			all = append(all, r.ID)
			if i%2 == 0 {
				r.Refs = []ports.Ref{about("even")}
				even = append(even, r.ID)
			}
			d.put(tx, r)
		}
	})
	return all, even
}

func pagesJoin(t testing.TB, h Harness) {
	d := newDesk(t, h)
	all, even := d.seed(7)
	d.view(func(r ports.Reader) {
		for limit := 1; limit <= 8; limit++ {
			d.same(all, d.pages(r, ports.ListParams{Kind: "note", Limit: limit}), "pages join to the whole list")
			d.same(even, d.pages(r, ports.ListParams{Kind: "note", Ref: about("even"), Limit: limit}),
				"pages by reference join to the whole list")
		}
	})
}

// pages reads page after page to the end.
func (d *desk) pages(r ports.ObjectReader, p ports.ListParams) []string {
	d.Helper()
	var all []string
	for {
		page := d.list(r, p)
		if len(page) > p.Limit {
			d.Fatalf("broken: a page has at most Limit records: got %d, want %d", len(page), p.Limit)
		}
		if len(page) == 0 || len(all) > 1000 {
			return all
		}
		all = append(all, page...)
		p.After = page[len(page)-1]
	}
}

func pagingWhileWriting(t testing.TB, h Harness) {
	d := newDesk(t, h)
	all, _ := d.seed(9)
	var seen []string
	p := ports.ListParams{Kind: "note", Limit: 2}
	for n := 0; ; n++ {
		var page []string
		d.view(func(r ports.Reader) { page = d.list(r, p) })
		if len(page) == 0 || n > 100 {
			break
		}
		seen = append(seen, page...)
		p.After = page[len(page)-1]
		d.update(func(tx ports.Tx) { // before and behind the page, and on it
			if n < 3 {
				d.put(tx, note(fmt.Sprint("new-", n)))
				r := note(fmt.Sprint(n))
				r.Rev = 1
				d.put(tx, r)
			}
			if n == 2 {
				d.must(tx.Delete("note", all[8], 1), "a record can be deleted while others page")
			}
		})
	}
	want := append(slices.Clone(all[:8]), "new-0", "new-1", "new-2")
	d.same(want, seen, "paging while others write visits each record once, in order")
}

func pageAfterDeleted(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.seed(3)
	d.update(func(tx ports.Tx) {
		d.must(tx.Delete("note", "1", 1), "Delete removes the record of its revision")
		for _, p := range []ports.ListParams{
			{Kind: "note", After: "1"}, {Kind: "note", After: "1", Ref: about("even")}, {Kind: "case", After: "2"},
		} {
			_, err := tx.List(p)
			d.code(err, fault.NotFound, "List after a record that is not there")
		}
	})
}

func pageAfterChanged(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.seed(5)
	d.update(func(tx ports.Tx) {
		r := note("2")
		r.Rev = 1
		d.put(tx, r)
		d.same([]string{"4"}, d.list(tx, ports.ListParams{Kind: "note", Ref: about("even"), After: "2"}),
			"After names a record, whether or not it carries the reference still")
	})
}

func kindsSorted(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		kinds, err := tx.Kinds()
		d.must(err, "kinds can be read")
		d.same([]ports.Kind{}, kinds, "an empty store has no kinds")
		for _, kind := range []ports.Kind{"report", "case", "Case", "note", "case2"} {
			for _, id := range []string{"1", "2"} {
				d.put(tx, ports.Record{Kind: kind, ID: id})
			}
		}
		d.must(tx.Delete("note", "1", 1), "Delete removes the record of its revision")
		d.must(tx.Delete("note", "2", 1), "Delete removes the record of its revision")
	})
	d.view(func(r ports.Reader) {
		kinds, err := r.Kinds()
		d.must(err, "kinds can be read")
		d.same([]ports.Kind{"Case", "case", "case2", "report"}, kinds, "Kinds are those that have records, sorted")
	})
}
