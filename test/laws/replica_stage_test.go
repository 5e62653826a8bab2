package laws

import (
	"context"
	"slices"
	"testing"
	"time"

	"bateleur/adapters/driven/memory"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/semantics"
	"bateleur/test/simnet"
)

// recording is a case worked to its end while nothing that its manager told the
// finder arrived: what there is for a replica to be built of, in every order that
// a test can think of.
type recording struct {
	*stage
	told   []simnet.Message // to the finder: the Create, then the entries
	finder ports.Stores     // as it was before
}

func record(t *testing.T, work func(*stage)) recording {
	t.Helper()
	g := set(t, setting{manage: "a"})
	g.net.Hold(g.toldByManager(g.F))
	g.open()
	r := recording{stage: g, finder: memory.New()}
	copyStore(t, g.F, r.finder)
	work(g)
	g.net.Settle()
	r.told = g.net.Lose()
	if semantics.Classify(r.told[0].Activity) != semantics.CreateCase {
		t.Fatalf("the first message is %s", line(r.told[0].Activity))
	}
	return r
}

// replica is a fresh network with the recording's finder as it was before, and,
// on demand, the manager as it is now.
func (r recording) replica(t testing.TB, withManager bool) *stage {
	t.Helper()
	net := simnet.New(t)
	g := &stage{t: r.t, set: r.set, net: net, F: net.Party(r.F.ID), M: net.Party(r.M.ID), V: net.Party(r.V.ID),
		offerID: r.offerID, reportID: r.reportID, caseID: r.caseID}
	stores := memory.New()
	copyFrom(t, r.finder, r.F.ID, stores)
	cfg := net.Config(r.set.finder, stores, simnet.Profile(r.F.ID, "Person", r.M.ID))
	if !withManager {
		cfg.Delivery.First, cfg.Delivery.Longest = time.Hour, time.Hour // nobody is there to ask
	}
	net.Run(cfg)
	if withManager {
		stores := memory.New()
		copyStore(t, r.M, stores)
		net.Host(r.set.manage, stores, simnet.ManagerProfile(r.M.ID, "Service"))
	}
	return g
}

// copyStore copies a party's records and ledgers, not its queues.
func copyStore(t testing.TB, p simnet.Party, to ports.Stores) {
	t.Helper()
	p.View(func(r ports.Reader) error { return writeStore(r, p.ID, to) })
}

func copyFrom(t testing.TB, from ports.Stores, id model.ActorID, to ports.Stores) {
	t.Helper()
	store, err := from.Open(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if err := store.View(context.Background(), func(r ports.Reader) error { return writeStore(r, id, to) }); err != nil {
		t.Fatal(err)
	}
}

func writeStore(r ports.Reader, id model.ActorID, to ports.Stores) error {
	store, err := to.Create(context.Background(), id)
	if err != nil {
		return err
	}
	defer store.Close()
	return store.Update(context.Background(), func(tx ports.Tx) error {
		if err := writeRecords(r, tx); err != nil {
			return err
		}
		return writeLedgers(r, tx)
	})
}

func writeRecords(r ports.Reader, tx ports.Tx) error {
	kinds, err := r.Kinds()
	if err != nil {
		return err
	}
	for _, kind := range kinds {
		records, err := r.List(ports.ListParams{Kind: kind})
		if err != nil {
			return err
		}
		for _, rec := range records {
			rec.Rev = 0
			if _, err := tx.Put(rec); err != nil {
				return err
			}
		}
	}
	return nil
}

func writeLedgers(r ports.Reader, tx ports.Tx) error {
	heads, err := r.Ledgers()
	if err != nil {
		return err
	}
	for _, h := range heads {
		if err := tx.OpenLedger(h.CaseID, h.Standing, h.Genesis); err != nil {
			return err
		}
		entries, err := r.Entries(h.CaseID, 0, 0)
		if err != nil {
			return err
		}
		write := tx.Apply
		if h.Standing == ports.Own {
			write = tx.Mint
		}
		for _, e := range entries {
			if err := write(e); err != nil {
				return err
			}
		}
	}
	return nil
}

// converged wants the replica to be the recorded manager's ledger and case.
func (r recording) converged(g *stage) bool {
	return slices.EqualFunc(r.M.Entries(r.caseID), g.F.Entries(r.caseID), sameEntry)
}

// asked are the positions from which a replica asked for entries, in order.
func asked(t testing.TB, p simnet.Party) (positions []string) {
	t.Helper()
	for _, item := range p.Outbox() {
		a, err := decode(item.Body)
		if err != nil {
			t.Fatal(err)
		}
		if semantics.Classify(a) == semantics.RejectCaseLedgerEntry {
			if !a.HasContext {
				t.Errorf("a Reject names no position: %s", item.Body)
			}
			positions = append(positions, a.Context)
		}
	}
	return positions
}
