package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	lib "modernc.org/sqlite/lib"

	"bateleur/adapters/driven/sqlite"
	"bateleur/core/fault"
	"bateleur/core/ledger"
	"bateleur/core/ports"
)

func entry(prev, hash string, index int64) ledger.Entry {
	return ledger.Entry{CaseID: "case", Index: index, PrevHash: prev, Hash: hash}
}

// A write that SQLite could not make may have undone the transaction: what
// follows it in the same function must not be kept alone, even when the function
// does not look at its errors.
//
// Proves: BA-09-001
func TestBrokenTransactionKeepsNothing(t *testing.T) {
	s, _ := inFolder(t)
	d := create(t, s, alice)
	put(t, d, "before")
	want := dump(t, d)
	sqlite.OnConnection(t, d, func(conn *sqlx.Conn) { // the disk is full
		_, err := conn.ExecContext(t.Context(), `PRAGMA max_page_count = 60`)
		must(t, err)
	})
	err := d.Update(t.Context(), func(tx ports.Tx) error {
		_, err := tx.Put(ports.Record{Kind: "note", ID: "large", Body: make([]byte, 1<<20)})
		wantCode(t, err, fault.Unavailable)
		_, err = tx.Put(ports.Record{Kind: "note", ID: "small"})
		wantCode(t, err, fault.Unavailable)
		return nil
	})
	wantCode(t, err, fault.Unavailable)
	same(t, want, dump(t, d))
	put(t, d, "after")
}

// A second process is waited for, as long as the context lasts. Another Stores
// stands for it: it shares nothing but the file.
//
// Proves: BA-09-001, BA-09-002
func TestOtherProcessIsWaitedFor(t *testing.T) {
	s, url := inFolder(t)
	mine := create(t, s, alice)
	put(t, mine, "x")
	theirs, err := open(t, url).Open(t.Context(), alice)
	must(t, err)
	defer theirs.Close()
	must(t, mine.Update(t.Context(), func(tx ports.Tx) error {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		defer cancel()
		err := theirs.Update(ctx, func(ports.Tx) error {
			t.Error("two processes write at once")
			return nil
		})
		wantCode(t, err, fault.Cancelled)
		same(t, true, len(dump(t, theirs)) > 0) // readers do not wait
		_, err = tx.Put(ports.Record{Kind: "note", ID: "y"})
		return err
	}))
	put(t, theirs, "z")
	same(t, dump(t, mine), dump(t, theirs))
}

// A list that is read when the context ends is given up; the connection on which
// it ran is replaced and the store goes on.
//
// Proves: BA-09-001
func TestInterruptedListIsCancelled(t *testing.T) {
	s, _ := inFolder(t)
	d := create(t, s, alice)
	must(t, d.Update(t.Context(), func(tx ports.Tx) error {
		for i := range 5000 {
			if _, err := tx.Put(ports.Record{Kind: "note", ID: fmt.Sprint(i)}); err != nil {
				return err
			}
		}
		return nil
	}))
	want := dump(t, d)
	for i := range 20 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*100*time.Microsecond)
		err := d.Update(ctx, func(tx ports.Tx) error {
			if _, err := tx.Put(ports.Record{Kind: "note", ID: "lost"}); err != nil {
				return err
			}
			for {
				if _, err := tx.List(ports.ListParams{Kind: "note"}); err != nil {
					return err
				}
			}
		})
		cancel()
		wantCode(t, err, fault.Cancelled)
	}
	same(t, want, dump(t, d))
	put(t, d, "goes on")
}

func TestTimesThatDoNotFit(t *testing.T) {
	s, _ := inFolder(t)
	d := create(t, s, alice)
	far := time.Date(2300, 1, 1, 0, 0, 0, 0, time.UTC)
	must(t, d.Update(t.Context(), func(tx ports.Tx) error {
		_, _, err := tx.InboxAppend(ports.InboxItem{ReceivedAt: far})
		wantCode(t, err, fault.Invalid)
		same(t, "receivedAt", fault.FieldOf(err))
		_, _, err = tx.InboxAppend(ports.InboxItem{ReceivedAt: time.Unix(0, 0)})
		must(t, err)
		item, err := tx.InboxItem(1)
		must(t, err)
		same(t, time.Time{}, item.ReceivedAt) // as the package says
		for _, s := range []ports.Settlement{
			{Seq: 1, State: ports.Deferred, Until: far}, {Seq: 1, Outcome: ports.Outcome{At: time.Date(1000, 1, 1, 0, 0, 0, 0, time.UTC)}},
		} {
			wantCode(t, tx.InboxSettle(s), fault.Invalid)
		}
		must(t, tx.InboxSettle(ports.Settlement{Seq: 1, State: ports.Deferred, Until: time.Unix(1, 0)}))
		due, err := tx.DeferredUntil(far, 0)
		must(t, err)
		same(t, 1, len(due))
		due, err = tx.DeferredUntil(time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), 0)
		must(t, err)
		same(t, 0, len(due))
		_, err = tx.OutboxAppend(ports.OutboxItem{ActivityID: "x", Actor: alice, Recipients: []string{"y"}, CreatedAt: far})
		wantCode(t, err, fault.Invalid)
		_, err = tx.OutboxAppend(ports.OutboxItem{ActivityID: "x", Actor: alice, Recipients: []string{"y"}})
		must(t, err)
		wantCode(t, tx.DeliverySettle(ports.Attempt{Seq: 1, Recipient: "y", NotBefore: far}), fault.Invalid)
		return nil
	}))
}

