package work_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"bateleur/adapters/driven/memory"
	"bateleur/core/fault"
	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/work"
)

var (
	vendor, finder = actor("vendor"), actor("finder")
	genesis        = strings.Repeat("0", 64)
	equal          = []cmp.Option{cmpopts.EquateEmpty(), cmp.AllowUnexported(model.ActorID{}), cmp.AllowUnexported(held{}, book{})}
)

func actor(segment string) model.ActorID {
	id, err := model.ParseActorID("https://v.test/actors/" + segment)
	if err != nil {
		panic(err)
	}
	return id
}

type tb interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

func must(t tb, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// store gives vendor's store with something in it, and what that is.
func store(t tb) (ports.DataLayer, *naive) {
	t.Helper()
	s, err := memory.New().Create(context.Background(), vendor)
	must(t, err)
	n := &naive{ledgers: map[string]book{}}
	must(t, s.Update(context.Background(), func(tx ports.Tx) error {
		for i, id := range []string{"a", "b", "c"} {
			r := ports.Record{Kind: "Note", ID: id, Body: []byte{byte(i)}, Refs: []ports.Ref{{Name: "case", Target: "urn:1"}}}
			if _, err := tx.Put(r); err != nil || n.put(r) != "" {
				return err
			}
		}
		for id, standing := range map[string]ports.Standing{"urn:own": ports.Own, "urn:replica": ports.Replica} {
			if err := tx.OpenLedger(id, standing, genesis); err != nil {
				return err
			}
			n.open(id, standing)
		}
		first := entry("urn:own", 0, genesis)
		n.extend(first, ports.Own)
		if err := tx.Mint(first); err != nil {
			return err
		}
		return waiting(tx, "k", "l")
	}))
	return s, n
}

// waiting puts an item that waits into the queue for each key.
func waiting(tx ports.Tx, keys ...string) error {
	for _, key := range keys {
		seq, _, err := tx.InboxAppend(ports.InboxItem{Class: ports.Message, Sender: "s", ActivityID: key, Digest: key})
		if err != nil {
			return err
		}
		if err := tx.InboxSettle(ports.Settlement{Seq: seq, State: ports.Deferred, Wake: key}); err != nil {
			return err
		}
	}
	return nil
}

func entry(caseID string, index int64, prev string) ledger.Entry {
	return ledger.Entry{CaseID: caseID, Index: index, Disposition: ledger.Recorded, PrevHash: prev,
		EventType: "e", ObjectID: fmt.Sprintf("urn:o%d", index%2), Payload: []byte(`{}`),
		Hash: fmt.Sprintf("%063d%d", index, len(caseID)%10)}
}

// A unit reads as what it was told to write, whatever was undone in between, and
// after Commit the store holds just that.
//
// Proves: BA-02-003, BA-09-001, CLP-10-014, DL-04-004
func TestUnitIsItsNaiveModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, model := store(t)
		must(t, s.Update(context.Background(), func(tx ports.Tx) error {
			m := &machine{u: work.New(tx, vendor), now: model}
			t.Repeat(m.actions())
			model = m.now
			return m.u.Commit()
		}))
		must(t, s.View(context.Background(), func(r ports.Reader) error { return holds(t, r, model) }))
	})
}

type machine struct {
	u     *work.Unit
	now   *naive
	marks []int
	kept  []*naive
}

var (
	someKind = rapid.SampledFrom([]ports.Kind{"Note", "Case"})
	someID   = rapid.SampledFrom([]string{"a", "b", "x", "y", "z", ""})
	someRef  = rapid.SampledFrom([]ports.Ref{{}, {Name: "case", Target: "urn:1"}, {Name: "case", Target: "urn:2"}})
	someCase = rapid.SampledFrom([]string{"urn:own", "urn:replica", "urn:new", "urn:newer"})
)

func (m *machine) actions() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"put": m.put, "delete": m.remove, "open": m.open, "extend": m.extend, "send": m.send, "wake": m.wake,
		"mark": func(*rapid.T) {
			m.marks, m.kept = append(m.marks, m.u.Mark()), append(m.kept, m.now.clone())
		},
		"undo": m.undo,
		"":     m.compare,
	}
}

func (m *machine) undo(t *rapid.T) {
	if len(m.marks) == 0 {
		t.Skip("nothing is marked")
	}
	at := rapid.IntRange(0, len(m.marks)-1).Draw(t, "mark")
	m.u.Undo(m.marks[at])
	m.now = m.kept[at]
	m.marks, m.kept = m.marks[:at], m.kept[:at]
}

// rev draws a revision, the right one mostly.
func (m *machine) rev(t *rapid.T, kind ports.Kind, id string) int64 {
	r, _ := m.now.get(kind, id)
	return r.Rev + rapid.SampledFrom([]int64{0, 0, 0, 1, -1}).Draw(t, "off")
}

