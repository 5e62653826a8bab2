package as2_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"bateleur/adapters/wire/as2"
	"bateleur/core/fault"
	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/semantics"
)

// What a real peer sent is understood, nearly all of it; every message about a
// case names its case.
//
// Proves: SE-01-003, MV-01-005
func TestRecordedTrafficIsUnderstood(t *testing.T) {
	counts := map[semantics.Meaning]int{}
	for _, body := range recorded(t) {
		a, err := as2.Codec{}.Decode(body)
		if err != nil {
			t.Errorf("%v\n%s", err, body)
			continue
		}
		m := semantics.Classify(a)
		counts[m]++
		if semantics.CaseOf(a, m) == "" && !slices.Contains(withoutCase, m) {
			t.Errorf("%s %s names no case", m, a.ID)
		}
	}
	var table strings.Builder
	for _, m := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(&table, "%5d %s\n", counts[m], m)
	}
	golden(t, "recorded.golden", table.String())
}

var withoutCase = []semantics.Meaning{semantics.SubmitReport, semantics.AckReport, semantics.ValidateReport,
	semantics.InvalidateReport, semantics.CloseReport, semantics.CreateCaseProposal, semantics.AcceptCaseProposal,
	semantics.RejectCaseProposal, semantics.Unknown}

// Written and read again, a recorded message is the same to us.
func TestRecordedTrafficSurvivesTheWire(t *testing.T) {
	for _, body := range recorded(t) {
		a, again := steady(t, body)
		if semantics.Classify(a) != semantics.Classify(again) {
			t.Errorf("%s became %s:\n%s", semantics.Classify(a), semantics.Classify(again), body)
		}
	}
}

// steady checks that what was read, written and read again changes no more, and
// gives what was read first and again.
func steady(t testing.TB, body []byte) (a, again *model.Activity) {
	t.Helper()
	a, err := as2.Codec{}.Decode(body)
	if err != nil {
		t.Fatal(err)
	}
	once := encoded(t, a)
	again, err = as2.Codec{}.Decode(once)
	if err != nil {
		t.Fatalf("%v\nread %s\nwrote %s", err, body, once)
	}
	if twice := encoded(t, again); !bytes.Equal(once, twice) {
		t.Fatalf("written twice:\n%s\n%s", once, twice)
	}
	return a, again
}

func encoded(t failer, a *model.Activity) []byte {
	t.Helper()
	raw, err := as2.Codec{}.Encode(a)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// The snapshot in an entry keeps its bytes on the way in and out, so its hash
// still fits.
func TestRecordedEntriesKeepTheirSnapshots(t *testing.T) {
	seen := 0
	for _, body := range recorded(t) {
		a, err := as2.Codec{}.Decode(body)
		if err != nil {
			t.Fatal(err)
		}
		o, ok := model.InlineAs[*model.LedgerEntry](a.Object)
		if !ok {
			continue
		}
		seen++
		if !bytes.Contains(body, o.Entry.Payload) || !bytes.Contains(encoded(t, a), o.Entry.Payload) {
			t.Fatalf("entry %s: the snapshot's bytes changed", o.Entry.ID())
		}
		if _, err := ledger.Verify(o.Entry); err != nil && a.Type == model.Announce {
			t.Error(err)
		}
	}
	if seen == 0 {
		t.Error("no entries recorded")
	}
}

// Snapshots are activities too and read by the same rules.
func TestRecordedSnapshotsAreRead(t *testing.T) {
	for _, raw := range snapshots(t) {
		a, err := as2.Codec{}.Decode(raw)
		switch {
		case err != nil:
			t.Errorf("%v (%s)\n%s", err, fault.FieldOf(err), raw)
		case a.Actor == "" || a.Object.IsZero():
			t.Errorf("nothing read from %s", raw)
		}
	}
}
