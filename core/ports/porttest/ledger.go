package porttest

import (
	"fmt"
	"math"
	"testing"

	"bateleur/core/fault"
	"bateleur/core/ledger"
	"bateleur/core/ports"
)

var ledgerCases = []Case{
	{Name: "a ledger begins empty at its genesis", Run: ledgerBegins},
	{Name: "a case has one ledger", Run: oneLedger},
	{Name: "an unknown case has no ledger and no entries", Run: unknownLedger},
	{Name: "ledgers are listed in the order of opening", Run: ledgersListed},
	{Name: "only an own ledger mints and only a replica applies", Proves: "CLP-10-014", Run: standingDecides},
	{Name: "an entry must follow the tail without a gap", Proves: "SYNC-01-002", Run: gapsRefused},
	{Name: "an entry must link to the tail's hash", Proves: "SYNC-01-003", Run: linksRefused},
	{Name: "an index is taken once even within a transaction", Proves: "SYNC-01-001, SYNC-01-004, CLP-10-014", Run: indexOnce},
	{Name: "a previous hash is taken once even within a transaction", Proves: "SYNC-01-004", Run: prevHashOnce},
	{Name: "of twenty writers of one index one wins", Proves: "SYNC-01-004, CLP-10-014", Run: indexRace},
	{Name: "an index that was not committed is free again", Proves: "SYNC-01-002", Run: indexFreed},
	{Name: "an entry comes back with every field", Proves: "CLP-07-009", Run: entryComesBack},
	{Name: "entries are given from an index on, in order", Run: entriesPaged},
	{Name: "an entry is found by its hash", Run: entryByHash},
	{Name: "the first entry of an event about an object is found", Run: entryByObject},
	{Name: "two cases have ledgers apart", Run: ledgersApart},
}

func (d *desk) head(r ports.LedgerReader, caseID string) ports.LedgerHead {
	d.Helper()
	head, err := r.Ledger(caseID)
	d.must(err, "a ledger that was opened has a head")
	return head
}

func ledgerBegins(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		d.chain(tx, 0)
		want := ports.LedgerHead{CaseID: caseID, Standing: ports.Own, Genesis: "genesis", Tail: -1, TailHash: "genesis"}
		d.same(want, d.head(tx, caseID), "an empty ledger has tail -1 and its genesis as hash")
		d.must(tx.Mint(entry(0)), "an Own ledger mints the entry after its tail")
		want.Tail, want.TailHash = 0, hash(0)
		d.same(want, d.head(tx, caseID), "the head is the last entry's index and hash")
	})
	d.view(func(r ports.Reader) {
		d.same(hash(0), d.head(r, caseID).TailHash, "the head is the last entry's index and hash")
	})
}

func oneLedger(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		d.chain(tx, 1)
		before := d.head(tx, caseID)
		d.code(tx.OpenLedger(caseID, ports.Replica, "other"), fault.Conflict, "OpenLedger of a case that has one")
		d.same(before, d.head(tx, caseID), "a refused OpenLedger changes nothing")
	})
}

func unknownLedger(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		_, err := tx.Ledger(caseID)
		d.code(err, fault.NotFound, "Ledger of an unknown case")
		_, err = tx.EntryByHash(caseID, hash(0))
		d.code(err, fault.NotFound, "EntryByHash of an unknown case")
		_, err = tx.EntryByObject(caseID, "noted", "x")
		d.code(err, fault.NotFound, "EntryByObject of an unknown case")
		d.code(tx.Mint(entry(0)), fault.NotFound, "Mint without a ledger")
		d.code(tx.Apply(entry(0)), fault.NotFound, "Apply without a ledger")
		entries, err := tx.Entries(caseID, 0, 0)
		d.must(err, "an unknown case has no entries")
		d.same(0, len(entries), "an unknown case has no entries")
	})
}

