// Package bt is a behaviour-tree engine: definitions compiled once into immutable
// tables, run as often as needed by any number of goroutines. It imports the
// standard library only and knows nothing of what its trees are about.
//
// A definition is built from constructors and compiled. E is the environment that
// leaves see; the engine passes it on and never looks into it.
//
//	tree := bt.MustCompile(bt.Sequence("greet",
//		bt.Leaf("known", isKnown),
//		bt.Leaf("say hello", sayHello),
//	), bt.SingleShot())
//	outcome := tree.Run(env)
//
// # Statuses, failures and errors
//
// A node ends as Success or Failure, or is Running because a leaf below it waits.
// Failure is control flow: it always has a reason, and everything that the failed
// subtree wrote is undone (Journal, Cells) before anybody goes on. An error is
// not a Failure: it ends the run, undoes all of it, and comes out in Outcome.Err.
// So does a panic.
//
// # Kinds
//
// What each kind does with its children, in order:
//
//	kind              goes on while   ends with                 a tick begins at
//	Sequence          Success         first that is not         the Running child
//	ReactiveSequence  Success         first that is not         the first child
//	Selector          Failure         first that is not         the Running child
//	ReactiveSelector  Failure         first that is not         the first child
//	LatchLast         Success         first that is not         the Running child
//	Invert            -               Success <-> Failure       its child
//	Force             -               the status it was given   its child
//	WhenRole          gate open       child's; Success if shut  the gate
//	RequireRole       gate open       child's; error if shut    the gate
//	Subtree           -               child's                   its child
//
// Running passes through all of them. testdata/truth.golden spells the table out
// for all answers of the children over two ticks; Semantics is its version.
//
// # Runs
//
// Tree.Run is for trees that decide at once: one evaluation in a run taken from a
// pool. An Instance is for trees that wait: it remembers what was Running, its
// cells last from tick to tick, and Halt drops it. At most one leaf of an instance
// waits; it is told by OnHalt, once, before anything takes its place. A node that
// starts anew forgets what it did before: the run's whole memory is one status a
// node, and it is not kept in leaves.
//
// # Cost
//
// A visit of a leaf costs about what an interface call does twice over, a run
// some tens of nanoseconds more, and neither allocates. Reasons, paths and
// pictures cost nothing until somebody asks for them; see bench_test.go.
package bt
