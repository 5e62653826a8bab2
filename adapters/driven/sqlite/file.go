package sqlite

import (
	"context"

	"github.com/jmoiron/sqlx"

	"bateleur/core/fault"
	"bateleur/core/model"
)

// file is an open database. All handles on a store share one.
type file struct {
	owner model.ActorID
	path  string // where it lies, "" for one in memory
	dsn   string
	bound *bound
	turn  chan struct{} // holds a value while somebody has the turn

	// The rest belongs to who has the turn.
	closed  bool
	db      *sqlx.DB // nil at rest
	session *session // nil at rest and after a failure
}

// openDB opens a database with one connection, which stays open.
func openDB(dsn string) (*sqlx.DB, error) {
	setUp()
	db, err := sqlx.Open(driver, dsn)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	db.SetMaxIdleConns(1)
	db.SetConnMaxLifetime(0)
	db.SetConnMaxIdleTime(0)
	return db, nil
}

// openFile connects, so that what is wrong with the database shows now.
func openFile(ctx context.Context, op string, owner model.ActorID, path, dsn string, b *bound) (*file, error) {
	f := &file{owner: owner, path: path, dsn: dsn, bound: b, turn: make(chan struct{}, 1)}
	if err := f.connect(ctx); err != nil {
		_ = f.close()
		return nil, failed(ctx, op, f.subject(), err)
	}
	b.used(f)
	return f, nil
}

// subject is the store in an error: whose it is and the file to look after.
func (f *file) subject() string { return f.within(f.owner.URI()) }

// within is something of the store in an error.
func (f *file) within(subject string) string {
	if f.path == "" {
		return subject
	}
	return subject + " in " + f.path
}

func (f *file) connect(ctx context.Context) (err error) {
	if f.db == nil {
		if f.db, err = openDB(f.dsn); err != nil {
			f.db = nil
			return err
		}
	}
	f.session, err = newSession(ctx, f.db)
	return err
}

// enter waits for the turn.
func (f *file) enter(ctx context.Context, op string) error {
	if err := ctx.Err(); err != nil {
		return fault.Wrap(op, f.owner.URI(), fault.Cancelled, err)
	}
	select {
	case f.turn <- struct{}{}:
	case <-ctx.Done():
		return fault.Wrap(op, f.owner.URI(), fault.Cancelled, ctx.Err())
	}
	if f.closed {
		f.leave()
		return fault.New(op, f.owner.URI(), fault.Closed, "the store was closed")
	}
	return nil
}

func (f *file) leave() { <-f.turn }

// close waits for the turn and closes the database. As the last of all
// connections to a file it writes the log back into it and removes the log.
// Closing twice is harmless.
func (f *file) close() error {
	f.turn <- struct{}{}
	defer f.leave()
	f.closed = true
	f.bound.forget(f)
	return f.disconnect()
}

func (f *file) disconnect() error {
	if f.db == nil {
		return nil
	}
	f.drop()
	err := f.db.Close()
	f.db = nil
	return fault.Wrap("sqlite.close", f.subject(), codeOf(err), err)
}

// rest closes the database until the next transaction, unless one runs.
func (f *file) rest() bool {
	select {
	case f.turn <- struct{}{}:
		defer f.leave()
		_ = f.disconnect() // what was committed is in the log, if not in the file
		return true
	default:
		return false
	}
}

// drop gives the connection up; the next transaction makes a new one.
func (f *file) drop() {
	if f.session != nil {
		f.session.discard()
		f.session = nil
	}
}

// connected gives the session. After a rest or a failure that is a new one, and
// the store is still the owner's.
func (f *file) connected(ctx context.Context) (*session, error) {
	f.bound.used(f)
	if f.session != nil {
		return f.session, nil
	}
	if err := f.connect(ctx); err != nil {
		return nil, err
	}
	known, err := look(ctx, f.session.conn)
	if err == nil {
		err = known.check("sqlite.reopen", f.subject(), f.owner)
	}
	if err != nil {
		f.drop()
		return nil, err
	}
	return f.session, nil
}
