package sqlite

import (
	"context"
	"embed"
	"fmt"
	"io/fs"

	"github.com/jmoiron/sqlx"

	"bateleur/core/fault"
	"bateleur/core/model"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// migrations are the scripts that lead from one version of the schema to the
// next; the first makes version 1 of an empty database. What was released is
// never changed.
var migrations = func() []string {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql") // sorted
	if err != nil {
		panic(err)
	}
	var scripts []string
	for _, name := range names {
		script, err := fs.ReadFile(migrationFiles, name)
		if err != nil {
			panic(err)
		}
		scripts = append(scripts, string(script))
	}
	return scripts
}()

// newest is the version of the schema that this program writes.
var newest = len(migrations)

// applicationID marks a database as a store of this program: "Btlr".
const applicationID = 0x42746c72

// found says whose store a database is and of which version.
type found struct {
	application int
	owner       string
	version     int
}

// look reads what must be known before a store is used.
func look(ctx context.Context, conn *sqlx.Conn) (found, error) {
	var f found
	if err := conn.GetContext(ctx, &f.application, `PRAGMA application_id`); err != nil {
		return f, err
	}
	if f.application != applicationID { // it need not have the table
		return f, nil
	}
	if err := conn.GetContext(ctx, &f.version, `PRAGMA user_version`); err != nil {
		return f, err
	}
	err := conn.GetContext(ctx, &f.owner, `SELECT value FROM meta WHERE key = ?`, ownerKey)
	return f, err
}

const ownerKey = "owner"

// check refuses a store that is not the actor's or not for this program.
func (f found) check(op, path string, actor model.ActorID) error {
	switch {
	case f.application != applicationID:
		return fault.New(op, path, fault.Corrupt, "the file is no store of this program")
	case f.owner != actor.URI():
		return fault.New(op, path, fault.OwnerMismatch, "the store belongs to "+f.owner)
	case f.version > newest:
		return fault.New(op, path, fault.Schema,
			fmt.Sprintf("the store has version %d, this program knows %d", f.version, newest))
	case f.version < 1:
		return fault.New(op, path, fault.Corrupt, "the store has no version")
	}
	return nil
}

// emptyFor is an empty database that is to become an actor's store.
func emptyFor(actor model.ActorID) found { return found{owner: actor.URI()} }

// migrate brings a store to the newest version in one transaction. An empty
// database gets its owner in the same one.
func migrate(ctx context.Context, conn *sqlx.Conn, f found) (err error) {
	if f.version == newest {
		return nil
	}
	if _, err = conn.ExecContext(ctx, beginWriting.text); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_, _ = conn.ExecContext(context.WithoutCancel(ctx), rollback.text)
		}
	}()
	for _, script := range migrations[f.version:] {
		if _, err = conn.ExecContext(ctx, script); err != nil {
			return err
		}
	}
	if f.version == 0 {
		if _, err = conn.ExecContext(ctx, `INSERT INTO meta VALUES (?, ?)`, ownerKey, f.owner); err != nil {
			return err
		}
	}
	// A PRAGMA takes no parameters.
	header := fmt.Sprintf(`PRAGMA application_id = %d; PRAGMA user_version = %d`, applicationID, newest)
	if _, err = conn.ExecContext(ctx, header); err != nil {
		return err
	}
	_, err = conn.ExecContext(context.WithoutCancel(ctx), commit.text)
	return err
}
