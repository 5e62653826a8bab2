// Package delivery carries messages to inboxes over HTTP: one attempt a call,
// to neighbours on the same node as to anybody (OX-12-001). When to try again,
// and when to give up, is decided by who calls, from what the answer means.
package delivery
