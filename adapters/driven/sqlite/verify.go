package sqlite

import (
	"context"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"

	"bateleur/core/fault"
	"bateleur/core/model"
)

// differences are what must not be between tables that hold parts of one fact; a
// row is one.
var differences = map[string]string{
	"a reference": `
SELECT r.position FROM refs r LEFT JOIN objects o ON o.position = r.position AND o.kind = r.kind
WHERE o.position IS NULL`,
	"a ledger": `
SELECT ledger FROM entries GROUP BY ledger HAVING min(idx) <> 0 OR max(idx) <> count(*) - 1`,
	"a chain": `
SELECT e.ledger FROM entries e JOIN entries p ON p.ledger = e.ledger AND p.idx = e.idx - 1
WHERE e.prev_hash <> p.hash`,
	"a first entry": `
SELECT l.number FROM ledgers l JOIN entries e ON e.ledger = l.number AND e.idx = 0
WHERE e.prev_hash <> l.genesis`,
	"a foreign key": `PRAGMA foreign_key_check`,
}

// Verify reads every page of an actor's file and compares what must agree. It
// opens the file as OpenReadOnly does, with its errors; fault.Corrupt names what
// is damaged. That an entry's hash is its content's is not looked at here. It
// costs time in proportion to the file.
func Verify(ctx context.Context, templateURL string, actor model.ActorID) error {
	d, err := OpenReadOnly(ctx, templateURL, actor)
	if err != nil {
		return err
	}
	f := d.(*handle).file
	err = f.transact(ctx, "sqlite.verify", beginReading, false, func(t *tx) error {
		path, err := Path(templateURL, actor)
		if err != nil {
			return err
		}
		return verify(ctx, path, t.session.conn)
	})
	return errors.Join(err, d.Close())
}

func verify(ctx context.Context, path string, conn *sqlx.Conn) error {
	const op = "sqlite.verify"
	var findings []string
	if err := conn.SelectContext(ctx, &findings, `PRAGMA integrity_check(10)`); err != nil {
		return failed(ctx, op, path, err)
	}
	if len(findings) != 1 || findings[0] != "ok" {
		return fault.New(op, path, fault.Corrupt, fmt.Sprint(findings))
	}
	for what, query := range differences {
		if err := none(ctx, conn, path, what, query); err != nil {
			return err
		}
	}
	return nil
}

// none reports a difference that a query finds.
func none(ctx context.Context, conn *sqlx.Conn, path, what, query string) error {
	const op = "sqlite.verify"
	rows, err := conn.QueryContext(ctx, query)
	if err != nil {
		return failed(ctx, op, path, err)
	}
	defer rows.Close()
	if rows.Next() {
		return fault.New(op, path, fault.Corrupt, what+" does not agree with the rest")
	}
	return failed(ctx, op, path, rows.Err())
}
