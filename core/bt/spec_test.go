package bt

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"
)

// spec is a random definition in a form that a naive model can interpret.
type spec struct {
	kind  Kind
	name  string // as given; gates get theirs from the child
	path  string
	force Status
	waits bool
	kids  []*spec
}

var (
	nodeKinds = []Kind{
		KindSequence, KindReactiveSequence, KindSelector, KindReactiveSelector, KindInvert,
		KindForce, KindWhenRole, KindRequireRole, KindLatchLast, KindSubtree,
	}
	trail = NewKey[[]string]("trail")
)

// specs draws definitions that compile. With waits some leaves wait.
type specs struct {
	t     *rapid.T
	waits bool
	n     int
}

func (g *specs) draw(depth int, parent Kind, mayWait bool) *spec {
	g.n++
	s := &spec{kind: KindLeaf, name: fmt.Sprintf("n%d", g.n)}
	if depth > 0 && rapid.IntRange(0, 3).Draw(g.t, "branch") > 0 {
		s.kind = rapid.SampledFrom(nodeKinds).Draw(g.t, "kind")
	}
	if s.kind == KindWhenRole && (parent.selector() || parent == KindInvert) {
		s.kind = KindRequireRole
	}
	g.fill(s, depth, parent, mayWait)
	return s
}

func (g *specs) fill(s *spec, depth int, parent Kind, mayWait bool) {
	below := s.kind
	kids := 1
	switch {
	case s.kind == KindLeaf:
		s.waits = g.waits && mayWait && rapid.Bool().Draw(g.t, "waits")
		return
	case s.kind == KindForce:
		s.force = rapid.SampledFrom([]Status{Success, Failure}).Draw(g.t, "force")
	case s.kind == KindSubtree:
		below = parent
	case s.kind.composite():
		kids = rapid.IntRange(1, 3).Draw(g.t, "kids")
	}
	for k := range kids {
		last := s.kind != KindReactiveSequence || k == kids-1
		s.kids = append(s.kids, g.draw(depth-1, below, mayWait && last))
	}
	if s.kind == KindLatchLast {
		g.n++
		s.kids = append(s.kids, &spec{kind: KindLeaf, name: fmt.Sprintf("latch%d", g.n)})
	}
}

// build makes the definition and fills in the paths.
func (s *spec) build(prefix string) Node[*world] {
	name := s.name
	gate := s.kind == KindWhenRole || s.kind == KindRequireRole
	if gate {
		name = s.kids[0].title() + "@" + s.name
	}
	s.path = prefix + name
	var kids []Node[*world]
	for _, k := range s.kids {
		kids = append(kids, k.build(s.path+"/"))
	}
	switch s.kind {
	case KindInvert:
		return Invert(s.name, kids[0])
	case KindForce:
		return Force(s.name, s.force, kids[0])
	case KindWhenRole:
		return WhenRole(roleGate(s.name), kids[0])
	case KindRequireRole:
		return RequireRole(roleGate(s.name), kids[0])
	case KindSubtree:
		return Node[*world]{&def[*world]{kind: KindSubtree, name: s.name, children: kids}}
	case KindLatchLast:
		last := len(kids) - 1
		return LatchLast(s.name, kids[last], kids[:last]...)
	case KindLeaf:
		return s.leaf()
	}
	return branch(s.kind, s.name, kids)
}

// title is the name that the node gets in paths.
func (s *spec) title() string {
	if s.kind == KindWhenRole || s.kind == KindRequireRole {
		return s.kids[0].title() + "@" + s.name
	}
	return s.name
}

// leaf notes its name in the log and in a cell, then answers what the world says.
func (s *spec) leaf() Node[*world] {
	opts := []LeafOption{Writes(trail), Reads(trail)}
	if s.waits {
		opts = append(opts, Waits(), OnHalt(func(w *world, _ Reason) { w.note("halt " + s.name) }))
	}
	if s.name[0] == 'l' {
		opts = append(opts, Latch())
	}
	return CellLeaf(s.name, func(w *world, c *Cells) Result {
		w.note(s.name)
		past, _ := Get(c, trail)
		Set(c, trail, append(slices.Clip(past), s.name))
		return w.answers[s.name]
	}, opts...)
}

func (s *spec) contains(other *spec) bool {
	return s == other || slices.ContainsFunc(s.kids, func(k *spec) bool { return k.contains(other) })
}

func (s *spec) each(f func(*spec)) {
	f(s)
	for _, k := range s.kids {
		k.each(f)
	}
}

// answer draws what every leaf and gate answers in the next tick.
func (s *spec) answer(t *rapid.T, w *world) {
	s.each(func(s *spec) {
		switch {
		case s.waits:
			w.answers[s.name] = rapid.SampledFrom([]Result{Ok(), no, later, later}).Draw(t, s.name)
		case s.kind == KindRequireRole: // seldom closed, for that ends the run
			w.answers[s.name] = rapid.SampledFrom([]Result{Ok(), Ok(), Ok(), Ok(), no}).Draw(t, s.name)
		default:
			w.answers[s.name] = rapid.SampledFrom([]Result{Ok(), no}).Draw(t, s.name)
		}
	})
}
