package sqlite_test

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	"bateleur/adapters/driven/sqlite"
	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// Each benchmark runs twice: through the port, and as the plain statements that
// do the same work on the same tables, prepared, without checks. The difference
// is what the adapter costs.

var body = make([]byte, 1500)

// plain is a database/sql connection on the actor's file.
type plain struct {
	b  *testing.B
	db *sql.DB
}

func benchStore(b *testing.B, a model.ActorID) (ports.DataLayer, plain) {
	b.Helper()
	s, _ := inFolder(b)
	d := create(b, s, a)
	db, err := sql.Open("sqlite", sqlite.WriteDSN(s.Location(a)))
	must(b, err)
	db.SetMaxOpenConns(1)
	b.Cleanup(func() { must(b, db.Close()) })
	return d, plain{b, db}
}

func (p plain) prepare(text string) *sql.Stmt {
	p.b.Helper()
	s, err := p.db.Prepare(text)
	must(p.b, err)
	p.b.Cleanup(func() { _ = s.Close() })
	return s
}

// tx runs f with the statements bound to one transaction.
func (p plain) tx(f func(), statements ...**sql.Stmt) {
	tx, err := p.db.BeginTx(p.b.Context(), nil)
	must(p.b, err)
	for _, s := range statements {
		outside := *s
		*s = tx.StmtContext(p.b.Context(), outside)
		defer func() { *s = outside }()
	}
	f()
	must(p.b, tx.Commit())
}

func (p plain) exec(s *sql.Stmt, args ...any) {
	result, err := s.ExecContext(p.b.Context(), args...)
	must(p.b, err)
	if n, _ := result.RowsAffected(); n != 1 {
		p.b.Fatalf("changed %d rows", n)
	}
}

func update(b *testing.B, d ports.DataLayer, f func(tx ports.Tx)) {
	must(b, d.Update(b.Context(), func(tx ports.Tx) error {
		f(tx)
		return nil
	}))
}

// fill puts n notes, every tenth of which is about "tenth".
func fill(b *testing.B, d ports.DataLayer, n int) {
	b.Helper()
	update(b, d, func(tx ports.Tx) {
		for i := range n {
			r := ports.Record{Kind: "note", ID: fmt.Sprint("urn:note:", i), Body: body}
			if i%10 == 0 {
				r.Refs = []ports.Ref{{Name: "about", Target: "tenth"}}
			}
			_, err := tx.Put(r)
			must(b, err)
		}
	})
}

func benchUpdate(b *testing.B, records int) {
	b.Run("port", func(b *testing.B) {
		d, _ := benchStore(b, alice)
		fill(b, d, records)
		rev := int64(1)
		for b.Loop() {
			update(b, d, func(tx ports.Tx) {
				for i := range records {
					_, err := tx.Put(ports.Record{Kind: "note", ID: fmt.Sprint("urn:note:", i), Rev: rev, Body: body, Refs: refsOf(i)})
					must(b, err)
				}
			})
			rev++
		}
	})
	b.Run("plain", func(b *testing.B) {
		d, p := benchStore(b, alice)
		fill(b, d, records)
		find := p.prepare(`SELECT position, rev FROM objects WHERE kind = ? AND id = ?`)
		put := p.prepare(`UPDATE objects SET rev = ?, body = ? WHERE position = ?`)
		for b.Loop() {
			p.tx(func() {
				for i := range records {
					var position, rev int64
					must(b, find.QueryRowContext(b.Context(), "note", fmt.Sprint("urn:note:", i)).Scan(&position, &rev))
					p.exec(put, rev+1, body, position)
				}
			}, &find, &put)
		}
	})
}

func refsOf(i int) []ports.Ref {
	if i%10 == 0 {
		return []ports.Ref{{Name: "about", Target: "tenth"}}
	}
	return nil
}

func BenchmarkUpdateOne(b *testing.B) { benchUpdate(b, 1) }
func BenchmarkUpdateTen(b *testing.B) { benchUpdate(b, 10) }

func BenchmarkGet(b *testing.B) {
	d, p := benchStore(b, alice)
	fill(b, d, 100_000)
	b.Run("port", func(b *testing.B) {
		must(b, d.View(b.Context(), func(r ports.Reader) error {
			for i := 0; b.Loop(); i++ {
				if _, err := r.Get("note", fmt.Sprint("urn:note:", i%100_000)); err != nil {
					return err
				}
			}
			return nil
		}))
	})
	b.Run("port, a view each", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			must(b, d.View(b.Context(), func(r ports.Reader) error {
				_, err := r.Get("note", fmt.Sprint("urn:note:", i%100_000))
				return err
			}))
		}
	})
	b.Run("plain", func(b *testing.B) {
		get := p.prepare(`SELECT kind, id, rev, refs, body FROM objects WHERE kind = ? AND id = ?`)
		p.tx(func() {
			for i := 0; b.Loop(); i++ {
				var kind, id string
				var rev int64
				var refs, body []byte
				row := get.QueryRowContext(b.Context(), "note", fmt.Sprint("urn:note:", i%100_000))
				must(b, row.Scan(&kind, &id, &rev, &refs, &body))
			}
		}, &get)
	})
}

