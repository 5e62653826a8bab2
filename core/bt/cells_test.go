package bt

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	text   = NewKey[string]("text")
	number = NewKey[int]("number")
)

func puts(name, value string) Node[*world] {
	return CellLeaf(name, func(_ *world, c *Cells) Result {
		Set(c, text, value)
		return Ok()
	}, Writes(text))
}

func gets(name string) Node[*world] {
	return CellLeaf(name, func(w *world, c *Cells) Result {
		v, ok := Get(c, text)
		if !ok {
			return Fail("unset", "")
		}
		w.note(v)
		return Ok()
	}, Reads(text))
}

// TestCompileCells refuses reads that nothing can have preceded.
//
// Proves: BA-02-006
func TestCompileCells(t *testing.T) {
	put, get, fails := puts("put", "v"), gets("get"), says("fails")
	given := []CompileOption{Inputs(text)}
	runMistakes(t, []mistake{
		{name: "written before", root: Sequence("x", put, get)},
		{name: "input", root: get, opts: given},
		{name: "never written", root: Sequence("x", get), want: []string{"read-not-set x/get"}},
		{name: "written after", root: Sequence("x", get, put), want: []string{"read-not-set x/get"}},
		{
			name: "written by a failed sibling", root: Selector("x", Sequence("y", put, fails), get),
			want: []string{"read-not-set x/get"},
		},
		{name: "written by one branch", root: Sequence("x", Selector("s", fails, put), get)},
		{
			name: "written below an invert", root: Sequence("x", Invert("i", put), get),
			want: []string{"read-not-set x/get"},
		},
		{name: "written below a force", root: Sequence("x", Force("f", Success, put), get)},
		{name: "written below a gate", root: Sequence("x", WhenRole(roleGate("r"), put), get)},
		{name: "written by a subtree", root: Sequence("x", Subtree("s", MustCompile(put)), get)},
		{
			name: "subtree whose input is not set", root: Subtree("s", MustCompile(get, given...)),
			want: []string{"read-not-set s/get"},
		},
		{name: "written in an earlier tick", root: ReactiveSequence("x", get, put, waiter("w"))},
		{
			name: "reactive but never ticked twice", root: ReactiveSequence("x", get, put),
			want: []string{"read-not-set x/get"},
		},
		{
			name: "by itself, waiting",
			root: CellLeaf("x", func(*world, *Cells) Result { return Ok() }, Waits(), Reads(text), Writes(text)),
		},
		{
			name: "by itself, not waiting",
			root: CellLeaf("x", func(*world, *Cells) Result { return Ok() }, Reads(text), Writes(text)),
			want: []string{"read-not-set x"},
		},
		{
			name: "two keys of one name", root: Sequence("x", put), opts: []CompileOption{Inputs(NewKey[int]("text"))},
			want: []string{"key x/put"},
		},
		{name: "zero key", root: put, opts: []CompileOption{Inputs(Key[int]{}, nil)}, want: []string{"key ", "key "}},
		{name: "keys on a plain leaf", root: says("x", Writes(text)), want: []string{"no-cells x"}},
	})
}

// TestUndeclaredAccess ends the run with an error that names leaf and key, and
// nothing of the run stays.
//
// Proves: BA-02-006
func TestUndeclaredAccess(t *testing.T) {
	tests := []struct {
		name string
		do   func(*Cells)
		code string
		key  string
	}{
		{name: "read", do: func(c *Cells) { Get(c, number) }, code: CodeUndeclaredRead, key: "number"},
		{name: "write", do: func(c *Cells) { Set(c, number, 1) }, code: CodeUndeclaredWrite, key: "number"},
		{name: "write of a read key", do: func(c *Cells) { Set(c, text, "") }, code: CodeUndeclaredWrite, key: "text"},
		{name: "zero key", do: func(c *Cells) { Get(c, Key[int]{}) }, code: CodeUndeclaredRead},
		{
			name: "the first of two", do: func(c *Cells) { Get(c, number); Set(c, text, "") },
			code: CodeUndeclaredRead, key: "number",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bad := CellLeaf("bad", func(_ *world, c *Cells) Result { tt.do(c); return Ok() }, Reads(text))
			tree := MustCompile(Sequence("x", says("a"), puts("put", "v"), bad, says("b")), journalled)
			w := newWorld()
			out := tree.Run(w)
			usage, ok := errors.AsType[*UsageError](out.Err)
			if !ok || usage.Code != tt.code || usage.Key != tt.key || usage.Path != "x/bad" || out.Path != "x/bad" {
				t.Errorf("outcome %+v, error %v", out, out.Err)
			}
			if len(w.log) > 0 {
				t.Errorf("left %q", w.log)
			}
		})
	}
}

