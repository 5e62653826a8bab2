package laws

import (
	"slices"
	"strings"
	"testing"
	"time"

	"bateleur/core/ledger"
	"bateleur/core/ports"
	"bateleur/core/usecases/leaf"
	"bateleur/test/simnet"
)

// An entry that is not the manager's next one changes nothing of the replica,
// and the queue says why: another sender with the chain right in every respect, a
// content that does not give the hash, a link to another tail, another entry at a
// position that is taken, a case nobody asked for. Where the chain is the reason
// the manager is told the tail.
//
// Proves: SYNC-08-005, SYNC-03-001, SYNC-01-003, CBT-02-002, PCR-03-001, CLP-04-003, SYNC-13-001
func TestForgedEntriesChangeNothingAndSayWhy(t *testing.T) {
	t.Parallel()
	type try struct {
		name  string
		from  func(*stage) simnet.Party
		entry func(*testing.T, *stage) ledger.Entry
		code  string
		asks  bool
	}
	manager := func(g *stage) simnet.Party { return g.M }
	next := func(t *testing.T, g *stage) ledger.Entry { return nextEntry(t, g, g.V) }
	rechained := func(change func(*stage, *ledger.Entry)) func(*testing.T, *stage) ledger.Entry {
		return func(t *testing.T, g *stage) ledger.Entry {
			e := next(t, g)
			change(g, &e)
			return chained(t, e)
		}
	}
	for _, c := range []try{
		{"another participant's", func(g *stage) simnet.Party { return g.V }, next, leaf.NotForSender, false},
		{"a stranger's", stranger, next, leaf.NotForSender, false},
		{"a broken hash", manager, func(t *testing.T, g *stage) ledger.Entry {
			e := next(t, g)
			e.ObjectID = newID()
			return e
		}, leaf.NotAuthentic, false},
		{"a rejected entry", manager, rechained(func(_ *stage, e *ledger.Entry) { e.Disposition = ledger.Rejected }), leaf.NotAuthentic, false},
		{"a link to another tail", manager, rechained(func(_ *stage, e *ledger.Entry) { e.PrevHash = e.Hash }), "diverged", true},
		{"another entry at a position that is taken", manager, rechained(func(g *stage, e *ledger.Entry) {
			taken := g.M.Entries(g.caseID)[4]
			e.Index, e.PrevHash = taken.Index, taken.PrevHash
		}), "diverged", true},
		{"another genesis", manager, rechained(func(_ *stage, e *ledger.Entry) {
			e.Index, e.PrevHash = 0, ledger.Genesis(e.CaseID, time.Unix(0, 0), "http://x.test/actors/other")
		}), "diverged", true},
		{"an entry that is here", manager, func(_ *testing.T, g *stage) ledger.Entry { return g.M.Entries(g.caseID)[3] }, leaf.Duplicate, false},
		{"a case nobody asked for", manager, rechained(func(_ *stage, e *ledger.Entry) { e.CaseID = newID() }), leaf.Unknown, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			onEveryStore(t, func(t *testing.T, g *stage) {
				x := stranger(g)
				g.host("x", simnet.Profile(x.ID, "Organization", g.M.ID))
				g.open()
				tail := last(g.M.Entries(g.caseID)).Hash
				before := knowledge(g.F)
				g.net.Hold(g.toldByManager(g.F)) // what it is replayed is another matter

				item := g.hear(c.from(g), g.F, announcing(c.from(g), c.entry(t, g)))

				if item.State != ports.Refused || item.Outcome.Code != c.code || item.Outcome.Text == "" {
					t.Errorf("%s: %+v", item.State, item.Outcome)
				}
				var want []string
				if c.asks {
					want = []string{tail}
				}
				if d := diff(want, asked(t, g.F)); d != "" {
					t.Errorf("asked:\n%s", d)
				}
				if d := diff(before, knowledge(g.F)); d != "" {
					t.Errorf("the replica changed:\n%s", d)
				}
			})
		})
	}
}

// knowledge is what a store knows of cases, and not what it asked for.
func knowledge(p simnet.Party) []string {
	return slices.DeleteFunc(keepLines(p.Dump(), "record ", "ledger ", "entry "), func(l string) bool {
		return strings.HasPrefix(l, `record "ReplayRequest"`)
	})
}
