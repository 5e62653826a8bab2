package query

import (
	"iter"

	"bateleur/core/ledger"
	"bateleur/core/ports"
)

// Ledger gives up to limit entries of a case's ledger from an index on;
// fault.NotFound when the store holds no ledger of the case.
func Ledger(r ports.Reader, caseID string, from int64, limit int) ([]ledger.Entry, error) {
	if _, err := r.Ledger(caseID); err != nil {
		return nil, absent("case", caseID, err)
	}
	entries, err := r.Entries(caseID, max(from, 0), bounded(limit))
	return orEmpty(entries), err
}

// entriesOf yields a whole ledger, reading it in pages.
func entriesOf(r ports.Reader, caseID string) iter.Seq2[ledger.Entry, error] {
	return func(yield func(ledger.Entry, error) bool) {
		for from := int64(0); ; from += MaxPage {
			page, err := r.Entries(caseID, from, MaxPage)
			if err != nil {
				yield(ledger.Entry{}, err)
				return
			}
			for _, e := range page {
				if !yield(e, nil) {
					return
				}
			}
			if len(page) < MaxPage {
				return
			}
		}
	}
}
