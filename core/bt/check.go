package bt

import (
	"slices"
	"strings"
)

// Codes of CompileError.
const (
	CodeNoNode     = "no-node"      // the root or a composite's child is the zero Node
	CodeArity      = "arity"        // a decorator, gate, subtree or latch without its child
	CodeEmpty      = "empty"        // a composite without children, a LatchLast without steps
	CodeName       = "name"         // an empty name, or one with a "/"
	CodeDuplicate  = "duplicate"    // two siblings of one name
	CodeIDClash    = "id-clash"     // two paths with one id
	CodeNoFunc     = "no-func"      // a leaf without function, a gate without Ask
	CodeEnvType    = "env-type"     // an option for another environment type
	CodeStatus     = "status"       // Force to something else than Success or Failure
	CodeLatch      = "latch"        // a Latch leaf elsewhere than in LatchLast's last place
	CodeNotLatch   = "not-latch"    // LatchLast's last place holds no Latch leaf
	CodeWaits      = "waits"        // a waiting leaf in a single-shot tree
	CodeHalt       = "halt"         // OnHalt on a leaf that never waits
	CodeTwoWaiting = "two-waiting"  // a ReactiveSequence in which two children wait
	CodeSkip       = "skip"         // WhenRole directly below a selector or Invert
	CodeNeeds      = "needs"        // a leaf outside a gate that grants what it needs
	CodeKey        = "key"          // the zero Key, or two keys of one name
	CodeNoCells    = "no-cells"     // keys declared on a Leaf, which cannot reach them
	CodeUnset      = "read-not-set" // a key read where nothing can have written it
)

func (c *compiler[E]) missing(path string, at place) {
	switch {
	case at.latch:
		c.report(path, CodeNotLatch, "LatchLast has no latch")
	case at.parent >= 0 && !c.tree.info[at.parent].Kind.composite():
		c.report(path, CodeArity, "a "+c.tree.info[at.parent].Kind.String()+" has exactly one child")
	default:
		c.report(path, CodeNoNode, "there is no node")
	}
}

// check reports what is wrong with one node where it stands.
func (c *compiler[E]) check(n NodeInfo, d *def[E], at place) {
	c.checkName(n, d)
	c.checkShape(n, d, at)
	switch d.kind {
	case KindLeaf:
		c.checkLeaf(n, &d.leaf, at)
	case KindWhenRole, KindRequireRole:
		if d.gate.Ask == nil {
			c.report(n.Path, CodeNoFunc, "the gate has no Ask")
		}
	case KindForce:
		if d.force != Success && d.force != Failure {
			c.report(n.Path, CodeStatus, "Force ends with Success or Failure only")
		}
	case KindReactiveSequence:
		c.checkReactive(n, d)
	}
}

func (c *compiler[E]) checkName(n NodeInfo, d *def[E]) {
	gate := d.kind == KindWhenRole || d.kind == KindRequireRole
	switch {
	case d.name == "", gate && d.gate.Name == "":
		c.report(n.Path, CodeName, "the node has no name")
	case strings.Contains(d.name, "/"):
		c.report(n.Path, CodeName, `a name contains "/"`)
	}
	seen := map[string]bool{}
	for _, child := range d.children {
		if child.def == nil || child.def.name == "" {
			continue
		}
		if seen[child.def.name] {
			c.report(n.Path+"/"+child.def.name, CodeDuplicate, "two siblings have this name")
		}
		seen[child.def.name] = true
	}
}

func (c *compiler[E]) checkShape(n NodeInfo, d *def[E], at place) {
	least := 1
	if d.kind == KindLatchLast {
		least = 2
	}
	if d.kind.composite() && len(d.children) < least {
		c.report(n.Path, CodeEmpty, "the "+d.kind.String()+" is empty")
	}
	if d.kind == KindWhenRole && (at.above.selector() || at.above == KindInvert) {
		c.report(n.Path, CodeSkip, "a skip is no answer that a "+at.above.String()+" could use")
	}
	if at.latch && (d.kind != KindLeaf || !d.leaf.latch) {
		c.report(n.Path, CodeNotLatch, "the last place of LatchLast is for a Latch leaf")
	}
}

func (c *compiler[E]) checkLeaf(n NodeInfo, l *leafDef[E], at place) {
	if l.call == nil && l.cells == nil {
		c.report(n.Path, CodeNoFunc, "the leaf has no function")
	}
	if l.onHalt != nil && l.halted == nil {
		c.report(n.Path, CodeEnvType, "OnHalt is nil or for another environment type")
	}
	if l.onHalt != nil && !l.waits {
		c.report(n.Path, CodeHalt, "OnHalt without Waits is never called")
	}
	if l.latch && !at.latch {
		c.report(n.Path, CodeLatch, "a Latch leaf stands only in the last place of LatchLast")
	}
	if l.waits && c.tree.single {
		c.report(n.Path, CodeWaits, "a single-shot tree cannot wait")
	}
	if l.cells == nil && len(l.reads)+len(l.writes) > 0 {
		c.report(n.Path, CodeNoCells, "a Leaf has no access to keys: make it a CellLeaf")
	}
	for _, tag := range l.needs {
		if !slices.Contains(at.granted, tag) {
			c.report(n.Path, CodeNeeds, "no gate above grants "+tag)
		}
	}
}

// checkReactive refuses a second child that waits: the first would have to start
// again at every tick, and halt the second by that.
func (c *compiler[E]) checkReactive(n NodeInfo, d *def[E]) {
	waiting := 0
	for _, child := range d.children {
		if waits(child) {
			waiting++
		}
	}
	if waiting > 1 {
		c.report(n.Path, CodeTwoWaiting, "more than one child of a reactive sequence waits")
	}
}

func waits[E any](n Node[E]) bool {
	return n.def != nil && (n.def.leaf.waits || slices.ContainsFunc(n.def.children, waits[E]))
}
