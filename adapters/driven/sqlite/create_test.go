package sqlite_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bateleur/adapters/driven/sqlite"
	"bateleur/core/fault"
)

// A crash while a store is made leaves a draft, which no store's name leads to.
//
// Proves: BA-09-004
func TestHalfMadeStoreIsNone(t *testing.T) {
	s, _ := inFolder(t)
	folder := filepath.Dir(s.Location(alice))
	for _, cut := range []int{0, 100, 4096, 8192} {
		draft := sqlite.Draft(t, folder, alice)
		raw, err := os.ReadFile(draft)
		must(t, err)
		must(t, os.WriteFile(draft, raw[:min(cut, len(raw))], 0o600))
		_, err = s.Open(t.Context(), alice)
		wantCode(t, err, fault.NotFound)
	}
	put(t, create(t, s, alice), "x")
}

func TestRefusedCreateLeavesNothing(t *testing.T) {
	s, _ := inFolder(t)
	folder := filepath.Dir(s.Location(alice))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.Create(ctx, alice)
	wantCode(t, err, fault.Cancelled)
	same(t, map[string]string{}, files(t, folder))
	create(t, s, alice)
	before := names(files(t, folder))
	_, err = s.Create(t.Context(), alice)
	wantCode(t, err, fault.Conflict)
	same(t, before, names(files(t, folder)))
}

// A log that outlived its store would be played into the new one.
func TestRemainsOfAnOlderStore(t *testing.T) {
	for _, suffix := range []string{"-wal", "-shm", "-journal"} {
		s, _ := inFolder(t)
		must(t, os.WriteFile(s.Location(alice)+suffix, []byte("old"), 0o600))
		_, err := s.Create(t.Context(), alice)
		wantCode(t, err, fault.Conflict)
		if !strings.Contains(err.Error(), suffix) {
			t.Errorf("%v does not say where the remains lie", err)
		}
	}
}

func TestClosedStoreIsOneFile(t *testing.T) {
	s, _ := inFolder(t)
	d := create(t, s, alice)
	put(t, d, "x")
	must(t, d.Close())
	path := s.Location(alice)
	same(t, map[string]bool{filepath.Base(path): true}, names(files(t, filepath.Dir(path))))
}

func TestPublish(t *testing.T) {
	noLinks := func(string, string) error { return errors.ErrUnsupported }
	for _, c := range []struct {
		name  string
		link  func(string, string) error
		taken bool
		want  error
	}{
		{"free", os.Link, false, nil},
		{"taken", os.Link, true, fs.ErrExist},
		{"free, no links", noLinks, false, nil},
		{"taken, no links", noLinks, true, fs.ErrExist},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			draft, path := filepath.Join(folder, "draft"), filepath.Join(folder, "store")
			must(t, os.WriteFile(draft, []byte("new"), 0o600))
			want := "new"
			if c.taken {
				want = "old"
				must(t, os.WriteFile(path, []byte(want), 0o600))
			}
			if err := sqlite.Publish(draft, path, c.link); !errors.Is(err, c.want) {
				t.Errorf("publish = %v, want %v", err, c.want)
			}
			raw, err := os.ReadFile(path)
			must(t, err)
			same(t, want, string(raw))
		})
	}
}
