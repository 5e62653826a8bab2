package bt

// Journal is the environment's record of its own writes. The engine calls Mark
// before a node and Undo when that node has failed, so that a Failure leaves
// nothing of what its subtree wrote, at every depth. Marks are opaque to the
// engine; they are undone in last-in-first-out order, and a mark is not used
// after one taken before it was undone.
//
// Undo reaches back to the start of the tick at most: what earlier ticks of a
// waiting tree wrote is committed as far as the engine is concerned.
//
// A mark is taken only where somebody could see the difference: before a
// selector's children, below Invert, Force and a gate, and before the root.
type Journal interface {
	Mark() int
	Undo(mark int)
}

// mark is a point that a tick can go back to.
type mark struct{ journal, cells, halts int }

func (x *exec[E]) mark() mark {
	if !x.undoable {
		return mark{}
	}
	return x.taken()
}

func (x *exec[E]) taken() mark {
	m := mark{cells: len(x.cells.log), halts: len(x.halts)}
	if x.journal != nil {
		m.journal = x.journal.Mark()
	}
	return m
}

// undo goes back to m. Leaves that were halted since have lost the writes of
// their OnHalt, so they are told again.
func (x *exec[E]) undo(m mark) {
	if !x.undoable {
		return
	}
	x.cells.undo(m.cells)
	if x.journal == nil {
		return
	}
	x.journal.Undo(m.journal)
	for _, h := range x.halts[m.halts:] {
		x.at = h.leaf
		x.tree.defs[h.leaf].leaf.halted(x.env, h.reason)
	}
}

// absorb is called by whoever goes on after the Failure of c: the child's writes
// are undone, a gate that it skipped does not count, and a leaf that was left
// Running in it is halted.
func (x *exec[E]) absorb(c int, m mark) {
	x.undo(m)
	end := x.nodes[c].end
	if c <= x.notMine && x.notMine < end {
		x.notMine = -1
	}
	if x.running >= 0 {
		x.haltWithin(c, end, Reason{CodeSuperseded, x.tree.info[x.reasonAt].Path})
	}
}