func (m *machine) put(t *rapid.T) {
	r := ports.Record{Kind: someKind.Draw(t, "kind"), ID: someID.Draw(t, "id"), Body: []byte(rapid.String().Draw(t, "body"))}
	if ref := someRef.Draw(t, "ref"); ref.Name != "" {
		r.Refs = []ports.Ref{ref}
	}
	r.Rev = m.rev(t, r.Kind, r.ID)
	rev, err := m.u.Put(r)
	code(t, m.now.put(r), err)
	if err == nil && rev != r.Rev+1 {
		t.Fatalf("revision %d after %d", rev, r.Rev)
	}
}

func (m *machine) remove(t *rapid.T) {
	kind, id := someKind.Draw(t, "kind"), someID.Draw(t, "id")
	rev := m.rev(t, kind, id)
	code(t, m.now.remove(kind, id, rev), m.u.Delete(kind, id, rev))
}

func (m *machine) open(t *rapid.T) {
	id, standing := someCase.Draw(t, "case"), rapid.SampledFrom([]ports.Standing{ports.Own, ports.Replica}).Draw(t, "standing")
	code(t, m.now.open(id, standing), m.u.OpenLedger(id, standing, genesis))
}

func (m *machine) extend(t *rapid.T) {
	id := someCase.Draw(t, "case")
	b := m.now.ledgers[id]
	e := entry(id, b.Tail+1, b.TailHash)
	switch rapid.IntRange(0, 9).Draw(t, "fault") {
	case 0:
		e.Index++
	case 1:
		e.PrevHash = e.Hash
	}
	if rapid.Bool().Draw(t, "mint") {
		code(t, m.now.extend(e, ports.Own), m.u.Mint(e))
	} else {
		code(t, m.now.extend(e, ports.Replica), m.u.Apply(e))
	}
}

func (m *machine) send(t *rapid.T) {
	item := ports.OutboxItem{ActivityID: rapid.SampledFrom([]string{"urn:a1", "urn:a2", "urn:a3", "urn:a4", ""}).Draw(t, "id"),
		Actor:      rapid.SampledFrom([]model.ActorID{vendor, vendor, vendor, finder, {}}).Draw(t, "actor"),
		Recipients: rapid.SliceOfN(rapid.SampledFrom([]string{"r", "s", "t", ""}), 0, 3).Draw(t, "recipients"), Body: []byte("{}")}
	code(t, m.now.send(item), m.u.OutboxAppend(item))
}

func (m *machine) wake(t *rapid.T) {
	key := rapid.SampledFrom([]string{"k", "l", "m"}).Draw(t, "key")
	m.u.Wake(key)
	m.now.woken = append(m.now.woken, key)
}

func code(t *rapid.T, want fault.Code, err error) {
	t.Helper()
	if got := fault.CodeOf(err); got != want {
		t.Fatalf("code %q (%v), want %q", got, err, want)
	}
}

func same(t tb, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got, equal...); diff != "" {
		t.Fatal(diff)
	}
}

// compare reads everything there is, of the ledgers one.
func (m *machine) compare(t *rapid.T) {
	for _, kind := range []ports.Kind{"Note", "Case"} {
		for _, id := range []string{"a", "b", "x", "y", "z"} {
			want, c := m.now.get(kind, id)
			got, err := m.u.Get(kind, id)
			code(t, c, err)
			same(t, want, got)
		}
		for _, ref := range []ports.Ref{{}, {Name: "case", Target: "urn:1"}, {Name: "case", Target: "urn:2"}} {
			got, err := m.u.List(ports.ListParams{Kind: kind, Ref: ref})
			must(t, err)
			same(t, m.now.list(kind, ref), got)
		}
	}
	m.compareLedger(t, someCase.Draw(t, "compared"))
	var recipients []string
	for _, o := range m.now.outbox {
		recipients = append(recipients, o.Recipients...)
	}
	same(t, slices.Compact(slices.Sorted(slices.Values(recipients))), slices.Sorted(slices.Values(m.u.Recipients())))
	if got := m.u.Woke(); got != (len(m.now.woken) > 0) {
		t.Fatalf("woke %v", got)
	}
}

