package ledger_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"bateleur/core/ledger"
)

// sized is an entry whose snapshot is n times about 2 kB.
func sized(n int) ledger.Entry {
	e := note(0)
	e.PrevHash = zeroHash
	var b bytes.Buffer
	b.WriteString(`{"type":"Add","parts":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"type":"Add","id":"urn:uuid:%036d","actor":%q,"to":[%q],"published":"2026-09-01T00:00:00Z",`, i, aParty, aManager)
		fmt.Fprintf(&b, `"object":{"type":"VulnerabilityReport","name":"Größe","content":%q,"updated":null,"caseStatuses":[`, strings.Repeat("An overflow <b>in</b> the parser.\n", 30))
		for j := range 3 {
			fmt.Fprintf(&b, `{"type":"CaseStatus","id":"urn:uuid:%036d","em":{"state":"ACTIVE"},"pxa":{"state":"pxa"}},`, j)
		}
		b.WriteString(`{}]}}`)
	}
	b.WriteString(`]}`)
	e.Payload = b.Bytes()
	return e
}

func BenchmarkComputeHash(b *testing.B) {
	for _, n := range []int{1, 10, 100} {
		e := sized(n)
		b.Run(fmt.Sprintf("%dkB", (len(e.Payload)+500)/1000), func(b *testing.B) {
			b.SetBytes(int64(len(e.Payload)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.ComputeHash(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkEncodingJSON decodes and encodes the same snapshot: what a canonical
// form would cost at least on top of the standard package.
func BenchmarkEncodingJSON(b *testing.B) {
	e := sized(1)
	b.SetBytes(int64(len(e.Payload)))
	b.ReportAllocs()
	for b.Loop() {
		dec := json.NewDecoder(bytes.NewReader(e.Payload))
		dec.UseNumber()
		var tree any
		if err := dec.Decode(&tree); err != nil {
			b.Fatal(err)
		}
		if _, err := json.Marshal(tree); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDeepUnsorted nests objects whose names stand in reverse order, where
// moving finished text would cost the depth again.
func BenchmarkDeepUnsorted(b *testing.B) {
	for _, depth := range []int{10, 100} {
		text := []byte(strings.Repeat(`{"b":`, depth) + `"` + strings.Repeat("x", 20000) + `"` + strings.Repeat(`,"a":1}`, depth))
		b.Run(fmt.Sprint(depth), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			var dst []byte
			for b.Loop() {
				var err error
				if dst, err = ledger.AppendCanonical(dst[:0], text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkUnmarshalEntry(b *testing.B) {
	wire, err := sealed(b, sized(1), zeroHash).MarshalJSON()
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(wire)))
	b.ReportAllocs()
	for b.Loop() {
		var e ledger.Entry
		if err := e.UnmarshalJSON(wire); err != nil {
			b.Fatal(err)
		}
	}
}
