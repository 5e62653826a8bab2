package sqlite_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"bateleur/adapters/driven/sqlite"
	"bateleur/core/fault"
	"bateleur/core/ports"
)

// logs counts the databases that are open: a log lies beside each.
func logs(t *testing.T, folder string) (n int) {
	t.Helper()
	listed, err := os.ReadDir(folder)
	must(t, err)
	for _, f := range listed {
		if strings.HasSuffix(f.Name(), "-wal") {
			n++
		}
	}
	return n
}

// Any number of actors can be served with a few open files: a store at rest opens
// again by itself and is as it was.
func TestFewFilesForManyActors(t *testing.T) {
	const actors, limit = 20, 3
	s, err := sqlite.Open("sqlite:///"+t.TempDir()+"/app.sqlite", sqlite.OpenFiles(limit))
	must(t, err)
	var handles []ports.DataLayer
	for i := range actors {
		d, err := s.Create(t.Context(), actor(fmt.Sprint("https://a.example/actors/", i)))
		must(t, err)
		handles = append(handles, d)
	}
	var all sync.WaitGroup
	for i, d := range handles {
		all.Go(func() {
			for n := range 5 {
				put(t, d, fmt.Sprint(i, "/", n))
			}
		})
	}
	all.Wait()
	for i, d := range handles {
		must(t, d.View(t.Context(), func(r ports.Reader) error {
			list, err := r.List(ports.ListParams{Kind: "note"})
			same(t, 5, len(list))
			same(t, fmt.Sprint(i, "/0"), list[0].ID)
			return err
		}))
	}
	sqlite.AwaitRests(s)
	folder := filepath.Dir(s.Location(alice))
	if n := logs(t, folder); n > limit {
		t.Errorf("%d databases are open, want at most %d", n, limit)
	}
	for _, d := range handles {
		must(t, d.Close())
	}
	must(t, s.Close())
	same(t, 0, logs(t, folder))
}

// A store in use is not closed under its transaction, however few may be open.
func TestBusyFileStaysOpen(t *testing.T) {
	s, err := sqlite.Open("sqlite:///"+t.TempDir()+"/app.sqlite", sqlite.OpenFiles(0))
	must(t, err)
	defer s.Close()
	one, other := create(t, s, alice), create(t, s, bob)
	must(t, one.Update(t.Context(), func(tx ports.Tx) error {
		for i := range 10 {
			put(t, other, fmt.Sprint(i))
			sqlite.AwaitRests(s)
			if _, err := tx.Put(ports.Record{Kind: "note", ID: fmt.Sprint(i)}); err != nil {
				return err
			}
		}
		return nil
	}))
	must(t, one.View(t.Context(), func(r ports.Reader) error {
		list, err := r.List(ports.ListParams{Kind: "note"})
		same(t, 10, len(list))
		return err
	}))
}

// What took a store's place while it was at rest is not taken for it.
//
// Proves: DL-07-003
func TestExchangedFileIsRefused(t *testing.T) {
	s, err := sqlite.Open("sqlite:///"+t.TempDir()+"/app.sqlite", sqlite.OpenFiles(1))
	must(t, err)
	defer s.Close()
	victim := create(t, s, alice)
	put(t, victim, "mine")
	must(t, create(t, s, bob).Close())
	sqlite.AwaitRests(s)
	same(t, 0, logs(t, filepath.Dir(s.Location(alice))))
	theirs, err := os.ReadFile(s.Location(bob))
	must(t, err)
	must(t, os.WriteFile(s.Location(alice), theirs, 0o600))
	err = victim.View(t.Context(), func(ports.Reader) error { return nil })
	wantCode(t, err, fault.OwnerMismatch)
	must(t, os.Remove(s.Location(alice)))
	err = victim.View(t.Context(), func(ports.Reader) error { return nil })
	wantCode(t, err, fault.Unavailable)
	if _, err := os.Stat(s.Location(alice)); err == nil {
		t.Error("a store that is gone was made anew")
	}
}
