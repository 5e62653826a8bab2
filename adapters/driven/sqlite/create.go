package sqlite

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"bateleur/core/fault"
	"bateleur/core/model"
)

// suffixes are those of the files that SQLite keeps beside a database.
var suffixes = []string{"-wal", "-shm", "-journal"}

// create makes an actor's store as a file that was not there before. It is made
// whole under another name and then given its own, so that a file with a store's
// name is a store however the making ends.
func create(ctx context.Context, path string, actor model.ActorID) error {
	const op = "sqlite.create"
	if err := free(op, path); err != nil {
		return err
	}
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fault.Wrap(op, path, fault.Unavailable, err)
	}
	draft := filepath.Join(folder, ".new-"+rand.Text())
	defer removeDraft(draft)
	if err := write(ctx, op, draft, actor); err != nil {
		return err
	}
	if err := publish(draft, path, os.Link); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return fault.Wrap(op, path, fault.Conflict, err)
		}
		return fault.Wrap(op, path, fault.Unavailable, err)
	}
	return fault.Wrap(op, path, fault.Unavailable, syncFolder(folder))
}

// free refuses a path where something lies. A log that outlived its store would
// be taken for the new one's.
func free(op, path string) error {
	for _, suffix := range append([]string{""}, suffixes...) {
		switch _, err := os.Lstat(path + suffix); {
		case err == nil && suffix == "":
			return fault.New(op, path, fault.Conflict, "the actor has a store")
		case err == nil:
			return fault.New(op, path+suffix, fault.Conflict, "remains of an older store lie here")
		case !errors.Is(err, fs.ErrNotExist):
			return fault.Wrap(op, path, fault.Unavailable, err)
		}
	}
	return nil
}

// write makes a closed store of the draft. The file is made before SQLite opens
// it, for its owner alone whatever the umask; the log takes over its mode.
func write(ctx context.Context, op, draft string, actor model.ActorID) error {
	made, err := os.OpenFile(draft, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		err = made.Close()
	}
	if err != nil {
		return fault.Wrap(op, draft, fault.Unavailable, err)
	}
	f, err := openFile(ctx, op, actor, draft, writeDSN(draft), nil)
	if err != nil {
		return err
	}
	err = failed(ctx, op, draft, migrate(ctx, f.session.conn, emptyFor(actor)))
	return errors.Join(err, f.close())
}

// publish gives the draft its name unless that is taken. Where the file system
// has no second names for a file it is renamed, after a look: then only another
// process that makes the same store at the same moment could be overwritten.
func publish(draft, path string, link func(string, string) error) error {
	err := link(draft, path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return fs.ErrExist
	}
	return os.Rename(draft, path)
}

func removeDraft(draft string) {
	for _, suffix := range append([]string{""}, suffixes...) {
		_ = os.Remove(draft + suffix)
	}
}

// syncFolder makes a new name in the folder last.
func syncFolder(folder string) error {
	dir, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
