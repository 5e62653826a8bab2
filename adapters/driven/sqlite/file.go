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
	turn  chan struct{} // holds a value while somebody has the turn

	// The rest belongs to who has the turn.
	db      *sqlx.DB // nil when closed
	session *session // nil until needed and after a failure
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
func openFile(ctx context.Context, op string, owner model.ActorID, dsn string) (*file, error) {
	db, err := openDB(dsn)
	if err != nil {
		return nil, fault.Wrap(op, owner.URI(), fault.Internal, err)
	}
	f := &file{owner: owner, turn: make(chan struct{}, 1), db: db}
	if f.session, err = newSession(ctx, db); err != nil {
		_ = db.Close()
		return nil, failed(ctx, op, owner.URI(), err)
	}
	return f, nil
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
	if f.db == nil {
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
	if f.db == nil {
		return nil
	}
	f.drop()
	err := f.db.Close()
	f.db = nil
	return fault.Wrap("sqlite.close", f.owner.URI(), codeOf(err), err)
}

// drop gives the connection up; the next transaction makes a new one.
func (f *file) drop() {
	if f.session != nil {
		f.session.discard()
		f.session = nil
	}
}

// connected gives the session, a new one where the last one failed.
func (f *file) connected(ctx context.Context) (*session, error) {
	if f.session == nil {
		made, err := newSession(ctx, f.db)
		if err != nil {
			return nil, err
		}
		f.session = made
	}
	return f.session, nil
}
