package bt

import (
	"maps"
	"slices"
)

// resolve gives every key a slot and every leaf its list of accesses, and checks
// that what is read can have been written.
func (c *compiler[E]) resolve() {
	t := c.tree
	slots := map[*keyInfo]int{}
	names := map[string]*keyInfo{}
	slot := func(path string, k *keyInfo) int {
		if k == nil {
			c.report(path, CodeKey, "a key was not made by NewKey")
			return -1
		}
		if s, ok := slots[k]; ok {
			return s
		}
		if names[k.name] != nil {
			c.report(path, CodeKey, "two keys are named "+k.name)
		}
		slots[k], names[k.name] = len(t.keys), k
		t.keys = append(t.keys, k)
		return slots[k]
	}
	for _, k := range c.inputs {
		if s := slot("", k); s >= 0 && !slices.Contains(t.inputs, s) {
			t.inputs = append(t.inputs, s)
		}
	}
	t.access = make([][]access, len(t.defs))
	for i, d := range t.defs {
		path := t.info[i].Path
		for _, k := range d.leaf.reads {
			t.access[i] = append(t.access[i], access{key: k, slot: slot(path, k), read: true})
		}
		for _, k := range d.leaf.writes {
			t.access[i] = append(t.access[i], access{key: k, slot: slot(path, k), write: true})
		}
	}
	if len(t.keys) > 0 && len(t.info) > 0 {
		c.flow(0, keySet{}.with(c.inputs))
	}
}

// keySet is a set of keys; it is never changed once made.
type keySet map[*keyInfo]bool

func (s keySet) with(keys []*keyInfo) keySet {
	if len(keys) == 0 {
		return s
	}
	out := maps.Clone(s)
	for _, k := range keys {
		out[k] = true
	}
	return out
}

func (s keySet) union(o keySet) keySet { return s.with(slices.Collect(maps.Keys(o))) }

// flow reports the reads below node i that nothing can have preceded, given the
// keys that may be set when it starts, and returns those that may be set when
// it has succeeded.
func (c *compiler[E]) flow(i int, set keySet) keySet {
	d := c.tree.defs[i]
	switch {
	case d.kind == KindLeaf:
		return c.flowLeaf(i, set)
	case d.kind.selector():
		return c.flowSelector(i, c.ticked(i, set))
	case d.kind == KindInvert:
		c.flowChildren(i, set)
		return set // a Success is a child's Failure, undone
	}
	return c.flowChildren(i, c.ticked(i, set)).union(set)
}

// ticked adds what earlier ticks may have written below a node that starts from
// its first child at every tick.
func (c *compiler[E]) ticked(i int, set keySet) keySet {
	d := c.tree.defs[i]
	if !d.kind.reactive() || !waits(Node[E]{d}) {
		return set
	}
	for k := i; k < c.tree.info[i].End; k++ {
		set = set.with(c.tree.defs[k].leaf.writes)
	}
	return set
}

func (c *compiler[E]) flowLeaf(i int, set keySet) keySet {
	l := &c.tree.defs[i].leaf
	before := set
	if l.waits {
		before = set.with(l.writes)
	}
	for _, k := range l.reads {
		if k != nil && !before[k] {
			c.report(c.tree.info[i].Path, CodeUnset, "nothing before this leaf can have written key "+k.name)
		}
	}
	return set.with(l.writes)
}

func (c *compiler[E]) flowChildren(i int, set keySet) keySet {
	for k := i + 1; k < c.tree.info[i].End; k = c.tree.info[k].End {
		set = c.flow(k, set)
	}
	return set
}

// flowSelector gives every child what the selector started with: what its failed
// siblings wrote is undone.
func (c *compiler[E]) flowSelector(i int, set keySet) keySet {
	out := set
	for k := i + 1; k < c.tree.info[i].End; k = c.tree.info[k].End {
		out = out.union(c.flow(k, set))
	}
	return out
}
