package bt

// RunOption is an option of one run.
type RunOption func(*runOptions)

type runOptions struct {
	keys   []*keyInfo
	trace  *Trace
	preset []func(*Cells, int) // by key: sets the slot
}

// With sets an input of the tree before it runs.
func With[T any](key Key[T], value T) RunOption {
	return func(o *runOptions) {
		o.keys = append(o.keys, key.info)
		o.preset = append(o.preset, func(c *Cells, slot int) {
			s := c.slots[slot].(*cell[T])
			s.value, s.set = value, true
		})
	}
}

// WithTrace records the tick into t, emptying it first.
func WithTrace(t *Trace) RunOption { return func(o *runOptions) { o.trace = t } }

// prepare gives a run its options. Inputs are set for good: no undo reaches them.
func (x *exec[E]) prepare(opts []RunOption) *UsageError {
	if len(opts) > 0 {
		if err := x.configure(opts); err != nil {
			return err
		}
	}
	for _, slot := range x.tree.inputs {
		if !x.cells.slots[slot].filled() {
			return x.inputError(CodeMissingInput, x.tree.keys[slot], "was not given")
		}
	}
	return nil
}

func (x *exec[E]) configure(opts []RunOption) *UsageError {
	var o runOptions
	for _, opt := range opts {
		opt(&o)
	}
	x.trace = o.trace
	if x.trace != nil {
		x.trace.start(x.tree.info)
	}
	for i, key := range o.keys {
		slot := x.tree.input(key)
		if slot < 0 {
			return x.inputError(CodeUnknownInput, key, "is not an input of the tree")
		}
		o.preset[i](&x.cells, slot)
	}
	return nil
}

func (x *exec[E]) inputError(code string, key *keyInfo, text string) *UsageError {
	name := ""
	if key != nil {
		name = key.name
	}
	return &UsageError{Path: x.tree.Name(), Code: code, Key: name, Text: "input " + name + " " + text}
}

func usageOutcome(err *UsageError) Outcome { return Outcome{Err: err, Path: err.Path} }

// input is the slot of an input, or -1.
func (t *Tree[E]) input(key *keyInfo) int {
	for _, slot := range t.inputs {
		if t.keys[slot] == key {
			return slot
		}
	}
	return -1
}

// release empties the run and gives it back to the tree. A run that panicked on
// its way out never gets here.
func (x *exec[E]) release() {
	x.reset()
	x.tree.runs.Put(x)
}

// reset makes the run a fresh one that refers to nothing of the old.
func (x *exec[E]) reset() {
	var none E
	clear(x.status)
	x.cells.empty()
	x.env, x.journal, x.trace = none, nil, nil
	x.running, x.reason, x.err = -1, Reason{}, nil
}
