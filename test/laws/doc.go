// Package laws proves what the architecture promises, at the level at which it
// promises it: real nodes on real stores, joined by a network that tests can
// hold, reorder and break. Each test is named for a law.
package laws
