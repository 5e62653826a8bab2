package bt

import (
	"iter"
	"slices"
	"sync"
)

// Semantics is the version of the rules by which trees are evaluated. It is part
// of every definition hash.
const Semantics = 1

// Tree is a compiled definition: a flat table in preorder that never changes.
// All methods may be called by any number of goroutines at once.
type Tree[E any] struct {
	root       Node[E]
	nodes      []node[E]
	info       []NodeInfo
	defs       []*def[E]
	access     [][]access // by node: the keys a leaf declares
	keys       []*keyInfo // by slot
	inputs     []int      // slots that the caller sets
	byID       map[uint64]int
	hash       string
	single     bool
	journal    func(E) Journal
	latchEnter func(E)
	latchLeave func(E)
	runs       sync.Pool
}

// Run evaluates the tree once in a fresh run. If a leaf waits, the outcome is
// Running and the run is dropped without a word to the leaf: trees that wait are
// run by an Instance. In steady state Run allocates nothing.
func (t *Tree[E]) Run(env E, opts ...RunOption) (out Outcome) {
	x := t.runs.Get().(*exec[E])
	if err := x.prepare(true, nil, opts); err != nil {
		out.Err, out.Path = err, err.Path
	} else {
		x.tick(env, &out)
	}
	x.release()
	return out
}

// Name is the root's name.
func (t *Tree[E]) Name() string { return t.info[0].Name }

// Len is the number of nodes.
func (t *Tree[E]) Len() int { return len(t.info) }

// Hash identifies the definition: kinds, names, order, and everything leaves and
// gates declare, but not the functions behind them. Equal hashes mean that a run
// of one tree has a meaning in the other.
func (t *Tree[E]) Hash() string { return t.hash }

// SingleShot tells whether the tree was compiled with SingleShot.
func (t *Tree[E]) SingleShot() bool { return t.single }

// Nodes gives every node in preorder.
func (t *Tree[E]) Nodes() iter.Seq[NodeInfo] { return slices.Values(t.info) }

// Node finds a node by its id.
func (t *Tree[E]) Node(id uint64) (NodeInfo, bool) {
	i, ok := t.byID[id]
	if !ok {
		return NodeInfo{}, false
	}
	return t.info[i], true
}

// Find finds a node by its path.
func (t *Tree[E]) Find(path string) (NodeInfo, bool) {
	n, ok := t.Node(pathID(path))
	return n, ok && n.Path == path
}
