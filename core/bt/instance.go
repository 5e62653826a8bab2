package bt

// Instance is a run that outlives a tick: it remembers where it waits. It
// belongs to one goroutine at a time; the tree behind it is shared.
//
// A tick is all or nothing. After an Outcome with Err the instance is as it was
// before the tick, as is the environment through its journal, so the tick may
// be tried again. After Success or Failure the next tick begins a new run.
type Instance[E any] struct {
	x     exec[E]
	saved []Status
	opts  []RunOption
}

// NewInstance makes an instance that has not begun. The options hold for every
// tick, before those given to Tick.
func (t *Tree[E]) NewInstance(opts ...RunOption) *Instance[E] {
	i := &Instance[E]{saved: make([]Status, len(t.nodes)), opts: opts}
	i.x.open(t)
	i.x.resumable = true
	return i
}

// Tick evaluates the tree once, from the root. A run that begins with this tick
// has empty cells but for its inputs.
func (i *Instance[E]) Tick(env E, opts ...RunOption) (out Outcome) {
	x := &i.x
	running := x.running
	if running < 0 {
		x.reset()
	}
	if err := x.prepare(running < 0, i.opts, opts); err != nil {
		return Outcome{Err: err, Path: err.Path}
	}
	copy(i.saved, x.status)
	x.tick(env, &out)
	if out.Err != nil {
		copy(x.status, i.saved)
		x.running = running
	}
	x.rest()
	return out
}

// Halt drops the run: the leaf that waits is told through OnHalt, and the next
// tick begins a new run. If OnHalt panics, the halt is undone and the panic
// returned as a *PanicError. An instance that does not wait has nothing to halt.
func (i *Instance[E]) Halt(env E, reason Reason) error {
	x := &i.x
	if x.running < 0 {
		x.reset()
		return nil
	}
	if reason.Code == "" {
		reason.Code = CodeHalted
	}
	running := x.running
	copy(i.saved, x.status)
	if err := x.halting(env, reason); err != nil {
		copy(x.status, i.saved)
		x.running = running
		x.rest()
		return err
	}
	x.reset()
	return nil
}

// Reset drops the run without telling anybody.
func (i *Instance[E]) Reset() { i.x.reset() }

// Running tells whether a leaf waits, and which.
func (i *Instance[E]) Running() (NodeInfo, bool) {
	if i.x.running < 0 {
		return NodeInfo{}, false
	}
	return i.x.tree.info[i.x.running], true
}

// Status is a node's status in the present run, by its id: Invalid for a node
// that the run has not reached, was halted, or does not exist.
func (i *Instance[E]) Status(id uint64) Status {
	n, ok := i.x.tree.byID[id]
	if !ok {
		return Invalid
	}
	return i.x.status[n] &^ skipBit
}

// Skipped tells whether the node is a WhenRole gate that was found closed.
func (i *Instance[E]) Skipped(id uint64) bool {
	n, ok := i.x.tree.byID[id]
	return ok && i.x.status[n]&skipBit != 0
}
