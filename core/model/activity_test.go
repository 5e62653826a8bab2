package model

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Actor, who emits, and AttributedTo, for whom, are members of their own and stay
// apart.
//
// Proves: CM-24-002
func TestActorAndAttributedToStayApart(t *testing.T) {
	a := &Activity{ID: "urn:a", Type: Invite, Actor: "https://m.test/actors/m", AttributedTo: "https://o.test/actors/o"}
	raw, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"id":"urn:a","type":"Invite","actor":"https://m.test/actors/m","attributedTo":"https://o.test/actors/o"}`
	if diff := cmp.Diff(want, string(raw)); diff != "" {
		t.Error(diff)
	}
	var back Activity
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(*a, back, cmp.AllowUnexported(Item{})); diff != "" {
		t.Error(diff)
	}
}

func TestAddressees(t *testing.T) {
	a := &Activity{To: []string{"a", "b"}, CC: []string{"b", "c"}, BTo: []string{"d", "a"}, BCC: []string{"e"}}
	if diff := cmp.Diff([]string{"a", "b", "c", "d", "e"}, a.Addressees()); diff != "" {
		t.Error(diff)
	}
	if got := (&Activity{}).Addressees(); len(got) != 0 {
		t.Errorf("got %v", got)
	}
}

func TestObjectActivity(t *testing.T) {
	inner := &Activity{ID: "urn:offer", Type: Offer}
	if got := (&Activity{Object: Inline(inner)}).ObjectActivity(); got != inner {
		t.Errorf("got %v", got)
	}
	for name, object := range map[string]Item{"an id": Link("urn:offer"), "nothing": {}, "a note": Inline(&Note{})} {
		if got := (&Activity{Object: object}).ObjectActivity(); got != nil {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

func TestParseRole(t *testing.T) {
	cases := []struct {
		name, in, enum string
		want           Role
		known          bool
	}{
		{"lower", "vendor", "VENDOR", RoleVendor, true},
		{"upper", "CASE_MANAGER", "CASE_MANAGER", RoleCaseManager, true},
		{"mixed", "Cve_Numbering_Authority", "CVE_NUMBERING_AUTHORITY", RoleCNA, true},
		{"unknown", "King", "KING", "king", false},
		{"empty", "", "", "", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, known := ParseRole(c.in)
			if got != c.want || known != c.known || got.EnumName() != c.enum {
				t.Errorf("got %s, %v, %s", got, known, got.EnumName())
			}
		})
	}
}

// A stub names its case and nothing of substance.
func TestIsStub(t *testing.T) {
	cases := []struct {
		name string
		vc   VulnerabilityCase
		want bool
	}{
		{"id", VulnerabilityCase{ID: "urn:c"}, true},
		{"id, summary and embargo", VulnerabilityCase{ID: "urn:c", Summary: "s", ActiveEmbargo: Link("urn:e")}, true},
		{"manager", VulnerabilityCase{ID: "urn:c", AttributedTo: "x"}, false},
		{"participants", VulnerabilityCase{ID: "urn:c", CaseParticipants: []Item{Link("urn:p")}}, false},
		{"statuses", VulnerabilityCase{ID: "urn:c", CaseStatuses: []Item{Link("urn:s")}}, false},
		{"reports", VulnerabilityCase{ID: "urn:c", VulnerabilityReports: []Item{Link("urn:r")}}, false},
		{"genesis", VulnerabilityCase{ID: "urn:c", GenesisHash: "h"}, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := c.vc.IsStub(); got != c.want {
				t.Errorf("got %v", got)
			}
		})
	}
}
