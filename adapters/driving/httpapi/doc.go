// Package httpapi is a node over HTTP: the inboxes that peers post to, and what
// an actor's owner asks and commands. It decides nothing of a case: it refuses
// what cannot be a message, and hands the rest to the node.
//
// Everything lies below the path of the node's base URL, the two health
// resources at the root as well. Every error is a problem document (RFC 9457)
// with a code of package fault or, for a command, of the tree that refused it.
//
// Owners are not told from others yet, and senders are not authenticated: Listen
// therefore gives loopback addresses only (BA-04-001), a request has to name the
// node's host, and one that a browser sends from another site is refused.
package httpapi
