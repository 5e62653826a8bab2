package as2

import "bytes"

// members are an object's members by key: the place of each value, 0 for what is
// absent or null.
type members [keyCount]int32

// members finds what an object says, whatever the spelling. A member that is
// given in two spellings with different values has two readings and is refused.
func (r *reader) members(object int32) (m members) {
	for at := object + 1; at < r.nodes[object].next; at = r.nodes[at].next {
		k := r.keyAt(at)
		value := r.dimension(k, at)
		if k == keyNone || r.nodes[value].kind == 'n' {
			continue
		}
		if seen := m[k]; seen == 0 {
			m[k] = value
		} else if !bytes.Equal(r.raw(seen), r.raw(value)) {
			r.refuse(at, "given in two spellings that differ")
		}
	}
	r.checkContext(m[keyContextDoc])
	return m
}

func (r *reader) keyAt(at int32) key { return keys[string(r.nameText(at))] }

// dimension is the value of a state, which peers also wrap: {"state": "VALID"}.
func (r *reader) dimension(k key, at int32) int32 {
	switch k {
	case keyRMState, keyVFDState, keyEMConsentState, keyEMState, keyPXAState:
		if r.nodes[at].kind == '{' {
			return r.member(at, "state", at)
		}
	}
	return at
}

// member finds a member by its exact name.
func (r *reader) member(object int32, name string, absent int32) int32 {
	for at := object + 1; at < r.nodes[object].next; at = r.nodes[at].next {
		if string(r.nameText(at)) == name {
			return at
		}
	}
	return absent
}
