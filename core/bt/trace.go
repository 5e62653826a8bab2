package bt

import (
	"slices"
	"time"
)

// defaultTraceLimit holds a whole tick of the largest trees known.
const defaultTraceLimit = 4096

// Trace records which nodes a tick visited, in the order it entered them. It
// holds one tick: starting another with it empties it. It belongs to one run at
// a time.
type Trace struct {
	limit   int
	clock   func() time.Time
	nodes   []NodeInfo
	visits  []Visit
	dropped int
}

// Visit is one evaluation of one node. One that a panic left has Status Invalid
// and no Err.
type Visit struct {
	Index   int // of the node, in preorder
	Path    string
	Status  Status
	Skipped bool   // a WhenRole gate that was closed
	Reason  Reason // of a Failure, Running or skip
	Err     error  // what ended the run, on the node that raised it and those above
	Took    time.Duration
}

// NewTrace makes a trace of at most limit visits, or of a default of some
// thousands if limit is not positive. With a clock visits have a duration;
// without one Took is 0.
func NewTrace(limit int, clock func() time.Time) *Trace {
	if limit <= 0 {
		limit = defaultTraceLimit
	}
	return &Trace{limit: limit, clock: clock}
}

// Visits are the visits in order. The slice is valid until the next tick.
func (t *Trace) Visits() []Visit { return t.visits }

// Dropped counts the visits that found no room.
func (t *Trace) Dropped() int { return t.dropped }

// Paths are the paths of the visited nodes, in order.
func (t *Trace) Paths() []string {
	paths := make([]string, len(t.visits))
	for i, v := range t.visits {
		paths[i] = v.Path
	}
	return paths
}

// Find is the last visit of the node with the given path.
func (t *Trace) Find(path string) (Visit, bool) {
	for _, v := range slices.Backward(t.visits) {
		if v.Path == path {
			return v, true
		}
	}
	return Visit{}, false
}

func (t *Trace) start(nodes []NodeInfo) {
	t.nodes = nodes
	t.dropped = 0
	clear(t.visits)
	t.visits = t.visits[:0]
}

// mark and rewind take back the visits of a trial; a nil Trace has none.
func (t *Trace) mark() int {
	if t == nil {
		return 0
	}
	return len(t.visits) + t.dropped
}

func (t *Trace) rewind(mark int) {
	if t == nil {
		return
	}
	keep := min(mark, len(t.visits))
	t.visits, t.dropped = t.visits[:keep], mark-keep
}

// opened is a visit under way.
type opened struct {
	at    int // in visits, or -1
	since time.Time
}

func (t *Trace) enter(node int) opened {
	if len(t.visits) >= t.limit {
		t.dropped++
		return opened{at: -1}
	}
	t.visits = append(t.visits, Visit{Index: node, Path: t.nodes[node].Path})
	o := opened{at: len(t.visits) - 1}
	if t.clock != nil {
		o.since = t.clock()
	}
	return o
}

func (t *Trace) leave(o opened, v Visit) {
	if o.at < 0 {
		return
	}
	if t.clock != nil {
		v.Took = t.clock().Sub(o.since)
	}
	t.visits[o.at] = v
}

// visit describes the evaluation of node i that has just ended with s.
func (x *exec[E]) visit(i int, s Status) Visit {
	v := Visit{Index: i, Path: x.tree.info[i].Path, Status: s}
	switch {
	case s == ended:
		v.Status, v.Err = Invalid, x.err
	case s != Success:
		v.Reason = x.reason
	case x.status[i]&skipBit != 0:
		v.Skipped, v.Reason = true, x.reason
	}
	return v
}
