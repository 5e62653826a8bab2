// Package work is the unit of work of one tree run: everything the run wants to
// write, held back over one open transaction of the executing actor's store.
//
// A tree's Failure undoes what its subtree wrote, so writes are journalled and
// reach the transaction only by Commit. A unit that is dropped leaves no trace:
// that is the dry run. Not safe for concurrent use.
package work

import (
	"github.com/samber/lo"

	"bateleur/core/fault"
	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// Unit reads its transaction through what it holds back.
type Unit struct {
	tx      ports.Tx
	owner   model.ActorID
	journal []change
	objects map[key]*slot
	ledgers map[string]*chain
	outbox  map[string]ports.OutboxItem
	births  int
	wakes   int
}

type key struct {
	kind ports.Kind
	id   string
}

// change is one journalled write: how to take it back and how to carry it out.
type change struct {
	undo   func()
	commit func() error
}

// New opens a unit over a transaction of the owner's store.
func New(tx ports.Tx, owner model.ActorID) *Unit {
	return &Unit{
		tx: tx, owner: owner,
		objects: map[key]*slot{}, ledgers: map[string]*chain{}, outbox: map[string]ports.OutboxItem{},
	}
}

// Actor is whose store the unit writes.
func (u *Unit) Actor() model.ActorID { return u.owner }

// Mark names the present position in the journal; with Undo it is the
// bt.Journal by which a Failure takes back its subtree's writes.
func (u *Unit) Mark() int { return len(u.journal) }

// Undo takes back everything written since mark.
func (u *Unit) Undo(mark int) {
	for i := len(u.journal) - 1; i >= mark; i-- {
		u.journal[i].undo()
	}
	u.journal = u.journal[:mark]
}

// Commit carries the writes out in the transaction, in the order in which they
// were made. The unit is spent then; after an error the transaction must be
// rolled back.
func (u *Unit) Commit() error {
	for _, c := range u.journal {
		if c.commit == nil {
			continue
		}
		if err := c.commit(); err != nil {
			return err
		}
	}
	u.journal = u.journal[:0]
	return nil
}

func (u *Unit) record(undo func(), commit func() error) {
	u.journal = append(u.journal, change{undo, commit})
}

// OutboxAppend queues an activity of the owner.
func (u *Unit) OutboxAppend(item ports.OutboxItem) error {
	if err := item.Check("outbox.append", u.owner); err != nil {
		return err
	}
	if _, taken := u.outbox[item.ActivityID]; taken {
		return fault.New("outbox.append", item.ActivityID, fault.Conflict, "already queued")
	}
	u.outbox[item.ActivityID] = item
	u.record(func() { delete(u.outbox, item.ActivityID) }, func() error {
		_, err := u.tx.OutboxAppend(item)
		return err
	})
	return nil
}

// Recipients gives the addresses to which the unit sends, each once.
func (u *Unit) Recipients() []string {
	return lo.Uniq(lo.FlatMap(lo.Values(u.outbox), func(item ports.OutboxItem, _ int) []string { return item.Recipients }))
}

// Wake lets the items that wait for a key run again once the unit commits.
func (u *Unit) Wake(wakeKey string) {
	u.wakes++
	u.record(func() { u.wakes-- }, func() error {
		_, err := u.tx.InboxWake(wakeKey)
		return err
	})
}

// Woke tells whether the unit lets any item run again.
func (u *Unit) Woke() bool { return u.wakes > 0 }

// Waiting gives the items that wait for a key with this prefix.
func (u *Unit) Waiting(prefix string) ([]ports.InboxItem, error) { return u.tx.Waiting(prefix) }

// Rejected reports an entry that a ledger does not take.
func rejected(op string, e ledger.Entry, code fault.Code, text string) error {
	return fault.New(op, e.ID(), code, text)
}

// Beside journals a change of what a caller keeps beside the unit, so that it is
// taken back with the writes around it.
func (u *Unit) Beside(undo func()) { u.record(undo, nil) }
