package ledger_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bateleur/core/ledger"
)

const (
	aCase    = "urn:uuid:11111111-1111-4111-8111-111111111111"
	aManager = "https://v.example/api/v2/actors/case-actor-1"
	aParty   = "https://v.example/api/v2/actors/v"
	zeroHash = "0000000000000000000000000000000000000000000000000000000000000000"
)

// note is an entry that may be recorded; its payload is not in canonical order.
func note(index int64) ledger.Entry {
	return ledger.Entry{
		CaseID: aCase, Index: index, Disposition: ledger.Recorded,
		ObjectID: "urn:uuid:22222222-2222-4222-8222-222222222222", EventType: "add_note_to_case",
		Payload: fmt.Appendf(nil, `{"type": "Add", "actor": %q, "context": %q,`+
			` "object": {"type": "Note", "content": "Größe <b>&amp;</b> 😀\n", "n": %d}}`, aParty, aCase, index),
		ReceivedAt: "2026-09-01T00:00:00Z",
	}
}

// sealed links an entry to the one before and gives it its hash.
func sealed(t testing.TB, e ledger.Entry, prev string) ledger.Entry {
	t.Helper()
	e.PrevHash = prev
	hash, err := e.ComputeHash()
	if err != nil {
		t.Fatal(err)
	}
	e.Hash = hash
	return e
}

// chained is a ledger of n notes behind the genesis.
func chained(t testing.TB, genesis string, n int) []ledger.Entry {
	t.Helper()
	var out []ledger.Entry
	for i := range n {
		e := sealed(t, note(int64(i)), genesis)
		out, genesis = append(out, e), e.Hash
	}
	return out
}

// recordedLedgers reads the case actors' copies of the recorded scenarios.
func recordedLedgers(t testing.TB) map[string][]ledger.Entry {
	t.Helper()
	data := os.Getenv("BATELEUR_TESTDATA")
	if data == "" {
		t.Skip("BATELEUR_TESTDATA is not set: no recorded ledgers to verify")
	}
	files, err := filepath.Glob(filepath.Join(data, "upstream-traffic", "*", "devlogs", "case-actor", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded ledgers: %v", err)
	}
	out := map[string][]ledger.Entry{}
	for _, file := range files {
		rel, _ := filepath.Rel(data, file)
		out[strings.Split(filepath.ToSlash(rel), "/")[1]] = readLedger(t, file)
	}
	return out
}

func readLedger(t testing.TB, file string) []ledger.Entry {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []ledger.Entry
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var e ledger.Entry
		if err := e.UnmarshalJSON(lines.Bytes()); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		out = append(out, e)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
