package laws

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"bateleur/core/cases"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/usecases/leaf"
	"bateleur/test/simnet"
)

// statusOf is a status that a participant reports of itself.
func (g *stage) statusOf(p simnet.Party, rm model.RM, vfd model.VFD, world model.PXA) *model.Activity {
	g.t.Helper()
	c := g.M.Case(g.caseID)
	who := *c.Of(p.URI())
	who.RM, who.VFD = rm, vfd
	st := cases.Status(c, &who, newID(), g.net.Clock.Now())
	if world != "" {
		st.CaseStatus = model.Inline(cases.World(c, p.URI(), newID(), g.net.Clock.Now(), c.EM, world))
	}
	return &model.Activity{ID: newID(), Type: model.Add, Actor: p.URI(), Object: model.Inline(st), Target: model.Link(who.ID)}
}

// Each dimension of a reported status is judged by itself: forward is taken, back
// is refused and the present value carried on. The entry records what was taken;
// where nothing new remains there is none.
//
// Proves: RSH-05-001, RSH-05-002, RSH-05-003, RSH-05-007, CM-04-001, CM-03-001, SM-05-001, CSB-15-001
func TestEachDimensionOfAStatusIsJudgedByItself(t *testing.T) {
	t.Parallel()
	type status struct {
		rm    model.RM
		vfd   model.VFD
		world model.PXA
	}
	for _, c := range []struct {
		name           string
		reported, want status
		code           string // why there is no entry, "" when there is one
	}{
		{"all forward", status{"DEFERRED", "VFd", "PXa"}, status{"DEFERRED", "VFd", "PXa"}, ""},
		{"report management back", status{"RECEIVED", "VFd", ""}, status{"ACCEPTED", "VFd", ""}, ""},
		{"fix back", status{"DEFERRED", "vfd", ""}, status{"DEFERRED", "Vfd", ""}, ""},
		{"the world back", status{"DEFERRED", "Vfd", "pxa"}, status{"DEFERRED", "Vfd", "Pxa"}, ""},
		{"the world forward and back", status{"ACCEPTED", "Vfd", "pxA"}, status{"ACCEPTED", "Vfd", "PxA"}, ""},
		{"everything back but one", status{"VALID", "vfd", "PXa"}, status{"ACCEPTED", "Vfd", "PXa"}, ""},
		{"a jump", status{"ACCEPTED", "VFd", ""}, status{"ACCEPTED", "VFd", ""}, ""},
		{"a step that is another role's", status{"DEFERRED", "VFD", ""}, status{"DEFERRED", "Vfd", ""}, ""},
		{"nothing new", status{"ACCEPTED", "Vfd", ""}, status{}, leaf.NothingChange},
		{"nothing new about the world", status{"ACCEPTED", "Vfd", "Pxa"}, status{}, leaf.NothingChange},
		{"everything back", status{"RECEIVED", "vfd", "pxa"}, status{}, leaf.NothingChange},
		{"another role's step alone", status{"ACCEPTED", "VFD", ""}, status{}, leaf.NothingChange},
		{"closing", status{"CLOSED", "VFd", ""}, status{}, leaf.NotAllowed},
		{"no state at all", status{"LOST", "VfD", ""}, status{}, leaf.NothingChange},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := set(t, setting{})
			g.open()
			g.do(g.V, "validate-report", params{"offer_id": g.offerID})
			g.do(g.V, "engage-case", g.inCase())
			g.hear(g.V, g.M, g.statusOf(g.V, "ACCEPTED", "Vfd", "Pxa"))
			tail := len(g.M.Entries(g.caseID))

			item := g.hear(g.V, g.M, g.statusOf(g.V, c.reported.rm, c.reported.vfd, c.reported.world))

			if c.code != "" {
				if item.State != ports.Refused || item.Outcome.Code != c.code {
					t.Errorf("%s %+v", item.State, item.Outcome)
				}
				if n := len(g.M.Entries(g.caseID)) - tail; n != 0 {
					t.Errorf("%d entries", n)
				}
				return
			}
			entries := g.M.Entries(g.caseID)
			if len(entries) == tail || entries[tail].EventType != cases.EventAddParticipantStatus {
				t.Fatalf("not ledgered: %+v", item.Outcome)
			}
			a, err := read(entries[tail])
			if err != nil {
				t.Fatal(err)
			}
			st, _ := model.InlineAs[*model.ParticipantStatus](a.Object)
			got := status{st.RMState, st.VFDState, cases.Seen(st)}
			if d := diff(c.want, got, cmp.AllowUnexported(status{})); d != "" {
				t.Errorf("ledgered (-want +got):\n%s", d)
			}
			for _, p := range []simnet.Party{g.M, g.V, g.F} {
				who := p.Case(g.caseID).Of(g.V.URI())
				if who.RM != c.want.rm || who.VFD != c.want.vfd {
					t.Errorf("%s has it at %s %s", p.ID.Segment(), who.RM, who.VFD)
				}
				g.projected(p)
			}
			g.sameCase(g.V, g.F)
		})
	}
}

