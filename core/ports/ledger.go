package ports

import (
	"bateleur/core/ledger"
)

// Standing says what a ledger in a store is.
type Standing string

const (
	// Own is the ledger of the case's manager: it mints indices.
	Own Standing = "own"
	// Replica verifies and applies what the manager announced.
	Replica Standing = "replica"
)

// LedgerHead is a ledger's state: who mints, where it begins, where it ends.
type LedgerHead struct {
	CaseID   string
	Standing Standing
	Genesis  string // the hash to which entry 0 links
	Tail     int64  // index of the last entry, -1 when empty
	TailHash string // its hash, Genesis when empty
}

// LedgerReader reads the ledgers of a store.
type LedgerReader interface {
	// Ledger gives a case's ledger, or fault.NotFound.
	Ledger(caseID string) (LedgerHead, error)
	// Ledgers gives all, in the order in which they were opened.
	Ledgers() ([]LedgerHead, error)
	// Entries gives up to limit entries from index from on, in order; fewer at
	// the end, none for an unknown case. limit 0 means no bound.
	Entries(caseID string, from int64, limit int) ([]ledger.Entry, error)
	// EntryByHash finds an entry, or fault.NotFound.
	EntryByHash(caseID, hash string) (ledger.Entry, error)
	// EntryByObject finds the first entry of the event type about the object, or
	// fault.NotFound.
	EntryByObject(caseID, eventType, objectID string) (ledger.Entry, error)
}

// LedgerWriter writes the ledgers of a store.
type LedgerWriter interface {
	// OpenLedger starts an empty ledger: fault.Conflict when the case has one.
	OpenLedger(caseID string, standing Standing, genesis string) error
	// Mint appends to an Own ledger, Apply to a Replica; the wrong one of the two
	// is fault.Forbidden (CLP-10-014). The entry's index must be Tail+1 and its
	// PrevHash TailHash: fault.Conflict otherwise. An index and a previous hash
	// stand in a case's ledger once, whatever the caller does.
	Mint(e ledger.Entry) error
	Apply(e ledger.Entry) error
}
