// Package semantics says what a message means. A meaning follows from the types
// of an activity and of what it carries alone; no member on the wire names it.
//
// The registry is data in matching order. The order is part of the protocol: a
// message whose object is a bare id means what the first fitting pattern says.
//
// Everything here is a pure function of its arguments, safe for concurrent use.
package semantics
