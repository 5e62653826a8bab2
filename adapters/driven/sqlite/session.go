package sqlite

import (
	"context"
	sqldriver "database/sql/driver"

	"github.com/jmoiron/sqlx"
)

// query is a statement of this package, prepared once a connection when it is
// first needed.
type query struct {
	index int
	text  string
}

var queries []*query

// define names a statement. Every value in it is a parameter, so that no text
// can be taken for one. A limit is written "? + 0": SQLite plans a statement whose
// limit is a bare parameter anew at each binding.
func define(text string) *query {
	q := &query{index: len(queries), text: text}
	queries = append(queries, q)
	return q
}

var (
	beginReading = define(`BEGIN DEFERRED`)
	beginWriting = define(`BEGIN IMMEDIATE`)
	commit       = define(`COMMIT`)
	rollback     = define(`ROLLBACK`)
)

// session is a connection with its prepared statements. It is used by whoever
// has the file's turn and by nobody else.
type session struct {
	conn     *sqlx.Conn
	prepared []*sqlx.Stmt
}

func newSession(ctx context.Context, db *sqlx.DB) (*session, error) {
	conn, err := db.Connx(ctx)
	if err != nil {
		return nil, err
	}
	return &session{conn: conn, prepared: make([]*sqlx.Stmt, len(queries))}, nil
}

// statement gives a query's statement on the session's own connection, which is
// why it is part of whatever transaction is open there.
func (s *session) statement(ctx context.Context, q *query) (*sqlx.Stmt, error) {
	if held := s.prepared[q.index]; held != nil {
		return held, nil
	}
	made, err := s.conn.PreparexContext(ctx, q.text)
	if err != nil {
		return nil, err
	}
	s.prepared[q.index] = made
	return made, nil
}

func (s *session) run(ctx context.Context, q *query) error {
	statement, err := s.statement(ctx, q)
	if err == nil {
		_, err = statement.ExecContext(ctx)
	}
	return err
}

// discard closes the connection itself, with its statements and whatever
// transaction is open on it, instead of giving it back to the pool. SQLite keeps
// a connection, and the file's log, for as long as it has statements.
func (s *session) discard() {
	for _, statement := range s.prepared {
		if statement != nil {
			_ = statement.Close()
		}
	}
	_ = s.conn.Raw(func(any) error { return sqldriver.ErrBadConn })
	_ = s.conn.Close()
}
