package query_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bateleur/core/cases"
	"bateleur/core/fault"
	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/usecases/query"
)

// A ledger that holds says so, however long it is.
//
// Proves: SYNC-08-002
func TestALedgerThatHolds(t *testing.T) {
	for _, steps := range []int{0, 1, 5, query.MaxPage, query.MaxPage + 1} {
		store := replica(t, steps)
		view(t, store, func(r ports.Reader) error {
			head, err := r.Ledger(caseID)
			if err != nil {
				return err
			}
			got, err := query.VerifyLedger(r, caseID, decode)
			want := query.Verification{Case: caseID, Standing: ports.Replica, OK: true, Entries: int64(steps),
				Respelled: []int64{}, TailHash: head.TailHash, Checks: []query.Check{{Name: query.CheckGenesis, OK: true},
					{Name: query.CheckChain, OK: true}, {Name: query.CheckHead, OK: true}, {Name: query.CheckProjection, OK: true}}}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%d steps (-want +got):\n%s", steps, diff)
			}
			return err
		})
	}
}

// damaged is a store's reader that shows other entries or another end than there
// are.
type damaged struct {
	ports.Reader
	entry func(*ledger.Entry)
	head  func(*ports.LedgerHead)
	fails error
}

func (d damaged) Entries(caseID string, from int64, limit int) ([]ledger.Entry, error) {
	if d.fails != nil {
		return nil, d.fails
	}
	entries, err := d.Reader.Entries(caseID, from, limit)
	for i := range entries {
		if d.entry != nil {
			d.entry(&entries[i])
		}
	}
	return entries, err
}

func (d damaged) Ledger(caseID string) (ports.LedgerHead, error) {
	head, err := d.Reader.Ledger(caseID)
	if err == nil && d.head != nil {
		d.head(&head)
	}
	return head, err
}

// Whatever does not hold is found by the check that is about it, and the others
// still tell what they see.
//
// Proves: SYNC-01-003
func TestALedgerThatDoesNotHold(t *testing.T) {
	third := func(change func(*ledger.Entry)) func(*ledger.Entry) {
		return func(e *ledger.Entry) {
			if e.Index == 2 {
				change(e)
			}
		}
	}
	for _, tc := range []struct {
		name   string
		reader func(ports.Reader) ports.Reader
		write  func(ports.Tx) error
		wrong  string // the checks that fail
		holds  int64
	}{
		{name: "a changed snapshot", reader: func(r ports.Reader) ports.Reader {
			return damaged{Reader: r, entry: third(func(e *ledger.Entry) {
				e.Payload = []byte(strings.Replace(string(e.Payload), owner, manager, 1))
			})}
		}, wrong: "chain head projection", holds: 2},
		{name: "a changed snapshot that projects alike", reader: func(r ports.Reader) ports.Reader {
			return damaged{Reader: r, entry: third(func(e *ledger.Entry) {
				e.Payload = []byte(strings.Replace(string(e.Payload), "urn:uuid:a2", "urn:uuid:aX", 1))
			})}
		}, wrong: "chain head", holds: 2},
		{name: "a changed link", reader: func(r ports.Reader) ports.Reader {
			return damaged{Reader: r, entry: third(func(e *ledger.Entry) { e.PrevHash = strings.Repeat("0", 64) })}
		}, wrong: "chain head", holds: 2},
		{name: "an entry of another case", reader: func(r ports.Reader) ports.Reader {
			return damaged{Reader: r, entry: third(func(e *ledger.Entry) { e.CaseID = "urn:uuid:other" })}
		}, wrong: "chain head projection", holds: 2},
		{name: "an end that is not there", reader: func(r ports.Reader) ports.Reader {
			return damaged{Reader: r, head: func(h *ports.LedgerHead) { h.Tail++ }}
		}, wrong: "head", holds: 5},
		{name: "another end", reader: func(r ports.Reader) ports.Reader {
			return damaged{Reader: r, head: func(h *ports.LedgerHead) { h.TailHash = strings.Repeat("0", 64) }}
		}, wrong: "head", holds: 5},
		{name: "another genesis", reader: func(r ports.Reader) ports.Reader {
			return damaged{Reader: r, head: func(h *ports.LedgerHead) { h.Genesis = strings.Repeat("0", 64) }}
		}, wrong: "genesis chain head", holds: 0},
		{name: "a changed case", write: changeCase(func(c *cases.Case) { c.EM = model.EMExited }), wrong: "projection", holds: 5},
		{name: "a changed founder", write: changeCase(func(c *cases.Case) { c.Founder = owner }), wrong: "genesis projection", holds: 5},
		{name: "no seed", write: func(tx ports.Tx) error {
			s, err := tx.Get(cases.KindSeed, caseID)
			if err != nil {
				return err
			}
			return tx.Delete(cases.KindSeed, caseID, s.Rev)
		}, wrong: "projection", holds: 5},
		{name: "a case that cannot be read", write: func(tx ports.Tx) error {
			r, err := tx.Get(cases.KindCase, caseID)
			if err != nil {
				return err
			}
			r.Body = []byte("{")
			_, err = tx.Put(r)
			return err
		}, wrong: "genesis projection", holds: 5},
	} {
		t.Run(tc.name, func(t *testing.T) {
			store := replica(t, 5)
			if tc.write != nil {
				update(t, store, tc.write)
			}
			view(t, store, func(r ports.Reader) error {
				if tc.reader != nil {
					r = tc.reader(r)
				}
				v, err := query.VerifyLedger(r, caseID, decode)
				var wrong []string
				for _, c := range v.Checks {
					if !c.OK {
						wrong = append(wrong, c.Name)
					}
					if c.OK != (c.Text == "") {
						t.Errorf("the check %+v", c)
					}
				}
				if got := strings.Join(wrong, " "); got != tc.wrong || v.OK || v.Entries != tc.holds {
					t.Errorf("wrong is %q, not %q, after %d: %+v", got, tc.wrong, v.Entries, v.Checks)
				}
				return err
			})
		})
	}
}

func changeCase(change func(*cases.Case)) func(ports.Tx) error {
	return func(tx ports.Tx) error {
		c, err := cases.Load[cases.Case](tx, cases.KindCase, caseID)
		if err != nil {
			return err
		}
		change(&c.Value)
		return cases.Save(tx, cases.KindCase, caseID, &c)
	}
}

// What cannot be read at all is an error, and says nothing about the ledger.
func TestALedgerThatCannotBeRead(t *testing.T) {
	view(t, replica(t, 2), func(r ports.Reader) error {
		_, err := query.VerifyLedger(damaged{Reader: r, fails: fault.New("x", "", fault.Unavailable, "")}, caseID, decode)
		if fault.CodeOf(err) != fault.Unavailable {
			t.Errorf("%v", err)
		}
		_, err = query.VerifyLedger(r, "urn:uuid:none", decode)
		if fault.CodeOf(err) != fault.NotFound {
			t.Errorf("%v", err)
		}
		return nil
	})
}
