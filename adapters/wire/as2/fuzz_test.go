package as2_test

import (
	"os"
	"testing"
	"time"

	"bateleur/adapters/wire/as2"
	"bateleur/core/fault"
)

// Whatever is sent, decoding ends soon, without a panic, with a message or with
// one of two codes; and what was read is the same to us after it was written.
//
// Proves: MV-01-005
func FuzzDecode(f *testing.F) {
	for _, w := range written {
		f.Add(encoded(f, &w.activity))
	}
	for _, seed := range []string{``, `{}`, `{"type":["Offer","x"],"actor":[{"id":"https://f.test/f"}],"object":{"id":"x"}}`,
		around(`"object":{"type":"ParticipantStatus","rm":{"state":"VALID"},"em":null}`),
		around(`"@context":[{"as":"x"}],"to":[null,"",{"id":"x"}],"context":{},"nameMap":{"de":"x"}`),
		around(`"object":{"type":"EmbargoEvent","end_time":"2027-03-28T12:00:00.123456789-04:00"}`)} {
		f.Add([]byte(seed))
	}
	if os.Getenv("BATELEUR_TESTDATA") != "" {
		for _, body := range recorded(f)[:40] {
			f.Add(body)
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		began := time.Now()
		_, err := as2.Codec{}.Decode(raw)
		if spent := time.Since(began); spent > time.Second+time.Duration(len(raw))*time.Microsecond {
			t.Errorf("%v for %d bytes", spent, len(raw))
		}
		switch code := fault.CodeOf(err); code {
		case "":
			steady(t, raw)
			if _, err := as2.DecodeObject(raw); err != nil {
				t.Errorf("a message, but no object: %v", err)
			}
		case fault.Invalid, fault.TooLarge:
		default:
			t.Errorf("code %q: %v", code, err)
		}
	})
}

// FuzzReaddress checks that only the address changes.
func FuzzReaddress(f *testing.F) {
	for _, w := range written {
		f.Add(encoded(f, &w.activity))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		a, err := as2.Codec{}.Decode(raw)
		if err != nil {
			return
		}
		once := encoded(t, a)
		moved, err := as2.Codec{}.Readdress(once, "urn:new", "https://v.test/v")
		if err != nil {
			t.Fatal(err)
		}
		want := *decoded(t, string(once))
		want.ID, want.To, want.CC = "urn:new", []string{"https://v.test/v"}, nil
		if got := string(encoded(t, decoded(t, string(moved)))); got != string(encoded(t, &want)) {
			t.Errorf("%s\nbecame %s", once, got)
		}
	})
}
