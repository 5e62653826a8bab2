package sqlite

import "crypto/sha256"

// digest is a short key for a tuple of texts: what is looked up by long texts
// together is indexed by their digest, in pages that many share. The texts are
// packed, so that the same bytes divided otherwise have another.
func digest(texts ...string) []byte {
	sum := sha256.Sum256(pack(texts))
	return sum[:]
}
