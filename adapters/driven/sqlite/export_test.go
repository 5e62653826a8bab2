package sqlite

import (
	"path/filepath"
	"testing"

	"modernc.org/sqlite"

	"bateleur/core/ports"
)

// TemplateURL is the URL under which the stores were opened.
func TemplateURL(s *Stores) string {
	return scheme + filepath.Join(s.template.folder, s.template.stem+s.template.ext)
}

// FailNextCommit lets SQLite refuse the next COMMIT on the store's connection.
func FailNextCommit(t testing.TB, d ports.DataLayer) {
	t.Helper()
	f := d.(*handle).file
	f.turn <- struct{}{}
	defer f.leave()
	s, err := f.connected(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	err = s.conn.Raw(func(conn any) error {
		hooks := conn.(sqlite.HookRegisterer)
		hooks.RegisterCommitHook(func() int32 {
			hooks.RegisterCommitHook(nil)
			return 1
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
