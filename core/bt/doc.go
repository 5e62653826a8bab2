// Package bt is a behaviour-tree engine: definitions compiled once into immutable
// tables, run as often as needed by any number of goroutines.
//
// A definition is built from constructors and compiled:
//
//	tree := bt.MustCompile(bt.Sequence("greet",
//		bt.Leaf("known", isKnown),
//		bt.Leaf("say", sayHello),
//	), bt.SingleShot())
//	outcome := tree.Run(env)
package bt
