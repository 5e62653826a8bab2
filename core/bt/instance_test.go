package bt

import (
	"errors"
	"maps"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestHaltBeforeStart: a leaf that waits is told once, before what takes its place.
//
// Proves: BA-02-008
func TestHaltBeforeStart(t *testing.T) {
	tests := []struct {
		name string
		root Node[*world]
		flip map[string]Result // what changes before the second tick
		want []string          // the second tick
	}{
		{
			name: "a higher branch takes over",
			root: ReactiveSelector("x", Sequence("y", says("urgent"), waiter("a")), waiter("b")),
			flip: map[string]Result{"urgent": Ok()},
			want: []string{"urgent", "halt b preempted", "a"},
		},
		{
			name: "a higher branch succeeds at once",
			root: Sequence("w", ReactiveSelector("x", says("urgent"), waiter("b")), waiter("a")),
			flip: map[string]Result{"urgent": Ok()},
			want: []string{"urgent", "halt b preempted", "a"},
		},
		{
			name: "a condition fails",
			root: Selector("w", ReactiveSequence("x", says("calm"), waiter("b")), waiter("a")),
			flip: map[string]Result{"calm": no},
			want: []string{"calm", "halt b superseded", "a"},
		},
		{
			name: "a condition fails and is forced",
			root: Sequence("w", Force("f", Success, ReactiveSequence("x", says("calm"), waiter("b"))), waiter("a")),
			flip: map[string]Result{"calm": no},
			want: []string{"calm", "halt b superseded", "a"},
		},
		{
			name: "the root fails",
			root: ReactiveSequence("x", says("calm"), Sequence("y", waiter("b"))),
			flip: map[string]Result{"calm": no},
			want: []string{"calm", "halt b superseded"},
		},
		{
			name: "the gate closes",
			root: Sequence("x", WhenRole(Gate[*world]{
				Name: "r", Ask: func(w *world) (bool, Reason, error) { return w.answers["calm"] != no, Reason{Code: "gone"}, nil },
			}, waiter("b")), waiter("a")),
			flip: map[string]Result{"calm": no},
			want: []string{"halt b gone", "a"},
		},
		{
			name: "a higher branch succeeds and nothing else waits",
			root: ReactiveSelector("x", says("urgent"), waiter("b")),
			flip: map[string]Result{"urgent": Ok()},
			want: []string{"urgent", "halt b preempted"},
		},
		{
			name: "nothing changes",
			root: ReactiveSelector("x", Sequence("y", says("urgent"), waiter("a")), waiter("b")),
			want: []string{"urgent", "b"},
		},
	}
	for _, tt := range tests {
		for _, mode := range []string{"plain", "journalled"} {
			t.Run(tt.name+"/"+mode, func(t *testing.T) {
				w := newWorld()
				maps.Copy(w.answers, map[string]Result{"urgent": no, "calm": Ok(), "a": later, "b": later})
				var opts []CompileOption
				if mode == "journalled" {
					opts = append(opts, journalled)
				}
				inst := MustCompile(tt.root, opts...).NewInstance()
				if out := inst.Tick(w); out.Status != Running {
					t.Fatalf("first tick: %+v", out)
				}
				w.drain()
				maps.Copy(w.answers, tt.flip)
				inst.Tick(w)
				got, want := strings.Join(w.log, ", "), strings.Join(tt.want, ", ")
				if mode == "journalled" { // what failed was undone
					want = strings.TrimPrefix(want, "calm, ")
					want = strings.Replace(want, "urgent, halt b preempted", "halt b preempted, urgent", 1)
					if tt.flip == nil {
						want = "b"
					}
				}
				if got != want {
					t.Errorf("got %q, want %q", got, want)
				}
				if n := strings.Count(strings.Join(w.heard, ","), "halt"); n > 1 {
					t.Errorf("OnHalt was called %d times", n)
				}
			})
		}
	}
}

// TestHaltOutlivesAFailureAround: a Failure further up undoes what OnHalt wrote,
// so the leaf is told again.
func TestHaltOutlivesAFailureAround(t *testing.T) {
	root := Selector("w",
		Sequence("v", ReactiveSelector("x", says("urgent"), waiter("b")), says("fails")),
		waiter("a"))
	w := newWorld()
	w.answers["urgent"], w.answers["b"], w.answers["fails"], w.answers["a"] = no, later, no, later
	inst := MustCompile(root, journalled).NewInstance()
	inst.Tick(w)
	w.drain()
	w.answers["urgent"] = Ok()
	inst.Tick(w)
	if diff := cmp.Diff([]string{"halt b preempted", "a"}, w.log); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
}

// TestErrorOfAChallenger ends the tick, and the leaf that waits still does.
func TestErrorOfAChallenger(t *testing.T) {
	crash := errors.New("crash")
	w := newWorld()
	w.answers["urgent"], w.answers["b"] = no, later
	inst := MustCompile(ReactiveSelector("x", Sequence("y", says("urgent"), says("bad")), waiter("b")), journalled).NewInstance()
	inst.Tick(w)
	w.drain()
	w.answers["urgent"], w.answers["bad"] = Ok(), Abort(crash)
	if out := inst.Tick(w); !errors.Is(out.Err, crash) || out.Path != "x/y/bad" {
		t.Errorf("outcome %+v", out)
	}
	if at, _ := inst.Running(); at.Name != "b" || len(w.log) > 0 || len(w.heard) != 2 {
		t.Errorf("waits at %q, left %q, heard %q", at.Name, w.log, w.heard)
	}
}

// TestErrorLeavesTheInstanceAsItWas: a tick is all or nothing.
//
// Proves: BA-02-003
func TestErrorLeavesTheInstanceAsItWas(t *testing.T) {
	crash := errors.New("crash")
	tests := []struct {
		name string
		do   Result
		boom func()
	}{
		{name: "error", do: Abort(crash)},
		{name: "panic", boom: func() { panic(crash) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			broken := false
			set := CellLeaf("set", func(w *world, c *Cells) Result {
				n, _ := Get(c, number)
				Set(c, number, n+1)
				w.note("set")
				return Ok()
			}, Reads(number), Writes(number))
			last := Leaf("last", func(*world) Result {
				switch {
				case !broken:
					return Ok()
				case tt.boom != nil:
					tt.boom()
				}
				return tt.do
			})
			tree := MustCompile(Sequence("x", waiter("a"), Force("f", Success, waiter("b")), set, last), journalled, Inputs(number))
			w, inst := newWorld(), tree.NewInstance(With(number, 0))
			w.answers["b"] = later
			inst.Tick(w)
			before, log := inst.Unicode(), len(w.log)

			broken, w.answers["b"] = true, Ok()
			out := inst.Tick(w)
			if !errors.Is(out.Err, crash) || out.Path != "x/last" || out.Status != Invalid {
				t.Errorf("outcome %+v", out)
			}
			if diff := cmp.Diff(before, inst.Unicode()); diff != "" {
				t.Errorf("instance (-before +after):\n%s", diff)
			}
			if at, _ := inst.Running(); at.Name != "b" {
				t.Errorf("waits at %q", at.Name)
			}
			if n := cellOfInt(inst); len(w.log) != log || n != 0 {
				t.Errorf("left %q and cell %d", w.log[log:], n)
			}

			broken = false
			if out := inst.Tick(w); out.Status != Success {
				t.Errorf("second try: %+v", out)
			}
		})
	}
}

// TestHaltedBranchStartsAnew: what was halted does not go on where it was. Without
// a journal a waiting leaf to the left is enough to halt it.
func TestHaltedBranchStartsAnew(t *testing.T) {
	root := ReactiveSelector("x", waiter("a"), Sequence("y", says("b1"), waiter("b2")))
	w := newWorld()
	w.answers["a"], w.answers["b2"] = no, later
	inst := MustCompile(root).NewInstance()
	inst.Tick(w)
	w.drain()
	inst.Tick(w)
	if diff := cmp.Diff([]string{"halt b2 preempted", "a", "b1", "b2"}, w.log); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
}

func cellOfInt(i *Instance[*world]) int { return i.x.cells.slots[0].(*cell[int]).value }

// TestHalt tells the waiting leaf once, and nobody if none waits.
func TestHalt(t *testing.T) {
	w := newWorld()
	w.answers["b"] = later
	inst := MustCompile(Sequence("x", says("a"), waiter("b"))).NewInstance()
	halt := func(r Reason) {
		t.Helper()
		if err := inst.Halt(w, r); err != nil {
			t.Fatal(err)
		}
	}
	halt(Reason{})
	inst.Tick(w)
	if at, ok := inst.Running(); !ok || at.Path != "x/b" {
		t.Errorf("waits at %q", at.Path)
	}
	halt(Reason{Code: "closed"})
	halt(Reason{Code: "closed"})
	inst.Tick(w)
	halt(Reason{})
	want := []string{"a", "b", "halt b closed", "a", "b", "halt b halted"}
	if diff := cmp.Diff(want, w.log); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
	if _, ok := inst.Running(); ok || inst.Status(pathID("x")) != Invalid {
		t.Error("the instance still runs")
	}
}

// TestHaltPanics: a halt that panics has not happened.
func TestHaltPanics(t *testing.T) {
	panics := true
	leaf := says("b", Waits(), OnHalt(func(w *world, _ Reason) {
		w.note("halting")
		if panics {
			panic("no")
		}
	}))
	w := newWorld()
	w.answers["b"] = later
	inst := MustCompile(leaf, journalled).NewInstance()
	inst.Tick(w)
	p, ok := errors.AsType[*PanicError](inst.Halt(w, Reason{}))
	if !ok || p.Path != "b" || inst.Status(pathID("b")) != Running {
		t.Errorf("panic %v, status %v", p, inst.Status(pathID("b")))
	}
	panics = false
	if err := inst.Halt(w, Reason{}); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{"b", "halting"}, w.log); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
}

