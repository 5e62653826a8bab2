package laws

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bateleur/core/cases"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/semantics"
	"bateleur/test/simnet"
)

// Whatever a store says of a case follows from its seed and its ledger: dropped
// and built again it is the same, in every store, the manager's too; and it is
// one state everywhere.
//
// Proves: SYNC-08-002, CLP-02-003, CLP-04-006, CM-02-002, PCR-01-002, CM-02-001, CM-23-005
func TestEveryCaseIsTheProjectionOfItsLedger(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		parties, _ := g.fullStory()
		for _, p := range parties {
			g.projected(p)
		}
		g.sameCase(g.V, parties[3])
		way := []model.RM{}
		for _, r := range g.M.Records(cases.KindParticipantStatus) {
			st, _ := load[model.ParticipantStatus](t, g.M, cases.KindParticipantStatus, r.ID)
			if st.AttributedTo == g.M.URI() {
				way = append(way, st.RMState)
			}
		}
		if d := diff([]model.RM{model.RMReceived, model.RMValid, model.RMAccepted, model.RMClosed}, way); d != "" {
			t.Errorf("the manager's own way:\n%s", d)
		}
	})
}

// What an actor asserted stands beside the case until the entry comes back that
// confirms it, the owner's wish too: a guard sees it, the case does not. Asserting
// the same again meanwhile is refused, and what was never confirmed may be
// asserted anew.
//
// Proves: CLP-06-006, PCR-03-002, CLP-01-004, PCR-03-001
func TestAssertionsWaitBesideTheCase(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		g.open()
		g.do(g.V, "validate-report", params{"offer_id": g.offerID})
		g.net.Hold(func(m simnet.Message) bool { return m.From == g.V.URI() })
		before := g.V.Case(g.caseID)

		g.do(g.V, "engage-case", g.inCase())

		if d := diff(before, g.V.Case(g.caseID)); d != "" {
			t.Errorf("the case moved with the assertion:\n%s", d)
		}
		g.projected(g.V)
		if n := len(g.V.Records(cases.KindPending)); n != 1 {
			t.Errorf("%d assertions wait, want one", n)
		}
		if st := g.give(g.V, "engage-case", g.inCase()); st.State != ports.Refused {
			t.Errorf("the same assertion once more is %s", st.State)
		}
		g.must(g.V, "notify-fix-ready", g.inCase()) // rests on the engagement that waits
		g.net.Settle()

		g.net.Release()
		g.net.Settle()
		if n := len(g.V.Records(cases.KindPending)); n != 0 {
			t.Errorf("%d assertions still wait", n)
		}
		if who := g.F.Case(g.caseID).Of(g.V.URI()); who.RM != model.RMAccepted || who.VFD != model.VFDReady {
			t.Errorf("the owner is at %s %s", who.RM, who.VFD)
		}
		g.sameCase(g.V, g.F)
	})
}

// An assertion that nobody confirms does not count for ever.
//
// Proves: CLP-06-006
func TestAnUnconfirmedAssertionLapses(t *testing.T) {
	t.Parallel()
	g := set(t, setting{})
	g.open()
	g.net.Hold(func(m simnet.Message) bool { return m.From == g.V.URI() })
	g.do(g.V, "validate-report", params{"offer_id": g.offerID})
	g.net.Lose()
	if st := g.give(g.V, "validate-report", params{"offer_id": g.offerID}); st.State != ports.Refused {
		t.Errorf("at once it is %s", st.State)
	}
	g.net.Advance(cases.PendingWindow + time.Second)
	g.do(g.V, "validate-report", params{"offer_id": g.offerID})
	if rm := g.rm(g.F, g.V); rm != model.RMValid {
		t.Errorf("the owner is at %s", rm)
	}
	g.sameLedger(g.V, g.F)
}

