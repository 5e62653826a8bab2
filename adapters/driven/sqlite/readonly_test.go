package sqlite_test

import (
	"os"
	"path/filepath"
	"testing"

	"bateleur/adapters/driven/sqlite"
	"bateleur/core/fault"
	"bateleur/core/ports"
)

// Looking at a closed store leaves every byte and every neighbour as it was.
func TestReadOnlyLeavesNoTrace(t *testing.T) {
	s, url := inFolder(t)
	d := create(t, s, alice)
	put(t, d, "x")
	want := dump(t, d)
	must(t, create(t, s, bob).Close())
	must(t, d.Close())
	folder := filepath.Dir(s.Location(alice))
	before := files(t, folder)

	look, err := sqlite.OpenReadOnly(t.Context(), url, alice)
	must(t, err)
	same(t, want, dump(t, look))
	same(t, before, files(t, folder))
	err = look.Update(t.Context(), func(ports.Tx) error {
		t.Error("the function of an Update ran")
		return nil
	})
	wantCode(t, err, fault.Forbidden)
	clone, err := look.CloneForActor(t.Context(), bob)
	must(t, err)
	wantCode(t, clone.Update(t.Context(), func(ports.Tx) error { return nil }), fault.Forbidden)
	must(t, clone.Close())
	must(t, look.Close())
	wantCode(t, look.View(t.Context(), func(ports.Reader) error { return nil }), fault.Closed)
	must(t, sqlite.Verify(t.Context(), url, alice))
	same(t, before, files(t, folder))
}

func TestReadOnlyBesideAWriter(t *testing.T) {
	s, url := inFolder(t)
	d := create(t, s, alice)
	put(t, d, "before")
	look, err := sqlite.OpenReadOnly(t.Context(), url, alice)
	must(t, err)
	defer look.Close()
	must(t, look.View(t.Context(), func(r ports.Reader) error {
		if _, err := r.Get("note", "before"); err != nil {
			return err
		}
		put(t, d, "meanwhile") // does not wait for who looks
		_, err := r.Get("note", "meanwhile")
		wantCode(t, err, fault.NotFound)
		return nil
	}))
	same(t, dump(t, d), dump(t, look))
}

func TestReadOnlyRefusals(t *testing.T) {
	_, err := sqlite.OpenReadOnly(t.Context(), "sqlite:///:memory:", alice)
	wantCode(t, err, fault.Unsupported)
	_, err = sqlite.OpenReadOnly(t.Context(), "nonsense", alice)
	wantCode(t, err, fault.Invalid)
	s, url := inFolder(t)
	_, err = sqlite.OpenReadOnly(t.Context(), url, alice)
	wantCode(t, err, fault.NotFound)
	must(t, create(t, s, alice).Close())
	sqlite.WithMigration(t, `CREATE TABLE added (x INTEGER) STRICT`)
	_, err = sqlite.OpenReadOnly(t.Context(), url, alice)
	wantCode(t, err, fault.Schema)
}

func TestVerifyFindsDamage(t *testing.T) {
	s, _ := inFolder(t)
	d := create(t, s, alice)
	must(t, d.Update(t.Context(), func(tx ports.Tx) error {
		for _, id := range []string{"1", "2", "3"} {
			_, err := tx.Put(ports.Record{Kind: "note", ID: id, Refs: []ports.Ref{{Name: "about", Target: "x"}}})
			must(t, err)
		}
		must(t, tx.OpenLedger("case", ports.Own, "g"))
		must(t, tx.Mint(entry("g", "h0", 0)))
		return tx.Mint(entry("h0", "h1", 1))
	}))
	must(t, d.Close())
	main, err := os.ReadFile(s.Location(alice))
	must(t, err)
	for _, c := range []struct{ name, damage string }{
		{"a lost object", `DELETE FROM objects WHERE id = '2'`},
		{"a lost entry", `DELETE FROM entries WHERE idx = 0`},
		{"a broken link", `UPDATE entries SET prev_hash = 'x' WHERE idx = 1`},
		{"another genesis", `UPDATE ledgers SET genesis = 'x'`},
		{"a lost ledger", `DELETE FROM ledgers`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, url, _ := lay(t, alice, altered(t, main, c.damage), nil)
			wantCode(t, sqlite.Verify(t.Context(), url, alice), fault.Corrupt)
		})
	}
	t.Run("damaged pages", func(t *testing.T) {
		_, url, _ := lay(t, alice, overwritten(main, len(main)-4096, "\xff\xff\xff\xff\xff\xff\xff\xff"), nil)
		wantCode(t, sqlite.Verify(t.Context(), url, alice), fault.Corrupt)
	})
	t.Run("none", func(t *testing.T) {
		_, url, _ := lay(t, alice, main, nil)
		must(t, sqlite.Verify(t.Context(), url, alice))
	})
}
