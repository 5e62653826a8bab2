package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"bateleur/core/fault"
	"bateleur/core/model"
)

// openToWrite opens a file after a look at it: what is not the actor's or not for
// this program is not opened, so that it is not changed.
func (s *Stores) openToWrite(ctx context.Context, actor model.ActorID) (*file, error) {
	const op = "sqlite.open"
	path := s.template.path(actor)
	known, err := inspect(ctx, op, path, actor)
	if err != nil {
		return nil, err
	}
	f, err := openFile(ctx, op, actor, path, writeDSN(path), s.bound)
	if err != nil {
		return nil, err
	}
	if err := migrate(ctx, f.session.conn, known); err != nil {
		return nil, errors.Join(failed(ctx, op, path, err), f.close())
	}
	return f, nil
}

// inspect reads whose store lies at a path, and refuses it or gives its version.
func inspect(ctx context.Context, op, path string, actor model.ActorID) (found, error) {
	f, known, err := openReading(ctx, op, path, actor)
	if err != nil {
		return found{}, err
	}
	return known, f.close()
}

// openReading opens a file that is only read, after the checks.
func openReading(ctx context.Context, op, path string, actor model.ActorID) (*file, found, error) {
	hasLog, err := lies(op, path)
	if err != nil {
		return nil, found{}, err
	}
	f, err := openFile(ctx, op, actor, path, readDSN(path, hasLog), nil)
	if err != nil {
		return nil, found{}, err
	}
	known, err := look(ctx, f.session.conn)
	if err == nil {
		err = known.check(op, path, actor)
	} else if err = failed(ctx, op, path, err); fault.CodeOf(err) == fault.Internal {
		// A file with our mark that cannot tell its owner is not as we left it.
		err = fault.Wrap(op, path, fault.Corrupt, err)
	}
	if err != nil {
		return nil, found{}, errors.Join(err, f.close())
	}
	return f, known, nil
}

// lies tells whether a file lies at a path, fault.NotFound when there is none,
// and whether a log lies beside it: one does while the file is open anywhere.
func lies(op, path string) (hasLog bool, err error) {
	switch at, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return false, fault.New(op, path, fault.NotFound, "the actor has no store")
	case err != nil:
		return false, fault.Wrap(op, path, fault.Unavailable, err)
	case !at.Mode().IsRegular():
		return false, fault.New(op, path, fault.Corrupt, "not a file")
	}
	_, err = os.Stat(path + "-wal")
	return err == nil, nil
}
