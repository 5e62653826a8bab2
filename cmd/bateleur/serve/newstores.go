package serve

import (
	"context"
	"log/slog"
	"os"
	"regexp"

	"bateleur/adapters/driven/sqlite"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// watched are stores that warn of each one that is made beside those of an
// earlier run. An actor that is new has one made; so has an actor whose file was
// lost, or whose id is another since the base URL was changed, and it begins
// without its cases.
type watched struct {
	closing
	url     string
	earlier int // files of stores that lay in the folder before any was opened
	log     *slog.Logger
}

// watch looks into the folder of the stores before one is opened.
func (c *Command) watch(stores closing, log *slog.Logger) (watched, error) {
	w := watched{closing: stores, url: c.storeURL(), log: log}
	folder, err := c.folder()
	if err == nil && folder != "" {
		w.earlier, err = storesIn(folder)
	}
	return w, err
}

// storeFile is how every store's file ends: with the sum of its actor's id.
var storeFile = regexp.MustCompile(`-[0-9a-f]{32}(\.[^.]*)?$`)

func storesIn(folder string) (n int, err error) {
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		if e.Type().IsRegular() && storeFile.MatchString(e.Name()) {
			n++
		}
	}
	return n, fault.Wrap("serve.watch", folder, fault.Unavailable, err)
}

// Create implements ports.Stores.
func (w watched) Create(ctx context.Context, actor model.ActorID) (ports.DataLayer, error) {
	store, err := w.closing.Create(ctx, actor)
	if err != nil || w.earlier == 0 {
		return store, err
	}
	if path, err := sqlite.Path(w.url, actor); err == nil {
		w.log.Warn("a new store was made beside others: is a file missing, or was the base URL changed?",
			"actor", actor.URI(), "file", path, "others", w.earlier)
	}
	return store, nil
}
