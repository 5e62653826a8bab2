package bt

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// showcase has every kind, and names that pictures must escape.
func showcase() *Tree[*world] {
	commit := LatchLast("commit", says("mark", Latch()), says(`append "entry"`), Invert("not <closed>", says("closed")))
	return MustCompile(Sequence("receive",
		Selector("known", says("seen"), Force("else", Success, says("learn #1"))),
		WhenRole(roleGate("CASE_MANAGER"), Subtree("ledger", MustCompile(commit))),
		ReactiveSequence("open", says("in time"), ReactiveSelector("answer", says("automatic"), waiter("person"))),
		RequireRole(roleGate("CASE_OWNER"), says("tell", Needs("CASE_OWNER"))),
	))
}

func (w *world) showcase() {
	w.answers["seen"], w.answers["learn #1"], w.answers["closed"] = no, no, no
	w.answers["automatic"], w.answers["person"] = no, later
}

// TestPictures draws every kind, with and without statuses.
//
// Proves: BA-02-011
func TestPictures(t *testing.T) {
	tree, trace, w := showcase(), NewTrace(0, nil), newWorld()
	w.showcase()
	inst := tree.NewInstance()
	inst.Tick(w, WithTrace(trace))
	golden(t, "tree.txt", tree.Unicode())
	golden(t, "tree.mmd", tree.Mermaid())
	golden(t, "waiting.txt", inst.Unicode())
	golden(t, "waiting.mmd", inst.Mermaid())
	if diff := cmp.Diff(inst.Unicode(), trace.Unicode()); diff != "" {
		t.Errorf("a first tick's trace differs from the instance:\n%s", diff)
	}
	w.answers["CASE_MANAGER"], w.answers["person"] = no, Ok()
	w.answers["CASE_OWNER"] = Abort(errors.New("unreadable"))
	tree.Run(w, WithTrace(trace))
	golden(t, "error.txt", trace.Unicode())
	golden(t, "error.mmd", trace.Mermaid())
}

// TestIDs pins ids and definition hash: stored statuses refer to them.
//
// Proves: BA-02-005
func TestIDs(t *testing.T) {
	var b strings.Builder
	tree := showcase()
	fmt.Fprintln(&b, "hash", tree.Hash())
	for n := range tree.Nodes() {
		fmt.Fprintf(&b, "%016x %s %s\n", n.ID, n.Kind, n.Path)
	}
	golden(t, "ids.golden", b.String())
}

// TestHashFollowsTheDefinition: what a definition declares is in its hash, and
// ids follow from paths alone.
//
// Proves: BA-02-005
func TestHashFollowsTheDefinition(t *testing.T) {
	cells := func(opts ...LeafOption) Node[*world] {
		return CellLeaf("a", func(*world, *Cells) Result { return Ok() }, opts...)
	}
	gate := func(name, grants string, child Node[*world]) Node[*world] {
		g := roleGate(name)
		g.Grants = grants
		return RequireRole(g, child)
	}
	trees := map[string]Node[*world]{
		"plain":            Sequence("x", says("a"), says("b")),
		"other order":      Sequence("x", says("b"), says("a")),
		"other kind":       Selector("x", says("a"), says("b")),
		"other name":       Sequence("x", says("a"), says("c")),
		"waits":            Sequence("x", says("a", Waits()), says("b")),
		"deeper":           Sequence("x", Sequence("y", says("a")), says("b")),
		"writes":           Sequence("x", cells(Writes(text)), says("b")),
		"writes another":   Sequence("x", cells(Writes(number)), says("b")),
		"gate":             Sequence("x", gate("r", "s", says("a")), says("b")),
		"grants another":   Sequence("x", gate("r", "t", says("a")), says("b")),
		"needs":            Sequence("x", gate("r", "s", says("a", Needs("s"))), says("b")),
		"forced":           Sequence("x", Force("f", Success, says("a")), says("b")),
		"forced otherwise": Sequence("x", Force("f", Failure, says("a")), says("b")),
		"latch last":       LatchLast("x", says("b", Latch()), says("a")),
	}
	seen := map[string]string{}
	for name, root := range trees {
		tree, again := MustCompile(root), MustCompile(root)
		if tree.Hash() != again.Hash() {
			t.Errorf("%s: the hash changes from build to build", name)
		}
		if other := seen[tree.Hash()]; other != "" {
			t.Errorf("%s and %s have one hash", name, other)
		}
		seen[tree.Hash()] = name
	}
	for _, name := range []string{"plain", "other order", "other kind"} {
		if n, ok := MustCompile(trees[name]).Find("x/a"); !ok || n.ID != pathID("x/a") {
			t.Errorf("%s: x/a is %+v", name, n)
		}
	}
}

