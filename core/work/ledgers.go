package work

import (
	"slices"

	"bateleur/core/fault"
	"bateleur/core/ledger"
	"bateleur/core/ports"
)

// chain is a ledger as the unit sees it: its head and what the unit adds.
type chain struct {
	head   ports.LedgerHead
	exists bool
	added  []ledger.Entry
	absent map[[2]string]bool // event type and object id of entries that are not stored
}

func (u *Unit) chain(caseID string) (*chain, error) {
	if c, ok := u.ledgers[caseID]; ok {
		return c, nil
	}
	head, err := u.tx.Ledger(caseID)
	if err != nil && fault.CodeOf(err) != fault.NotFound {
		return nil, err
	}
	c := &chain{head: head, exists: err == nil}
	u.ledgers[caseID] = c
	return c, nil
}

// Ledger gives a case's ledger, the unit's own entries included, or
// fault.NotFound.
func (u *Unit) Ledger(caseID string) (ports.LedgerHead, error) {
	c, err := u.chain(caseID)
	if err != nil {
		return ports.LedgerHead{}, err
	}
	if !c.exists {
		return ports.LedgerHead{}, fault.New("work.ledger", caseID, fault.NotFound, "no ledger")
	}
	return c.head, nil
}

// OpenLedger starts an empty ledger; fault.Conflict when the case has one.
func (u *Unit) OpenLedger(caseID string, standing ports.Standing, genesis string) error {
	c, err := u.chain(caseID)
	if err != nil {
		return err
	}
	if c.exists {
		return fault.New("work.open-ledger", caseID, fault.Conflict, "the case has a ledger")
	}
	before := *c
	c.exists = true
	c.head = ports.LedgerHead{CaseID: caseID, Standing: standing, Genesis: genesis, Tail: -1, TailHash: genesis}
	u.record(func() { *c = before }, func() error { return u.tx.OpenLedger(caseID, standing, genesis) })
	return nil
}

// Mint appends to an own ledger (CLP-10-014).
func (u *Unit) Mint(e ledger.Entry) error { return u.extend(e, ports.Own, u.tx.Mint) }

// Apply appends to a replica.
func (u *Unit) Apply(e ledger.Entry) error { return u.extend(e, ports.Replica, u.tx.Apply) }

func (u *Unit) extend(e ledger.Entry, want ports.Standing, commit func(ledger.Entry) error) error {
	const op = "work.append-entry"
	c, err := u.chain(e.CaseID)
	switch {
	case err != nil:
		return err
	case !c.exists:
		return rejected(op, e, fault.NotFound, "the case has no ledger here")
	case c.head.Standing != want:
		return rejected(op, e, fault.Forbidden, "the ledger here is "+string(c.head.Standing)+", not "+string(want))
	case e.Index != c.head.Tail+1 || e.PrevHash != c.head.TailHash:
		return rejected(op, e, fault.Conflict, "does not follow the tail")
	}
	before := *c
	c.head.Tail, c.head.TailHash = e.Index, e.Hash
	c.added = append(slices.Clip(c.added), e)
	u.record(func() { *c = before }, func() error { return commit(e) })
	return nil
}

// Entries gives up to limit entries from index from on; limit 0 means no bound.
func (u *Unit) Entries(caseID string, from int64, limit int) ([]ledger.Entry, error) {
	c, err := u.chain(caseID)
	if err != nil {
		return nil, err
	}
	out, err := u.tx.Entries(caseID, from, limit)
	if err != nil {
		return nil, err
	}
	for _, e := range c.added {
		if e.Index >= from && (limit == 0 || len(out) < limit) {
			out = append(out, e)
		}
	}
	return out, nil
}

// EntryByHash finds an entry, or fault.NotFound.
func (u *Unit) EntryByHash(caseID, hash string) (ledger.Entry, error) {
	return u.find(caseID, func(e ledger.Entry) bool { return e.Hash == hash },
		func() (ledger.Entry, error) { return u.tx.EntryByHash(caseID, hash) })
}

// EntryByObject finds the first entry of a type about an object, or
// fault.NotFound. That none is stored is asked once: nobody else writes
// meanwhile.
func (u *Unit) EntryByObject(caseID, eventType, objectID string) (ledger.Entry, error) {
	c, err := u.chain(caseID)
	if err != nil {
		return ledger.Entry{}, err
	}
	about := [2]string{eventType, objectID}
	return u.find(caseID,
		func(e ledger.Entry) bool { return e.EventType == eventType && e.ObjectID == objectID },
		func() (ledger.Entry, error) {
			if c.absent[about] {
				return ledger.Entry{}, fault.New("work.entry", objectID, fault.NotFound, "no such entry")
			}
			e, err := u.tx.EntryByObject(caseID, eventType, objectID)
			if fault.CodeOf(err) == fault.NotFound {
				if c.absent == nil {
					c.absent = map[[2]string]bool{}
				}
				c.absent[about] = true
			}
			return e, err
		})
}

func (u *Unit) find(caseID string, match func(ledger.Entry) bool, stored func() (ledger.Entry, error)) (ledger.Entry, error) {
	c, err := u.chain(caseID)
	if err != nil {
		return ledger.Entry{}, err
	}
	e, err := stored()
	if err == nil || fault.CodeOf(err) != fault.NotFound {
		return e, err
	}
	for _, added := range c.added {
		if match(added) {
			return added, nil
		}
	}
	return ledger.Entry{}, err
}
