package ledger

import (
	"bytes"
	"fmt"

	"bateleur/core/fault"
)

const (
	maxDepth = 200     // nesting of arrays and objects
	maxBytes = 1 << 30 // of one JSON text; offsets are 32 bits
)

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
