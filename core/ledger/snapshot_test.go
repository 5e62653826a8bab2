package ledger_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bateleur/core/fault"
	"bateleur/core/ledger"
)

// Proves: CLP-07-004
func TestAllowed(t *testing.T) {
	cases := []struct {
		name, activity, object, target string
		want                           bool
	}{
		{"a note", "Add", "Note", "VulnerabilityCase", true},
		{"an invitation of an actor to a case", "Invite", "Organization", "VulnerabilityCase", true},
		{"an offer of an actor to a case", "Offer", "Service", "VulnerabilityCase", true},
		{"an actor whose type is lost", "Invite", "CoreActor", "VulnerabilityCase", true},
		{"an actor to nothing", "Invite", "Person", "", false},
		{"an actor to a note", "Invite", "Person", "Note", false},
		{"joining anything", "Join", "Note", "", true},
		{"joining nothing", "Join", "", "", false},
		{"a ledger entry", "Announce", "CaseLedgerEntry", "", false},
		{"refusal of a ledger entry", "Reject", "CaseLedgerEntry", "", false},
		{"a proposal", "Create", "CaseProposal", "", false},
		{"acceptance of a proposal", "Accept", "CaseProposal", "", false},
		{"a log line", "Create", "Note", "", false},
		{"an undo", "Undo", "Ignore", "", false},
		{"the target counts only for actors", "Add", "Article", "VulnerabilityCase", false},
		{"other case", "add", "Note", "", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := ledger.Allowed(c.activity, c.object, c.target); got != c.want {
				t.Errorf("Allowed = %v", got)
			}
		})
	}
}

// snap builds a snapshot of the case from its members; a member set to "" is
// left out.
func snap(members ...string) string {
	all := map[string]json.RawMessage{
		"type":    json.RawMessage(`"Add"`),
		"actor":   json.RawMessage(`"` + aParty + `"`),
		"context": json.RawMessage(`"` + aCase + `"`),
		"object":  json.RawMessage(`{"type":"Note","id":"urn:n"}`),
	}
	for i := 0; i < len(members); i += 2 {
		all[members[i]] = json.RawMessage(members[i+1])
		if members[i+1] == "" {
			delete(all, members[i])
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// Proves: CLP-07-004, CLP-07-006, CLP-07-007, CLP-07-008
func TestCheckSnapshot(t *testing.T) {
	const (
		byManager = `"` + aManager + `"`
		thisCase  = `{"type":"VulnerabilityCase","id":"` + aCase + `"}`
		otherCase = `{"type":"VulnerabilityCase","id":"urn:uuid:33333333-3333-4333-8333-333333333333"}`
	)
	cases := []struct {
		name, in string
		code     fault.Code
		field    string
	}{
		{"a note", snap(), "", ""},
		{"object_ of the reference implementation", snap("object", "", "object_", `{"type":"Note"}`), "", ""},
		{"a target that is null", snap("target", "null"), "", ""},
		{"origin as an id", snap("type", `"Remove"`, "object", `{"type":"EmbargoEvent"}`, "origin", `"urn:x"`), "", ""},
		{"origin inline", snap("origin", thisCase), "", ""},
		{"an actor invited to this case", snap("type", `"Invite"`, "object", `{"type":"Person"}`, "target", thisCase), "", ""},
		{"id_ of the reference implementation", snap("target", strings.Replace(thisCase, `"id"`, `"id_"`, 1)), "", ""},
		{"the manager removes an embargo", snap("actor", byManager, "type", `"Remove"`, "object", `{"type":"EmbargoEvent"}`), "", ""},
		{"the manager leaves the case", snap("actor", byManager, "type", `"Leave"`, "object", thisCase), "", ""},

		{"no JSON", `{`, fault.Invalid, ""},
		{"empty", `{}`, fault.Invalid, "payloadSnapshot"},
		{"not an object", `["Add"]`, fault.Invalid, "payloadSnapshot"},
		{"no actor", snap("actor", ""), fault.Invalid, "actor"},
		{"actor inline", snap("actor", `{"id":"urn:a"}`), fault.Invalid, "actor"},
		{"no context", snap("context", ""), fault.Invalid, "context"},
		{"context of a report", snap("context", `"urn:report"`), fault.Invalid, "context"},
		{"context inline", snap("context", thisCase), fault.Invalid, "context"},
		{"object by reference", snap("object", `"urn:n"`), fault.Invalid, "object"},
		{"object as a list", snap("object", `[{"type":"Note"}]`), fault.Invalid, "object"},
		{"object_ by reference", snap("object", "", "object_", `"urn:n"`), fault.Invalid, "object_"},
		{"two objects", snap("object_", `{"type":"Note"}`), fault.Invalid, "object_"},
		{"target by reference", snap("target", `"`+aCase+`"`), fault.Invalid, "target"},
		{"target is another case", snap("target", otherCase), fault.Invalid, "target.id"},
		{"object is another case", snap("type", `"Join"`, "object", otherCase), fault.Invalid, "object.id"},
		{"object of another case", snap("object", `{"type":"Note","context":"urn:other"}`), fault.Invalid, "object.context"},
		{"no object", snap("object", ""), fault.Invalid, "type"},
		{"no type", snap("type", ""), fault.Invalid, "type"},
		{"a pair that is not recorded", snap("type", `"Delete"`), fault.Invalid, "type"},
		{"a ledger entry", snap("type", `"Announce"`, "object", `{"type":"CaseLedgerEntry"}`), fault.Invalid, "type"},
		{"the manager writes a note", snap("actor", byManager), fault.Forbidden, ""},
		{"the manager joins", snap("actor", byManager, "type", `"Join"`, "object", thisCase), fault.Forbidden, ""},
		{"the manager leaves something else", snap("actor", byManager, "type", `"Leave"`), fault.Forbidden, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			err := ledger.CheckSnapshot([]byte(c.in), aCase, aManager)
			if diff := cmp.Diff([]string{string(c.code), c.field}, []string{string(fault.CodeOf(err)), fault.FieldOf(err)}); diff != "" {
				t.Errorf("%s\n%v", diff, err)
			}
		})
	}
}

// TestRecordedSnapshotsPass: everything the reference implementation recorded in
// the scenarios may be recorded here.
//
// Proves: CLP-07-006, CLP-07-007
func TestRecordedSnapshotsPass(t *testing.T) {
	for name, entries := range recordedLedgers(t) {
		var first struct{ Actor string }
		if err := json.Unmarshal(entries[0].Payload, &first); err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if err := ledger.CheckSnapshot(e.Payload, e.CaseID, first.Actor); err != nil {
				t.Errorf("%s %d: %v", name, e.Index, err)
			}
		}
	}
}
