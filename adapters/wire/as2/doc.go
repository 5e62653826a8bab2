// Package as2 turns protocol messages into bytes and back: Activity Streams 2.0
// as plain JSON with fixed member names. No JSON-LD processing takes place and
// no context document is ever fetched.
//
// It reads every spelling that peers are known to use and writes one: camelCase,
// references as URIs, objects inline, times in UTC. What a peer sends is refused
// only when it is not well-formed, exceeds a bound, or says something that has
// two readings. A type or member that is not known is no error.
package as2
