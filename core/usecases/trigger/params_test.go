package trigger_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bateleur/core/fault"
	"bateleur/core/usecases/trigger"
)

const inCase = `{"case_id":"urn:uuid:c"}`

// right has parameters that each trigger takes.
var right = map[string]string{
	"submit-report":        `{"report_name":"Overflow","report_content":"x","recipient_id":"https://v.test/actors/v"}`,
	"validate-report":      `{"offer_id":"urn:uuid:o","note":"fine"}`,
	"invalidate-report":    `{"offer_id":"urn:uuid:o"}`,
	"close-report":         `{"offer_id":"urn:uuid:o"}`,
	"engage-case":          inCase,
	"defer-case":           inCase,
	"close-case":           inCase,
	"notify-fix-ready":     inCase,
	"notify-fix-deployed":  inCase,
	"notify-published":     inCase,
	"add-note-to-case":     `{"case_id":"urn:uuid:c","note_content":"x","note_name":"n","in_reply_to":"urn:uuid:n"}`,
	"invite-actor-to-case": `{"case_id":"urn:uuid:c","invitee_id":"https://n.test/actors/n","roles":["vendor","Deployer"]}`,
	"accept-case-invite":   `{"invite_id":"urn:uuid:i"}`,
	"reject-case-invite":   `{"invite_id":"urn:uuid:i"}`,
	"register-peer":        `{"id":"https://n.test/actors/n","type":"Person","name":"N"}`,
}

// Each trigger takes what is right for it, and refuses what nobody could mean.
//
// Proves: TRIG-01-002
func TestEveryTriggerChecksItsParameters(t *testing.T) {
	all := trigger.All()
	for name := range all {
		if right[name] == "" {
			t.Errorf("%s has no example", name)
		}
	}
	for name, params := range right {
		t.Run(name, func(t *testing.T) {
			if all[name].Name != name {
				t.Fatal("there is no such trigger")
			}
			if err := all[name].Check([]byte(params)); err != nil {
				t.Error(err)
			}
			for _, wrong := range []string{``, `null`, `[]`, `"x"`, `{}`, params + params, strings.Replace(params, `"`, `"odd":1,"`, 1)} {
				if err := all[name].Check([]byte(wrong)); fault.CodeOf(err) != fault.Invalid || fault.FieldOf(err) == "" {
					t.Errorf("%s: %v", wrong, err)
				}
			}
		})
	}
}

// The error names the member at fault as the caller spelled it.
//
// Proves: IE-07-002, TRIG-01-002
func TestTheErrorNamesTheMember(t *testing.T) {
	long := strings.Repeat("x", 3<<20)
	tests := []struct{ name, trigger, params, field string }{
		{"missing", "engage-case", `{}`, "case_id"},
		{"empty", "engage-case", `{"case_id":""}`, "case_id"},
		{"too long", "engage-case", `{"case_id":"` + long + `"}`, "case_id"},
		{"wrong type", "engage-case", `{"case_id":1}`, "case_id"},
		{"unknown", "engage-case", `{"case_id":"urn:c","colour":"red"}`, "colour"},
		{"no object", "engage-case", `[]`, "body"},
		{"no JSON", "engage-case", `{"case_id":`, "body"},
		{"two values", "engage-case", inCase + `1`, "body"},
		{"no title", "submit-report", `{"recipient_id":"https://v.test/actors/v"}`, "report_name"},
		{"long title", "submit-report", `{"report_name":"` + long[:1001] + `","recipient_id":"https://v.test/actors/v"}`, "report_name"},
		{"long report", "submit-report", `{"report_name":"x","report_content":"` + long + `","recipient_id":"https://v.test/actors/v"}`, "report_content"},
		{"recipient is no actor", "submit-report", `{"report_name":"x","recipient_id":"urn:v"}`, "recipient_id"},
		{"offer", "validate-report", `{"note":"x"}`, "offer_id"},
		{"long note", "validate-report", `{"offer_id":"urn:o","note":"` + long[:65537] + `"}`, "note"},
		{"no content", "add-note-to-case", inCase, "note_content"},
		{"long content", "add-note-to-case", `{"case_id":"urn:c","note_content":"` + long[:262145] + `"}`, "note_content"},
		{"invitee is no actor", "invite-actor-to-case", `{"case_id":"urn:c","invitee_id":"n"}`, "invitee_id"},
		{"invited to manage", "invite-actor-to-case", `{"case_id":"urn:c","invitee_id":"https://n.test/actors/n","roles":["vendor","CASE_MANAGER"]}`, "roles[1]"},
		{"invited to own", "invite-actor-to-case", `{"case_id":"urn:c","invitee_id":"https://n.test/actors/n","roles":["case_owner"]}`, "roles[0]"},
		{"invited as nothing known", "invite-actor-to-case", `{"case_id":"urn:c","invitee_id":"https://n.test/actors/n","roles":["king"]}`, "roles[0]"},
		{"too many roles", "invite-actor-to-case", `{"case_id":"urn:c","invitee_id":"https://n.test/actors/n","roles":["vendor","vendor","vendor","vendor","vendor","vendor","vendor","vendor","vendor","vendor"]}`, "roles"},
		{"roles are no list", "invite-actor-to-case", `{"case_id":"urn:c","invitee_id":"https://n.test/actors/n","roles":"vendor"}`, "roles"},
		{"no invitation", "accept-case-invite", `{}`, "invite_id"},
		{"peer is no actor", "register-peer", `{"id":"n"}`, "id"},
		{"peer is a note", "register-peer", `{"id":"https://n.test/actors/n","type":"Note"}`, "type"},
		{"peer's long name", "register-peer", `{"id":"https://n.test/actors/n","name":"` + long[:1001] + `"}`, "name"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := trigger.All()[test.trigger].Check([]byte(test.params))
			if diff := cmp.Diff([]string{string(fault.Invalid), test.field}, []string{string(fault.CodeOf(err)), fault.FieldOf(err)}); diff != "" {
				t.Errorf("%v\n%s", err, diff)
			}
		})
	}
}

// Only a delegated trigger says which case it is about before it is queued.
func TestCaseID(t *testing.T) {
	for name, tr := range trigger.All() {
		if tr.Delegated != (tr.CaseID != nil) {
			t.Errorf("%s: delegated %v", name, tr.Delegated)
		}
	}
	caseID := trigger.All()["invite-actor-to-case"].CaseID
	if got := caseID([]byte(right["invite-actor-to-case"])); got != "urn:uuid:c" {
		t.Errorf("got %q", got)
	}
	if got := caseID([]byte(`{`)); got != "" {
		t.Errorf("got %q", got)
	}
}