func ledgersListed(t testing.TB, h Harness) {
	d := newDesk(t, h)
	var want []ports.LedgerHead
	d.update(func(tx ports.Tx) {
		for _, id := range []string{"urn:c", "urn:a", "urn:b"} {
			d.must(tx.OpenLedger(id, ports.Replica, "g of "+id), "a case without a ledger can be given one")
			want = append(want, ports.LedgerHead{
				CaseID: id, Standing: ports.Replica, Genesis: "g of " + id, Tail: -1, TailHash: "g of " + id,
			})
		}
		e := entry(0)
		e.CaseID, e.PrevHash = "urn:a", "g of urn:a"
		d.must(tx.Apply(e), "a Replica applies the entry after its tail")
		want[1].Tail, want[1].TailHash = 0, e.Hash
	})
	d.view(func(r ports.Reader) {
		got, err := r.Ledgers()
		d.must(err, "ledgers can be listed")
		d.same(want, got, "ledgers are listed in the order of opening, each with its head")
	})
}

func standingDecides(t testing.TB, h Harness) {
	d := newDesk(t, h)
	e := entry(0)
	replica := e
	replica.CaseID, replica.PrevHash = "urn:replica", "g"
	d.update(func(tx ports.Tx) {
		d.chain(tx, 0)
		d.must(tx.OpenLedger("urn:replica", ports.Replica, "g"), "a case without a ledger can be given one")
		d.code(tx.Apply(e), fault.Forbidden, "Apply to an Own ledger")
		d.code(tx.Mint(replica), fault.Forbidden, "Mint on a Replica")
		d.same(int64(-1), d.head(tx, caseID).Tail, "a refused Apply adds nothing")
		d.same(int64(-1), d.head(tx, "urn:replica").Tail, "a refused Mint adds nothing")
		d.must(tx.Mint(e), "an Own ledger mints the entry after its tail")
		d.must(tx.Apply(replica), "a Replica applies the entry after its tail")
	})
}

// refuses reports an entry that a ledger with three entries takes or is
// changed by.
func (d *desk) refuses(e ledger.Entry, sentence string) {
	d.Helper()
	before := d.dump(d.store)
	d.update(func(tx ports.Tx) { d.code(tx.Mint(e), fault.Conflict, sentence) })
	d.unchanged(before, "a refused entry adds nothing")
}

func gapsRefused(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) { d.chain(tx, 0) })
	for _, index := range []int64{1, -1, 7} {
		e := entry(0)
		e.Index = index
		d.refuses(e, "the first entry has the index 0")
	}
	d.update(func(tx ports.Tx) {
		for n := range 3 {
			d.must(tx.Mint(entry(n)), "an Own ledger mints the entry after its tail")
		}
	})
	for _, index := range []int64{4, 5, 1 << 40, -1} {
		e := entry(3)
		e.Index = index
		d.refuses(e, "an entry's index is the tail's and one")
	}
}

func linksRefused(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) { d.chain(tx, 0) })
	e := entry(0)
	e.PrevHash = "another genesis"
	d.refuses(e, "the first entry links to the genesis")
	d.update(func(tx ports.Tx) {
		for n := range 3 {
			d.must(tx.Mint(entry(n)), "an Own ledger mints the entry after its tail")
		}
	})
	for _, prev := range []string{"", "genesis", hash(1), hash(3), hash(2) + " "} {
		e := entry(3)
		e.PrevHash = prev
		d.refuses(e, "an entry links to the tail's hash")
	}
}

func indexOnce(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) { d.chain(tx, 3) })
	other := entry(2)
	other.Hash = hash(99)
	d.refuses(other, "an index that was taken before")
	d.refuses(entry(0), "the same entry a second time")
	d.update(func(tx ports.Tx) {
		d.must(tx.Mint(entry(3)), "an Own ledger mints the entry after its tail")
		again := entry(3)
		again.Hash = hash(99)
		d.code(tx.Mint(again), fault.Conflict, "an index that was taken in the same transaction")
		d.code(tx.Mint(entry(3)), fault.Conflict, "the same entry a second time in the same transaction")
	})
	d.view(func(r ports.Reader) {
		entries, err := r.Entries(caseID, 0, 0)
		d.must(err, "entries can be read")
		d.same([]ledger.Entry{entry(0), entry(1), entry(2), entry(3)}, entries, "each index stands once")
	})
}

