package sqlite_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bateleur/adapters/driven/sqlite"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// written gives the files of a store of alice's with something in it: closed, or
// as a crash leaves them, with the last commits in the log alone.
func written(t *testing.T, crashed bool) (main, log []byte) {
	t.Helper()
	s, _ := inFolder(t)
	d := create(t, s, alice)
	for i := range 200 {
		put(t, d, fmt.Sprint(i))
	}
	path := s.Location(alice)
	if !crashed {
		must(t, d.Close())
	}
	main, err := os.ReadFile(path)
	must(t, err)
	if crashed {
		log, err = os.ReadFile(path + "-wal")
		must(t, err)
	}
	return main, log
}

// lay writes files where the actor's store belongs, in a new folder.
func lay(t *testing.T, a model.ActorID, main, log []byte) (s *sqlite.Stores, url, folder string) {
	t.Helper()
	s, url = inFolder(t)
	path := s.Location(a)
	must(t, os.WriteFile(path, main, 0o600))
	if log != nil {
		must(t, os.WriteFile(path+"-wal", log, 0o600))
	}
	return s, url, filepath.Dir(path)
}

// altered gives the bytes of a database after a statement.
func altered(t *testing.T, main []byte, statement string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x")
	must(t, os.WriteFile(path, main, 0o600))
	db, err := sql.Open("sqlite", path)
	must(t, err)
	_, err = db.Exec(statement)
	must(t, err)
	must(t, db.Close())
	raw, err := os.ReadFile(path)
	must(t, err)
	return raw
}

func overwritten(raw []byte, at int, with string) []byte {
	return append(append(append([]byte{}, raw[:at]...), with...), raw[at+len(with):]...)
}

// wantPath demands that an error names the file to look after.
func wantPath(t *testing.T, err error, path string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("%v does not name %s", err, path)
	}
}

// What is not the actor's store or not for this program is refused with its code
// and not changed by a single byte.
//
// Proves: DL-07-003, BA-17-003
func TestForeignFilesAreRefusedUntouched(t *testing.T) {
	main, _ := written(t, false)
	crashed, log := written(t, true)
	for _, c := range []struct {
		name      string
		actor     model.ActorID
		main, log []byte
		want      fault.Code
	}{
		{"another actor's", bob, main, nil, fault.OwnerMismatch},
		{"another actor's, crashed", bob, crashed, log, fault.OwnerMismatch},
		{"a newer program's", alice, altered(t, main, `PRAGMA user_version = 99`), nil, fault.Schema},
		{"another actor's by a newer program", bob, altered(t, main, `PRAGMA user_version = 99`), nil, fault.OwnerMismatch},
		{"another program's database", alice, altered(t, nil, `CREATE TABLE meta (key, value)`), nil, fault.Corrupt},
		{"without an owner", alice, altered(t, main, `DELETE FROM meta`), nil, fault.Corrupt},
		{"without its table of owners", alice, altered(t, main, `DROP TABLE meta`), nil, fault.Corrupt},
		{"without a version", alice, altered(t, main, `PRAGMA user_version = 0`), nil, fault.Corrupt},
		{"an empty file", alice, []byte{}, nil, fault.Corrupt},
		{"not a database", alice, []byte("dear diary, " + string(make([]byte, 5000))), nil, fault.Corrupt},
		{"a damaged header", alice, overwritten(main, 0, "SQLite format 2\x00"), nil, fault.Corrupt},
		{"a damaged schema", alice, overwritten(main, 100, "\xff\xff\xff\xff\xff\xff\xff\xff"), nil, fault.Corrupt},
		{"cut short", alice, main[:len(main)/2], nil, fault.Corrupt},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, url, folder := lay(t, c.actor, c.main, c.log)
			before := files(t, folder)
			_, err := s.Open(t.Context(), c.actor)
			wantCode(t, err, c.want)
			wantPath(t, err, s.Location(c.actor))
			_, err = sqlite.OpenReadOnly(t.Context(), url, c.actor)
			wantCode(t, err, c.want)
			wantPath(t, err, s.Location(c.actor))
			_, err = s.Create(t.Context(), c.actor)
			wantCode(t, err, fault.Conflict)
			must(t, s.Close())
			after := files(t, folder)
			if c.log != nil {
				delete(after, filepath.Base(s.Location(c.actor))+"-shm") // the log's index, made to read it
			}
			same(t, before, after)
		})
	}
}

func TestFolderInPlaceOfAStore(t *testing.T) {
	s, _ := inFolder(t)
	must(t, os.Mkdir(s.Location(alice), 0o700))
	_, err := s.Open(t.Context(), alice)
	wantCode(t, err, fault.Corrupt)
	_, err = s.Create(t.Context(), alice)
	wantCode(t, err, fault.Conflict)
}

func TestNoFolder(t *testing.T) {
	s := open(t, "sqlite:///"+t.TempDir()+"/none/app.sqlite")
	_, err := s.Open(t.Context(), alice)
	wantCode(t, err, fault.NotFound)
	must(t, os.WriteFile(filepath.Dir(s.Location(alice)), nil, 0o600))
	_, err = s.Open(t.Context(), alice)
	wantCode(t, err, fault.Unavailable)
	_, err = s.Create(t.Context(), alice)
	wantCode(t, err, fault.Unavailable)
}

// A page that is damaged behind the header shows when it is read, as what it is.
func TestDamagedPageIsCorrupt(t *testing.T) {
	main, _ := written(t, false)
	for at := 4096 * 2; at < len(main); at += 4096 {
		main = overwritten(main, at, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff")
	}
	s, _, _ := lay(t, alice, main, nil)
	d, err := s.Open(t.Context(), alice)
	if err != nil {
		wantCode(t, err, fault.Corrupt)
		wantPath(t, err, s.Location(alice))
		return
	}
	defer d.Close()
	err = d.View(t.Context(), func(r ports.Reader) error {
		_, err := r.List(ports.ListParams{Kind: "note"})
		return err
	})
	wantCode(t, err, fault.Corrupt)
	wantPath(t, err, s.Location(alice))
}