// TestHaltPanicsInATick names the leaf that was being halted.
func TestHaltPanicsInATick(t *testing.T) {
	leaf := says("b", Waits(), OnHalt(func(*world, Reason) { panic("no") }))
	w := newWorld()
	w.answers["b"] = later
	inst := MustCompile(ReactiveSequence("x", says("a"), leaf), journalled).NewInstance()
	inst.Tick(w)
	w.answers["a"] = no
	if p, ok := errors.AsType[*PanicError](inst.Tick(w).Err); !ok || p.Path != "x/b" {
		t.Errorf("panic %v", p)
	}
}

// TestStatuses reads statuses and skips by id, and forgets those of branches
// that the present tick did not reach.
func TestStatuses(t *testing.T) {
	root := ReactiveSequence("x",
		Selector("s", says("a"), says("b")), WhenRole(roleGate("r"), says("c")), waiter("d"))
	w := newWorld()
	w.answers["a"], w.answers["r"], w.answers["d"] = no, no, later
	inst := MustCompile(root).NewInstance()
	inst.Tick(w)
	read := func() string {
		var s []string
		for n := range inst.x.tree.Nodes() {
			if st := inst.Status(n.ID); st != Invalid {
				s = append(s, n.Name+" "+st.String())
			}
			if inst.Skipped(n.ID) {
				s = append(s, "(skipped)")
			}
		}
		return strings.Join(s, ", ")
	}
	first := "x running, s success, a failure, b success, c@r success, (skipped), d running"
	if got := read(); got != first {
		t.Errorf("got %q, want %q", got, first)
	}
	w.answers["a"], w.answers["r"] = Ok(), Ok()
	inst.Tick(w)
	second := "x running, s success, a success, c@r success, c success, d running"
	if got := read(); got != second {
		t.Errorf("got %q, want %q", got, second)
	}
	w.answers["r"] = no
	inst.Tick(w)
	third := "x running, s success, a success, c@r success, (skipped), d running"
	if got := read(); got != third {
		t.Errorf("got %q, want %q", got, third)
	}
	if inst.Status(1) != Invalid || inst.Skipped(1) {
		t.Error("a node that does not exist has a status")
	}
}

