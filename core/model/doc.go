// Package model is the vocabulary of coordinated disclosure: actors and their
// ids, roles, the five state machines, and the protocol's objects and
// activities.
//
// The JSON form of a type here is the protocol's clean camelCase spelling, used
// in stores and on the wire alike (adr/0006). What peers really send is
// normalised by the wire adapter; nothing in this package is tolerant.
//
// Values are plain data without I/O, clock or locks; share them between
// goroutines only while nobody writes.
package model
