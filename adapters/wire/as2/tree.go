package as2

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"bateleur/core/fault"
)

// Bounds of what is read. They are checked while scanning, before anything is
// built; a body's total size is the caller's to bound.
const (
	maxDepth  = 64      // of nested arrays and objects
	maxNodes  = 1 << 16 // values of any kind: above what an honest message of 1 MB holds
	maxLength = 4_096   // elements of one array, members of one object
	maxID     = 2_048   // bytes of an id or a type name
)

// A node is a JSON value: a range of the source.
type node struct {
	start, end         int32
	nameStart, nameEnd int32 // the member's name without its quotes; empty in arrays
	next               int32 // the node behind this one and all it holds
	many               int32 // elements or members
	kind               jsontext.Kind
	escaped            bool // a string with escapes
	nameEscaped        bool
}

// root is the place of the outermost value, and so of no member: 0 stands for
// an absent one.
const root = 0

// A tree is an index over a JSON text: its nodes in the order of the source, a
// container before what it holds.
type tree struct {
	src   []byte
	nodes []node
	open  []int32 // containers not yet closed, innermost last
	name  node    // the name that waits for its value
	named bool
	dec   jsontext.Decoder
	input bytes.Buffer
}

// scan indexes a JSON text. Text that is not UTF-8, a repeated name and whatever
// exceeds a bound is refused.
func (t *tree) scan(src []byte) error {
	t.src, t.nodes, t.open, t.named = src, t.nodes[:0], t.open[:0], false
	t.read(src)
	if likely := min(len(src)/bytesPerNode, maxNodes); cap(t.nodes) < likely {
		t.nodes = make([]node, 0, likely)
	}
	for len(t.nodes) == 0 || len(t.open) > 0 {
		if err := t.step(); err != nil {
			return err
		}
	}
	if _, err := t.dec.ReadToken(); !errors.Is(err, io.EOF) {
		return fault.New("as2.decode", "", fault.Invalid, "something follows the document")
	}
	return nil
}

// read points the decoder at a text.
func (t *tree) read(src []byte) *jsontext.Decoder {
	t.input = *bytes.NewBuffer(src)
	t.dec.Reset(&t.input)
	return &t.dec
}

func (t *tree) step() error {
	switch kind := t.dec.PeekKind(); kind {
	case '{', '[':
		if _, err := t.dec.ReadToken(); err != nil {
			return malformed(err)
		}
		at := int32(t.dec.InputOffset())
		t.open = append(t.open, int32(len(t.nodes)))
		return t.add(node{start: at - 1, kind: kind}, len(t.open)-1)
	case '}', ']':
		_, err := t.dec.ReadToken()
		if err != nil {
			return malformed(err)
		}
		t.close()
		return nil
	default:
		raw, err := t.dec.ReadValue()
		if err != nil {
			return malformed(err)
		}
		end := int32(t.dec.InputOffset())
		return t.scalar(node{start: end - int32(len(raw)), end: end, kind: kind,
			escaped: kind == '"' && bytes.IndexByte(raw, '\\') >= 0})
	}
}

func (t *tree) scalar(n node) error {
	if depth := len(t.open); depth > 0 && !t.named && t.nodes[t.open[depth-1]].kind == '{' {
		t.name, t.named = n, true
		return nil
	}
	n.next = int32(len(t.nodes)) + 1
	return t.add(n, len(t.open))
}

// add appends a value that lies in as many containers as depth says.
func (t *tree) add(n node, depth int) error {
	if t.named {
		n.nameStart, n.nameEnd, n.nameEscaped = t.name.start+1, t.name.end-1, t.name.escaped
		t.named = false
	}
	t.nodes = append(t.nodes, n)
	switch {
	case depth >= maxDepth && (n.kind == '{' || n.kind == '['):
		return t.tooLarge("nested deeper than %d", maxDepth)
	case len(t.nodes) > maxNodes:
		return t.tooLarge("more than %d values", maxNodes)
	case depth == 0:
		return nil
	}
	container := &t.nodes[t.open[depth-1]]
	if container.many++; container.many > maxLength {
		return t.tooLarge("more than %d in one list", maxLength)
	}
	return nil
}

func (t *tree) close() {
	last := len(t.open) - 1
	n := &t.nodes[t.open[last]]
	n.end, n.next = int32(t.dec.InputOffset()), int32(len(t.nodes))
	t.open = t.open[:last]
}

func (t *tree) tooLarge(format string, bound int) error {
	return &fault.Error{Op: "as2.decode", Code: fault.TooLarge, Text: fmt.Sprintf(format, bound),
		Field: pointed(t.dec.StackPointer())}
}

// readers are kept for reuse; one that grew beyond the ordinary is not.
var readers = sync.Pool{New: func() any { return new(reader) }}

const ordinaryNodes = 2_048

// bytesPerNode is what a value takes in an ordinary message, with its name.
const bytesPerNode = 32

func borrow() *reader { return readers.Get().(*reader) }

func (r *reader) release() {
	if cap(r.nodes) > ordinaryNodes {
		return
	}
	r.err, r.src = nil, nil
	r.read(nil)
	readers.Put(r)
}