// TestPanic becomes an error with path, value and stack; the tree stays usable.
//
// Proves: BA-02-003
func TestPanic(t *testing.T) {
	broken := true
	tree := MustCompile(Sequence("x", says("a"), Leaf("bad", func(*world) Result {
		if broken {
			panic("boom")
		}
		return Ok()
	})), journalled)
	w := newWorld()
	out := tree.Run(w)
	p, ok := errors.AsType[*PanicError](out.Err)
	if !ok || p.Path != "x/bad" || p.Value != "boom" || !strings.Contains(string(p.Stack), "TestPanic") {
		t.Errorf("error %v", out.Err)
	}
	if out.Status != Invalid || out.Path != "x/bad" || len(w.log) > 0 {
		t.Errorf("outcome %+v, left %q", out, w.log)
	}
	broken = false
	if out := tree.Run(w); out.Status != Success {
		t.Errorf("second run: %+v", out)
	}
}

// TestPanicInAHook is caught like one in a leaf.
func TestPanicInAHook(t *testing.T) {
	boom := func(*world) { panic("boom") }
	open := func(*world) (bool, Reason, error) { return true, Reason{}, nil }
	tests := []struct {
		name string
		root Node[*world]
		opts []CompileOption
		path string
	}{
		{name: "journal", root: says("a"), opts: []CompileOption{WithJournal(func(*world) Journal { panic("boom") })}, path: "a"},
		{
			name: "ask", path: "a@r",
			root: WhenRole(Gate[*world]{Name: "r", Ask: func(*world) (bool, Reason, error) { panic("boom") }}, says("a")),
		},
		{name: "enter", root: WhenRole(Gate[*world]{Name: "r", Ask: open, Enter: boom}, says("a")), path: "a@r"},
		{name: "leave", root: WhenRole(Gate[*world]{Name: "r", Ask: open, Leave: boom}, says("a")), path: "a@r"},
		{name: "latch hook", root: LatchLast("x", says("l", Latch()), says("a")), opts: []CompileOption{LatchHook(boom, nil)}, path: "x/l"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, ok := errors.AsType[*PanicError](MustCompile(tt.root, tt.opts...).Run(newWorld()).Err)
			if !ok || p.Path != tt.path {
				t.Errorf("got %v, want a panic at %s", p, tt.path)
			}
		})
	}
}

// TestGoexitUndoes: a leaf that ends its goroutine leaves nothing half done.
func TestGoexitUndoes(t *testing.T) {
	w := newWorld()
	w.note("before")
	tree := MustCompile(Sequence("x", says("a"), Leaf("exit", func(*world) Result { runtime.Goexit(); return Ok() })), journalled)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tree.Run(w)
	}()
	<-done
	if diff := cmp.Diff([]string{"before"}, w.log); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
}
