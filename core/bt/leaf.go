package bt

// leafDef is what a leaf declares about itself.
type leafDef[E any] struct {
	leafOptions
	call   func(E) Result
	cells  func(E, *Cells) Result
	halted func(E, Reason)
}

type leafOptions struct {
	reads, writes []*keyInfo
	needs         []string
	waits, latch  bool
	onHalt        any // func(E, Reason); its type is checked by Compile
}

// LeafOption declares something about a leaf.
type LeafOption func(*leafOptions)

// Reads declares keys that a CellLeaf may Get.
func Reads(keys ...AnyKey) LeafOption {
	return func(o *leafOptions) { o.reads = append(o.reads, keyInfos(keys)...) }
}

// Writes declares keys that a CellLeaf may Set.
func Writes(keys ...AnyKey) LeafOption {
	return func(o *leafOptions) { o.writes = append(o.writes, keyInfos(keys)...) }
}

// Waits declares that the leaf may return Running. A leaf without it that waits
// ends the run with a UsageError.
func Waits() LeafOption { return func(o *leafOptions) { o.waits = true } }

// Needs declares that the leaf may stand only below a gate that Grants the tag.
// It may be repeated.
func Needs(tag string) LeafOption {
	return func(o *leafOptions) { o.needs = append(o.needs, tag) }
}

// Latch marks a leaf whose effect later guards take as evidence: it compiles
// only as the latch of a LatchLast.
func Latch() LeafOption { return func(o *leafOptions) { o.latch = true } }

// OnHalt is told when the waiting leaf is dropped while Running: once, before
// what takes its place begins. If a Failure further up undoes in the same tick
// what OnHalt wrote, OnHalt is called again, so that a journalled environment
// keeps exactly one halting. E must be the environment of the leaf.
func OnHalt[E any](f func(E, Reason)) LeafOption {
	return func(o *leafOptions) { o.onHalt = f }
}

// Leaf is a node that acts on or asks the environment. f must hold no state of
// its own and return soon; a leaf that cannot decide yet returns Wait.
func Leaf[E any](name string, f func(E) Result, opts ...LeafOption) Node[E] {
	return newLeaf(name, leafDef[E]{call: f}, opts)
}

// CellLeaf is a leaf that also uses the run's blackboard, through the keys that
// it declares with Reads and Writes. The Cells are valid during the call only.
func CellLeaf[E any](name string, f func(E, *Cells) Result, opts ...LeafOption) Node[E] {
	return newLeaf(name, leafDef[E]{cells: f}, opts)
}

func newLeaf[E any](name string, l leafDef[E], opts []LeafOption) Node[E] {
	for _, o := range opts {
		if o != nil {
			o(&l.leafOptions)
		}
	}
	l.halted, _ = l.onHalt.(func(E, Reason))
	return Node[E]{&def[E]{kind: KindLeaf, name: name, leaf: l}}
}

// plain tells whether the leaf can be called from a composite's loop, with no
// preparation and no check but that of its result.
func (l *leafDef[E]) plain() bool { return l.call != nil && !l.waits && !l.latch }

// leaf evaluates a leaf that needs preparation, or is traced.
func (x *exec[E]) leaf(i int) Status {
	l := &x.tree.defs[i].leaf
	if l.waits && x.running >= 0 && x.running != i {
		x.halt(Reason{CodePreempted, x.tree.info[i].Path}) // see challenge
	}
	x.at = i
	var r Result
	switch {
	case l.latch:
		r = x.latch(i, l)
	case l.cells != nil:
		r = x.withCells(i, l)
	default:
		r = l.call(x.env)
	}
	return x.settle(i, r)
}

// settle turns a leaf's result into its status and keeps its reason.
func (x *exec[E]) settle(i int, r Result) Status {
	if x.running == i {
		x.running = -1
	}
	s, reason := r.Status, r.Reason()
	switch {
	case s == Success:
		x.status[i] = s
		return s
	case s == Failure:
	case s == Running && x.nodes[i].waits:
		x.running = i
	case s == Invalid:
		s = Failure
		if reason.Code == "" {
			reason.Code = CodeUnspecified
		}
	default:
		return x.unusable(i, r)
	}
	if reason.Code == "" {
		return x.misuse(i, CodeNoReason, "a leaf returned "+s.String()+" without a reason code")
	}
	x.reason, x.reasonAt = reason, i
	x.status[i] = s
	return s
}

// unusable ends the run for a result that says nothing about the node.
func (x *exec[E]) unusable(i int, r Result) Status {
	if err := r.Err(); err != nil {
		return x.end(i, err)
	}
	if r.Status == Running {
		return x.misuse(i, CodeUndeclaredWait, "a leaf returned Running without Waits")
	}
	return x.misuse(i, CodeBadStatus, "a leaf returned an unknown status")
}
