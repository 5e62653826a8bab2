package advisory_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bateleur/adapters/wire/advisory"
	"bateleur/core/fault"
)

func TestReadFileRefuses(t *testing.T) {
	folder := t.TempDir()
	write := func(name string, size int, mode os.FileMode) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(strings.Repeat("a", size)), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	cases := []struct {
		name, path string
		want       fault.Code
	}{
		{"missing", filepath.Join(folder, "none.md"), fault.NotFound},
		{"under a file", filepath.Join(write("file", 1, 0o600), "none.md"), fault.Unavailable},
		{"a folder", folder, fault.Invalid},
		{"a device", os.DevNull, fault.Invalid},
		{"a socket", socket(t), fault.Invalid},
		{"too large", write("large.md", advisory.MaxSize+1, 0o600), fault.TooLarge},
		{"unreadable", write("secret.md", 1, 0), fault.Unavailable},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "unreadable" && os.Geteuid() == 0 {
				t.Skip("root may read everything")
			}
			_, err := advisory.ReadFile(c.path)
			if got := fault.CodeOf(err); got != c.want {
				t.Fatalf("code %q, want %q: %v", got, c.want, err)
			}
			if !strings.Contains(err.Error(), c.path) {
				t.Errorf("the error does not name the path: %v", err)
			}
		})
	}
}

// socket makes a file that is neither a folder nor can be opened.
func socket(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "s") //nolint:usetesting // t.TempDir is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	path := filepath.Join(folder, "s")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	return path
}

func TestReadFileOfTheLargestSize(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large.txt")
	if err := os.WriteFile(path, []byte(strings.Repeat("a", advisory.MaxSize)), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := advisory.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Content) != advisory.MaxSize {
		t.Errorf("%d bytes are left", len(r.Content))
	}
}
