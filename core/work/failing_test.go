package work_test

import (
	"cmp"
	"maps"
	"testing"

	"bateleur/core/fault"
	"bateleur/core/ledger"
	"bateleur/core/ports"
	"bateleur/core/work"
)

// A write that the store refuses at the commit is reported, and so is one that
// cannot be read; nothing is taken for absent.
//
// Proves: BA-09-003, BT-14-001
func TestErrorsOfTheTransactionComeThrough(t *testing.T) {
	writes := map[string]func(*work.Unit) error{
		"put":    func(u *work.Unit) error { _, err := u.Put(ports.Record{Kind: "Note", ID: "x"}); return err },
		"delete": func(u *work.Unit) error { return u.Delete("Note", "a", 1) },
		"ledger": func(u *work.Unit) error { return u.OpenLedger("urn:new", ports.Own, genesis) },
		"mint":   func(u *work.Unit) error { return u.Mint(entry("urn:own", 1, entry("urn:own", 0, genesis).Hash)) },
		"apply":  func(u *work.Unit) error { return u.Apply(entry("urn:replica", 0, genesis)) },
		"send": func(u *work.Unit) error {
			return u.OutboxAppend(ports.OutboxItem{ActivityID: "urn:a", Actor: vendor, Recipients: []string{"r"}})
		},
		"wake": func(u *work.Unit) error { u.Wake("k"); return nil },
	}
	for name, write := range writes {
		t.Run("commit of "+name, func(t *testing.T) {
			s, _ := store(t)
			tx := &failing{}
			err := s.Update(t.Context(), func(kept ports.Tx) error {
				tx.Tx = kept
				u := work.New(tx, vendor)
				must(t, write(u))
				tx.writes = true
				return u.Commit()
			})
			if fault.CodeOf(err) != fault.Unavailable {
				t.Errorf("got %v", err)
			}
		})
	}
	reads := map[string]func(*work.Unit) error{
		"get":       func(u *work.Unit) error { _, err := u.Get("Note", "a"); return err },
		"list":      func(u *work.Unit) error { _, err := u.List(ports.ListParams{Kind: "Note"}); return err },
		"ledger":    func(u *work.Unit) error { _, err := u.Ledger("urn:own"); return err },
		"entries":   func(u *work.Unit) error { _, err := u.Entries("urn:own", 0, 0); return err },
		"by hash":   func(u *work.Unit) error { _, err := u.EntryByHash("urn:own", "h"); return err },
		"by object": func(u *work.Unit) error { _, err := u.EntryByObject("urn:own", "e", "o"); return err },
		"waiting":   func(u *work.Unit) error { _, err := u.Waiting("k"); return err },
	}
	delete(writes, "send")
	delete(writes, "wake")
	maps.Copy(reads, writes)
	for name, read := range reads {
		t.Run("read for "+name, func(t *testing.T) {
			s, _ := store(t)
			must(t, s.Update(t.Context(), func(kept ports.Tx) error {
				if err := read(work.New(&failing{Tx: kept, reads: true}, vendor)); fault.CodeOf(err) != fault.Unavailable {
					t.Errorf("got %v", err)
				}
				return nil
			}))
		})
	}
}

// failing is a transaction whose reads or writes fail.
type failing struct {
	ports.Tx
	reads, writes bool
}

func (f *failing) read() error {
	if f.reads {
		return fault.New("test", "", fault.Unavailable, "no reading")
	}
	return nil
}

func (f *failing) write() error {
	if f.writes {
		return fault.New("test", "", fault.Unavailable, "no writing")
	}
	return nil
}

func (f *failing) Get(k ports.Kind, id string) (ports.Record, error) {
	r, err := f.Tx.Get(k, id)
	return r, cmp.Or(f.read(), err)
}

func (f *failing) List(p ports.ListParams) ([]ports.Record, error) {
	r, err := f.Tx.List(p)
	return r, cmp.Or(f.read(), err)
}

func (f *failing) Ledger(id string) (ports.LedgerHead, error) {
	h, err := f.Tx.Ledger(id)
	return h, cmp.Or(f.read(), err)
}

func (f *failing) Waiting(prefix string) ([]ports.InboxItem, error) {
	i, err := f.Tx.Waiting(prefix)
	return i, cmp.Or(f.read(), err)
}

func (f *failing) Put(ports.Record) (int64, error)                 { return 0, f.write() }
func (f *failing) Delete(ports.Kind, string, int64) error          { return f.write() }
func (f *failing) OpenLedger(string, ports.Standing, string) error { return f.write() }
func (f *failing) Mint(ledger.Entry) error                         { return f.write() }
func (f *failing) Apply(ledger.Entry) error                        { return f.write() }
func (f *failing) OutboxAppend(ports.OutboxItem) (int64, error)    { return 0, f.write() }
func (f *failing) InboxWake(string) (int, error)                   { return 0, f.write() }
