package laws

import (
	"bytes"
	"strings"
	"testing"

	"bateleur/core/ports"
	"bateleur/test/simnet"
)

// Every message of a whole case once more, to whom it went: nothing changes, in
// no store a single byte, and nothing is sent.
//
// Proves: CLP-13-001, ID-02-003, ID-04-004
func TestEveryMessageOnceMoreChangesNothing(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(_ *testing.T, g *stage) {
		parties, sent := g.fullStory()
		before := dumps(parties)
		g.net.Arrive(sent...)
		g.net.Settle()
		g.unchanged(parties, before, sent, simnet.Party.Dump)
	})
}

// The same messages with other bytes, so that no queue knows them: each tree runs
// once more, changes no state and sends nothing.
//
// Proves: ID-04-004, CLP-13-001, SYNC-03-003, CBT-01-001, CP-05-006
func TestEveryTreeOnceMoreChangesNothing(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		parties, sent := g.fullStory()
		before := map[simnet.Party]string{}
		for _, p := range parties {
			before[p] = state(p)
		}
		for _, m := range sent {
			m.Body = append(bytes.Clone(m.Body), ' ')
			g.net.Arrive(m)
		}
		g.net.Settle()
		g.unchanged(parties, before, sent, state)
		for _, p := range parties {
			if dead := p.Items(ports.Dead, ports.Deferred); len(dead) > 0 {
				t.Errorf("%s has %d dead or waiting: %+v", p.ID.Segment(), len(dead), dead[0].Outcome)
			}
		}
	})
}

// fullStory is a case with a third party, worked to its end.
func (g *stage) fullStory() ([]simnet.Party, []simnet.Message) {
	g.t.Helper()
	w := g.another("w", "other-vendor")
	g.open()
	g.do(g.V, "validate-report", params{"offer_id": g.offerID})
	g.do(g.V, "engage-case", g.inCase())
	g.admit(w)
	g.do(w, "validate-report", params{"offer_id": g.offerID})
	g.do(g.F, "add-note-to-case", g.note("A question."))
	g.do(g.V, "notify-fix-ready", g.inCase())
	g.do(g.V, "notify-published", g.inCase())
	g.do(g.F, "close-case", g.inCase())
	g.do(g.V, "close-case", g.inCase())
	return []simnet.Party{g.M, g.V, g.F, w}, g.net.Sent()
}

func dumps(parties []simnet.Party) map[simnet.Party]string {
	out := map[simnet.Party]string{}
	for _, p := range parties {
		out[p] = p.Dump()
	}
	return out
}

// state is what a store holds besides its queue, as one text.
func state(p simnet.Party) string { return strings.Join(protocolState(p), "") }

func (g *stage) unchanged(parties []simnet.Party, before map[simnet.Party]string, sent []simnet.Message, now func(simnet.Party) string) {
	g.t.Helper()
	for _, p := range parties {
		if d := diff(before[p], now(p)); d != "" {
			g.t.Errorf("%s changed:\n%s", p.ID.Segment(), d)
		}
	}
	for _, m := range g.net.Sent()[len(sent):] {
		g.t.Errorf("sent again: %s", line(m.Activity))
	}
}
