package laws

import (
	"errors"
	"testing"

	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/semantics"
	"bateleur/test/simnet"
)

// A long ledger whose transfer to a newcomer is cut, with both nodes started anew
// in between, goes on where it stood: consent first, then every entry once,
// byte for byte. What the newcomer does meanwhile is ledgered behind the rest.
//
// Proves: PCR-02-002, BA-08-002, BA-12-001
func TestATransferThatIsCutGoesOn(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		w := g.another("w", "other-vendor")
		g.open()
		for range 50 {
			g.net.Inject(g.V.ID, g.M.ID, g.noteBy(g.V))
		}
		g.net.Settle()
		invite := g.invite(w, "vendor")
		cut := make(chan bool, 1)
		g.net.Break(cutAfter(20, w, cut))
		g.must(w, "accept-case-invite", params{"invite_id": invite})
		<-cut
		g.net.Stop("v")
		g.net.Settle()
		if n := len(w.Entries(g.caseID)); n != 20 {
			t.Fatalf("the newcomer has %d entries, want 20", n)
		}
		if who := w.Case(g.caseID).Of(w.URI()); who.PEC != model.PECSignatory {
			t.Errorf("it was told the case without its consent: %s", who.PEC)
		}
		g.net.Restart("w")
		g.must(w, "validate-report", params{"offer_id": g.offerID})
		g.net.Break(nil)
		g.net.Start("v")
		g.net.Settle()

		g.sameLedger(w, g.V, g.F)
		g.sameCase(w, g.V, g.F)
		once(t, g.net.Sent())
		if rm := g.rm(g.M, w); rm != model.RMValid {
			t.Errorf("the newcomer stands at %s", rm)
		}
		if got := only(g.net.Sent(), semantics.RejectCaseLedgerEntry); len(got) != 0 {
			t.Errorf("it had to ask %d times", len(got))
		}
	})
}

// cutAfter lets a party be told n entries and then nothing, and says when it cut.
func cutAfter(n int, p simnet.Party, cut chan<- bool) func(simnet.Message) error {
	return func(m simnet.Message) error {
		if m.To() != p.URI() {
			return nil
		}
		if semantics.Classify(m.Activity) == semantics.AnnounceCaseLedgerEntry {
			n--
		}
		if n < 0 {
			select {
			case cut <- true:
			default:
			}
			return &ports.DeliveryError{Err: errors.New("cut")}
		}
		return nil
	}
}

// A participant's leaving is final: an older word of it that comes late, by its
// own message or by an entry told again, brings nothing back.
//
// Proves: CM-04-007, RSH-05-006, RSH-05-007, SYNC-12-003
func TestNothingBringsBackWhoLeft(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		g.open()
		late := g.statusOf(g.F, model.RMAccepted, model.VFDUnaware, "Pxa")
		older := g.M.Entries(g.caseID)[6] // the finder is at ACCEPTED
		g.do(g.F, "close-case", g.inCase())
		if item := g.hear(g.F, g.M, late); item.State != ports.Refused {
			t.Errorf("the late status is %s", item.State)
		}
		for _, p := range []simnet.Party{g.V, g.F} {
			if item := g.hear(g.M, p, announcing(g.M, older)); item.State != ports.Refused {
				t.Errorf("the older entry is %s", item.State)
			}
		}
		for _, p := range []simnet.Party{g.M, g.V, g.F} {
			if rm := g.rm(p, g.F); rm != model.RMClosed {
				t.Errorf("%s has the leaver at %s", p.ID.Segment(), rm)
			}
			g.projected(p)
		}
	})
}
