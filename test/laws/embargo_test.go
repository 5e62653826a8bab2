package laws

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bateleur/core/cases"
	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/node"
	"bateleur/test/simnet"
)

// A case begins under the default embargo, with the consent of owner and
// reporter, before anybody is told of it; PROPOSED is never stored nor shown.
//
// Proves: EP-04-001, EP-04-002, CM-22-004, CP-09-002, CP-09-003, CM-14-005, CM-22-001, CM-03-002
func TestACaseBeginsUnderItsDefaultEmbargo(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		g.open()
		told := createOf(g)
		embargo, ok := model.InlineAs[*model.EmbargoEvent](told.ActiveEmbargo)
		if !ok || embargo.EndTime.Sub(embargo.StartTime) != ports.DefaultEmbargoLength {
			t.Errorf("told of %s", asJSON(t, told.ActiveEmbargo))
		}
		for _, p := range []simnet.Party{g.M, g.V, g.F} {
			c := p.Case(g.caseID)
			if c.EM != model.EMActive || c.Embargo != embargo.ID || c.Founder != g.M.URI() {
				t.Errorf("%s has %s %s by %s", p.ID.Segment(), c.EM, c.Embargo, c.Founder)
			}
			for who, want := range map[simnet.Party]model.RM{g.V: model.RMReceived, g.F: model.RMAccepted, g.M: model.RMAccepted} {
				if got := c.Of(who.URI()); got.RM != want || got.PEC != model.PECSignatory {
					t.Errorf("%s has %s at %s, %s", p.ID.Segment(), who.ID.Segment(), got.RM, got.PEC)
				}
			}
			if strings.Contains(p.Dump(), "PROPOSED") {
				t.Errorf("%s knows of a proposed embargo", p.ID.Segment())
			}
		}
	})
}

// When the owner reports publication the case's status follows and the embargo
// ends, in this order: both authored by the manager, the end addressed to the
// participants and announced to each. Everybody's consent is reset. Publication
// sets public awareness and nothing else, and a second publisher moves nothing of
// the case any more.
//
// Proves: EMB-16-001, EMB-19-001, EMB-13-001, RSH-01-001, RSH-03-001, RSH-04-001, CSB-15-003, CM-24-001
func TestPublicationEndsTheEmbargo(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		w := g.another("w", "other-vendor")
		g.open()
		g.do(g.V, "validate-report", params{"offer_id": g.offerID})
		g.do(g.V, "engage-case", g.inCase())
		g.admit(w)
		tail, embargo := len(g.M.Entries(g.caseID)), g.M.Case(g.caseID).Embargo

		g.do(g.V, "notify-published", g.inCase())

		entries := g.M.Entries(g.caseID)[tail:]
		if d := diff([]string{cases.EventAddParticipantStatus, cases.EventAddCaseStatus, cases.EventRemoveEmbargo}, events(entries, 0)); d != "" {
			t.Fatal(d)
		}
		g.wantTeardown(entries[2], embargo, g.V, g.F, w)
		for _, p := range []simnet.Party{g.M, g.V, g.F, w} {
			c := p.Case(g.caseID)
			if c.EM != model.EMExited || c.Embargo != "" || c.PXA != "Pxa" {
				t.Errorf("%s has %s %q %s", p.ID.Segment(), c.EM, c.Embargo, c.PXA)
			}
			for _, who := range c.Participants {
				if who.PEC != model.PECNone {
					t.Errorf("%s has %s as %s", p.ID.Segment(), who.Actor, who.PEC)
				}
			}
			if who := c.Of(g.V.URI()); who.RM != model.RMAccepted || who.VFD != model.VFDUnaware {
				t.Errorf("publication moved the owner to %s %s", who.RM, who.VFD)
			}
		}

		tail = len(g.M.Entries(g.caseID))
		g.do(g.F, "notify-published", g.inCase())
		if d := diff([]string{cases.EventAddParticipantStatus}, events(g.M.Entries(g.caseID), tail)); d != "" {
			t.Errorf("the second publisher:\n%s", d)
		}
		g.sameCase(g.V, g.F, w)
		g.sameLedger(g.V, g.F, w)
	})
}

// wantTeardown wants an entry to be the embargo's end as the manager says it.
func (g *stage) wantTeardown(e ledger.Entry, embargo string, told ...simnet.Party) {
	g.t.Helper()
	a, err := read(e)
	if err != nil {
		g.t.Fatal(err)
	}
	if a.Type != model.Remove || a.Actor != g.M.URI() || a.Object.ID() != embargo || a.Origin.ID() != g.caseID {
		g.t.Errorf("the embargo's end is %s", e.Payload)
	}
	var want []string
	for _, p := range told {
		want = append(want, p.URI())
		if n := len(slices.DeleteFunc(conversation(g.net.Sent(), g.M.URI(), p.URI()), func(m simnet.Message) bool {
			entry, ok := model.InlineAs[*model.LedgerEntry](m.Activity.Object)
			return !ok || entry.Entry.Hash != e.Hash
		})); n != 1 {
			g.t.Errorf("%s was told of it %d times", p.ID.Segment(), n)
		}
	}
	if d := diff(want, a.To, cmp.Transformer("sorted", sorted)); d != "" {
		g.t.Errorf("addressed to:\n%s", d)
	}
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

// strict is an owner's policy that takes over from others nothing, or keeps the
// embargo whatever the world knows.
type strict struct {
	ports.DefaultPolicy
	adopt, end bool
}

func (s strict) AdoptStatus(string, model.PXA) bool { return s.adopt }
func (s strict) EndEmbargo(model.PXA) bool          { return s.end }

// What a participant says of the world passes the owner's gate or stays its own
// word; the embargo ends when its own gate lets it.
//
// Proves: RSH-01-001, RSH-02-001, EMB-16-001
func TestTheTwoGatesOfAReportedWorld(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		policy strict
		says   func(*stage) simnet.Party
		events []string
		em     model.EM
		pxa    model.PXA
	}{
		{"adopted and ended", strict{adopt: true, end: true}, reporterOf,
			[]string{cases.EventAddParticipantStatus, cases.EventAddCaseStatus, cases.EventRemoveEmbargo}, model.EMExited, "Pxa"},
		{"not adopted", strict{end: true}, reporterOf, []string{cases.EventAddParticipantStatus}, model.EMActive, "pxa"},
		{"not adopted, but the owner's", strict{end: true}, ownerOf,
			[]string{cases.EventAddParticipantStatus, cases.EventAddCaseStatus, cases.EventRemoveEmbargo}, model.EMExited, "Pxa"},
		{"adopted, the embargo kept", strict{adopt: true}, reporterOf,
			[]string{cases.EventAddParticipantStatus, cases.EventAddCaseStatus}, model.EMActive, "Pxa"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := set(t, setting{change: func(_ string, cfg *node.Config) { cfg.Policy = c.policy }})
			g.open()
			tail := len(g.M.Entries(g.caseID))
			g.do(c.says(g), "notify-published", g.inCase())
			if d := diff(c.events, events(g.M.Entries(g.caseID), tail)); d != "" {
				t.Error(d)
			}
			got := g.F.Case(g.caseID)
			if got.EM != c.em || got.PXA != c.pxa || got.Of(c.says(g).URI()).Seen != "Pxa" {
				t.Errorf("the case is at %s %s, its participant said %q", got.EM, got.PXA, got.Of(c.says(g).URI()).Seen)
			}
			g.sameCase(g.V, g.F)
		})
	}
}

func reporterOf(g *stage) simnet.Party { return g.F }
func ownerOf(g *stage) simnet.Party    { return g.V }
