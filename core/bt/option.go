package bt

// CompileOption is an option of Compile, made by one of the functions below.
// Options that take the environment must have the type of the tree's leaves;
// Compile reports one that has not.
type CompileOption interface{ compileOption() }

type (
	singleShot       struct{}
	inputs           []*keyInfo
	journal[E any]   func(E) Journal
	latchHook[E any] struct{ enter, leave func(E) }
)

func (singleShot) compileOption()   {}
func (inputs) compileOption()       {}
func (journal[E]) compileOption()   {}
func (latchHook[E]) compileOption() {}

// SingleShot promises that the tree decides within one tick: a waiting leaf does
// not compile.
func SingleShot() CompileOption { return singleShot{} }

// Inputs declares keys that the caller sets with With before every run.
func Inputs(keys ...AnyKey) CompileOption { return inputs(keyInfos(keys)) }

// WithJournal gives the tree the journal of an environment's writes. f is called
// once a tick; it may return nil if there is nothing to undo.
func WithJournal[E any](f func(E) Journal) CompileOption { return journal[E](f) }

// LatchHook tells the environment that the latch of a LatchLast is about to be
// evaluated and, in every case, that it was. Either function may be nil.
func LatchHook[E any](enter, leave func(E)) CompileOption {
	return latchHook[E]{enter, leave}
}

// apply sets the options that have the right type.
func (c *compiler[E]) apply(opts []CompileOption) {
	for _, o := range opts {
		switch o := o.(type) {
		case singleShot:
			c.tree.single = true
		case inputs:
			c.inputs = append(c.inputs, o...)
		case journal[E]:
			c.tree.journal = o
		case latchHook[E]:
			c.tree.latchEnter, c.tree.latchLeave = o.enter, o.leave
		default:
			c.report("", CodeEnvType, "a compile option is for another environment type")
		}
	}
}