// prevHashOnce lets a hash come round again, so that only the rule about
// previous hashes can refuse the entry after it.
func prevHashOnce(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		d.chain(tx, 2)
		round := entry(2)
		round.Hash = hash(0)
		d.must(tx.Mint(round), "an Own ledger mints the entry after its tail")
		twice := entry(3)
		twice.PrevHash = hash(0)
		d.code(tx.Mint(twice), fault.Conflict, "a previous hash that was taken in the same transaction")
		d.same(int64(2), d.head(tx, caseID).Tail, "a refused entry adds nothing")
	})
	twice := entry(3)
	twice.PrevHash = hash(0)
	d.refuses(twice, "a previous hash that was taken before")
}

func indexRace(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) { d.chain(tx, 3) })
	results := atOnce(func(i int) error {
		return d.store.Update(d.Context(), func(tx ports.Tx) error {
			e := entry(3)
			e.Hash = hash(100 + i)
			return tx.Mint(e)
		})
	})
	winner := d.oneOf(results, "of the writers of one index exactly one wins")
	d.view(func(r ports.Reader) {
		d.same(hash(100+winner), d.head(r, caseID).TailHash, "what is stored is the winner's")
	})
}

func indexFreed(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) { d.chain(tx, 1) })
	_ = d.store.Update(d.Context(), func(tx ports.Tx) error {
		d.must(tx.Mint(entry(1)), "an Own ledger mints the entry after its tail")
		return errOwn
	})
	d.update(func(tx ports.Tx) {
		e := entry(1)
		e.Hash = hash(50)
		d.must(tx.Mint(e), "an index that was not committed is free")
		_, err := tx.EntryByHash(caseID, hash(1))
		d.code(err, fault.NotFound, "EntryByHash of an entry that was not committed")
	})
}

func entryComesBack(t testing.TB, h Harness) {
	d := newDesk(t, h)
	term, code, detail := int64(-7), "", "a detail\x00"
	whole := ledger.Entry{
		CaseID: caseID, Index: 0, Disposition: ledger.Rejected, Term: &term, ObjectID: "o\xff", EventType: "E/é",
		Payload: []byte(nested), PrevHash: "genesis", Hash: hash(0), ReceivedAt: "2026-03-29T02:30:15+00:00",
		ReasonCode: &code, ReasonDetail: &detail, Published: "p", Updated: "u",
	}
	bare := ledger.Entry{CaseID: caseID, Index: 1, PrevHash: hash(0)}
	d.update(func(tx ports.Tx) {
		d.chain(tx, 0)
		d.must(tx.Mint(whole), "an Own ledger mints the entry after its tail")
		d.must(tx.Mint(bare), "an Own ledger mints the entry after its tail")
	})
	before := d.dump(d.store)
	whole.Payload = append([]byte(nil), whole.Payload...)
	d.view(func(r ports.Reader) {
		got, err := r.Entries(caseID, 0, 0)
		d.must(err, "entries can be read")
		d.same([]ledger.Entry{whole, bare}, got, "an entry comes back with every field, absent ones absent")
		if len(got) > 0 && len(got[0].Payload) > 0 {
			got[0].Payload[0] = '!'
		}
	})
	term, code = 8, "changed"
	d.unchanged(before, "what a caller does to an entry that it gave or read changes nothing")
}

