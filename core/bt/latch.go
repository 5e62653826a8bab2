package bt

// LatchLast evaluates its steps like a Sequence and then, only when every step
// has succeeded, the latch: a leaf marked with Latch, which can stand nowhere
// else. So the write that later guards take as evidence of the steps cannot
// come before them. The LatchHook of the tree tells the environment when the
// latch is being evaluated.
func LatchLast[E any](name string, latch Node[E], steps ...Node[E]) Node[E] {
	n := branch(KindLatchLast, name, steps)
	n.def.children = append(n.def.children, latch)
	return n
}

// latch calls the leaf between the two latch hooks of the tree.
func (x *exec[E]) latch(i int, l *leafDef[E]) Result {
	t := x.tree
	if t.latchEnter != nil {
		t.latchEnter(x.env)
	}
	if t.latchLeave != nil {
		defer t.latchLeave(x.env)
	}
	if l.cells != nil {
		return x.withCells(i, l)
	}
	return l.call(x.env)
}
