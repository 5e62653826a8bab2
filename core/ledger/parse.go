package ledger

import (
	"bytes"
	"fmt"
	"slices"

	"bateleur/core/fault"
)

const (
	maxDepth = 200     // nesting of arrays and objects
	maxBytes = 1 << 30 // of one JSON text; offsets are 32 bits
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

// parse reads one JSON text. It refuses repeated names, invalid UTF-8 and what
// exceeds the bounds.
func (d *document) parse(src []byte) error { return d.parseWithin(src, maxDepth) }

func (d *document) parseWithin(src []byte, limit int) error {
	if len(src) > maxBytes {
		return fault.New("ledger.parse", "", fault.TooLarge, "JSON text too long")
	}
	d.reset(src)
	d.limit = limit
	d.space()
	root, err := d.value(0)
	if err != nil {
		return err
	}
	d.space()
	if int(d.pos) < len(src) {
		return d.fail("text after the value")
	}
	d.root = root
	return nil
}

func (d *document) reset(src []byte) {
	d.src, d.pos, d.root = src, 0, value{}
	d.open, d.closed, d.names = d.open[:0], d.closed[:0], d.names[:0]
}

func (d *document) fail(text string) error {
	return fault.New("ledger.parse", "", fault.Invalid, fmt.Sprintf("not JSON at byte %d: %s", d.pos, text))
}

func (d *document) space() {
	for int(d.pos) < len(d.src) {
		switch d.src[d.pos] {
		case ' ', '\t', '\r', '\n':
			d.pos++
		default:
			return
		}
	}
}

// peek is the byte at the position, 0 at the end.
func (d *document) peek() byte {
	if int(d.pos) < len(d.src) {
		return d.src[d.pos]
	}
	return 0
}

func (d *document) value(depth int) (value, error) {
	switch c := d.peek(); {
	case c == '"':
		start := d.pos
		form, err := d.skipString()
		return value{kind: kindString, start: start, end: d.pos, plain: form == formPlain}, err
	case (c == '{' || c == '[') && depth == d.limit:
		return value{}, fault.New("ledger.parse", "", fault.TooLarge, fmt.Sprintf("JSON nested deeper than %d", d.limit))
	case c == '{':
		return d.object(depth)
	case c == '[':
		return d.array(depth)
	case c == '-' || isDigit(c):
		return d.number()
	case c == 't':
		return d.literal("true", kindBool)
	case c == 'f':
		return d.literal("false", kindBool)
	case c == 'n':
		return d.literal("null", kindNull)
	}
	return value{}, d.fail("a value is missing")
}

func (d *document) literal(word string, k kind) (value, error) {
	start := d.pos
	if !bytes.HasPrefix(d.src[start:], []byte(word)) {
		return value{}, d.fail("unknown word")
	}
	d.pos += int32(len(word))
	return value{kind: k, start: start, end: d.pos}, nil
}

func (d *document) array(depth int) (value, error) {
	start, base := d.pos, len(d.open)
	d.pos++
	for first := true; ; first = false {
		d.space()
		if first && d.peek() == ']' {
			break
		}
		v, err := d.value(depth + 1)
		if err != nil {
			return value{}, err
		}
		d.open = append(d.open, member{value: v})
		d.space()
		if d.peek() != ',' {
			break
		}
		d.pos++
	}
	if d.peek() != ']' {
		return value{}, d.fail("an array is not closed")
	}
	d.pos++
	return d.closeAt(base, value{kind: kindArray, start: start, end: d.pos}), nil
}

func (d *document) object(depth int) (value, error) {
	start, base := d.pos, len(d.open)
	d.pos++
	for first := true; ; first = false {
		d.space()
		if first && d.peek() == '}' {
			break
		}
		if err := d.member(depth); err != nil {
			return value{}, err
		}
		d.space()
		if d.peek() != ',' {
			break
		}
		d.pos++
	}
	if d.peek() != '}' {
		return value{}, d.fail("an object is not closed")
	}
	d.pos++
	if err := d.sortNames(d.open[base:]); err != nil {
		return value{}, err
	}
	return d.closeAt(base, value{kind: kindObject, start: start, end: d.pos}), nil
}

// member reads a name and its value and puts them on the open stack.
func (d *document) member(depth int) error {
	m := member{nameStart: d.pos}
	if d.peek() != '"' {
		return d.fail("a member's name is missing")
	}
	form, err := d.skipString()
	if err != nil {
		return err
	}
	m.nameEnd, m.namePlain = d.pos, form == formPlain
	m.keyStart, m.keyEnd = m.nameStart+1, m.nameEnd-1
	if form == formEscaped {
		m.decoded, m.keyStart = true, int32(len(d.names))
		d.names = appendDecoded(d.names, d.src[m.nameStart+1:m.nameEnd-1])
		m.keyEnd = int32(len(d.names))
	}
	d.space()
	if d.peek() != ':' {
		return d.fail("a colon is missing")
	}
	d.pos++
	d.space()
	m.value, err = d.value(depth + 1)
	d.open = append(d.open, m)
	return err
}

// closeAt moves the innermost container's content from the open stack to its
// final place.
func (d *document) closeAt(base int, v value) value {
	v.first, v.many = int32(len(d.closed)), int32(len(d.open)-base)
	d.closed = append(d.closed, d.open[base:]...)
	d.open = d.open[:base]
	return v
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
