package ledger

import (
	"bytes"
	"fmt"
	"slices"
)

type kind uint8

const (
	kindNull kind = iota
	kindBool
	kindNumber
	kindString
	kindArray
	kindObject
)

// A value is a range of the source. What it holds lies together in
// document.closed, an object's members sorted by name.
type value struct {
	start, end  int32
	first, many int32
	kind        kind
	plain       bool // a string whose source is its canonical form
}

// A member is an object's name and value, or an array's element without name.
type member struct {
	value
	nameStart, nameEnd int32 // the name's token in the source, with quotes
	keyStart, keyEnd   int32 // the decoded name, in the source or in document.names
	decoded            bool  // the key lies in document.names
	namePlain          bool
}

// A document is a parsed JSON text: an index over the source, not a copy of it.
type document struct {
	src    []byte
	pos    int32
	limit  int      // of the nesting
	open   []member // of the containers not yet closed, innermost last
	closed []member
	names  []byte // decoded names that hold escapes
	root   value
}

func (d *document) key(m *member) []byte {
	if m.decoded {
		return d.names[m.keyStart:m.keyEnd]
	}
	return d.src[m.keyStart:m.keyEnd]
}

// sortNames orders members by the code points of their names; the order of
// UTF-8 bytes is that order.
func (d *document) sortNames(members []member) error {
	if len(members) <= fewMembers {
		d.insertNames(members)
	} else {
		slices.SortFunc(members, func(a, b member) int { return bytes.Compare(d.key(&a), d.key(&b)) })
	}
	for i := 1; i < len(members); i++ {
		if bytes.Equal(d.key(&members[i-1]), d.key(&members[i])) {
			return d.fail(fmt.Sprintf("the name %q is repeated", d.key(&members[i])))
		}
	}
	return nil
}

// fewMembers is up to where inserting one by one is faster: nearly every object.
const fewMembers = 16

func (d *document) insertNames(members []member) {
	for i := 1; i < len(members); i++ {
		m := members[i]
		name, j := d.key(&m), i
		for j > 0 && bytes.Compare(name, d.key(&members[j-1])) < 0 {
			members[j] = members[j-1]
			j--
		}
		if j < i {
			members[j] = m
		}
	}
}

// content is what an array or object holds.
func (d *document) content(v value) []member { return d.closed[v.first : v.first+v.many] }

// get finds an object's member by its decoded name.
func (d *document) get(v value, name string) (value, bool) {
	if v.kind != kindObject {
		return value{}, false
	}
	for _, m := range d.content(v) {
		if string(d.key(&m)) == name {
			return m.value, true
		}
	}
	return value{}, false
}

// raw is the source text of a value.
func (d *document) raw(v value) []byte { return d.src[v.start:v.end] }