func (m *machine) compareLedger(t *rapid.T, id string) {
	b, there := m.now.ledgers[id]
	head, err := m.u.Ledger(id)
	if there {
		must(t, err)
	} else {
		code(t, fault.NotFound, err)
	}
	same(t, b.LedgerHead, head)
	from, limit := rapid.IntRange(0, 3).Draw(t, "from"), rapid.IntRange(0, 2).Draw(t, "limit")
	want := b.entries[min(from, len(b.entries)):]
	if limit > 0 {
		want = want[:min(limit, len(want))]
	}
	got, err := m.u.Entries(id, int64(from), limit)
	must(t, err)
	same(t, want, got)
	for _, object := range []string{"urn:o0", "urn:o1", "urn:o2"} {
		want := slices.IndexFunc(b.entries, func(e ledger.Entry) bool { return e.ObjectID == object })
		got, err := m.u.EntryByObject(id, "e", object)
		found(t, b.entries, want, got, err)
		_, err = m.u.EntryByObject(id, "another", object)
		code(t, fault.NotFound, err)
	}
	for i, e := range b.entries {
		got, err := m.u.EntryByHash(id, e.Hash)
		found(t, b.entries, i, got, err)
	}
	_, err = m.u.EntryByHash(id, genesis)
	code(t, fault.NotFound, err)
}

func found(t *rapid.T, entries []ledger.Entry, at int, got ledger.Entry, err error) {
	t.Helper()
	if at < 0 {
		code(t, fault.NotFound, err)
		return
	}
	must(t, err)
	same(t, entries[at], got)
}

// holds compares a store with the model; revisions are the store's own.
func holds(t *rapid.T, r ports.Reader, n *naive) error {
	unversioned := cmpopts.IgnoreFields(ports.Record{}, "Rev")
	for _, kind := range []ports.Kind{"Note", "Case"} {
		got, err := r.List(ports.ListParams{Kind: kind})
		must(t, err)
		if diff := cmp.Diff(n.list(kind, ports.Ref{}), got, append(equal, unversioned)...); diff != "" {
			t.Fatal(diff)
		}
	}
	heads, err := r.Ledgers()
	must(t, err)
	if len(heads) != len(n.ledgers) {
		t.Fatalf("%d ledgers, want %d", len(heads), len(n.ledgers))
	}
	for _, head := range heads {
		entries, err := r.Entries(head.CaseID, 0, 0)
		must(t, err)
		same(t, n.ledgers[head.CaseID], book{head, entries})
	}
	items, err := r.OutboxItems(0, 0)
	must(t, err)
	if diff := cmp.Diff(n.outbox, items, append(equal, cmpopts.IgnoreFields(ports.OutboxItem{}, "Seq"))...); diff != "" {
		t.Fatal(diff)
	}
	pending, err := r.Inbox(ports.Pending, 0, 0)
	must(t, err)
	want := map[string]bool{}
	for _, key := range n.woken {
		if key != "m" {
			want[key] = true
		}
	}
	got := map[string]bool{}
	for _, item := range pending {
		got[item.ActivityID] = true
	}
	if !maps.Equal(want, got) {
		t.Fatalf("woken: %v, want %v", got, want)
	}
	return nil
}

// A unit that is dropped leaves no trace: it is the dry run.
//
// Proves: BA-09-001
func TestADroppedUnitLeavesNothing(t *testing.T) {
	s, before := store(t)
	must(t, s.Update(t.Context(), func(tx ports.Tx) error {
		u := work.New(tx, vendor)
		_, err := u.Put(ports.Record{Kind: "Note", ID: "x"})
		must(t, err)
		must(t, u.Delete("Note", "a", 1))
		must(t, u.Mint(entry("urn:own", 1, entry("urn:own", 0, genesis).Hash)))
		must(t, u.OutboxAppend(ports.OutboxItem{ActivityID: "urn:a", Actor: vendor, Recipients: []string{"r"}}))
		u.Wake("k")
		return nil
	}))
	must(t, s.View(t.Context(), func(r ports.Reader) error {
		got, err := r.List(ports.ListParams{Kind: "Note"})
		same(t, before.list("Note", ports.Ref{}), got)
		head, err2 := r.Ledger("urn:own")
		same(t, before.ledgers["urn:own"].LedgerHead, head)
		items, err3 := r.OutboxItems(0, 0)
		pending, err4 := r.Inbox(ports.Pending, 0, 0)
		if len(items)+len(pending) > 0 {
			t.Errorf("left %v and %v", items, pending)
		}
		return errors.Join(err, err2, err3, err4)
	}))
}

// What a caller keeps beside the unit is undone with the writes around it, and
// costs nothing at the commit.
func TestBesideIsUndoneInOrder(t *testing.T) {
	s, _ := store(t)
	must(t, s.Update(t.Context(), func(tx ports.Tx) error {
		u := work.New(tx, vendor)
		var log []string
		note := func(what string) { u.Beside(func() { log = append(log, what) }) }
		note("kept")
		mark := u.Mark()
		note("first")
		_, err := u.Put(ports.Record{Kind: "Note", ID: "x"})
		must(t, err)
		note("second")
		u.Undo(mark)
		same(t, []string{"second", "first"}, log)
		if _, err := u.Get("Note", "x"); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("the write is there: %v", err)
		}
		return u.Commit()
	}))
}
