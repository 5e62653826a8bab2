package bt

import "runtime/debug"

// halted is a leaf that OnHalt has been called for in this tick.
type halted struct {
	leaf   int
	reason Reason
}

// haltWithin halts the waiting leaf if its index is in [from, to).
func (x *exec[E]) haltWithin(from, to int, r Reason) {
	if from <= x.running && x.running < to {
		x.halt(r)
	}
}

// halt drops the waiting leaf. The nodes above it are no longer Running: those
// that are being evaluated right now write their own status when they end.
func (x *exec[E]) halt(r Reason) {
	i := x.running
	x.running = -1
	for p := i; p >= 0 && x.status[p] == Running; p = x.tree.info[p].Parent {
		x.status[p] = Invalid
	}
	f := x.tree.defs[i].leaf.halted
	if f == nil {
		return
	}
	if x.journal != nil {
		x.halts = append(x.halts, halted{i, r})
	}
	x.at = i
	f(x.env, r)
}

// challenge evaluates child c of a reactive selector on trial, while a leaf in a
// later child waits. Only a child that does not fail takes over, and the waiting
// leaf must be halted before that child begins: so the trial is undone, the leaf
// halted, and the caller evaluates the child for good.
//
// Without a journal a trial cannot be undone. Then the leaf is halted when a
// waiting leaf of c is reached (by method leaf), or else when c has succeeded.
func (x *exec[E]) challenge(c int) Status {
	if x.journal == nil {
		return Success
	}
	m, visits, holder := x.mark(), x.trace.mark(), x.running
	x.running = -1
	s := x.eval(c)
	if s == Failure {
		x.absorb(c, m)
	} else if s != ended {
		x.undo(m)
		x.unvisit(c, visits)
	}
	x.running = holder
	if s == Success || s == Running {
		x.halt(Reason{CodePreempted, x.tree.info[c].Path})
	}
	return s
}

// unvisit makes as if c had not been evaluated in this tick.
func (x *exec[E]) unvisit(c int, visits int) {
	end := x.nodes[c].end
	x.clear(c, end)
	x.trace.rewind(visits)
	if c <= x.notMine && x.notMine < end {
		x.notMine = -1
	}
}

// halting halts the waiting leaf outside a tick.
func (x *exec[E]) halting(env E, reason Reason) (err error) {
	x.env, x.journal, x.undoable = env, nil, false
	var start mark
	finished := false
	defer func() {
		if finished {
			return
		}
		if v := recover(); v != nil {
			err = &PanicError{Path: x.tree.info[x.at].Path, Value: v, Stack: debug.Stack()}
		}
		x.failed(start, &Outcome{})
	}()
	x.at = x.running
	start = x.begin()
	x.halt(reason)
	finished = true
	return nil
}
