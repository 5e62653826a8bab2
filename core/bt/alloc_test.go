package bt

import (
	"sync"
	"testing"
)

// TestNoAllocations: in steady state neither a run nor a tick allocates, whatever
// the tree is made of, and whether it succeeds, fails, skips or waits.
//
// Proves: BA-02-004
func TestNoAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes sync.Pool drop runs")
	}
	type pair struct{ a, b string }
	key, structs, shared := NewKey[int64]("number"), NewKey[pair]("pair"), NewKey[*pair]("pointer")
	value := &pair{}
	ok := func(name string) Node[*benchEnv] { return Leaf(name, benchOk) }
	fails := func(name string) Node[*benchEnv] { return Leaf(name, benchFail) }
	gate := func(name string, open bool) Gate[*benchEnv] {
		return Gate[*benchEnv]{
			Name: name, Ask: func(*benchEnv) (bool, Reason, error) { return open, Reason{Code: "guest"}, nil },
			Enter: func(*benchEnv) {}, Leave: func(*benchEnv) {},
		}
	}
	cells := Sequence("cells",
		CellLeaf("set", func(e *benchEnv, c *Cells) Result {
			e.visits++
			Set(c, key, int64(e.visits)<<32)
			Set(c, structs, pair{"a", "b"})
			Set(c, shared, value)
			return Ok()
		}, Writes(key, structs, shared)),
		Force("undone", Success, Sequence("sequence", CellLeaf("set", func(_ *benchEnv, c *Cells) Result {
			Set(c, key, 0)
			return Ok()
		}, Writes(key)), fails("fails"))),
		CellLeaf("get", func(_ *benchEnv, c *Cells) Result {
			if _, ok := Get(c, structs); !ok {
				return Fail("unset", "")
			}
			Get(c, key)
			Get(c, shared)
			return Ok()
		}, Reads(key, structs, shared)))
	journal := WithJournal(func(e *benchEnv) Journal { return e })
	hook := LatchHook(func(*benchEnv) {}, func(*benchEnv) {})
	every := Sequence("every",
		Selector("selector", fails("a"), Invert("invert", ok("b")), ok("c")),
		WhenRole(gate("open", true), ok("d")), WhenRole(gate("closed", false), ok("e")),
		RequireRole(gate("must", true), Force("force", Success, fails("f"))),
		LatchLast("latch-last", Leaf("latch", benchOk, Latch()), ok("g")),
		Subtree("subtree", MustCompile(ReactiveSelector("s", fails("h"), ok("i")))), cells)

	trees := map[string]*Tree[*benchEnv]{
		"every kind":                MustCompile(every),
		"every kind with a journal": MustCompile(every, journal, hook),
		"failure":                   MustCompile(Sequence("x", ok("a"), fails("b")), journal),
		"wait":                      MustCompile(ReactiveSequence("x", ok("a"), Leaf("b", benchWait, Waits())), journal),
		"a thousand nodes":          MustCompile(thousand(bare)),
	}
	for name, tree := range trees {
		t.Run(name, func(t *testing.T) {
			env, inst := &benchEnv{log: make([]int, 0, 8)}, tree.NewInstance()
			if out := tree.Run(env); out.Err != nil {
				t.Fatal(out.Err)
			}
			if n := testing.AllocsPerRun(100, func() { tree.Run(env) }); n != 0 {
				t.Errorf("a run allocates %v times", n)
			}
			if n := testing.AllocsPerRun(100, func() { inst.Tick(env) }); n != 0 {
				t.Errorf("a tick allocates %v times", n)
			}
		})
	}
	t.Run("halt", func(t *testing.T) {
		env, inst := &benchEnv{}, trees["wait"].NewInstance()
		n := testing.AllocsPerRun(100, func() {
			inst.Tick(env)
			if err := inst.Halt(env, Reason{Code: "enough"}); err != nil {
				t.Fatal(err)
			}
		})
		if n != 0 {
			t.Errorf("a halt allocates %v times", n)
		}
	})
}

// TestManyGoroutinesRunOneTree, each in a world of its own; the race detector
// watches.
//
// Proves: BT-09-001
func TestManyGoroutinesRunOneTree(t *testing.T) {
	tree := MustCompile(Sequence("x",
		CellLeaf("put", func(w *world, c *Cells) Result { Set(c, text, w.log[0]); return Ok() }, Writes(text)),
		Selector("s", Sequence("y", says("a"), says("fails")), says("b")),
		gets("get"),
	), journalled)
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			own := string(rune('A' + g))
			inst := tree.NewInstance()
			for range 200 {
				w := newWorld()
				w.answers["fails"] = no
				w.note(own)
				tree.Run(w)
				inst.Tick(w)
				if len(w.log) != 5 || w.log[2] != own || w.log[4] != own {
					t.Errorf("goroutine %s found %q", own, w.log)
					return
				}
			}
		})
	}
	wg.Wait()
}
