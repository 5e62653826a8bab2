package ledger_test

import (
	"errors"
	"iter"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bateleur/core/fault"
	"bateleur/core/ledger"
)

// TestVerifyChain tampers with a ledger of five in every way there is.
//
// Proves: SYNC-01-002, SYNC-01-003, CLP-04-003
func TestVerifyChain(t *testing.T) {
	whole := chained(t, zeroHash, 5)
	resealed := func(i int, change func(*ledger.Entry)) func([]ledger.Entry) []ledger.Entry {
		return func(l []ledger.Entry) []ledger.Entry {
			change(&l[i])
			l[i] = sealed(t, l[i], l[i].PrevHash)
			return l
		}
	}
	cases := []struct {
		name    string
		genesis string
		tamper  func([]ledger.Entry) []ledger.Entry
		at      string // id of the entry the error names; "" where the ledger holds
	}{
		{"whole", zeroHash, func(l []ledger.Entry) []ledger.Entry { return l }, ""},
		{"a prefix", zeroHash, func(l []ledger.Entry) []ledger.Entry { return l[:3] }, ""},
		{"empty", zeroHash, func([]ledger.Entry) []ledger.Entry { return nil }, ""},
		{"no genesis", "", func(l []ledger.Entry) []ledger.Entry { return l }, aCase + "/log/0"},
		{"another case's genesis", "1" + zeroHash[1:], func(l []ledger.Entry) []ledger.Entry { return l }, aCase + "/log/0"},
		{"first removed", zeroHash, func(l []ledger.Entry) []ledger.Entry { return l[1:] }, aCase + "/log/1"},
		{"one removed", zeroHash, func(l []ledger.Entry) []ledger.Entry { return slices.Delete(l, 2, 3) }, aCase + "/log/3"},
		{"two swapped", zeroHash, func(l []ledger.Entry) []ledger.Entry { l[1], l[2] = l[2], l[1]; return l }, aCase + "/log/2"},
		{"one repeated", zeroHash, func(l []ledger.Entry) []ledger.Entry { return slices.Insert(l, 2, l[1]) }, aCase + "/log/1"},
		{"last repeated", zeroHash, func(l []ledger.Entry) []ledger.Entry { return append(l, l[4]) }, aCase + "/log/4"},
		{"content altered", zeroHash, func(l []ledger.Entry) []ledger.Entry { l[2].EventType = "close_case"; return l }, aCase + "/log/2"},
		{"content and hash altered", zeroHash, resealed(2, func(e *ledger.Entry) { e.EventType = "close_case" }), aCase + "/log/3"},
		{"last altered with its hash stays unseen without a newer hash", zeroHash,
			resealed(4, func(e *ledger.Entry) { e.EventType = "close_case" }), ""},
		{"renumbered", zeroHash, resealed(2, func(e *ledger.Entry) { e.Index = 7 }), aCase + "/log/7"},
		{"an entry of another case", zeroHash, resealed(2, func(e *ledger.Entry) { e.CaseID = "urn:other" }), "urn:other/log/2"},
		{"a rejected entry", zeroHash, resealed(2, func(e *ledger.Entry) { e.Disposition = ledger.Rejected }), aCase + "/log/2"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			err := ledger.VerifyChain(c.genesis, c.tamper(slices.Clone(whole)), ledger.Strict)
			if c.at == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(fault.Corrupt, fault.CodeOf(err)); diff != "" {
				t.Fatalf("code: %s", diff)
			}
			var f *fault.Error
			errors.As(err, &f)
			if diff := cmp.Diff(c.at, f.Subject); diff != "" {
				t.Errorf("subject: %s", diff)
			}
		})
	}
}

// TestModes: the recorded ledgers hold in Tolerant mode; in Strict mode those
// with re-spelled entries are refused at the first.
//
// Proves: SYNC-01-002, BA-11-002
func TestModes(t *testing.T) {
	flagged := 0
	for name, entries := range recordedLedgers(t) {
		genesis := entries[0].PrevHash
		sum, err := ledger.VerifySeq(genesis, each(entries), ledger.Tolerant)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		flagged += len(sum.Respelled)
		last := entries[len(entries)-1]
		want := ledger.Summary{Entries: last.Index + 1, Tail: last.Hash, Respelled: sum.Respelled}
		if diff := cmp.Diff(want, sum); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		err = ledger.VerifyChain(genesis, entries, ledger.Strict)
		if refused := fault.CodeOf(err) == fault.Corrupt; refused != (len(sum.Respelled) > 0) {
			t.Errorf("%s: strict says %v", name, err)
		}
	}
	if flagged != 11 {
		t.Errorf("%d entries flagged, want 11", flagged)
	}
}

// TestRespelledEntryInAChain: Strict refuses it, Tolerant takes and flags it.
//
// Proves: SYNC-01-003, BA-11-002
func TestRespelledEntryInAChain(t *testing.T) {
	hashed := note(0)
	hashed.Payload = []byte(`{"updated": "2026-01-02 03:04:05+00:00"}`)
	sent := sealed(t, hashed, zeroHash)
	sent.Payload = []byte(`{"updated": "2026-01-02T03:04:05Z"}`)
	entries := []ledger.Entry{sent, sealed(t, note(1), sent.Hash)}
	if err := ledger.VerifyChain(zeroHash, entries, ledger.Strict); fault.CodeOf(err) != fault.Corrupt {
		t.Errorf("strict: %v", err)
	}
	sum, err := ledger.VerifySeq(zeroHash, each(entries), ledger.Tolerant)
	if err != nil {
		t.Fatalf("tolerant: %v", err)
	}
	if diff := cmp.Diff(ledger.Summary{Entries: 2, Tail: entries[1].Hash, Respelled: []int64{0}}, sum); diff != "" {
		t.Error(diff)
	}
}

func each(entries []ledger.Entry) iter.Seq2[ledger.Entry, error] {
	return func(yield func(ledger.Entry, error) bool) {
		for _, e := range entries {
			if !yield(e, nil) {
				return
			}
		}
	}
}

func TestVerifySeqPassesOnWhatReadingFails(t *testing.T) {
	broken := errors.New("disk")
	entries := chained(t, zeroHash, 2)
	sum, err := ledger.VerifySeq(zeroHash, func(yield func(ledger.Entry, error) bool) {
		_ = yield(entries[0], nil) && yield(entries[1], nil) && yield(ledger.Entry{}, broken)
	}, ledger.Strict)
	if !errors.Is(err, broken) {
		t.Fatalf("err = %v", err)
	}
	if diff := cmp.Diff(ledger.Summary{Entries: 2, Tail: entries[1].Hash}, sum); diff != "" {
		t.Error(diff)
	}
}

// TestChainStaysWhereItWas: a refused entry leaves the chain ready for the right
// one, and a chain resumes behind entries verified before.
//
// Proves: SYNC-01-002
func TestChainStaysWhereItWas(t *testing.T) {
	entries := chained(t, zeroHash, 4)
	chain := ledger.ResumeChain(aCase, entries[1].Hash, 2)
	if _, err := chain.Take(entries[3], ledger.Strict); fault.CodeOf(err) != fault.Corrupt {
		t.Fatalf("a gap: %v", err)
	}
	for _, e := range entries[2:] {
		verdict, err := chain.Take(e, ledger.Strict)
		if verdict != ledger.VerdictExact || err != nil {
			t.Fatalf("%v, %v", verdict, err)
		}
	}
	if chain.Next() != 4 || chain.Tail() != entries[3].Hash {
		t.Errorf("the chain stands at %d, %s", chain.Next(), chain.Tail())
	}
}
