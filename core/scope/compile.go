package scope

import "bateleur/core/bt"

// Compile makes a tree over scopes. Case trees are single-shot: one transaction,
// no waiting, no I/O. Undo and the latch position are the engine's business; no
// leaf can reach either, and so no leaf can write a latch out of its turn.
func Compile(root bt.Node[*Scope]) (*bt.Tree[*Scope], error) {
	return bt.Compile(root,
		bt.SingleShot(),
		bt.WithJournal(func(s *Scope) bt.Journal { return s.unit }),
		bt.LatchHook(
			func(s *Scope) { s.latching = true },
			func(s *Scope) { s.latching = false }))
}
