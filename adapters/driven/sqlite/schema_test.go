package sqlite_test

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"

	"bateleur/adapters/driven/sqlite"
)

func onConnection(t *testing.T, f func(ctx context.Context, conn *sqlx.Conn)) {
	t.Helper()
	s, _ := inFolder(t)
	d := create(t, s, alice)
	sqlite.OnConnection(t, d, func(conn *sqlx.Conn) { f(t.Context(), conn) })
}

// Proves: DL-07-003
func TestNoTableHasAnActorColumn(t *testing.T) {
	onConnection(t, func(ctx context.Context, conn *sqlx.Conn) {
		var columns []struct {
			Table  string `db:"table"`
			Column string `db:"column"`
		}
		must(t, conn.SelectContext(ctx, &columns, `
SELECT m.name AS "table", c.name AS "column" FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'`))
		if len(columns) < 35 {
			t.Fatalf("found %d columns", len(columns))
		}
		actors := regexp.MustCompile(`actor|owner|tenant|user`)
		for _, c := range columns {
			if actors.MatchString(c.Column) {
				t.Errorf("%s.%s tells actors apart", c.Table, c.Column)
			}
		}
	})
}

func TestTablesAreStrict(t *testing.T) {
	onConnection(t, func(ctx context.Context, conn *sqlx.Conn) {
		var loose []string
		must(t, conn.SelectContext(ctx, &loose, `
SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite_%'`))
		same(t, 0, len(loose))
	})
}

// Every statement finds its rows along an index, so that its cost does not grow
// with the tables. Those that give a whole small table are named.
func TestStatementsReadNoWholeTable(t *testing.T) {
	whole := []string{
		"SCAN l", "SCAN step", "SCAN CONSTANT ROW", "SCAN q",
		"SCAN inbox USING COVERING INDEX inbox_by_state",          // counts, asked for by people
		"SCAN deliveries USING COVERING INDEX deliveries_pending", // what is pending, when a node starts
	}
	sorting := "wake >= ?" // orders the few items that it found
	onConnection(t, func(ctx context.Context, conn *sqlx.Conn) {
		for _, text := range sqlite.Statements() {
			var plan []struct {
				Detail              string `db:"detail"`
				ID, Parent, Notused int
			}
			args := make([]any, strings.Count(text, "?"))
			must(t, conn.SelectContext(ctx, &plan, "EXPLAIN QUERY PLAN "+text, args...))
			for _, step := range plan {
				scans := strings.HasPrefix(step.Detail, "SCAN") && !slices.Contains(whole, step.Detail)
				sorts := strings.Contains(step.Detail, "TEMP B-TREE") && !strings.Contains(text, sorting)
				if scans || sorts {
					t.Errorf("%s\nplans: %s", text, step.Detail)
				}
			}
		}
	})
}

// Proves: BA-17-002
func TestPragmasOfEveryConnection(t *testing.T) {
	want := map[string]string{
		"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "busy_timeout": "5000",
		"temp_store": "2", "trusted_schema": "0", "journal_size_limit": "1048576", "query_only": "0",
	}
	s, _ := inFolder(t)
	d := create(t, s, alice)
	for range 3 { // each on a connection of its own
		sqlite.OnConnection(t, d, func(conn *sqlx.Conn) {
			for name, value := range want {
				var got string
				must(t, conn.GetContext(t.Context(), &got, "PRAGMA "+name))
				if got != value {
					t.Errorf("PRAGMA %s is %s, want %s", name, got, value)
				}
			}
			var text string
			if err := conn.GetContext(t.Context(), &text, `SELECT "not a column"`); err == nil {
				t.Error("a text in double quotes is taken")
			}
			if _, err := conn.ExecContext(t.Context(), `PRAGMA writable_schema = 1; DELETE FROM sqlite_schema`); err == nil {
				t.Error("the schema can be written")
			}
		})
		sqlite.DropConnection(d)
	}
}
