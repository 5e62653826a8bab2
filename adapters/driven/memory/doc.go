// Package memory keeps actors' stores in the process: for tests, demonstrations
// and what need not outlive the program. It does not persist; within the process
// a store lives as long as the Stores that made it.
//
// Each actor's store is a value of its own behind a lock of its own. A
// transaction changes the store in place and keeps a journal of how to undo it.
package memory