func entriesPaged(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) { // between two others, into which no page may run
		d.otherChain(tx, "urn:before")
		d.chain(tx, 5)
		d.otherChain(tx, "urn:behind")
	})
	d.view(func(r ports.Reader) {
		for _, c := range []struct {
			from  int64
			limit int
			want  []int64
		}{
			{0, 0, []int64{0, 1, 2, 3, 4}}, {0, 2, []int64{0, 1}}, {2, 2, []int64{2, 3}}, {3, 9, []int64{3, 4}},
			{4, 1, []int64{4}}, {5, 1, nil}, {99, 0, nil}, {-3, 2, []int64{0, 1}}, {math.MinInt64, 1, []int64{0}},
			{1 << 32, 0, nil}, {1 << 40, 0, nil}, {1<<40 | 1, 0, nil}, {1 << 41, 0, nil}, {math.MaxInt64, 0, nil},
		} {
			entries, err := r.Entries(caseID, c.from, c.limit)
			d.must(err, "entries can be read")
			var got []int64
			for _, e := range entries {
				got = append(got, e.Index)
			}
			d.same(c.want, got, fmt.Sprintf("up to %d entries from index %d on", c.limit, c.from))
		}
	})
}

// otherChain opens an Own ledger of another case with two entries.
func (d *desk) otherChain(tx ports.LedgerWriter, caseID string) {
	d.Helper()
	d.must(tx.OpenLedger(caseID, ports.Own, "genesis"), "a case without a ledger can be given one")
	for n := range 2 {
		e := entry(n)
		e.CaseID = caseID
		d.must(tx.Mint(e), "an Own ledger mints the entry after its tail")
	}
}

func entryByHash(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		d.chain(tx, 4)
		for n := range 4 {
			got, err := tx.EntryByHash(caseID, hash(n))
			d.must(err, "an entry is found by its hash")
			d.same(entry(n), got, "an entry is found by its hash")
		}
		for _, unknown := range []string{hash(4), "genesis", ""} {
			_, err := tx.EntryByHash(caseID, unknown)
			d.code(err, fault.NotFound, "EntryByHash of a hash that no entry has")
		}
	})
}

func entryByObject(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		d.chain(tx, 0)
		for n := range 4 {
			e := entry(n)
			e.ObjectID, e.EventType = "urn:same", fmt.Sprint("type-", n/2)
			d.must(tx.Mint(e), "an Own ledger mints the entry after its tail")
		}
		for n, want := range map[int]int64{0: 0, 1: 2} {
			got, err := tx.EntryByObject(caseID, fmt.Sprint("type-", n), "urn:same")
			d.must(err, "an entry is found by event type and object")
			d.same(want, got.Index, "the first entry of the event type about the object is given")
		}
		for _, key := range [][2]string{{"type-2", "urn:same"}, {"type-0", "urn:other"}, {"urn:same", "type-0"}} {
			_, err := tx.EntryByObject(caseID, key[0], key[1])
			d.code(err, fault.NotFound, "EntryByObject of what no entry is about")
		}
	})
}

func ledgersApart(t testing.TB, h Harness) {
	d := newDesk(t, h)
	d.update(func(tx ports.Tx) {
		d.chain(tx, 2)
		other := entry(0)
		other.CaseID = "urn:other"
		d.must(tx.OpenLedger("urn:other", ports.Own, "genesis"), "a case without a ledger can be given one")
		d.must(tx.Mint(other), "an index and a hash of one case are free in another")
		_, err := tx.EntryByHash("urn:other", hash(1))
		d.code(err, fault.NotFound, "EntryByHash of another case's entry")
		_, err = tx.EntryByObject("urn:other", "noted", "urn:object:1")
		d.code(err, fault.NotFound, "EntryByObject of another case's entry")
		entries, err := tx.Entries("urn:other", 0, 0)
		d.must(err, "entries can be read")
		d.same([]ledger.Entry{other}, entries, "entries are those of the case")
		d.same(int64(1), d.head(tx, caseID).Tail, "a case's ledger is not changed by another's")
	})
}
