package laws

import (
	"testing"

	"bateleur/core/cases"
	"bateleur/core/fault"
	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/semantics"
	"bateleur/node"
	"bateleur/test/simnet"
)

// Whatever a new case finds in its place while it is seeded is a conflict and
// undoes the whole run; nothing is taken for "already there". The message is a
// dead letter that says so.
//
// Proves: BA-13-001, BA-09-001
func TestAConflictWhileSeedingIsAnError(t *testing.T) {
	t.Parallel()
	inTheWay := map[string]func(ports.Tx, *model.VulnerabilityCase) error{
		"a ledger": func(tx ports.Tx, vc *model.VulnerabilityCase) error {
			return tx.OpenLedger(vc.ID, ports.Replica, vc.GenesisHash)
		},
		"a seed": func(tx ports.Tx, vc *model.VulnerabilityCase) error {
			_, err := tx.Put(ports.Record{Kind: cases.KindSeed, ID: vc.ID, Body: []byte("{}")})
			return err
		},
	}
	for name, put := range inTheWay {
		t.Run(name, func(t *testing.T) {
			onEveryStore(t, func(t *testing.T, g *stage) {
				g.net.Hold(g.toldByManager(g.V))
				g.open()
				g.V.Meddle(func(tx ports.Tx) error { return put(tx, createOf(g)) })
				before := protocolState(g.V)

				g.net.Arrive(only(g.net.Lose(), semantics.CreateCase)...)
				g.net.Settle()

				dead := g.V.Items(ports.Dead)
				if len(dead) != 1 || dead[0].Outcome.Code != string(fault.Conflict) {
					t.Fatalf("dead letters: %+v", dead)
				}
				if d := diff(before, protocolState(g.V)); d != "" {
					t.Errorf("the run left something:\n%s", d)
				}
			})
		})
	}
}

// createOf is the case as the manager told it to the vendor.
func createOf(g *stage) *model.VulnerabilityCase {
	g.t.Helper()
	told := only(g.net.Sent(), semantics.CreateCase)
	vc, ok := model.InlineAs[*model.VulnerabilityCase](told[0].Activity.Object)
	if !ok {
		g.t.Fatal("no case was told")
	}
	return vc
}

func only(messages []simnet.Message, meanings ...semantics.Meaning) (out []simnet.Message) {
	for _, m := range messages {
		for _, meaning := range meanings {
			if semantics.Classify(m.Activity) == meaning {
				out = append(out, m)
			}
		}
	}
	return out
}

// A manager that founds a case under an id that is taken stops: no half of a
// case, no answer, no message.
//
// Proves: BA-13-001, BA-10-003
func TestFoundingOverACaseIsAnError(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g0 *stage) {
		ids := &repeating{}
		g := set(t, setting{manage: "a", stores: g0.set.stores, change: func(host string, cfg *node.Config) {
			if host == "a" {
				cfg.IDs = ids
			}
		}})
		g.open()
		ids.again = g.caseID
		before := protocolState(g.M)
		g.submit()
		g.net.Settle()
		dead := g.M.Items(ports.Dead)
		if len(dead) != 1 || dead[0].Outcome.Code != string(fault.Conflict) {
			t.Fatalf("dead letters: %+v", dead)
		}
		if d := diff(before, protocolState(g.M)); d != "" {
			t.Errorf("the run left something:\n%s", d)
		}
	})
}

// repeating makes one id again and again once it is told to.
type repeating struct {
	node.RandomIDs
	again string
}

func (r *repeating) New() string {
	if r.again != "" {
		return r.again
	}
	return r.RandomIDs.New()
}

// A ledger grows in its manager's store alone. A store that holds a replica
// cannot mint, the manager's cannot apply, and after a case with three parties no
// two stores hold own entries of it.
//
// Proves: CLP-10-014, CLP-09-002, SYNC-01-004
func TestOnlyTheLedgersOwnStoreMints(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		w := g.another("w", "other-vendor")
		g.open()
		g.admit(w)
		next := nextEntry(t, g, g.V)
		for _, p := range []simnet.Party{g.V, g.F, w} {
			before := p.Dump()
			refused(t, p, func(tx ports.Tx) error { return tx.Mint(next) })
			if before != p.Dump() {
				t.Errorf("%s changed", p.ID.Segment())
			}
		}
		refused(t, g.M, func(tx ports.Tx) error { return tx.Apply(next) })

		var own []simnet.Party
		for _, p := range []simnet.Party{g.M, g.V, g.F, w} {
			p.View(func(r ports.Reader) error {
				head, err := r.Ledger(g.caseID)
				if head.Standing == ports.Own {
					own = append(own, p)
				}
				return err
			})
		}
		if len(own) != 1 || own[0].ID != g.M.ID {
			t.Errorf("%d stores have the ledger as their own", len(own))
		}
		g.sameLedger(g.V, g.F, w)
	})
}

// refused wants a ledger write to be forbidden.
func refused(t *testing.T, p simnet.Party, write func(ports.Tx) error) {
	t.Helper()
	p.Meddle(func(tx ports.Tx) error {
		if err := write(tx); fault.CodeOf(err) != fault.Forbidden {
			t.Errorf("%s: %v, want %s", p.ID.Segment(), err, fault.Forbidden)
		}
		return nil
	})
}

// The manager's own announcements, brought back to it by whomever, write nothing
// into its ledger.
//
// Proves: CLP-10-014, SYNC-13-001, CLP-07-002
func TestTheManagerAppliesNothingToItsOwnLedger(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		g.open()
		next := nextEntry(t, g, g.V)
		for _, sender := range []simnet.Party{g.M, g.V} {
			for _, e := range []ledger.Entry{next, g.M.Entries(g.caseID)[2]} {
				before := protocolState(g.M)
				item := g.hear(sender, g.M, announcing(sender, e))
				if item.State != ports.Refused {
					t.Errorf("entry %d from %s: %s %+v", e.Index, sender.ID.Segment(), item.State, item.Outcome)
				}
				if d := diff(before, protocolState(g.M)); d != "" {
					t.Error(d)
				}
			}
		}
	})
}

// announcing is an entry's announcement by a party.
func announcing(by simnet.Party, e ledger.Entry) *model.Activity {
	return &model.Activity{ID: newID(), Type: model.Announce, Actor: by.URI(), Object: model.Inline(&model.LedgerEntry{Entry: e})}
}