// TestTreeTells what it is made of.
func TestTreeTells(t *testing.T) {
	key := NewKey[int]("k")
	leaf := CellLeaf("a", func(*world, *Cells) Result { return Ok() }, Reads(key), Writes(key), Needs("tag"))
	gate := roleGate("r")
	gate.Grants = "tag"
	tree := MustCompile(Sequence("x", RequireRole(gate, leaf)), Inputs(key), SingleShot())
	got, ok := tree.Find("x/a@r/a")
	want := NodeInfo{
		Index: 2, ID: pathID("x/a@r/a"), Path: "x/a@r/a", Name: "a", Kind: KindLeaf, Depth: 2, Parent: 1, End: 3,
		Needs: []string{"tag"}, Reads: []string{"k"}, Writes: []string{"k"},
	}
	if diff := cmp.Diff(want, got); diff != "" || !ok {
		t.Errorf("leaf (-want +got):\n%s", diff)
	}
	if n, ok := tree.Find("x/a@r"); !ok || n.Gate != "r" || n.Grants != "tag" || n.Kind != KindRequireRole {
		t.Errorf("gate %+v", n)
	}
	if _, ok := tree.Find("x/b"); ok {
		t.Error("found what is not there")
	}
	if tree.Name() != "x" || tree.Len() != 3 || !tree.SingleShot() || key.Name() != "k" {
		t.Errorf("name %q, length %d, single shot %v", tree.Name(), tree.Len(), tree.SingleShot())
	}
}

// TestTrace records visits in order, with skips, reasons and durations.
func TestTrace(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	clock := func() time.Time { now = now.Add(time.Second); return now }
	trace := NewTrace(0, clock)
	w := newWorld()
	w.answers["a"], w.answers["r"] = no, Fail("guest", "is a guest")
	tree := MustCompile(Sequence("x", Selector("s", says("a"), says("b")), WhenRole(roleGate("r"), says("c"))))
	for range 2 {
		tree.Run(w, WithTrace(trace))
	}
	want := []Visit{
		{Index: 0, Path: "x", Status: Success, Took: 9 * time.Second},
		{Index: 1, Path: "x/s", Status: Success, Took: 5 * time.Second},
		{Index: 2, Path: "x/s/a", Status: Failure, Reason: no.Reason(), Took: time.Second},
		{Index: 3, Path: "x/s/b", Status: Success, Took: time.Second},
		{Index: 4, Path: "x/c@r", Status: Success, Skipped: true, Reason: Reason{"guest", "is a guest"}, Took: time.Second},
	}
	if diff := cmp.Diff(want, trace.Visits()); diff != "" {
		t.Errorf("visits (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"x", "x/s", "x/s/a", "x/s/b", "x/c@r"}, trace.Paths()); diff != "" {
		t.Errorf("paths (-want +got):\n%s", diff)
	}
	if v, ok := trace.Find("x/s/a"); !ok || v.Status != Failure {
		t.Errorf("found %+v", v)
	}
	if _, ok := trace.Find("x/c@r/c"); ok {
		t.Error("found a visit of a skipped node")
	}
}

// TestTraceIsBounded keeps the first visits and counts the others.
func TestTraceIsBounded(t *testing.T) {
	trace := NewTrace(2, nil)
	MustCompile(Sequence("x", says("a"), says("b"), says("c"))).Run(newWorld(), WithTrace(trace))
	if diff := cmp.Diff([]string{"x", "x/a"}, trace.Paths()); diff != "" || trace.Dropped() != 2 {
		t.Errorf("dropped %d, paths (-want +got):\n%s", trace.Dropped(), diff)
	}
}

// TestTraceOfATakeOver shows the branch that took over once, not its trial.
func TestTraceOfATakeOver(t *testing.T) {
	for _, limit := range []int{0, 3, 1} {
		trace, w := NewTrace(limit, nil), newWorld()
		w.answers["never"], w.answers["urgent"], w.answers["b"] = no, no, later
		root := ReactiveSelector("x", says("never"), Sequence("y", says("urgent"), WhenRole(roleGate("r"), says("a"))), waiter("b"))
		inst := MustCompile(root, journalled).NewInstance(WithTrace(trace))
		inst.Tick(w)
		w.answers["urgent"], w.answers["r"] = Ok(), no
		if out := inst.Tick(w); out.NotMinePath != "x/y/a@r" {
			t.Errorf("outcome %+v", out)
		}
		want := []string{"x", "x/never", "x/y", "x/y/urgent", "x/y/a@r"}
		if limit == 0 {
			limit = len(want)
		}
		if diff := cmp.Diff(want[:limit], trace.Paths()); diff != "" || trace.Dropped() != len(want)-limit {
			t.Errorf("dropped %d, paths (-want +got):\n%s", trace.Dropped(), diff)
		}
	}
}

// TestNames: every kind and status has one, and the unknown says so.
func TestNames(t *testing.T) {
	for k := KindLeaf; k <= KindSubtree; k++ {
		if k.String() == "unknown" {
			t.Errorf("kind %d has no name", k)
		}
	}
	got := []string{Kind(0).String(), Kind(99).String(), Invalid.String(), Success.String(), Failure.String(), Running.String(), ended.String()}
	want := []string{"unknown", "unknown", "invalid", "success", "failure", "running", "error"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}
