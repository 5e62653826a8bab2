package bt

// sequence evaluates the children of i from c on.
func (x *exec[E]) sequence(i, c int) Status {
	end := x.nodes[i].end
	for c < end {
		var s Status
		if x.nodes[c].leaf != nil && x.trace == nil {
			c, s = x.leaves(c, end)
		} else {
			s = x.eval(c)
			c = x.nodes[c].end
		}
		if s != Success {
			return x.stop(i, c, s)
		}
	}
	x.status[i] = Success
	return Success
}

// leaves evaluates plain leaves from c on until one does not succeed or another
// kind of node follows, and returns where that was and the last status.
func (x *exec[E]) leaves(c, end int) (int, Status) {
	rows := x.nodes[c:end]
	marks := x.status[c:end]
	for k := range rows {
		f := rows[k].leaf
		if f == nil {
			return c + k, Success
		}
		x.at = c + k
		r := f(x.env)
		if r.Status != Success {
			return c + k + 1, x.settle(c+k, r)
		}
		marks[k] = Success
	}
	return end, Success
}

// selector evaluates the children of i from c on. The last child's Failure is
// the selector's own: whoever goes on after that undoes it.
func (x *exec[E]) selector(i, c int) Status {
	nodes, plain := x.nodes, x.trace == nil
	end := nodes[i].end
	for c < end {
		n := &nodes[c]
		if n.end <= x.running && x.running < end {
			if s := x.challenge(c); s == Failure {
				c = n.end
				continue
			} else if s == ended {
				return x.stop(i, n.end, s)
			}
		}
		m := x.mark()
		var s Status
		if n.leaf != nil && plain {
			x.at = c
			s = x.settle(c, n.leaf(x.env))
		} else {
			s = x.eval(c)
		}
		if s != Failure {
			if s == Success && x.running >= n.end {
				x.haltWithin(n.end, end, Reason{CodePreempted, x.tree.info[c].Path})
			}
			return x.stop(i, n.end, s)
		}
		if n.end < end {
			x.absorb(c, m)
		}
		c = n.end
	}
	x.status[i] = Failure
	return Failure
}

// first is the child at which a node with memory starts: the Running one if the
// node itself was Running.
func (x *exec[E]) first(i int) int {
	c := i + 1
	if x.status[i] == Running {
		for x.status[c] != Running {
			c = x.nodes[c].end
		}
	}
	return c
}

// stop ends composite i before its children from next on.
func (x *exec[E]) stop(i, next int, s Status) Status {
	x.clear(next, x.nodes[i].end)
	x.status[i] = s
	return s
}

// clear forgets what earlier ticks left in the table for nodes that this tick
// did not reach. A single run starts from an empty table and has none.
func (x *exec[E]) clear(from, to int) {
	if x.resumable {
		clear(x.status[from:to])
	}
}