// A store of an older version is brought up to date when it is opened, whole or
// not at all.
func TestMigration(t *testing.T) {
	s, _ := inFolder(t)
	d := create(t, s, alice)
	put(t, d, "x")
	want := dump(t, d)
	must(t, d.Close())
	t.Run("that fails", func(t *testing.T) {
		sqlite.WithMigration(t, `CREATE TABLE added (x INTEGER) STRICT; INSERT INTO added VALUES ('no number')`)
		_, err := s.Open(t.Context(), alice)
		wantCode(t, err, fault.Internal)
	})
	t.Run("that succeeds", func(t *testing.T) {
		sqlite.WithMigration(t, `CREATE TABLE added (x INTEGER) STRICT; INSERT INTO added VALUES (7)`)
		for range 2 {
			d, err := s.Open(t.Context(), alice)
			must(t, err)
			same(t, want, dump(t, d))
			sqlite.OnConnection(t, d, func(conn *sqlx.Conn) {
				var rows int
				must(t, conn.GetContext(t.Context(), &rows, `SELECT count(*) FROM added`))
				same(t, 1, rows)
			})
			must(t, d.Close())
		}
	})
	_, err := s.Open(t.Context(), alice) // by the program of before
	wantCode(t, err, fault.Schema)
}

func TestResultCodes(t *testing.T) {
	for _, c := range []struct {
		name string
		code int
		want fault.Code
	}{
		{"unique", lib.SQLITE_CONSTRAINT_UNIQUE, fault.Conflict},
		{"not null", lib.SQLITE_CONSTRAINT_NOTNULL, fault.Internal},
		{"busy", lib.SQLITE_BUSY, fault.Unavailable},
		{"busy, extended", lib.SQLITE_BUSY_SNAPSHOT, fault.Unavailable},
		{"damaged", lib.SQLITE_CORRUPT_INDEX, fault.Corrupt},
		{"short read", lib.SQLITE_IOERR_SHORT_READ, fault.Corrupt},
		{"other input or output", lib.SQLITE_IOERR_FSYNC, fault.Unavailable},
		{"full", lib.SQLITE_FULL, fault.Unavailable},
		{"too big", lib.SQLITE_TOOBIG, fault.TooLarge},
		{"a statement's error", lib.SQLITE_ERROR, fault.Internal},
	} {
		t.Run(c.name, func(t *testing.T) { same(t, c.want, sqlite.CodeOfResult(c.code)) })
	}
	same(t, fault.Internal, sqlite.CodeOf(errors.New("no result of SQLite's")))
}

// An interrupted statement may report anything.
func TestAnyErrorOfAnEndedContextIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wantCode(t, sqlite.Failed(ctx, "op", "subject", errors.New("anything")), fault.Cancelled)
	wantCode(t, sqlite.Failed(ctx, "op", "subject", nil), "")
	wantCode(t, sqlite.Failed(t.Context(), "op", "subject", errors.New("anything")), fault.Internal)
}

func FuzzUnpack(f *testing.F) {
	f.Add([]byte{})
	f.Add(sqlite.Pack([]string{"", "a", "b\x00\xff"}))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 'x'})
	f.Add([]byte{2, 'x'})
	f.Fuzz(func(t *testing.T, raw []byte) {
		texts, err := sqlite.Unpack("test", "x", raw)
		if err != nil {
			wantCode(t, err, fault.Corrupt)
			return
		}
		again, err := sqlite.Unpack("test", "x", sqlite.Pack(texts))
		must(t, err)
		same(t, texts, again)
	})
}
