// Package cases is what one actor's store knows of its cases: the case itself
// as the projection of its ledger, and beside it the facts an actor gathered on
// its own (reports, offers, proposals, invitations, pending assertions).
//
// Manager and replica project alike (adr/0005): the manager mints an entry and
// applies it by the same code by which a replica applies what it was sent, so a
// case's state can be dropped and rebuilt from its seed and its entries.
package cases
