//go:build unix

package sqlite_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Whatever the umask, a store and its log are for their owner alone, and so is a
// folder that was made for them.
func TestModes(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	s := open(t, "sqlite:///"+t.TempDir()+"/made/below/app.sqlite")
	put(t, create(t, s, alice), "x")
	path := s.Location(alice)
	for name, want := range map[string]fs.FileMode{
		path: 0o600, path + "-wal": 0o600, path + "-shm": 0o600,
		filepath.Dir(path): fs.ModeDir | 0o700, filepath.Dir(filepath.Dir(path)): fs.ModeDir | 0o700,
	} {
		at, err := os.Stat(name)
		must(t, err)
		if at.Mode() != want {
			t.Errorf("%s has mode %v, want %v", name, at.Mode(), want)
		}
	}
}
