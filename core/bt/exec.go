package bt

import (
	"errors"
	"runtime/debug"
)

// node is a row of the compiled table: what evaluation needs at every visit.
type node[E any] struct {
	leaf  func(E) Result // set for plain leaves only
	end   int            // index after the last descendant
	kind  Kind
	waits bool
}

// exec is the state of one run. It belongs to one goroutine at a time.
type exec[E any] struct {
	tree      *Tree[E]
	nodes     []node[E]
	status    []Status
	env       E
	at        int // the leaf or gate that is being called
	running   int // the leaf that waits, or -1
	notMine   int // the first gate that was skipped in this tick, or -1
	reasonAt  int // the node that gave reason
	errAt     int // the node that raised err
	resumable bool
	undoable  bool
	reason    Reason
	err       error
	journal   Journal
	halts     []halted
	cells     Cells
	trace     *Trace
	setup     setup
}

func newExec[E any](t *Tree[E]) *exec[E] {
	x := new(exec[E])
	x.open(t)
	return x
}

func (x *exec[E]) open(t *Tree[E]) {
	x.tree, x.nodes, x.status, x.running = t, t.nodes, make([]Status, len(t.nodes)), -1
	x.cells.init(t.keys)
}

// tick evaluates the tree once and fills a zero Outcome. All that the tick wrote
// is undone when it comes to an error or a panic.
func (x *exec[E]) tick(env E, out *Outcome) {
	x.env, x.notMine, x.err, x.at = env, -1, nil, 0
	x.journal, x.undoable = nil, false
	var start mark
	finished := false
	defer func() {
		if finished {
			return
		}
		if v := recover(); v != nil {
			x.errAt = x.at
			x.err = &PanicError{Path: x.tree.info[x.at].Path, Value: v, Stack: debug.Stack()}
		}
		x.failed(start, out) // without a panic the goroutine is exiting
	}()
	start = x.begin()
	s := x.eval(0)
	if s == Failure {
		x.absorb(0, start)
	}
	if s == ended {
		x.failed(start, out)
	} else {
		x.decided(s, out)
	}
	finished = true
}

// begin opens the journal of a tick.
func (x *exec[E]) begin() mark {
	if f := x.tree.journal; f != nil {
		x.journal = f(x.env)
	}
	x.halts = x.halts[:0]
	x.cells.forget()
	x.undoable = x.journal != nil || len(x.cells.slots) > 0
	return x.mark()
}

func (x *exec[E]) decided(s Status, out *Outcome) {
	out.Status = s
	if s != Success {
		out.Reason, out.Path = x.reason, x.tree.info[x.reasonAt].Path
	}
	if x.notMine >= 0 {
		out.NotMine, out.NotMinePath = true, x.tree.info[x.notMine].Path
	}
}

func (x *exec[E]) failed(start mark, out *Outcome) {
	x.halts = x.halts[:0] // a tick that never was has halted nobody
	x.undo(start)
	out.Err, out.Path = x.err, x.tree.info[x.errAt].Path
	if closed, ok := errors.AsType[*ClosedGateError](x.err); ok {
		out.Reason = closed.Reason
	}
}

// end raises err at node i.
func (x *exec[E]) end(i int, err error) Status {
	x.err, x.errAt = err, i
	return ended
}

func (x *exec[E]) misuse(i int, code, text string) Status {
	return x.end(i, &UsageError{Path: x.tree.info[i].Path, Code: code, Text: text})
}

// eval evaluates node i and records it if the run is traced.
func (x *exec[E]) eval(i int) Status {
	if x.trace == nil {
		return x.dispatch(i)
	}
	v := x.trace.enter(i)
	s := x.dispatch(i)
	x.trace.leave(v, x.visit(i, s))
	return s
}

func (x *exec[E]) dispatch(i int) Status {
	switch x.nodes[i].kind {
	case KindLeaf:
		return x.leaf(i)
	case KindSequence, KindLatchLast:
		return x.sequence(i, x.first(i))
	case KindReactiveSequence:
		return x.sequence(i, i+1)
	case KindSelector:
		return x.selector(i, x.first(i))
	case KindReactiveSelector:
		return x.selector(i, i+1)
	case KindInvert:
		return x.invert(i)
	case KindForce:
		return x.forced(i)
	case KindWhenRole, KindRequireRole:
		return x.gate(i)
	}
	s := x.eval(i + 1) // a subtree is what its root is
	x.status[i] = s
	return s
}
