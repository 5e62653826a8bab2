package as2_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"bateleur/adapters/wire/as2"
	"bateleur/core/fault"
)

func TestReaddress(t *testing.T) {
	cases := []struct{ name, raw, want string }{
		{"replaces id and to in their places, drops the rest",
			`{"@context":"c","id":"urn:1","type":"Announce","object":{"id":"urn:o","to":["x"],"cc":["y"], "n":1.0},"to":["a","b"],"cc":["m"],"bto":["x"],"bcc":"y","name":"<&>"}`,
			`{"@context":"c","id":"urn:2","type":"Announce","object":{"id":"urn:o","to":["x"],"cc":["y"], "n":1.0},"to":["https://v.test/v"],"name":"<&>"}`},
		{"adds what is not there", `{"type":"Announce"}`, `{"type":"Announce","id":"urn:2","to":["https://v.test/v"]}`},
		{"takes the only member away", `{"cc":[]}`, `{"id":"urn:2","to":["https://v.test/v"]}`},
		{"from an empty object", ` { } `, `{"id":"urn:2","to":["https://v.test/v"]}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := as2.Codec{}.Readdress([]byte(c.raw), "urn:2", "https://v.test/v")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReaddressRefuses(t *testing.T) {
	cases := []struct{ name, raw, id, recipient string }{
		{"no id", `{}`, "", "https://v.test/v"},
		{"no recipient", `{}`, "urn:2", ""},
		{"no object", `[]`, "urn:2", "https://v.test/v"},
		{"nothing", ``, "urn:2", "https://v.test/v"},
		{"half an object", `{"id":"urn:1","object":{"a":`, "urn:2", "https://v.test/v"},
		{"an object not closed", `{"id":"urn:1"`, "urn:2", "https://v.test/v"},
		{"an id that is not UTF-8", `{}`, "\xff", "https://v.test/v"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := as2.Codec{}.Readdress([]byte(c.raw), c.id, c.recipient)
			if fault.CodeOf(err) != fault.Invalid || got != nil {
				t.Errorf("Readdress = %s, %v", got, err)
			}
		})
	}
}
