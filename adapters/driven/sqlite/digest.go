package sqlite

import "crypto/sha256"

// digest is a short key for a tuple of texts: what is looked up by long texts
// together is indexed by their digest, in pages that many share.
func digest(texts ...string) []byte {
	h := sha256.New()
	for _, t := range texts {
		h.Write([]byte(t))
		h.Write([]byte{0xff}) // in no text that is UTF-8
	}
	return h.Sum(nil)
}
