package ledger_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bateleur/core/fault"
	"bateleur/core/ledger"
)

// Proves: CLP-08-002
func TestGenesis(t *testing.T) {
	const (
		caseID  = "urn:uuid:a2094fb8-fda3-43d1-8f7f-8fb28acef139"
		manager = "http://vendor.test/api/v2/actors/case-actor-75674327-6379-4b86-9c63-f42c13a748c4"
		want    = "98d3218b1465e24c62f02d12ea13fce5207d086e109e49f377d3b0b84982bfe5"
	)
	at := time.Date(2026, 11, 30, 22, 39, 32, 0, time.UTC)
	cases := []struct {
		name, caseID string
		at           time.Time
		manager      string
		want         string
	}{
		{"as the reference implementation", caseID, at, manager, want},
		{"the instant counts, not the zone", caseID, at.In(time.FixedZone("", 7200)), manager, want},
		{"below a microsecond nothing counts", caseID, at.Add(999), manager, want},
		{"a fraction has six digits", caseID, at.Add(500 * time.Millisecond), manager,
			"b754290cd68a2e04a01f09ddf8b892544044330bf0746fda46871921c67ec693"},
		{"no case", "", at, manager, ""},
		{"no time", caseID, time.Time{}, manager, ""},
		{"no manager", caseID, at, "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, ledger.Genesis(c.caseID, c.at, c.manager)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestRecordedGenesis: what the reference implementation's entries 0 link to
// follows from the case inside them.
//
// Proves: CLP-08-001, CLP-08-002
func TestRecordedGenesis(t *testing.T) {
	for name, entries := range recordedLedgers(t) {
		var created struct {
			Object struct {
				ID        string    `json:"id"`
				Published time.Time `json:"published"`
				Manager   string    `json:"attributed_to"`
				Genesis   string    `json:"genesis_hash"`
			} `json:"object"`
		}
		if err := json.Unmarshal(entries[0].Payload, &created); err != nil {
			t.Fatal(err)
		}
		c := created.Object
		got := ledger.Genesis(c.ID, c.Published, c.Manager)
		if diff := cmp.Diff([]string{entries[0].PrevHash, c.Genesis}, []string{got, got}); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Proves: CLP-08-001
func TestGenesisTellsCasesApart(t *testing.T) {
	at := time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC)
	seen := map[string]bool{
		ledger.Genesis(aCase, at, aManager):                  true,
		ledger.Genesis(aCase+"x", at, aManager):              true,
		ledger.Genesis(aCase, at.Add(time.Second), aManager): true,
		ledger.Genesis(aCase, at, aParty):                    true,
	}
	if len(seen) != 4 {
		t.Errorf("only %d different genesis hashes", len(seen))
	}
}

// Proves: SYNC-01-003
func TestComputeHash(t *testing.T) {
	code, detail, term := "out_of_order", "wait", int64(7)
	cases := []struct {
		name  string
		entry ledger.Entry
		want  string
	}{
		{"observed", ledger.Entry{
			CaseID: "urn:uuid:a2094fb8-fda3-43d1-8f7f-8fb28acef139", Index: 37, Disposition: ledger.Recorded,
			ObjectID: "urn:uuid:36950cc3-e929-456e-bd6d-a2a0d4778f6f", EventType: "case_fully_closed",
			Payload: []byte(`{"type": "Leave", "actor": "http://vendor.test/api/v2/actors/vendor",
				"object_": {"type": "VulnerabilityCase", "id_": "urn:uuid:a2094fb8-fda3-43d1-8f7f-8fb28acef139"},
				"context": "urn:uuid:a2094fb8-fda3-43d1-8f7f-8fb28acef139"}`),
			PrevHash:   "d04bc8d03ef485203fd73a2fd5ebd5123292c202756317b8db6e40e592d7de2e",
			ReceivedAt: "2026-11-30T22:40:02Z",
		}, "eac95415e034b9eaf4947ff05a670d6814aa2eff149b6e75ad634daa32199e49"},
		{"every class of character", ledger.Entry{
			CaseID: aCase, Index: 0, Disposition: ledger.Recorded,
			ObjectID: "urn:uuid:22222222-2222-4222-8222-222222222222", EventType: "add_note_to_case",
			Payload: []byte(`{"type":"Add","actor":"https://v.example/api/v2/actors/v","object":{"type":"Note",` +
				`"content":"Größe \u003cb>&amp;<\/b> 😀\u000A` + "\x7f" + `/"},"context":"` + aCase + `"}`),
			PrevHash: zeroHash, ReceivedAt: "2026-09-01T00:00:00+00:00",
		}, "bea4e27bb36d43e53969bf63beadb13fc51ec9e9c9c842bb1e18857c7983e6dc"},
		{"optional members", ledger.Entry{
			CaseID: "urn:ä", Index: -1, Disposition: ledger.Rejected, Term: &term,
			ObjectID: "o", EventType: "e", Payload: []byte(`{}`), ReceivedAt: "2026-09-01T00:00:00.5+02:00",
			ReasonCode: &code, ReasonDetail: &detail,
		}, "c597faef9573d3e16b544f7590cfc766b47c66d80e1b558dea9ba835716ea24a"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.entry.ComputeHash()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestComputeHashRefuses(t *testing.T) {
	bad := "\xff"
	cases := []struct {
		name   string
		change func(*ledger.Entry)
		field  string
	}{
		{"case id", func(e *ledger.Entry) { e.CaseID = bad }, "caseId"},
		{"index", func(e *ledger.Entry) { e.Index = -1 }, "logIndex"},
		{"disposition", func(e *ledger.Entry) { e.Disposition = "" }, "disposition"},
		{"object id", func(e *ledger.Entry) { e.ObjectID = bad }, "logObjectId"},
		{"event type", func(e *ledger.Entry) { e.EventType = bad }, "eventType"},
		{"previous hash", func(e *ledger.Entry) { e.PrevHash = "00" }, "prevLogHash"},
		{"previous hash in upper case", func(e *ledger.Entry) { e.PrevHash = "A" + zeroHash[1:] }, "prevLogHash"},
		{"time without zone", func(e *ledger.Entry) { e.ReceivedAt = "2026-09-01T00:00:00" }, "receivedAt"},
		{"time", func(e *ledger.Entry) { e.ReceivedAt = "2026-09-31T00:00:00Z" }, "receivedAt"},
		{"reason code", func(e *ledger.Entry) { e.ReasonCode = &bad }, "reasonCode"},
		{"reason detail", func(e *ledger.Entry) { e.ReasonDetail = &bad }, "reasonDetail"},
		{"no payload", func(e *ledger.Entry) { e.Payload = nil }, "payloadSnapshot"},
		{"payload is a list", func(e *ledger.Entry) { e.Payload = []byte(`[]`) }, "payloadSnapshot"},
		{"payload repeats a name", func(e *ledger.Entry) { e.Payload = []byte(`{"a":1,"a":1}`) }, "payloadSnapshot"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			e := note(0)
			e.PrevHash = zeroHash
			c.change(&e)
			_, err := e.ComputeHash()
			if diff := cmp.Diff(fault.Invalid, fault.CodeOf(err)); diff != "" {
				t.Errorf("code: %s", diff)
			}
			if diff := cmp.Diff(c.field, fault.FieldOf(err)); diff != "" {
				t.Errorf("field: %s", diff)
			}
		})
	}
}

// TestComputeHashAllocates: the string it returns, and nothing else.
func TestComputeHashAllocates(t *testing.T) {
	if raceEnabled {
		t.Skip("under the race detector pools drop what they hold")
	}
	e := note(0)
	e.PrevHash = zeroHash
	got := testing.AllocsPerRun(200, func() {
		if _, err := e.ComputeHash(); err != nil {
			t.Fatal(err)
		}
	})
	if got > 1 {
		t.Errorf("%v allocations, want 1", got)
	}
}
