package ledger_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"bateleur/core/fault"
	"bateleur/core/ledger"
)

// Proves: CLP-07-007
func TestWithContext(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"added last", `{ "type":"Add", "n": 1.50 }`, `{ "type":"Add", "n": 1.50 ,"context":"urn:c\""}`},
		{"added to nothing", `{ }`, `{ "context":"urn:c\""}`},
		{"replaced in its place", `{"a":1, "context" : "urn:report" ,"z":null}`, `{"a":1, "context" : "urn:c\"" ,"z":null}`},
		{"whatever it was", `{"context":{"context":[1]},"b":"\u00E9"}`, `{"context":"urn:c\"","b":"\u00E9"}`},
		{"only on top", `{"object":{"context":"x"}}`, `{"object":{"context":"x"},"context":"urn:c\""}`},
		{"with its name escaped", `{"c\u006fntext":null}`, `{"c\u006fntext":"urn:c\""}`},
		{"with space around", "\n{\"context\":1}\n", "\n{\"context\":\"urn:c\\\"\"}\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			in := []byte(c.in)
			got, err := ledger.WithContext(in, `urn:c"`)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.in, string(in)); diff != "" {
				t.Errorf("the input changed: %s", diff)
			}
		})
	}
}

func TestWithContextRefuses(t *testing.T) {
	cases := []struct{ name, in, caseID string }{
		{"no JSON", `{`, "urn:c"},
		{"not an object", `[]`, "urn:c"},
		{"context twice", `{"context":1,"context":2}`, "urn:c"},
		{"no case", `{}`, ""},
		{"a case that is no text", `{}`, "\xff"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := ledger.WithContext([]byte(c.in), c.caseID)
			if diff := cmp.Diff(fault.Invalid, fault.CodeOf(err)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWithMember(t *testing.T) {
	cases := []struct{ name, in, member, value, want string }{
		{"added", `{"n":1.50}`, "published", `"x"`, `{"n":1.50,"published":"x"}`},
		{"replaced", `{"object":{"a":1}, "n":1e2}`, "object", `{"b": [2]}`, `{"object":{"b": [2]}, "n":1e2}`},
		{"a name to be escaped", `{}`, "ä\"", `null`, `{"\u00e4\"":null}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := ledger.WithMember([]byte(c.in), c.member, []byte(c.value))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWithMemberRefuses(t *testing.T) {
	cases := []struct{ name, in, member, value string }{
		{"a value that is none", `{}`, "a", `1,"b":2`},
		{"no value", `{}`, "a", ``},
		{"a name that is no text", `{}`, "\xff", `1`},
		{"a snapshot that is no object", `1`, "a", `1`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := ledger.WithMember([]byte(c.in), c.member, []byte(c.value))
			if diff := cmp.Diff(fault.Invalid, fault.CodeOf(err)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
