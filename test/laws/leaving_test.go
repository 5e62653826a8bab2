package laws

import (
	"testing"

	"bateleur/core/cases"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/test/simnet"
)

// Who leaves hears that it left and nothing after, while the others go on; its
// ledger stays a prefix that verifies. It can say no more. When the owner leaves
// the manager closes the case for everybody still there, as the ledger's last
// word.
//
// Proves: CM-23-001, CM-23-003, CM-23-004, CM-23-005, CM-02-005, CM-04-007, CBT-01-006
func TestLeavingEndsWhatOneIsTold(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		w := g.another("w", "other-vendor")
		g.open()
		g.do(g.V, "validate-report", params{"offer_id": g.offerID})
		g.do(g.V, "engage-case", g.inCase())
		g.admit(w)
		g.do(g.F, "close-case", g.inCase())
		left := g.F.Entries(g.caseID)
		if got := last(left).EventType; got != cases.EventCloseCase || g.rm(g.F, g.F) != model.RMClosed {
			t.Errorf("the leaver's last entry is %s, it stands at %s", got, g.rm(g.F, g.F))
		}
		if g.M.Case(g.caseID).Closed {
			t.Error("the case closed with a participant that does not own it")
		}
		for trigger, with := range map[string]params{"add-note-to-case": g.note("Too late."), "close-case": g.inCase(),
			"notify-published": g.inCase(), "engage-case": g.inCase()} {
			if st := g.give(g.F, trigger, with); st.State != ports.Refused {
				t.Errorf("after leaving %s is %s", trigger, st.State)
			}
		}

		g.do(g.V, "add-note-to-case", g.note("Among ourselves."))
		g.do(g.V, "close-case", g.inCase())

		if d := diff(left, g.F.Entries(g.caseID)); d != "" {
			t.Errorf("the leaver was told more:\n%s", d)
		}
		g.projected(g.F)
		g.sameLedger(g.V, w)
		g.sameCase(g.V, w)
		entries := g.M.Entries(g.caseID)
		if d := diff([]string{cases.EventCloseCase, cases.EventCaseFullyClosed}, events(entries, len(entries)-2)); d != "" {
			t.Error(d)
		}
		for _, p := range []simnet.Party{g.M, g.V, w} {
			c := p.Case(g.caseID)
			for _, who := range c.Participants {
				if who.RM != model.RMClosed || !c.Closed {
					t.Errorf("%s has %s at %s", p.ID.Segment(), who.Actor, who.RM)
				}
			}
			g.projected(p)
		}
		for _, p := range []simnet.Party{g.V, w} {
			if st := g.give(p, "add-note-to-case", g.note("Is anybody there?")); st.State != ports.Refused {
				t.Errorf("after the end %s's note is %s", p.ID.Segment(), st.State)
			}
		}
	})
}
