package ledger_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bateleur/core/fault"
	"bateleur/core/ledger"
)

const aHash = "abababababababababababababababababababababababababababababababab"

func TestMarshalIsTheWireObject(t *testing.T) {
	term, code := int64(2), "late"
	e := ledger.Entry{
		CaseID: "urn:c", Index: 4, Disposition: ledger.Recorded, Term: &term, ObjectID: "urn:o", EventType: "close_case",
		Payload:  []byte(`{"n": 9007199254740993.10, "h": "<&>", "x": null}`),
		PrevHash: zeroHash, Hash: aHash, ReceivedAt: "2026-09-01T00:00:00Z", ReasonCode: &code, Published: "p",
	}
	want := `{"id":"urn:c/log/4","type":"CaseLedgerEntry","caseId":"urn:c","logIndex":4,"disposition":"recorded","term":2,` +
		`"logObjectId":"urn:o","eventType":"close_case","payloadSnapshot":{"n": 9007199254740993.10, "h": "<&>", "x": null},` +
		`"prevLogHash":"` + zeroHash + `","entryHash":"` + aHash + `","receivedAt":"2026-09-01T00:00:00Z",` +
		`"reasonCode":"late","published":"p"}`
	got, err := e.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestMarshalRefuses(t *testing.T) {
	cases := []struct {
		name   string
		change func(*ledger.Entry)
		field  string
	}{
		{"no case", func(e *ledger.Entry) { e.CaseID = "" }, "caseId"},
		{"no object", func(e *ledger.Entry) { e.ObjectID = "" }, "logObjectId"},
		{"no event type", func(e *ledger.Entry) { e.EventType = "" }, "eventType"},
		{"no hash", func(e *ledger.Entry) { e.Hash = "" }, "entryHash"},
		{"not a snapshot", func(e *ledger.Entry) { e.Payload = []byte(`1`) }, "payloadSnapshot"},
		{"published", func(e *ledger.Entry) { e.Published = "\xff" }, "published"},
		{"updated", func(e *ledger.Entry) { e.Updated = "\xff" }, "updated"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			e := sealed(t, note(0), zeroHash)
			c.change(&e)
			_, err := e.MarshalJSON()
			if diff := cmp.Diff([]string{"invalid", c.field}, []string{string(fault.CodeOf(err)), fault.FieldOf(err)}); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestWireRoundTrip: what encoding/json writes and reads back verifies, whatever
// the texts hold and although it strips and escapes.
func TestWireRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String()
		quoted, _ := json.Marshal(text.Draw(t, "content"))
		e := note(rapid.Int64Range(0, 1<<53).Draw(t, "index"))
		e.ObjectID, e.EventType = "o"+text.Draw(t, "object"), "e"+text.Draw(t, "event")
		e.ReasonDetail = rapid.Ptr(text, true).Draw(t, "detail")
		e.Term = rapid.Ptr(rapid.Int64(), true).Draw(t, "term")
		e.Payload = fmt.Appendf(nil, `{"type": "Add", "n": 123456789012345678901.50, "z": null, "content": %s}`, quoted)
		e.PrevHash = aHash
		var err error
		if e.Hash, err = e.ComputeHash(); err != nil {
			t.Fatal(err)
		}
		wire, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		var back ledger.Entry
		if err := json.Unmarshal(wire, &back); err != nil {
			t.Fatal(err)
		}
		if verdict, err := ledger.Verify(back); verdict != ledger.VerdictExact {
			t.Fatal(err)
		}
		e.Payload, back.Payload = nil, nil
		if diff := cmp.Diff(e, back); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestUnmarshal(t *testing.T) {
	want := ledger.Entry{
		CaseID: "urn:c", Index: 4, Disposition: ledger.Recorded, ObjectID: "urn:o", EventType: "close_case",
		Payload:  []byte(`{ "a" : null,"b":1.50 , "c":"\u00E9" }`),
		PrevHash: zeroHash, Hash: aHash, ReceivedAt: "2026-09-01T00:00:00Z", Published: "p", Updated: "u",
	}
	cases := []struct{ name, in string }{
		{"camelCase", `{"id":"urn:c/log/4","type":"CaseLedgerEntry","caseId":"urn:c","logIndex":4,"disposition":"recorded",` +
			`"logObjectId":"urn:o","eventType":"close_case","payloadSnapshot":%s,"prevLogHash":"` + zeroHash +
			`","entryHash":"` + aHash + `","receivedAt":"2026-09-01T00:00:00Z","published":"p","updated":"u"}`},
		{"snake_case", `{"id_":"urn:c/log/4","type_":"CaseLedgerEntry","case_id":"urn:c","log_index":4,"disposition":"recorded",` +
			`"log_object_id":"urn:o","event_type":"close_case","payload_snapshot":%s,"prev_log_hash":"` + zeroHash +
			`","entry_hash":"` + aHash + `","received_at":"2026-09-01T00:00:00Z","published":"p","updated":"u"}`},
		{"mixed, with nulls, escapes and more members", `{"case_id":null,"@context":["x"],"caseId":"urn:\u0063","logIndex":4,"disposition":"recorded",` +
			`"term":null,"object_id":"urn:o","eventType":"close_case","payloadSnapshot":%s,"prevLogHash":"` + zeroHash +
			`","entryHash":"` + aHash + `","receivedAt":"2026-09-01T00:00:00Z","published":"p","updated":"u","reasonCode":null}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			text := fmt.Sprintf(c.in, want.Payload)
			var got ledger.Entry
			if err := json.Unmarshal([]byte(text), &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestUnmarshalRefuses(t *testing.T) {
	const id = `"caseId":"urn:c"`
	cases := []struct {
		name, old, new string
		code           fault.Code
		field          string
	}{
		{"no case", id, `"x":1`, fault.Invalid, "caseId"},
		{"null case", id, `"caseId":null`, fault.Invalid, "caseId"},
		{"case is a number", id, `"caseId":1`, fault.Invalid, "caseId"},
		{"case in two spellings", id, `"caseId":"urn:c","case_id":"urn:c"`, fault.Invalid, "caseId"},
		{"case twice", id, `"caseId":"urn:c","caseId":"urn:c"`, fault.Invalid, ""},
		{"case with half a pair", id, `"caseId":"\ud800"`, fault.Invalid, "caseId"},
		{"no index", `"logIndex":4`, `"x":4`, fault.Invalid, "logIndex"},
		{"index is a string", `"logIndex":4`, `"logIndex":"4"`, fault.Invalid, "logIndex"},
		{"index is a fraction", `"logIndex":4`, `"logIndex":4.0`, fault.Invalid, "logIndex"},
		{"index is negative", `"logIndex":4`, `"logIndex":-1`, fault.Invalid, "logIndex"},
		{"index is too large", `"logIndex":4`, `"logIndex":9223372036854775808`, fault.Invalid, "logIndex"},
		{"unknown disposition", `"recorded"`, `"maybe"`, fault.Invalid, "disposition"},
		{"no object", `"logObjectId"`, `"x"`, fault.Invalid, "logObjectId"},
		{"no event type", `"eventType"`, `"x"`, fault.Invalid, "eventType"},
		{"snapshot is a string", `{"a":1}`, `"{}"`, fault.Invalid, "payloadSnapshot"},
		{"no snapshot", `"payloadSnapshot"`, `"x"`, fault.Invalid, "payloadSnapshot"},
		{"short previous hash", zeroHash, `00`, fault.Invalid, "prevLogHash"},
		{"upper-case hash", aHash, strings.ToUpper(aHash), fault.Invalid, "entryHash"},
		{"no time", `"receivedAt"`, `"x"`, fault.Invalid, "receivedAt"},
		{"time without zone", `00:00:00Z`, `00:00:00`, fault.Invalid, "receivedAt"},
		{"term is a string", `"term":1`, `"term":"1"`, fault.Invalid, "term"},
		{"reason is an object", `"reasonCode":"r"`, `"reasonCode":{}`, fault.Invalid, "reasonCode"},
		{"another type", `"CaseLedgerEntry"`, `"Note"`, fault.Invalid, "type"},
		{"another id", `"urn:c/log/4"`, `"urn:c/log/5"`, fault.Invalid, "id"},
		{"not an object", `{"id"`, `[{"id"`, fault.Invalid, ""},
		{"too deep", `{"a":1}`, `{"a":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}`, fault.TooLarge, ""},
	}
	whole := `{"id":"urn:c/log/4","type":"CaseLedgerEntry","caseId":"urn:c","logIndex":4,"disposition":"recorded","term":1,` +
		`"logObjectId":"urn:o","eventType":"close_case","payloadSnapshot":{"a":1},"prevLogHash":"` + zeroHash +
		`","entryHash":"` + aHash + `","receivedAt":"2026-09-01T00:00:00Z","reasonCode":"r"}`
	if err := new(ledger.Entry).UnmarshalJSON([]byte(whole)); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			e := note(9)
			err := e.UnmarshalJSON([]byte(strings.Replace(whole, c.old, c.new, 1)))
			if diff := cmp.Diff([]string{string(c.code), c.field}, []string{string(fault.CodeOf(err)), fault.FieldOf(err)}); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(note(9), e); diff != "" {
				t.Errorf("the entry changed: %s", diff)
			}
		})
	}
}

func TestUnmarshalKeepsNothingOfItsInput(t *testing.T) {
	want := sealed(t, note(0), zeroHash)
	wire, err := want.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var got ledger.Entry
	if err := got.UnmarshalJSON(wire); err != nil {
		t.Fatal(err)
	}
	clear(wire)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestUnmarshalARejectedEntry(t *testing.T) {
	text := `{"caseId":"urn:c","logIndex":-1,"disposition":"rejected","logObjectId":"urn:o","eventType":"x",` +
		`"payloadSnapshot":{},"receivedAt":"2026-09-01T00:00:00Z","reasonCode":"r","reasonDetail":"d"}`
	var e ledger.Entry
	if err := e.UnmarshalJSON([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("r d", *e.ReasonCode+" "+*e.ReasonDetail); diff != "" {
		t.Error(diff)
	}
}

func FuzzUnmarshalEntry(f *testing.F) {
	wire, err := sealed(f, note(0), zeroHash).MarshalJSON()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(wire)
	f.Add([]byte(`{"case_id":"c","log_index":0}`))
	f.Add([]byte(`{"caseId":"\ud800"}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var e ledger.Entry
		if err := e.UnmarshalJSON(text); err != nil {
			if code := fault.CodeOf(err); code != fault.Invalid && code != fault.TooLarge {
				t.Fatalf("unexpected code: %v", err)
			}
			return
		}
		wire, err := e.MarshalJSON()
		if err != nil {
			t.Fatalf("read but not written: %v", err)
		}
		var back ledger.Entry
		if err := back.UnmarshalJSON(wire); err != nil {
			t.Fatalf("written but not read: %v", err)
		}
		if diff := cmp.Diff(e, back); diff != "" {
			t.Fatal(diff)
		}
		if _, err := e.ComputeHash(); err != nil {
			t.Fatalf("read but not hashed: %v", err)
		}
	})
}
