package bt

import "strings"

// Unicode draws the tree with box characters, one node a line:
//
//	→ sequence   →* reactive sequence   →⚑ latch-last    ! invert
//	? selector   ?* reactive selector   ⚑ latch          = force
//	◇ when-role (skips)   ◆ require-role   ▣ subtree   • leaf   ◌ waiting leaf
func (t *Tree[E]) Unicode() string { return drawUnicode(t.info, nil) }

// Unicode draws the traced tree with the status of every visited node: ✓ for
// success, ✗ failure, … running, ⊘ skipped, ‼ left by an error.
func (t *Trace) Unicode() string { return drawUnicode(t.nodes, t.states()) }

// Unicode draws the instance's tree with the statuses of its present run.
func (i *Instance[E]) Unicode() string { return drawUnicode(i.x.tree.info, i.states()) }

// state is what a picture shows of a node's evaluation.
type state uint8

const (
	unvisited state = iota
	succeeded
	failed
	waiting
	skipped
	broken
)

var stateMarks = [...]string{succeeded: "✓", failed: "✗", waiting: "…", skipped: "⊘", broken: "‼"}

func stateOf(s Status, skip bool) state {
	switch {
	case skip:
		return skipped
	case s == Success:
		return succeeded
	case s == Failure:
		return failed
	case s == Running:
		return waiting
	}
	return unvisited
}

func (t *Trace) states() []state {
	states := make([]state, len(t.nodes))
	for _, v := range t.visits {
		states[v.Index] = stateOf(v.Status, v.Skipped)
		if states[v.Index] == unvisited {
			states[v.Index] = broken
		}
	}
	return states
}

func (i *Instance[E]) states() []state {
	states := make([]state, len(i.x.status))
	for k, s := range i.x.status {
		states[k] = stateOf(s&^skipBit, s&skipBit != 0)
	}
	return states
}

var kindMarks = [...]string{
	KindLeaf:             "•",
	KindSequence:         "→",
	KindReactiveSequence: "→*",
	KindSelector:         "?",
	KindReactiveSelector: "?*",
	KindInvert:           "!",
	KindForce:            "=",
	KindWhenRole:         "◇",
	KindRequireRole:      "◆",
	KindLatchLast:        "→⚑",
	KindSubtree:          "▣",
}

func (n *NodeInfo) mark() string {
	switch {
	case n.Latch:
		return "⚑"
	case n.Waits:
		return "◌"
	}
	return kindMarks[n.Kind]
}

// label is a node's name and what is special about its kind.
func (n *NodeInfo) label() string {
	switch n.Kind {
	case KindWhenRole:
		return "when " + n.Gate + ", else skip"
	case KindRequireRole:
		return "require " + n.Gate
	case KindForce:
		return n.Name + " = " + n.Force.String()
	}
	return n.Name
}

func drawUnicode(nodes []NodeInfo, states []state) string {
	var b strings.Builder
	var last []bool // by depth: whether the ancestor there is its parent's last child
	for i := range nodes {
		n := &nodes[i]
		last = append(last[:n.Depth], n.Parent < 0 || n.End == nodes[n.Parent].End)
		for _, l := range last[min(1, n.Depth):n.Depth] {
			b.WriteString(rail(l, "   ", "│  "))
		}
		if n.Depth > 0 {
			b.WriteString(rail(last[n.Depth], "└─ ", "├─ "))
		}
		b.WriteString(n.mark() + " " + n.label())
		if states != nil && states[i] != unvisited {
			b.WriteString(" " + stateMarks[states[i]])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func rail(last bool, yes, no string) string {
	if last {
		return yes
	}
	return no
}