// A message about one case leaves another one as it was, in every store.
//
// Proves: PCR-04-001, PCR-05-001, PCR-01-001
func TestCasesDoNotTouchEachOther(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		g.open()
		first := g.caseID
		was := map[simnet.Party]*cases.Case{}
		for _, p := range []simnet.Party{g.M, g.V, g.F} {
			was[p] = p.Case(first)
		}
		ledger := g.M.Entries(first)
		g.story()
		if first == g.caseID {
			t.Fatal("two reports became one case")
		}
		for p, c := range was {
			if d := diff(c, p.Case(first)); d != "" {
				t.Errorf("%s:\n%s", p.ID.Segment(), d)
			}
			if d := diff(ledger, p.Entries(first)); d != "" {
				t.Errorf("%s:\n%s", p.ID.Segment(), d)
			}
		}
	})
}

// A message about a case that has not arrived is kept by its receiver, changes
// nothing, and runs once when the case arrives, in the order of arrival; one that
// waits too long becomes a dead letter.
//
// Proves: PCR-06-001, PCR-06-004, BA-10-002, BA-10-004
func TestMessagesBeforeTheCaseWaitForIt(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		g.net.Hold(g.toldByManager(g.F))
		g.open()
		var seqs []int64
		stub := model.Inline(&model.VulnerabilityCase{ID: g.caseID, Type: model.TypeCase})
		before := protocolState(g.F)
		for _, typ := range []string{model.Join, model.Ignore, model.Leave} {
			item := g.hear(g.V, g.F, &model.Activity{ID: newID(), Type: typ, Actor: g.V.URI(), Object: stub})
			if item.State != ports.Deferred {
				t.Errorf("%s is %s: %+v", typ, item.State, item.Outcome)
			}
			seqs = append(seqs, item.Seq)
		}
		lost := g.hear(g.V, g.F, &model.Activity{ID: newID(), Type: model.Join, Actor: g.V.URI(),
			Object: model.Inline(&model.VulnerabilityCase{ID: newID(), Type: model.TypeCase})})
		if d := diff(before, protocolState(g.F)); d != "" {
			t.Errorf("they changed something:\n%s", d)
		}

		g.net.Release()
		g.net.Settle()
		previous := time.Time{}
		for _, seq := range seqs {
			item := g.F.Item(seq)
			if item.State != ports.Ignored && item.State != ports.Refused || item.Attempts != 2 {
				t.Errorf("item %d is %s after %d runs: %+v", seq, item.State, item.Attempts, item.Outcome)
			}
			if item.Outcome.At.Before(previous) {
				t.Errorf("item %d ran before its elder", seq)
			}
			previous = item.Outcome.At
		}
		g.sameLedger(g.F)
		g.net.Advance(lost.Until.Sub(g.net.Clock.Now()) + time.Second)
		if item := g.F.Item(lost.Seq); item.State != ports.Dead {
			t.Errorf("what waited in vain is %s", item.State)
		}
	})
}

// Every activity has an id of its own and its object inline, is the executing
// actor's own, and after a case exists goes to its manager alone.
//
// Proves: ID-01-001, AKM-03-001, AKM-03-002, PCR-08-001, PCR-08-015, OX-07-001, OX-08-001
func TestWhatIsSentCanBeRead(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		parties, _ := g.fullStory()
		ids := map[string]bool{}
		for _, p := range parties {
			for _, item := range p.Outbox() {
				a, err := decode(item.Body)
				if err != nil {
					t.Fatal(err)
				}
				meaning := semantics.Classify(a)
				switch {
				case a.ID != item.ActivityID || ids[a.ID]:
					t.Errorf("%s has no id of its own", line(a))
				case item.Actor != p.ID || a.Actor != p.URI():
					t.Errorf("%s is %s's in the outbox of %s", line(a), a.Actor, p.URI())
				case a.Object.Object() == nil || !meaning.Understood():
					t.Errorf("%s cannot be understood: %s", a.ID, item.Body)
				case p.ID != g.M.ID && meaning != semantics.SubmitReport && !cmp.Equal(item.Recipients, []string{g.M.URI()}):
					t.Errorf("%s of %s goes to %v", line(a), p.ID.Segment(), item.Recipients)
				}
				ids[a.ID] = true
			}
		}
	})
}
