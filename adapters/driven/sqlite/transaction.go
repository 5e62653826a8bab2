package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"bateleur/core/fault"
	"bateleur/core/ports"
)

var (
	_ ports.Reader = (*reader)(nil)
	_ ports.Tx     = (*tx)(nil)
)

// reader reads inside one transaction.
type reader struct {
	ctx context.Context
	// steady never ends. Statements that touch a bounded number of rows run under
	// it, after a look at ctx: an interrupted one would take the whole transaction
	// and the connection with it.
	steady  context.Context
	file    *file
	session *session
	over    bool
	broken  error // what ended the transaction before its function did
	heads   map[string]headRow
}

// tx also writes.
type tx struct{ reader }

// transact runs f between BEGIN and the end. It keeps what f did if keep is set,
// f returns nil, nothing broke and the context has not ended.
func (f *file) transact(ctx context.Context, op string, begin *query, keep bool, body func(*tx) error) error {
	if err := f.enter(ctx, op); err != nil {
		return err
	}
	defer f.leave()
	t, err := f.begin(ctx, op, begin)
	if err != nil {
		return err
	}
	kept := false
	defer func() { // a panic or a runtime.Goexit in body comes through here too
		t.over = true
		if !kept {
			t.rollback()
		}
	}()
	if err := body(t); err != nil {
		return err
	}
	if err := t.alive(op, f.owner.URI()); err != nil {
		return err
	}
	if keep {
		// Not interruptible: what is reported is what happened.
		if err := t.session.run(t.steady, commit); err != nil {
			return t.wrap(op, f.owner.URI(), err)
		}
		kept = true
	}
	return nil
}

func (f *file) begin(ctx context.Context, op string, begin *query) (*tx, error) {
	s, err := f.connected(ctx)
	if err == nil {
		err = s.run(ctx, begin) // waits for another process, until ctx ends
	}
	if err != nil {
		f.drop()
		return nil, failed(ctx, op, f.subject(), err)
	}
	return &tx{reader{ctx: ctx, steady: context.WithoutCancel(ctx), file: f, session: s}}, nil
}

// rollback undoes the transaction. A connection on which something broke is not
// used again.
func (t *tx) rollback() {
	if err := t.session.run(t.steady, rollback); err != nil || t.broken != nil {
		t.file.drop()
	}
}

// alive tells why the transaction cannot go on.
func (r *reader) alive(op, subject string) error {
	switch {
	case r.over:
		return fault.New(op, subject, fault.Closed, "the transaction is over")
	case r.broken != nil:
		return r.broken
	}
	return fault.Wrap(op, subject, fault.Cancelled, r.ctx.Err())
}

// wrap gives an error of the driver its place. All but a conflict break the
// transaction: SQLite may have undone it, and what followed would be kept alone.
// They name the file, since it is where the cause lies.
func (r *reader) wrap(op, subject string, err error) error {
	if err != nil && codeOf(err) != fault.Conflict {
		subject = r.file.within(subject)
	}
	err = failed(r.ctx, op, subject, err)
	if err != nil && fault.CodeOf(err) != fault.Conflict {
		r.broken = err
	}
	return err
}

// get reads one row into dest, a pointer, and tells whether there is one.
func (r *reader) get(op, subject string, dest any, q *query, args ...any) (bool, error) {
	if err := r.alive(op, subject); err != nil {
		return false, err
	}
	statement, err := r.session.statement(r.steady, q)
	if err == nil {
		err = statement.GetContext(r.steady, dest, args...)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, r.wrap(op, subject, err)
}

// list reads rows into dest, a pointer to a slice. It ends when the context does.
func (r *reader) list(op, subject string, dest any, q *query, args ...any) error {
	if err := r.alive(op, subject); err != nil {
		return err
	}
	statement, err := r.session.statement(r.steady, q)
	if err == nil {
		err = statement.SelectContext(r.ctx, dest, args...)
	}
	return r.wrap(op, subject, err)
}

// exec writes and tells how many rows it changed and the last one's key.
func (t *tx) exec(op, subject string, q *query, args ...any) (changed, key int64, err error) {
	if err := t.alive(op, subject); err != nil {
		return 0, 0, err
	}
	statement, err := t.session.statement(t.steady, q)
	if err != nil {
		return 0, 0, t.wrap(op, subject, err)
	}
	result, err := statement.ExecContext(t.steady, args...)
	if err != nil {
		return 0, 0, t.wrap(op, subject, err)
	}
	changed, _ = result.RowsAffected() // this driver's never fail
	key, _ = result.LastInsertId()
	return changed, key, nil
}
