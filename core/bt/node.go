package bt

// Kind is the kind of a node. The numbers are part of no stored form; names are.
type Kind uint8

// The kinds, one per constructor (CellLeaf makes a KindLeaf).
const (
	KindLeaf Kind = iota + 1
	KindSequence
	KindReactiveSequence
	KindSelector
	KindReactiveSelector
	KindInvert
	KindForce
	KindWhenRole
	KindRequireRole
	KindLatchLast
	KindSubtree
)

var kindNames = [...]string{
	KindLeaf:             "leaf",
	KindSequence:         "sequence",
	KindReactiveSequence: "reactive-sequence",
	KindSelector:         "selector",
	KindReactiveSelector: "reactive-selector",
	KindInvert:           "invert",
	KindForce:            "force",
	KindWhenRole:         "when-role",
	KindRequireRole:      "require-role",
	KindLatchLast:        "latch-last",
	KindSubtree:          "subtree",
}

// String is the kind's stable name.
func (k Kind) String() string {
	if int(k) < len(kindNames) && kindNames[k] != "" {
		return kindNames[k]
	}
	return "unknown"
}

// composite tells whether the kind takes any number of children.
func (k Kind) composite() bool {
	switch k {
	case KindSequence, KindReactiveSequence, KindSelector, KindReactiveSelector, KindLatchLast:
		return true
	}
	return false
}

func (k Kind) selector() bool { return k == KindSelector || k == KindReactiveSelector }

func (k Kind) reactive() bool { return k == KindReactiveSequence || k == KindReactiveSelector }

// Node is the definition of a node and of everything below it. It is immutable,
// holds no state of any run, and may be used in several places and trees. The
// zero Node is none and does not compile.
type Node[E any] struct{ def *def[E] }

type def[E any] struct {
	kind     Kind
	name     string
	children []Node[E]
	leaf     leafDef[E] // KindLeaf
	force    Status     // KindForce
	gate     Gate[E]    // KindWhenRole, KindRequireRole
}

func branch[E any](kind Kind, name string, children []Node[E]) Node[E] {
	return Node[E]{&def[E]{kind: kind, name: name, children: append([]Node[E](nil), children...)}}
}

// Sequence evaluates its children in order until one does not succeed, and
// succeeds when all did. It has memory: when a child was Running, the next tick
// resumes at that child.
func Sequence[E any](name string, children ...Node[E]) Node[E] {
	return branch(KindSequence, name, children)
}

// ReactiveSequence is a Sequence without memory: every tick begins at the first
// child, so that earlier children are conditions that must keep holding. When
// one of them fails, the child that was Running is halted. At most one child may
// contain a waiting leaf.
func ReactiveSequence[E any](name string, children ...Node[E]) Node[E] {
	return branch(KindReactiveSequence, name, children)
}

// Selector evaluates its children in order until one does not fail, and fails
// when all did, for the reason of the last. What a failed child wrote is undone
// before the next is tried. It has memory: when a child was Running, the next
// tick resumes at that child.
func Selector[E any](name string, children ...Node[E]) Node[E] {
	return branch(KindSelector, name, children)
}

// ReactiveSelector is a Selector without memory: every tick begins at the first
// child, and when an earlier child does not fail any more it takes over from the
// one that was Running, whose leaf is halted before. To know whether it takes
// over, the earlier child is evaluated, undone, and evaluated again after the
// halt. A tree without a journal cannot do that: there the Running leaf is
// halted as soon as a waiting leaf of an earlier child is reached, even if that
// then fails, so guard it by a condition.
func ReactiveSelector[E any](name string, children ...Node[E]) Node[E] {
	return branch(KindReactiveSelector, name, children)
}

// Subtree embeds a compiled definition as a unit under a name of its own: the
// paths and ids of its nodes get this node's path as prefix. Of the compile
// options only those of the embedding tree count, and its checks are made again
// for the new surroundings.
func Subtree[E any](name string, t *Tree[E]) Node[E] {
	if t == nil {
		return branch[E](KindSubtree, name, []Node[E]{{}})
	}
	return branch(KindSubtree, name, []Node[E]{t.root})
}
