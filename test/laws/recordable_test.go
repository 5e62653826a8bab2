package laws

import (
	"strings"
	"testing"

	"bateleur/core/model"
	"bateleur/core/outbound"
	"bateleur/core/ports"
)

// What the manager could not tell on, or its ledger does not take, is refused
// with a reason and leaves nothing, and the case goes on for everybody: no
// replica is asked to pass an index that it can never get.
//
// Proves: CLP-07-004, OX-07-002
func TestWhatCannotBeToldOnIsNotLedgered(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		change func(*model.Activity, *model.Note)
		reason string
	}{
		{"a note that leaves no room for the entry around it", func(_ *model.Activity, n *model.Note) {
			n.Content = strings.Repeat("x", outbound.MaxBody-800)
		}, "too-large"},
		{"a note of another case", func(_ *model.Activity, n *model.Note) { n.Context = newID() }, "malformed"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			onEveryStore(t, func(t *testing.T, g *stage) {
				g.open()
				before := g.M.Entries(g.caseID)
				note := &model.Note{ID: newID(), Type: model.TypeNote, Content: "x", AttributedTo: g.F.URI(), Context: g.caseID}
				add := &model.Activity{ID: newID(), Type: model.Add, Actor: g.F.URI(), Object: model.Inline(note),
					Target: model.Link(g.caseID), To: []string{g.M.URI()}}
				tc.change(add, note)
				item := g.hear(g.F, g.M, add)
				if item.State != ports.Refused || item.Outcome.Code != tc.reason {
					t.Fatalf("%s: %+v", item.State, item.Outcome)
				}
				if after := g.M.Entries(g.caseID); len(after) != len(before) {
					t.Fatalf("%d entries became %d", len(before), len(after))
				}
				g.must(g.V, "add-note-to-case", g.note("and on"))
				g.net.Settle()
				if m, f := len(g.M.Entries(g.caseID)), len(g.F.Entries(g.caseID)); m != len(before)+1 || f != m {
					t.Errorf("after the next note the manager has %d entries, the finder %d", m, f)
				}
			})
		})
	}
}

// The manager takes no participant's steps: what it does for the case is
// ledgered where it does it, and it leaves with the case.
//
// Proves: CM-23-005
func TestAManagerTakesNoParticipantsSteps(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		g.open()
		for trigger, with := range map[string]params{"close-case": g.inCase(), "engage-case": g.inCase(), "add-note-to-case": g.note("x")} {
			before := g.M.Entries(g.caseID)
			st := g.give(g.M, trigger, with)
			g.net.Settle()
			if st.State != ports.Refused || st.Outcome.Code != "not-allowed" {
				t.Errorf("%s: %s %+v", trigger, st.State, st.Outcome)
			}
			if after := g.M.Entries(g.caseID); len(after) != len(before) {
				t.Errorf("%s made %d entries %d", trigger, len(before), len(after))
			}
		}
	})
}

// A report to oneself would be a report to nobody.
//
// Proves: TRIG-01-002
func TestAReportToOneselfIsRefused(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		st := g.give(g.F, "submit-report", params{"report_name": "x", "report_content": "y", "recipient_id": g.F.URI()})
		if st.State != ports.Refused || len(g.F.Outbox()) != 0 {
			t.Errorf("%s, %d messages", st.State, len(g.F.Outbox()))
		}
	})
}
