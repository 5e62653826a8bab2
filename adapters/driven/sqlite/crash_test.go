package sqlite_test

import (
	"fmt"
	"os"
	"testing"

	"bateleur/adapters/driven/sqlite"
	"bateleur/core/ports"
)

// What was committed when a program died is there when its files are opened
// again, and nothing that was not.
//
// Proves: BA-09-004, BA-08-002
func TestCrashKeepsWhatWasCommitted(t *testing.T) {
	s, _ := inFolder(t)
	d := create(t, s, alice)
	for i := range 30 {
		must(t, d.Update(t.Context(), func(tx ports.Tx) error {
			for j := range 20 {
				if _, err := tx.Put(ports.Record{Kind: "note", ID: fmt.Sprint(i, "/", j)}); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	want := dump(t, d)
	var main, log []byte
	must(t, d.Update(t.Context(), func(tx ports.Tx) (err error) { // dies in the middle of this one
		for j := range 2000 {
			if _, err := tx.Put(ports.Record{Kind: "lost", ID: fmt.Sprint(j), Body: make([]byte, 1000)}); err != nil {
				return err
			}
		}
		if main, err = os.ReadFile(s.Location(alice)); err != nil {
			return err
		}
		log, err = os.ReadFile(s.Location(alice) + "-wal")
		return err
	}))
	if len(log) == 0 {
		t.Fatal("there is no log, so nothing is tested")
	}

	survivor, url, _ := lay(t, alice, main, log)
	after, err := survivor.Open(t.Context(), alice)
	must(t, err)
	same(t, want, dump(t, after))
	put(t, after, "goes on")
	must(t, after.Close())
	must(t, sqlite.Verify(t.Context(), url, alice))
}

// A log that was torn at any byte gives the state of some commit before.
//
// Proves: BA-09-001
func TestTornLogGivesACommit(t *testing.T) {
	s, _ := inFolder(t)
	d := create(t, s, alice)
	states := map[string]bool{dump(t, d): true}
	for i := range 5 {
		must(t, d.Update(t.Context(), func(tx ports.Tx) error {
			for j := range 40 {
				if _, _, err := tx.InboxAppend(ports.InboxItem{Sender: "s", ActivityID: fmt.Sprint(i, "/", j)}); err != nil {
					return err
				}
			}
			return nil
		}))
		states[dump(t, d)] = true
	}
	main, err := os.ReadFile(s.Location(alice))
	must(t, err)
	log, err := os.ReadFile(s.Location(alice) + "-wal")
	must(t, err)
	for cut := 0; cut < len(log); cut += len(log)/37 + 1 {
		torn, _, _ := lay(t, alice, main, log[:cut])
		after, err := torn.Open(t.Context(), alice)
		must(t, err)
		if got := dump(t, after); !states[got] {
			t.Errorf("a log cut at %d gives a state that was never committed", cut)
		}
		must(t, after.Close())
	}
}
