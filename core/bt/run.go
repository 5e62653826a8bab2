package bt

// RunOption is an option of one run.
type RunOption func(*setup)

// setup is where the options of a run take effect.
type setup struct {
	cells   *Cells
	keys    []*keyInfo // of the tree, by slot
	inputs  []int
	fresh   bool // the run begins now
	trace   *Trace
	unknown *keyInfo // the last key given that is not an input
}

// With sets an input of the tree for a run that begins now; no undo reaches it.
// Given to a later tick of a run under way it has no effect. A key that is not
// among the tree's Inputs ends the run with a UsageError before it begins, and
// so does an input that was not given.
func With[T any](key Key[T], value T) RunOption {
	return func(s *setup) {
		slot := s.input(key.info)
		if slot >= 0 && s.fresh {
			c := s.cells.slots[slot].(*cell[T])
			c.value, c.set = value, true
		}
	}
}

// WithTrace records each tick of the run into t, emptying t first.
func WithTrace(t *Trace) RunOption { return func(s *setup) { s.trace = t } }

// input is the slot of an input, or -1.
func (s *setup) input(key *keyInfo) int {
	for _, slot := range s.inputs {
		if s.keys[slot] == key {
			return slot
		}
	}
	s.unknown = key
	if key == nil {
		s.unknown = &keyInfo{}
	}
	return -1
}

// prepare gives a run, fresh or under way, its options.
func (x *exec[E]) prepare(fresh bool, lasting, opts []RunOption) *UsageError {
	if len(lasting)+len(opts) > 0 {
		if err := x.configure(fresh, lasting, opts); err != nil {
			return err
		}
	}
	for _, slot := range x.tree.inputs {
		if fresh && !x.cells.slots[slot].filled() {
			return x.badInput(CodeMissingInput, x.tree.keys[slot], "was not given")
		}
	}
	return nil
}

func (x *exec[E]) configure(fresh bool, lasting, opts []RunOption) *UsageError {
	s := &x.setup
	*s = setup{cells: &x.cells, keys: x.tree.keys, inputs: x.tree.inputs, fresh: fresh}
	for _, o := range lasting {
		o(s)
	}
	for _, o := range opts {
		o(s)
	}
	if s.unknown != nil {
		return x.badInput(CodeUnknownInput, s.unknown, "is not an input of the tree")
	}
	if x.trace = s.trace; x.trace != nil {
		x.trace.start(x.tree.info)
	}
	return nil
}

func (x *exec[E]) badInput(code string, key *keyInfo, text string) *UsageError {
	return &UsageError{
		Path: x.tree.Name(), Code: code, Key: key.name,
		Text: "input " + key.name + " " + text,
	}
}

// release empties the run and gives it back to the tree.
func (x *exec[E]) release() {
	x.reset()
	x.tree.runs.Put(x)
}

// reset makes the run a fresh one that refers to nothing of the old.
func (x *exec[E]) reset() {
	clear(x.status)
	x.cells.empty()
	x.running = -1
	x.rest()
}

// rest drops what only a tick needs.
func (x *exec[E]) rest() {
	var none E
	x.env, x.journal, x.trace, x.setup.trace = none, nil, nil, nil
	x.reason, x.err = Reason{}, nil
	clear(x.halts[:cap(x.halts)])
}
