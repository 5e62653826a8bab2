package scope_test

import (
	"testing"

	"bateleur/core/fault"
	"bateleur/core/scope"
)

// Parameters mean what they say or are refused: nothing is mended, and of two
// readings none is chosen.
func TestParametersAreReadStrictly(t *testing.T) {
	type inCase struct {
		CaseID string `json:"case_id"`
	}
	for _, tc := range []struct {
		name, params, field string
		code                fault.Code
	}{
		{"as written", `{"case_id":"urn:x"}`, "", ""},
		{"not UTF-8", "{\"case_id\":\"\xff\"}", "body", fault.Invalid},
		{"a member twice", `{"case_id":"urn:x","case_id":"urn:y"}`, "case_id", fault.Invalid},
		{"a member twice, once with escapes", `{"case_id":"urn:x","case\u005fid":"urn:y"}`, "case_id", fault.Invalid},
		{"in another letter case", `{"CASE_ID":"urn:x"}`, "CASE_ID", fault.Invalid},
		{"no such member", `{"case_id":"urn:x","force":true}`, "", fault.Invalid},
		{"two values", `{"case_id":"urn:x"}{}`, "", fault.Invalid},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := scope.DecodeParams[inCase](scope.Command{Trigger: "engage-case", Params: []byte(tc.params)})
			if fault.CodeOf(err) != tc.code || fault.FieldOf(err) != tc.field {
				t.Errorf("%v", err)
			}
		})
	}
}
