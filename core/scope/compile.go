package scope

import "bateleur/core/bt"

// Compile makes a tree over scopes. Case trees are single-shot: one transaction,
// no waiting, no I/O. Undo and the latch position are the engine's business; no
// leaf can reach either, and so no leaf can write a latch out of its turn.
func Compile(root bt.Node[*Scope]) (*bt.Tree[*Scope], error) {
	return bt.Compile(root,
		bt.SingleShot(),
		bt.WithJournal(func(s *Scope) bt.Journal { return journal{s} }),
		bt.LatchHook(
			func(s *Scope) { s.latching = true },
			func(s *Scope) { s.latching = false }))
}

// journal is the scope as the engine's undo journal.
type journal struct{ s *Scope }

// Mark names the present position.
func (j journal) Mark() int { return j.s.unit.Mark() }

// Undo takes back what was written since mark, the verdict and the entries to be
// announced included.
func (j journal) Undo(mark int) {
	s := j.s
	s.unit.Undo(mark)
	for len(s.minted) > 0 && s.minted[len(s.minted)-1].mark > mark {
		s.minted = s.minted[:len(s.minted)-1]
	}
	if s.verdict.mark > mark {
		s.verdict = Verdict{}
	}
}
