package sqlite_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bateleur/adapters/driven/sqlite"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/ports/porttest"
)

var (
	alice = actor("https://a.example/actors/alice")
	bob   = actor("https://b.example/actors/bob")
)

func actor(uri string) model.ActorID {
	id, err := model.ParseActorID(uri)
	if err != nil {
		panic(err)
	}
	return id
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantCode(t testing.TB, err error, want fault.Code) {
	t.Helper()
	if got := fault.CodeOf(err); got != want {
		t.Errorf("got code %q (%v), want %q", got, err, want)
	}
}

func open(t testing.TB, url string) *sqlite.Stores {
	t.Helper()
	s, err := sqlite.Open(url)
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

// inFolder gives stores in a new folder, and the template's URL.
func inFolder(t testing.TB) (*sqlite.Stores, string) {
	t.Helper()
	url := "sqlite:///" + filepath.Join(t.TempDir(), "app.sqlite")
	return open(t, url), url
}

func create(t testing.TB, s ports.Stores, a model.ActorID) ports.DataLayer {
	t.Helper()
	d, err := s.Create(t.Context(), a)
	must(t, err)
	t.Cleanup(func() { must(t, d.Close()) })
	return d
}

func put(t testing.TB, d ports.DataLayer, id string) {
	t.Helper()
	must(t, d.Update(t.Context(), func(tx ports.Tx) error {
		_, err := tx.Put(ports.Record{Kind: "note", ID: id, Body: []byte(id)})
		return err
	}))
}

func dump(t testing.TB, d ports.DataLayer) (text string) {
	t.Helper()
	must(t, d.View(t.Context(), func(r ports.Reader) (err error) {
		text, err = porttest.Dump(r)
		return err
	}))
	return text
}

// files gives the bytes of everything in a folder.
func files(t testing.TB, folder string) map[string]string {
	t.Helper()
	listed, err := os.ReadDir(folder)
	must(t, err)
	all := map[string]string{}
	for _, f := range listed {
		raw, err := os.ReadFile(filepath.Join(folder, f.Name()))
		must(t, err)
		all[f.Name()] = string(raw)
	}
	return all
}

func names(files map[string]string) map[string]bool {
	all := map[string]bool{}
	for name := range files {
		all[name] = true
	}
	return all
}

func same(t testing.TB, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		if len(diff) > 4000 {
			diff = diff[:4000]
		}
		t.Errorf("-want +got:\n%s", diff)
	}
}
