// Package ledger holds a case's ledger as pure values: entries chained by
// hashes, the canonical form those hashes cover, and the rules about what may
// be recorded.
//
// An entry keeps its snapshot as the raw JSON it was minted or received with.
// Nothing here decodes a snapshot into structs and encodes it again: a number
// beyond 2^53, an explicit null or an unknown member would be lost and the hash
// with it. The canonical form is built straight from the raw text.
//
// The form is that of the protocol's reference implementation (Python's JSON
// with sorted keys and ASCII escapes). It is not RFC 8785.
//
// Everything is safe for concurrent use as long as nobody changes an entry.
package ledger
