package sqlite

import (
	"encoding/binary"

	"bateleur/core/fault"
	"bateleur/core/ports"
)

// pack makes one blob of texts, each behind its length. Unlike JSON it keeps
// every byte.
func pack(texts []string) []byte {
	size := 0
	for _, t := range texts {
		size += binary.MaxVarintLen64 + len(t)
	}
	packed := make([]byte, 0, size)
	for _, t := range texts {
		packed = binary.AppendUvarint(packed, uint64(len(t)))
		packed = append(packed, t...)
	}
	return packed
}

// unpack reads what pack wrote; anything else is fault.Corrupt.
func unpack(op, subject string, packed []byte) ([]string, error) {
	var texts []string
	for len(packed) > 0 {
		length, n := binary.Uvarint(packed)
		if n <= 0 || length > uint64(len(packed)-n) {
			return nil, fault.New(op, subject, fault.Corrupt, "a list of texts is damaged")
		}
		packed = packed[n:]
		texts = append(texts, string(packed[:length]))
		packed = packed[length:]
	}
	return texts, nil
}

func packRefs(refs []ports.Ref) []byte {
	texts := make([]string, 0, 2*len(refs))
	for _, r := range refs {
		texts = append(texts, r.Name, r.Target)
	}
	return pack(texts)
}

func unpackRefs(op, subject string, packed []byte) ([]ports.Ref, error) {
	texts, err := unpack(op, subject, packed)
	if err != nil {
		return nil, err
	}
	if len(texts)%2 != 0 {
		return nil, fault.New(op, subject, fault.Corrupt, "a reference has no target")
	}
	var refs []ports.Ref
	for i := 0; i < len(texts); i += 2 {
		refs = append(refs, ports.Ref{Name: texts[i], Target: texts[i+1]})
	}
	return refs, nil
}

// blob is a body as it is bound: nil would be NULL.
func blob(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// bounded is a limit as SQLite takes it: it knows a negative one as none.
func bounded(limit int) int {
	if limit <= 0 {
		return -1
	}
	return limit
}
