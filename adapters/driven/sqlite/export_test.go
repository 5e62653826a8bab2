package sqlite

import (
	"crypto/rand"
	"path/filepath"
	"slices"
	"testing"

	"github.com/jmoiron/sqlx"
	"modernc.org/sqlite"

	"bateleur/core/model"
	"bateleur/core/ports"
)

// TemplateURL is the URL under which the stores were opened.
func TemplateURL(s *Stores) string {
	return URL(filepath.Join(s.template.folder, s.template.stem+s.template.ext))
}

// FailNextCommit lets SQLite refuse the next COMMIT on the store's connection.
func FailNextCommit(t testing.TB, d ports.DataLayer) {
	t.Helper()
	OnConnection(t, d, func(conn *sqlx.Conn) {
		err := conn.Raw(func(raw any) error {
			hooks := raw.(sqlite.HookRegisterer)
			hooks.RegisterCommitHook(func() int32 {
				hooks.RegisterCommitHook(nil)
				return 1
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// OnConnection lends the store's connection.
func OnConnection(t testing.TB, d ports.DataLayer, f func(conn *sqlx.Conn)) {
	t.Helper()
	file := d.(*handle).file
	file.turn <- struct{}{}
	defer file.leave()
	s, err := file.connected(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f(s.conn)
}

// DropConnection gives the store's connection up, as a failure does.
func DropConnection(d ports.DataLayer) {
	file := d.(*handle).file
	file.turn <- struct{}{}
	defer file.leave()
	file.drop()
}

// Statements gives all statements but those that begin and end a transaction.
func Statements() []string {
	var texts []string
	for _, q := range queries[rollback.index+1:] {
		texts = append(texts, q.text)
	}
	return texts
}

// Draft makes an actor's store as far as its being named.
func Draft(t testing.TB, folder string, actor model.ActorID) string {
	t.Helper()
	draft := filepath.Join(folder, ".new-"+rand.Text())
	if err := write(t.Context(), "test", draft, actor); err != nil {
		t.Fatal(err)
	}
	return draft
}

// WithMigration adds a step behind the newest version for the time of a test.
func WithMigration(t testing.TB, script string) {
	before := migrations
	migrations = append(slices.Clone(before), script)
	newest = len(migrations)
	t.Cleanup(func() { migrations, newest = before, len(before) })
}

var (
	CodeOf       = codeOf
	CodeOfResult = codeOfResult
	Failed       = failed
	Pack         = pack
	Publish      = publish
	Unpack       = unpack
	WriteDSN     = writeDSN
)

// Places counts the actors for whom something is kept.
func Places(s *Stores) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.places)
}

// AwaitRests waits for the files that are being put to rest.
func AwaitRests(s *Stores) { s.bound.resting.Wait() }
