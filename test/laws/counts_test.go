package laws

import (
	"testing"

	"bateleur/core/semantics"
)

// The two parties' case takes a delivery for each entry and open replica and one
// for each other message, and nothing besides: no answer to an entry, no message
// twice.
//
// Proves: BA-12-002
func TestNothingIsSentForNothing(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		g.story()

		got, ids := map[semantics.Meaning]int{}, map[string]int{}
		for _, m := range g.net.Sent() {
			got[semantics.Classify(m.Activity)]++
			ids[m.Activity.ID+" to "+m.To()]++
		}
		want := map[semantics.Meaning]int{
			// 21 entries: 19 to both replicas, 2 after the finder left to the owner's alone.
			semantics.AnnounceCaseLedgerEntry: 40,
			semantics.SubmitReport:            1, semantics.CreateCaseProposal: 1, semantics.AcceptCaseProposal: 1,
			semantics.CreateCase: 2, semantics.ValidateReport: 1, semantics.EngageCase: 1,
			semantics.CreateNote: 2, semantics.AddNoteToCase: 2,
			semantics.AddParticipantStatusToParticipant: 4, semantics.CloseCase: 2,
		}
		if d := diff(want, got); d != "" {
			t.Error(d)
		}
		if n := len(g.net.Sent()); n != 57 {
			t.Errorf("%d deliveries, want 57", n)
		}
		if n := len(g.M.Entries(g.caseID)); n != 21 {
			t.Errorf("%d entries, want 21", n)
		}
		for id, n := range ids {
			if n > 1 {
				t.Errorf("%s was sent %d times", id, n)
			}
		}
	})
}
