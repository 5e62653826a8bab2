package bt

// Gate decides whether the party on whose behalf a tree runs may do what is
// below it. The engine asks at every evaluation and never remembers an answer.
type Gate[E any] struct {
	// Name is the role, as people call it; it becomes part of paths.
	Name string
	// Grants is the tag that leaves below the gate may declare with Needs.
	Grants string
	// Ask tells whether the gate is open, and if not why. An error ends the
	// run: what could not be determined is never taken for closed.
	Ask func(E) (open bool, reason Reason, err error)
	// Enter and Leave, either of which may be nil, are called in pairs around
	// every evaluation of the child: Leave also when the child fails, raises an
	// error or panics. A failing child's writes are undone before Leave.
	Enter, Leave func(E)
}

// WhenRole evaluates its child when the gate is open. A closed gate means "not
// my job": the node succeeds by skipping, the child is not evaluated (and halted
// if it was Running), and the outcome says NotMine. As a skip is not an answer,
// WhenRole is not allowed directly below a selector or an Invert. The node's
// name is "child@gate".
func WhenRole[E any](gate Gate[E], child Node[E]) Node[E] {
	return gated(KindWhenRole, gate, child)
}

// RequireRole evaluates its child when the gate is open. A closed gate ends the
// run with a *ClosedGateError. The node's name is "child@gate".
func RequireRole[E any](gate Gate[E], child Node[E]) Node[E] {
	return gated(KindRequireRole, gate, child)
}

func gated[E any](kind Kind, gate Gate[E], child Node[E]) Node[E] {
	name := "@" + gate.Name
	if child.def != nil {
		name = child.def.name + name
	}
	n := branch(kind, name, []Node[E]{child})
	n.def.gate = gate
	return n
}

func (x *exec[E]) gate(i int) Status {
	d := x.tree.defs[i]
	x.at = i
	open, reason, err := d.gate.Ask(x.env)
	switch {
	case err != nil:
		return x.end(i, err)
	case open:
		s := x.enter(i, &d.gate)
		x.status[i] = s
		return s
	}
	if reason.Code == "" {
		reason.Code = CodeNotMine
	}
	if d.kind == KindRequireRole {
		x.reason, x.reasonAt = reason, i
		return x.end(i, &ClosedGateError{Path: x.tree.info[i].Path, Gate: d.gate.Name, Reason: reason})
	}
	return x.skip(i, reason)
}

// enter evaluates the child between Enter and Leave.
func (x *exec[E]) enter(i int, g *Gate[E]) Status {
	if g.Enter != nil {
		g.Enter(x.env)
	}
	if g.Leave != nil {
		defer g.Leave(x.env)
	}
	m := x.mark()
	s := x.eval(i + 1)
	if s == Failure {
		x.undo(m)
	}
	x.at = i
	return s
}

// skip is the Success of a closed WhenRole.
func (x *exec[E]) skip(i int, reason Reason) Status {
	end := x.nodes[i].end
	x.haltWithin(i, end, reason)
	x.clear(i+1, end)
	x.reason, x.reasonAt = reason, i
	x.status[i] = Success | skipBit
	if x.notMine < 0 {
		x.notMine = i
	}
	return Success
}
