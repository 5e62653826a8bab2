package sqlite_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"bateleur/adapters/driven/sqlite"
	"bateleur/core/fault"
	"bateleur/core/ports"
)

// Only the last handle closes the file, whichever it is, and every connection
// that was given up before is gone as well: SQLite keeps the log while there is
// one.
func TestLastHandleClosesTheFile(t *testing.T) {
	s, _ := inFolder(t)
	first := create(t, s, alice)
	path := s.Location(alice)
	for range 5 {
		put(t, first, fmt.Sprint(len(dump(t, first))))
		sqlite.DropConnection(first)
	}
	second, err := s.Open(t.Context(), alice)
	must(t, err)
	must(t, first.Close())
	put(t, second, "x")
	if _, err := os.Stat(path + "-wal"); err != nil {
		t.Errorf("the file was closed under a handle: %v", err)
	}
	must(t, second.Close())
	same(t, map[string]bool{filepath.Base(path): true}, names(files(t, filepath.Dir(path))))
}

// A handle closed inside its own transaction leaves the closing to its end.
func TestEndOfATransactionClosesTheFile(t *testing.T) {
	s, _ := inFolder(t)
	d := create(t, s, alice)
	must(t, d.Update(t.Context(), func(tx ports.Tx) error {
		must(t, d.Close())
		_, err := tx.Put(ports.Record{Kind: "note", ID: "x"})
		return err
	}))
	path := s.Location(alice)
	same(t, map[string]bool{filepath.Base(path): true}, names(files(t, filepath.Dir(path))))
}

// A file that is written to all day keeps a short log.
func TestLogStaysShort(t *testing.T) {
	s, _ := inFolder(t)
	d := create(t, s, alice)
	body := make([]byte, 64<<10)
	for i := range 200 {
		must(t, d.Update(t.Context(), func(tx ports.Tx) error {
			_, err := tx.Put(ports.Record{Kind: "note", ID: fmt.Sprint(i), Body: body})
			return err
		}))
	}
	log, err := os.Stat(s.Location(alice) + "-wal")
	must(t, err)
	if log.Size() > 6<<20 {
		t.Errorf("the log of 12 MiB of writes has %d bytes", log.Size())
	}
}

func TestClosingTheStores(t *testing.T) {
	for _, url := range []string{"sqlite:///" + t.TempDir() + "/app.sqlite", "sqlite:///:memory:"} {
		s := open(t, url)
		var handles []ports.DataLayer
		for i := range 40 {
			handles = append(handles, create(t, s, actor(fmt.Sprint("https://a.example/actors/", i))))
		}
		// The transaction that runs is waited for.
		inside, closed := make(chan struct{}), make(chan error, 1)
		go func() {
			<-inside
			closed <- s.Close()
		}()
		must(t, handles[0].Update(t.Context(), func(tx ports.Tx) error {
			close(inside)
			for i := range 50 {
				if _, err := tx.Put(ports.Record{Kind: "note", ID: fmt.Sprint(i)}); err != nil {
					return err
				}
			}
			return nil
		}))
		must(t, <-closed)
		must(t, s.Close())
		for _, d := range handles {
			wantCode(t, d.View(t.Context(), func(ports.Reader) error { return nil }), fault.Closed)
			must(t, d.Close())
		}
		_, err := s.Open(t.Context(), alice)
		wantCode(t, err, fault.Closed)
		_, err = s.Create(t.Context(), alice)
		wantCode(t, err, fault.Closed)
	}
}

// Handles on one actor may be opened and closed by many at once: the file is
// open as long as one of them is and no longer.
func TestOpeningAndClosingAtOnce(t *testing.T) {
	s, _ := inFolder(t)
	must(t, create(t, s, alice).Close())
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 25 {
				d, err := s.Open(t.Context(), alice)
				if err != nil {
					t.Error(err)
					return
				}
				if err := d.View(t.Context(), func(r ports.Reader) error { _, err := r.Kinds(); return err }); err != nil {
					t.Error(err)
				}
				if err := d.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	path := s.Location(alice)
	same(t, map[string]bool{filepath.Base(path): true}, names(files(t, filepath.Dir(path))))
}

// Asking for stores that are not there leaves no trace of the asking.
func TestUnknownActorsAreForgotten(t *testing.T) {
	s, _ := inFolder(t)
	for i := range 100 {
		_, err := s.Open(t.Context(), actor(fmt.Sprint("https://a.example/actors/", i)))
		wantCode(t, err, fault.NotFound)
	}
	if n := sqlite.Places(s); n != 0 {
		t.Errorf("%d places are kept", n)
	}
	d := create(t, s, alice)
	must(t, d.Close())
	if n := sqlite.Places(s); n != 0 {
		t.Errorf("%d places are kept", n)
	}
}

// Two stores in memory of one place, or of one actor in two places, are not the
// same.
//
// Proves: BA-17-001, DL-07-001
func TestStoresInMemoryAreApart(t *testing.T) {
	one, other := open(t, "sqlite:///:memory:"), open(t, "sqlite:///:memory:")
	first := create(t, one, alice)
	put(t, first, "x")
	for _, d := range []ports.DataLayer{create(t, one, bob), create(t, other, alice)} {
		must(t, d.View(t.Context(), func(r ports.Reader) error {
			_, err := r.Get("note", "x")
			wantCode(t, err, fault.NotFound)
			return nil
		}))
	}
	before := dump(t, first)
	must(t, first.Close())
	again, err := one.Open(t.Context(), alice)
	must(t, err)
	same(t, before, dump(t, again))
	sqlite.DropConnection(again)
	same(t, before, dump(t, again))
	must(t, again.Close())
}
