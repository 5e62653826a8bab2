// Package sqlite keeps each actor's store in a SQLite database of its own.
//
// The configured URL is a template: sqlite:////data/app.sqlite stands for
// /data/app-<slug>.sqlite, one file an actor, sqlite:///:memory: for a private
// database in memory an actor. A file records its owner and is refused, unread
// and untouched, when it is opened for anybody else.
//
// An open store is one connection with prepared statements; transactions take
// turns on it, readers too. That is what an actor needs whose messages are
// handled one after another, and separate files let different actors' disk
// flushes overlap. A commit is flushed to the disk before it is reported
// (synchronous=FULL). Another process may read a store meanwhile; one that
// writes is waited for.
//
// Times are kept to the nanosecond between the years 1678 and 2262; anything
// beyond is refused with fault.Invalid. The instant 1970-01-01T00:00:00Z itself
// stands for no time and comes back as the zero time.
package sqlite
