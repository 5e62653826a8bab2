package ledger_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bateleur/core/fault"
	"bateleur/core/ledger"
)

func TestVerify(t *testing.T) {
	stamped := func(at string) ledger.Entry {
		e := note(0)
		e.Payload = bytes.Replace(e.Payload, []byte(`"n": 0`), []byte(`"published": "`+at+`"`), 1)
		return e
	}
	cases := []struct {
		name         string
		hashed, sent ledger.Entry
		want         ledger.Verdict
		code         fault.Code
	}{
		{"as hashed", note(0), note(0), ledger.VerdictExact, ""},
		{"outside the hash", note(0), with(note(0), func(e *ledger.Entry) { e.Published, e.Updated = "x", "y" }), ledger.VerdictExact, ""},
		{"another spelling of UTC", note(0), with(note(0), func(e *ledger.Entry) { e.ReceivedAt = "2026-09-01T00:00:00+00:00" }), ledger.VerdictExact, ""},
		{"another layout", note(0), with(note(0), func(e *ledger.Entry) { e.Payload, _ = ledger.AppendCanonical(nil, e.Payload) }), ledger.VerdictExact, ""},
		{"times sent as hashed", stamped("2026-01-02T03:04:05Z"), stamped("2026-01-02T03:04:05Z"), ledger.VerdictExact, ""},
		{"times re-spelled", stamped("2026-01-02 03:04:05+00:00"), stamped("2026-01-02T03:04:05Z"), ledger.VerdictRespelled, ""},
		{"times with a fraction re-spelled", stamped("2026-01-02 03:04:05.123456+00:00"), stamped("2026-01-02T03:04:05.123456Z"), ledger.VerdictRespelled, ""},
		{"another time re-spelled", stamped("2026-01-02 03:04:05+00:00"), stamped("2026-01-02T03:04:06Z"), ledger.VerdictMismatch, fault.Corrupt},
		{"re-spelled the other way", stamped("2026-01-02T03:04:05Z"), stamped("2026-01-02 03:04:05+00:00"), ledger.VerdictMismatch, fault.Corrupt},
		{"not a time", stamped("2026-01-02 03:04:05.+00:00"), stamped("2026-01-02T03:04:05.Z"), ledger.VerdictMismatch, fault.Corrupt},
		{"stamped again by a replica", note(0), with(note(0), func(e *ledger.Entry) { e.ReceivedAt = "2026-09-01T00:00:01Z" }), ledger.VerdictMismatch, fault.Corrupt},
		{"no longer JSON", note(0), with(note(0), func(e *ledger.Entry) { e.Payload = e.Payload[1:] }), ledger.VerdictMismatch, fault.Corrupt},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.sent.PrevHash, c.sent.Hash = zeroHash, sealed(t, c.hashed, zeroHash).Hash
			got, err := ledger.Verify(c.sent)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("verdict: %s", diff)
			}
			if diff := cmp.Diff(c.code, fault.CodeOf(err)); diff != "" {
				t.Errorf("code: %s", diff)
			}
		})
	}
}

func with(e ledger.Entry, change func(*ledger.Entry)) ledger.Entry {
	change(&e)
	return e
}

// TestAnyFlippedByteIsSeen changes one byte of anything the hash covers, and of
// the hash.
//
// Proves: SYNC-01-003
func TestAnyFlippedByteIsSeen(t *testing.T) {
	original := note(3)
	reason := "because"
	original.ReasonCode, original.ReasonDetail = &reason, &reason
	original = sealed(t, original, strings.Repeat("ab", 32))
	texts := map[string]func(*ledger.Entry) *string{
		"caseId":       func(e *ledger.Entry) *string { return &e.CaseID },
		"disposition":  func(e *ledger.Entry) *string { return &e.Disposition },
		"logObjectId":  func(e *ledger.Entry) *string { return &e.ObjectID },
		"eventType":    func(e *ledger.Entry) *string { return &e.EventType },
		"prevLogHash":  func(e *ledger.Entry) *string { return &e.PrevHash },
		"entryHash":    func(e *ledger.Entry) *string { return &e.Hash },
		"receivedAt":   func(e *ledger.Entry) *string { return &e.ReceivedAt },
		"reasonCode":   func(e *ledger.Entry) *string { e.ReasonCode = new(*e.ReasonCode); return e.ReasonCode },
		"reasonDetail": func(e *ledger.Entry) *string { e.ReasonDetail = new(*e.ReasonDetail); return e.ReasonDetail },
	}
	names := []string{"payload", "caseId", "disposition", "logObjectId", "eventType", "prevLogHash", "entryHash",
		"receivedAt", "reasonCode", "reasonDetail"}
	rapid.Check(t, func(t *rapid.T) {
		e := original
		e.Payload = bytes.Clone(e.Payload)
		name := rapid.SampledFrom(names).Draw(t, "member")
		flip := rapid.ByteRange(1, 255).Draw(t, "bits")
		if name == "payload" {
			e.Payload[rapid.IntRange(0, len(e.Payload)-1).Draw(t, "at")] ^= flip
			if sameMeaning(original.Payload, e.Payload) {
				t.Skip("white space for white space")
			}
		} else {
			s := texts[name](&e)
			b := []byte(*s)
			b[rapid.IntRange(0, len(b)-1).Draw(t, "at")] ^= flip
			*s = string(b)
		}
		if verdict, err := ledger.Verify(e); verdict != ledger.VerdictMismatch || fault.CodeOf(err) != fault.Corrupt {
			t.Fatalf("%s changed and %v, %v", name, verdict, err)
		}
	})
}

// sameMeaning asks the reference whether two texts have one canonical form.
func sameMeaning(a, b []byte) bool {
	x, errX := reference(a)
	y, errY := reference(b)
	return errX == nil && errY == nil && x == y && !bytes.Contains(b, []byte("\xef\xbf\xbd"))
}

// TestRecordedLedgersRecompute verifies every entry the reference
// implementation's case actors minted in the recorded scenarios.
//
// Proves: SYNC-01-003, BA-11-001
func TestRecordedLedgersRecompute(t *testing.T) {
	got := map[ledger.Verdict]int{}
	respelledTypes := map[string]bool{}
	for _, entries := range recordedLedgers(t) {
		for _, e := range entries {
			verdict, err := ledger.Verify(e)
			if err != nil {
				t.Error(err)
			}
			got[verdict]++
			if verdict == ledger.VerdictRespelled {
				respelledTypes[e.EventType] = true
			}
		}
	}
	want := map[ledger.Verdict]int{ledger.VerdictExact: 180, ledger.VerdictRespelled: 11}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	wantTypes := map[string]bool{"invite_actor_to_case": true, "offer_case_participant": true, "accept_actor_recommendation": true}
	if diff := cmp.Diff(wantTypes, respelledTypes); diff != "" {
		t.Error(diff)
	}
}
