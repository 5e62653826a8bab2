package semantics_test

import (
	"testing"

	"bateleur/core/semantics"
)

func TestCaseOfFindsTheCaseOfEveryMeaning(t *testing.T) {
	for _, m := range understood {
		t.Run(m.name, func(t *testing.T) {
			if got := semantics.CaseOf(activity(t, m.sketch), m.meaning); got != m.caseID {
				t.Errorf("CaseOf = %q, want %q", got, m.caseID)
			}
		})
	}
}

func TestCaseOfWhereMembersDisagree(t *testing.T) {
	cases := []message{
		{"the target before the context", `{"type":"Add","object":$NOTE,"target":"urn:case:2"}`, semantics.AddNoteToCase, "urn:case:2"},
		{"the entry's case, never the hash", `{"type":"Reject","object":$ENTRY,"context":"ab:cd"}`, semantics.RejectCaseLedgerEntry, theCase},
		{"an entry that is a bare id", `{"type":"Reject","object":"urn:entry","context":"urn:case:2"}`, semantics.RejectCaseLedgerEntry, ""},
		{"the answered invitation before the answer's context",
			`{"type":"Accept","object":` + inviteEmbargo + `,"context":"urn:case:2"}`, semantics.AcceptInviteToEmbargoOnCase, theCase},
		{"the status's context before the activity's",
			`{"type":"Add","object":$PSTATUS,"target":"urn:p","context":"urn:case:2"}`, semantics.AddParticipantStatusToParticipant, theCase},
		{"the activity's context where the object has none",
			`{"type":"Create","object":{"id":"urn:n","type":"Note"},"context":"urn:case:2"}`, semantics.CreateNote, "urn:case:2"},
		{"a context that is no id", `{"type":"Create","object":{"id":"urn:n","type":"Note"},"context":"d04bc8d0"}`, semantics.CreateNote, ""},
		{"an embargo removed without origin", `{"type":"Remove","object":$EMBARGO}`, semantics.RemoveEmbargoEventFromCase, theCase},
		{"not understood", `{"type":"Like","object":$CASE,"context":"urn:case:1"}`, semantics.Unknown, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := semantics.CaseOf(activity(t, c.sketch), c.meaning); got != c.caseID {
				t.Errorf("CaseOf = %q, want %q", got, c.caseID)
			}
		})
	}
	if got := semantics.CaseOf(nil, semantics.CreateCase); got != "" {
		t.Errorf("CaseOf(nil) = %q", got)
	}
}
