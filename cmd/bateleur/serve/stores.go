package serve

import (
	"io"
	"log/slog"
	"path/filepath"
	"strings"

	"bateleur/adapters/driven/memory"
	"bateleur/adapters/driven/sqlite"
	"bateleur/core/ports"
)

// DataURL is the template of the stores in a data folder.
func DataURL(folder string) string { return sqlite.URL(filepath.Join(folder, "bateleur.sqlite")) }

// closing is what openStores gives: stores that the process closes.
type closing interface {
	ports.Stores
	io.Closer
}

type unclosed struct{ ports.Stores }

func (unclosed) Close() error { return nil }

func inMemory(storeURL string) bool { return strings.HasPrefix(storeURL, "memory:") }

// openStores picks the adapter by the URL's scheme.
func (c *Command) openStores(log *slog.Logger) (closing, error) {
	if inMemory(c.storeURL()) {
		return unclosed{memory.New()}, nil
	}
	stores, err := sqlite.Open(c.storeURL())
	if err != nil {
		return nil, err
	}
	return c.watch(stores, log)
}
