package bt

// Invert succeeds when its child fails and fails, with CodeInverted, when its
// child succeeds. In both cases nothing of what the child wrote remains. Running
// passes through.
func Invert[E any](name string, child Node[E]) Node[E] {
	return branch(KindInvert, name, []Node[E]{child})
}

// Force ends with the given status, Success or Failure, once its child has
// ended. A failed child's writes are undone before its status is mapped; a
// forced Failure of a successful child has CodeForced. Running passes through.
func Force[E any](name string, status Status, child Node[E]) Node[E] {
	n := branch(KindForce, name, []Node[E]{child})
	n.def.force = status
	return n
}

func (x *exec[E]) invert(i int) Status {
	m := x.mark()
	s := x.eval(i + 1)
	switch s {
	case Success:
		s = x.fail(i, Reason{CodeInverted, "the child succeeded"})
	case Failure:
		x.absorb(i+1, m)
		s = Success
	}
	x.status[i] = s
	return s
}

func (x *exec[E]) forced(i int) Status {
	m := x.mark()
	s := x.eval(i + 1)
	want := x.tree.defs[i].force
	switch {
	case s == Failure && want == Success:
		x.absorb(i+1, m)
		s = Success
	case s == Success && want == Failure:
		s = x.fail(i, Reason{CodeForced, "the child succeeded"})
	}
	x.status[i] = s
	return s
}

// fail records the reason of a Failure that node i itself decided.
func (x *exec[E]) fail(i int, r Reason) Status {
	x.reason, x.reasonAt = r, i
	return Failure
}
