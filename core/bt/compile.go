package bt

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// CompileError is one mistake in a definition.
type CompileError struct {
	Path string // the node at fault; a nameless one shows its place, as in "root/[2]"
	Code string // one of the codes below
	Text string
}

// Error reads "bt: path: text".
func (e *CompileError) Error() string { return fmt.Sprintf("bt: %s: %s", e.Path, e.Text) }

// Compile checks a definition and makes a Tree of it. All mistakes are reported
// at once: the error joins one *CompileError for each.
func Compile[E any](root Node[E], opts ...CompileOption) (*Tree[E], error) {
	c := &compiler[E]{tree: &Tree[E]{root: root, byID: map[uint64]int{}}}
	c.apply(opts)
	c.add(root, place{parent: -1})
	c.resolve()
	if len(c.errs) > 0 {
		return nil, errors.Join(c.errs...)
	}
	t := c.tree
	t.hash = definitionHash(t.info)
	t.runs.New = func() any { return newExec(t) }
	return t, nil
}

// MustCompile is Compile for definitions that are part of the program: it panics
// with the joined error.
func MustCompile[E any](root Node[E], opts ...CompileOption) *Tree[E] {
	t, err := Compile(root, opts...)
	if err != nil {
		panic(err)
	}
	return t
}

type compiler[E any] struct {
	tree   *Tree[E]
	inputs []*keyInfo
	errs   []error
}

func (c *compiler[E]) report(path, code, text string) {
	c.errs = append(c.errs, &CompileError{path, code, text})
}

// place is where a node stands.
type place struct {
	parent  int
	nth     int
	above   Kind     // the parent's kind; a Subtree counts as what is above it
	latch   bool     // the last place of a LatchLast
	granted []string // by the gates above
}

// add appends a node and what is below it to the table.
func (c *compiler[E]) add(n Node[E], at place) {
	path := c.path(n, at)
	if n.def == nil {
		c.missing(path, at)
		return
	}
	t, i, d := c.tree, len(c.tree.info), n.def
	info := newInfo(d)
	info.Index, info.Path, info.ID, info.Parent = i, path, pathID(path), at.parent
	if at.parent >= 0 {
		info.Depth = t.info[at.parent].Depth + 1
	}
	t.info = append(t.info, info)
	t.defs = append(t.defs, d)
	row := node[E]{kind: d.kind, waits: d.leaf.waits}
	if d.leaf.plain() {
		row.leaf = d.leaf.call
	}
	t.nodes = append(t.nodes, row)
	c.identify(i)
	c.check(info, d, at)
	c.addChildren(i, d, at)
	t.info[i].End, t.nodes[i].end = len(t.info), len(t.info)
}

func (c *compiler[E]) addChildren(i int, d *def[E], at place) {
	below := place{parent: i, above: d.kind, granted: at.granted}
	switch d.kind {
	case KindSubtree:
		below.above = at.above
	case KindWhenRole, KindRequireRole:
		below.granted = append(slices.Clip(at.granted), d.gate.Grants)
	}
	for k, child := range d.children {
		below.nth = k
		below.latch = d.kind == KindLatchLast && k == len(d.children)-1
		c.add(child, below)
	}
}

func (c *compiler[E]) path(n Node[E], at place) string {
	name := "[" + strconv.Itoa(at.nth) + "]"
	if n.def != nil && n.def.name != "" {
		name = n.def.name
	}
	if at.parent < 0 {
		return name
	}
	return c.tree.info[at.parent].Path + "/" + name
}

// identify enters a node's id. Two paths with one hash are as unlikely as they
// would be confusing.
func (c *compiler[E]) identify(i int) {
	n := &c.tree.info[i]
	other, taken := c.tree.byID[n.ID]
	if !taken {
		c.tree.byID[n.ID] = i
		return
	}
	if c.tree.info[other].Path != n.Path {
		c.report(n.Path, CodeIDClash, "the path has the same id as "+c.tree.info[other].Path)
	}
}