// A participant speaks of itself alone: of another's part, for another, in a case
// it takes no part in or has left, it says nothing that counts.
//
// Proves: CLP-03-002, RSH-05-006, CM-04-007, CLP-10-009, CLP-10-006
func TestAssertionsAreAboutTheSenderOnly(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		x := g.another("x", "stranger")
		w := g.another("w", "other-vendor")
		g.open()
		g.do(g.V, "validate-report", params{"offer_id": g.offerID})
		g.admit(w, "vendor")
		g.do(g.F, "close-case", g.inCase())
		stub := model.Inline(&model.VulnerabilityCase{ID: g.caseID, Type: model.TypeCase})
		verb := func(typ string, by simnet.Party) *model.Activity {
			return &model.Activity{ID: newID(), Type: typ, Actor: by.URI(), Object: stub}
		}
		note := func(by, of simnet.Party) *model.Activity {
			return &model.Activity{ID: newID(), Type: model.Add, Actor: by.URI(), Target: stub, Object: model.Inline(
				&model.Note{ID: newID(), Type: model.TypeNote, Content: "x", Context: g.caseID, AttributedTo: of.URI()})}
		}
		ofAnother := g.statusOf(g.V, "DEFERRED", "Vfd", "")
		ofAnother.Actor = w.URI()
		intoAnother := g.statusOf(w, "DEFERRED", "Vfd", "")
		intoAnother.Target = g.statusOf(g.V, "VALID", "vfd", "").Target
		world := &model.Activity{ID: newID(), Type: model.Add, Actor: w.URI(), Target: stub, Object: model.Inline(
			cases.World(g.M.Case(g.caseID), w.URI(), newID(), g.net.Clock.Now(), model.EMExited, "PXA"))}

		before := protocolState(g.M)
		for _, c := range []struct {
			name string
			by   simnet.Party
			a    *model.Activity
		}{
			{"another's status", w, ofAnother},
			{"a status for another's part", w, intoAnother},
			{"another's note", w, note(w, g.V)},
			{"a case status", w, world},
			{"a stranger's note", x, note(x, x)},
			{"a stranger's joining", x, verb(model.Join, x)},
			{"a stranger's leaving", x, verb(model.Leave, x)},
			{"a note after leaving", g.F, note(g.F, g.F)},
			{"leaving again", g.F, verb(model.Leave, g.F)},
			{"coming back", g.F, verb(model.Join, g.F)},
			{"a status after leaving", g.F, g.statusOf(g.F, "ACCEPTED", "vfd", "PXA")},
			{"nothing that has a meaning", w, &model.Activity{ID: newID(), Type: "Flag", Actor: w.URI(), Object: stub}},
		} {
			if item := g.hear(c.by, g.M, c.a); item.State == ports.Done || item.Outcome.Text == "" {
				t.Errorf("%s: %s %+v", c.name, item.State, item.Outcome)
			}
			if d := diff(before, protocolState(g.M)); d != "" {
				t.Fatalf("%s:\n%s", c.name, d)
			}
		}
	})
}

// Every accepted assertion has one entry, which names who asserted; the ledger
// never has the manager in a participant's place.
//
// Proves: CLP-07-001, CLP-07-003, CLP-10-001, CLP-07-009
func TestEveryAssertionHasOneEntryByItsAsserter(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		g.story()
		sent := map[string]simnet.Message{}
		for _, m := range g.net.Sent() {
			if m.To() == g.M.URI() && m.Activity.Type != model.Create {
				sent[m.Activity.ID] = m
			}
		}
		for _, e := range g.M.Entries(g.caseID) {
			a, err := read(e)
			if err != nil {
				t.Fatal(err)
			}
			m, asserted := sent[a.ID]
			if !asserted {
				if a.Actor != g.M.URI() {
					t.Errorf("entry %d is by %s, who sent no such thing", e.Index, a.Actor)
				}
				continue
			}
			if a.Actor != m.From || e.ObjectID != a.ID {
				t.Errorf("entry %d is by %s about %s, was sent by %s", e.Index, a.Actor, e.ObjectID, m.From)
			}
			delete(sent, a.ID)
		}
		for _, m := range sent {
			t.Errorf("no entry for %s of %s", line(m.Activity), m.From)
		}
	})
}
