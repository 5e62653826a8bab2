// Package ports declares what the core needs from outside. An adapter
// implements one of these interfaces; the suite in package porttest proves it.
//
// A store is opened for one actor and holds nothing of another: there is no
// unscoped store, no actor parameter on a read, and no query that could return
// another actor's row (DL-07). The sentences on the methods are the contract;
// porttest has a case for each.
package ports
