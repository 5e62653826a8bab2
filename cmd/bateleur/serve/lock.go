package serve

import (
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"bateleur/adapters/driven/sqlite"
	"bateleur/core/fault"
	"bateleur/core/model"
)

// LockName is the file by which a server keeps others from its folder of stores.
// It stays when the server ends; what counts is who holds it.
const LockName = "bateleur.lock"

// lock keeps a second server from the same stores: fault.Conflict when there is
// one. Stores in memory are nobody else's anyway.
func (c *Command) lock() (unlock func(), err error) {
	folder, err := c.folder()
	if err != nil || folder == "" {
		return func() {}, err
	}
	const op = "serve.lock"
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fault.Wrap(op, folder, fault.Unavailable, err)
	}
	l := flock.New(filepath.Join(folder, LockName))
	held, err := l.TryLock()
	switch {
	case err != nil:
		return nil, fault.Wrap(op, folder, fault.Unavailable, err)
	case !held:
		return nil, fault.New(op, folder, fault.Conflict, "another server uses the stores in this folder")
	}
	return func() { _ = l.Unlock() }, nil
}

// folder is where the stores' files lie, "" when they are none.
func (c *Command) folder() (string, error) {
	if inMemory(c.storeURL()) {
		return "", nil
	}
	one, err := model.HostedActorID(c.BaseURL, c.CaseManager)
	if err != nil {
		return "", err
	}
	path, err := sqlite.Path(c.storeURL(), one)
	if err != nil || path == ":memory:" {
		return "", usage(err)
	}
	return filepath.Dir(path), nil
}
