package sqlite_test

import (
	"testing"

	"go.uber.org/goleak"

	"bateleur/adapters/driven/sqlite"
	"bateleur/core/ports"
	"bateleur/core/ports/porttest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestStoresInFiles(t *testing.T) {
	porttest.Stores(t, porttest.Harness{
		Open: func(t testing.TB) ports.Stores { return open(t, "sqlite:///"+t.TempDir()+"/app.sqlite") },
		Reopen: func(t testing.TB, s ports.Stores) ports.Stores {
			must(t, s.(*sqlite.Stores).Close())
			return open(t, sqlite.TemplateURL(s.(*sqlite.Stores)))
		},
		FailNextCommit: sqlite.FailNextCommit,
	})
}

func TestStoresInMemory(t *testing.T) {
	porttest.Stores(t, porttest.Harness{
		Open:           func(t testing.TB) ports.Stores { return open(t, "sqlite:///:memory:") },
		FailNextCommit: sqlite.FailNextCommit,
	})
}