func BenchmarkList100Of100000(b *testing.B) {
	d, p := benchStore(b, alice)
	fill(b, d, 100_000)
	for _, c := range []struct {
		name string
		ref  ports.Ref
	}{{"by kind", ports.Ref{}}, {"by reference", ports.Ref{Name: "about", Target: "tenth"}}} {
		b.Run(c.name+"/port", func(b *testing.B) {
			must(b, d.View(b.Context(), func(r ports.Reader) error {
				for b.Loop() {
					page, err := r.List(ports.ListParams{Kind: "note", Ref: c.ref, After: "urn:note:50000", Limit: 100})
					if err != nil || len(page) != 100 {
						b.Fatal(len(page), err)
					}
				}
				return nil
			}))
		})
	}
	b.Run("by kind/plain", func(b *testing.B) {
		list := p.prepare(`SELECT kind, id, rev, refs, body FROM objects WHERE kind = ? AND position > ? ORDER BY position LIMIT ? + 0`)
		p.tx(func() {
			for b.Loop() {
				readPage(b, list)
			}
		}, &list)
	})
}

func readPage(b *testing.B, list *sql.Stmt) {
	rows, err := list.QueryContext(b.Context(), "note", 50000, 100)
	must(b, err)
	defer func() { must(b, rows.Close()) }()
	for rows.Next() {
		var kind, id string
		var rev int64
		var refs, body []byte
		must(b, rows.Scan(&kind, &id, &rev, &refs, &body))
	}
	must(b, rows.Err())
}

// BenchmarkInbox appends and settles; an operation is one message.
func BenchmarkInbox(b *testing.B) {
	for _, batch := range []int{1, 64} {
		b.Run(fmt.Sprint(batch, " a transaction/port"), func(b *testing.B) {
			d, _ := benchStore(b, alice)
			for n := 0; b.Loop(); n += batch {
				update(b, d, func(tx ports.Tx) {
					for i := range batch {
						seq, _, err := tx.InboxAppend(ports.InboxItem{
							Class: ports.Message, Sender: bob.URI(), ActivityID: fmt.Sprint("urn:activity:", n+i),
							Digest: "digest", Body: body, ReceivedAt: time.Unix(1, 1),
						})
						must(b, err)
						must(b, tx.InboxSettle(ports.Settlement{Seq: seq, State: ports.Done, Outcome: ports.Outcome{Code: "ok"}}))
					}
				})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*batch), "ns/message")
		})
		b.Run(fmt.Sprint(batch, " a transaction/plain"), func(b *testing.B) {
			_, p := benchStore(b, alice)
			add := p.prepare(`INSERT INTO inbox (class, sender, activity_id, digest, received_at, state, body, identity)
VALUES (?, ?, ?, ?, ?, 'pending', ?, ?) ON CONFLICT (identity) DO NOTHING`)
			settle := p.prepare(`UPDATE inbox SET state = ?, attempts = attempts + 1, outcome_code = ? WHERE seq = ?`)
			for n := 0; b.Loop(); n += batch {
				p.tx(func() {
					for i := range batch {
						id := fmt.Sprint("urn:activity:", n+i)
						p.exec(add, "message", bob.URI(), id, "digest", 1, body, []byte(id))
						p.exec(settle, "done", "ok", n+i+1)
					}
				}, &add, &settle)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*batch), "ns/message")
		})
	}
}

func link(n int) string { return fmt.Sprintf("%064x", n) }

// BenchmarkMint appends to a ledger that holds some entries already.
func BenchmarkMint(b *testing.B) {
	mint := func(tx ports.Tx, n int) error {
		return tx.Mint(ledger.Entry{
			CaseID: "urn:case", Index: int64(n), Disposition: ledger.Recorded, ObjectID: fmt.Sprint("urn:object:", n),
			EventType: "noted", Payload: body, PrevHash: link(n), Hash: link(n + 1), ReceivedAt: "2026-03-29T02:30:15+00:00",
		})
	}
	for _, before := range []int{0, 10_000} {
		begin := func(b *testing.B) (ports.DataLayer, plain) {
			d, p := benchStore(b, alice)
			update(b, d, func(tx ports.Tx) {
				must(b, tx.OpenLedger("urn:case", ports.Own, link(0)))
				for n := range before {
					must(b, mint(tx, n))
				}
			})
			return d, p
		}
		b.Run(fmt.Sprint("at ", before, "/port"), func(b *testing.B) {
			d, _ := begin(b)
			for n := before; b.Loop(); n++ {
				update(b, d, func(tx ports.Tx) { must(b, mint(tx, n)) })
			}
		})
		b.Run(fmt.Sprint("at ", before, "/plain"), func(b *testing.B) {
			_, p := begin(b)
			tail := p.prepare(`SELECT idx, hash FROM entries WHERE position < 2 << 40 ORDER BY position DESC LIMIT 1`)
			add := p.prepare(`INSERT INTO entries (position, ledger, idx, disposition, about, object_id, event_type, prev_hash, hash,
    received_at, published, updated, payload) VALUES (1 << 40 | ?1, 1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, '', '', ?9)`)
			for n := before; b.Loop(); n++ {
				p.tx(func() {
					var idx int64
					var hash string
					if err := tail.QueryRowContext(b.Context()).Scan(&idx, &hash); err != nil && err != sql.ErrNoRows {
						b.Fatal(err)
					}
					object := fmt.Sprint("urn:object:", n)
					p.exec(add, n, ledger.Recorded, []byte(object), object, "noted", link(n), link(n+1),
						"2026-03-29T02:30:15+00:00", body)
				}, &tail, &add)
			}
		})
	}
}
