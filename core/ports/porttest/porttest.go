package porttest

import (
	"slices"
	"testing"

	"bateleur/core/ports"
)

// Harness is how the suite handles an adapter.
type Harness struct {
	// Open gives a fresh place without any store. What it opens it cleans up with
	// t.Cleanup.
	Open func(t testing.TB) ports.Stores
	// Reopen ends the use of a place whose handles are all closed, as the end of
	// the process would, and opens the same place again. nil declares that the
	// adapter keeps nothing beyond that.
	Reopen func(t testing.TB, s ports.Stores) ports.Stores
	// FailNextCommit makes the commit of the next Update through d fail. nil
	// declares that a commit cannot fail.
	FailNextCommit func(t testing.TB, d ports.DataLayer)
}

// Case is one sentence of the contract.
type Case struct {
	Name   string // the sentence in short words
	Proves string // ids of requirements, separated by commas
	Run    func(t testing.TB, h Harness)
}

// Cases gives all cases, in the order of the areas.
func Cases() []Case {
	return slices.Concat(
		objectCases, listCases,
		transactionCases, concurrencyCases,
		isolationCases, lifecycleCases,
		ledgerCases, inboxCases, deferralCases,
		outboxCases, deliveryCases,
	)
}

// Stores runs every case against the adapter, each on a place of its own.
func Stores(t *testing.T, h Harness) {
	t.Helper()
	for _, c := range Cases() {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			c.Run(t, h)
		})
	}
}