// TestCellsAreOfOneRun: a run finds nothing of another.
func TestCellsAreOfOneRun(t *testing.T) {
	tree := MustCompile(Sequence("x", Selector("s", says("leave it"), puts("put", "left behind")), gets("get")))
	w := newWorld()
	inst := tree.NewInstance()
	w.answers["leave it"] = no
	tree.Run(w)
	inst.Tick(w)
	w.answers["leave it"] = Ok()
	for range 3 {
		if out := tree.Run(w); out.Reason.Code != "unset" {
			t.Errorf("run: %+v", out)
		}
		if out := inst.Tick(w); out.Reason.Code != "unset" {
			t.Errorf("tick: %+v", out)
		}
	}
}

// TestCellsAreOfOneCall: Cells that a leaf has kept give nothing later.
func TestCellsAreOfOneCall(t *testing.T) {
	var kept *Cells
	keep := CellLeaf("keep", func(_ *world, c *Cells) Result { kept = c; Set(c, text, "v"); return Ok() }, Reads(text), Writes(text))
	late := Leaf("late", func(w *world) Result {
		if v, ok := Get(kept, text); ok {
			w.note(v)
		}
		return Ok()
	})
	w := newWorld()
	out := MustCompile(Sequence("x", keep, late, puts("put", "v")), Inputs(text)).Run(w, With(text, ""))
	if out.Status != Success || len(w.log) > 0 {
		t.Errorf("outcome %+v, log %q", out, w.log)
	}
}

// TestBreachIsForgotten: a tick that is tried again is not held against its leaf.
func TestBreachIsForgotten(t *testing.T) {
	bad := true
	leaf := CellLeaf("x", func(_ *world, c *Cells) Result {
		if bad {
			Set(c, number, 1)
		}
		return Ok()
	}, Writes(text))
	inst := MustCompile(leaf).NewInstance()
	if out := inst.Tick(newWorld()); out.Err == nil {
		t.Fatal("the breach was not noticed")
	}
	bad = false
	if out := inst.Tick(newWorld()); out.Err != nil {
		t.Error(out.Err)
	}
}

// TestCellsKeepNoHistory: a later tick's error does not reach what an earlier one
// set, and the record of sets does not grow from tick to tick.
func TestCellsKeepNoHistory(t *testing.T) {
	broken, ticks := false, 0
	count := CellLeaf("count", func(_ *world, c *Cells) Result { ticks++; Set(c, number, ticks); return Ok() }, Writes(number))
	tree := MustCompile(Sequence("x", ReactiveSequence("y", count, waiter("w"))),
		WithJournal(func(w *world) Journal {
			if broken {
				panic("no journal")
			}
			return w
		}))
	w, inst := newWorld(), tree.NewInstance()
	w.answers["w"] = later
	for range 3 {
		inst.Tick(w)
	}
	if n := len(inst.x.cells.log); n != 1 {
		t.Errorf("%d sets on record, want 1", n)
	}
	broken = true
	if out := inst.Tick(w); out.Err == nil {
		t.Fatal("the journal did not panic")
	}
	if c := inst.x.cells.slots[0].(*cell[int]); c.value != 3 {
		t.Errorf("the cell has %d", c.value)
	}
}

// TestInputs checks what With is checked for.
func TestInputs(t *testing.T) {
	tree := MustCompile(gets("get"), Inputs(text))
	tests := []struct {
		name string
		opts []RunOption
		want string // code of the error
		log  []string
	}{
		{name: "given", opts: []RunOption{With(text, "hello")}, log: []string{"hello"}},
		{name: "the last one counts", opts: []RunOption{With(text, "hello"), With(text, "bye")}, log: []string{"bye"}},
		{name: "missing", want: CodeMissingInput},
		{name: "unknown", opts: []RunOption{With(text, "hello"), With(number, 1)}, want: CodeUnknownInput},
		{name: "zero key", opts: []RunOption{With(Key[int]{}, 1)}, want: CodeUnknownInput},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, run := range []func(*world) Outcome{
				func(w *world) Outcome { return tree.Run(w, tt.opts...) },
				func(w *world) Outcome { return tree.NewInstance().Tick(w, tt.opts...) },
				func(w *world) Outcome { return tree.NewInstance(tt.opts...).Tick(w) },
			} {
				w := newWorld()
				out := run(w)
				code := ""
				if usage, ok := errors.AsType[*UsageError](out.Err); ok {
					code = usage.Code
				}
				if code != tt.want {
					t.Errorf("code %q, want %q (%v)", code, tt.want, out.Err)
				}
				if diff := cmp.Diff(tt.log, w.log); diff != "" {
					t.Errorf("log (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// TestCellsOfAnInstance last from tick to tick of one run and no longer.
func TestCellsOfAnInstance(t *testing.T) {
	count := CellLeaf("count", func(_ *world, c *Cells) Result {
		n, _ := Get(c, number)
		Set(c, number, n+1)
		if n < 2 {
			return later
		}
		return Ok()
	}, Waits(), Reads(number), Writes(number))
	w, inst := newWorld(), MustCompile(count, Inputs(number)).NewInstance()
	var got []Status
	for range 5 {
		got = append(got, inst.Tick(w, With(number, 0)).Status)
	}
	want := []Status{Running, Running, Success, Running, Running}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
}
