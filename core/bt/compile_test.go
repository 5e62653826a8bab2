package bt

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// mistakes lists the paths and codes of a compile error.
func mistakes(err error) []string {
	var all []string
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			if c, ok := errors.AsType[*CompileError](e); ok {
				all = append(all, c.Code+" "+c.Path)
			}
		}
	}
	return all
}

type mistake struct {
	name string
	root Node[*world]
	opts []CompileOption
	want []string
}

func runMistakes(t *testing.T, tests []mistake) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tree, err := Compile(tt.root, tt.opts...)
			if diff := cmp.Diff(tt.want, mistakes(err)); diff != "" {
				t.Errorf("mistakes (-want +got):\n%s", diff)
			}
			if (tree == nil) != (err != nil) {
				t.Errorf("tree %v with error %v", tree, err)
			}
		})
	}
}

// TestCompileShape refuses definitions with a wrong shape.
func TestCompileShape(t *testing.T) {
	a := says("a")
	var none Node[*world]
	runMistakes(t, []mistake{
		{name: "fine", root: Sequence("x", a, says("b"))},
		{name: "no root", root: none, want: []string{"no-node [0]"}},
		{name: "no child", root: Sequence("x", a, none), want: []string{"no-node x/[1]"}},
		{name: "empty sequence", root: Sequence[*world]("x"), want: []string{"empty x"}},
		{name: "empty selector", root: ReactiveSelector[*world]("x"), want: []string{"empty x"}},
		{name: "invert nothing", root: Invert("x", none), want: []string{"arity x/[0]"}},
		{name: "force nothing", root: Force("x", Success, none), want: []string{"arity x/[0]"}},
		{name: "gate before nothing", root: WhenRole(roleGate("r"), none), want: []string{"arity @r/[0]"}},
		{name: "no subtree", root: Subtree[*world]("x", nil), want: []string{"arity x/[0]"}},
		{name: "force to running", root: Force("x", Running, a), want: []string{"status x"}},
		{name: "no name", root: Sequence("x", says("")), want: []string{"name x/[0]"}},
		{name: "slash", root: Sequence("x/y", a), want: []string{"name x/y"}},
		{name: "nameless gate", root: WhenRole(roleGate(""), a), want: []string{"name a@"}},
		{
			name: "siblings of one name", root: Sequence("x", a, says("b"), a, a),
			want: []string{"duplicate x/a", "duplicate x/a"},
		},
		{name: "cousins of one name", root: Sequence("x", Sequence("y", a), Sequence("z", a))},
		{name: "no function", root: Leaf[*world]("x", nil), want: []string{"no-func x"}},
		{name: "no cell function", root: CellLeaf[*world]("x", nil), want: []string{"no-func x"}},
		{name: "no question", root: WhenRole(Gate[*world]{Name: "r"}, a), want: []string{"no-func a@r"}},
		{
			name: "option for another environment", root: a,
			opts: []CompileOption{WithJournal(func(int) Journal { return nil })},
			want: []string{"env-type "},
		},
		{
			name: "halt for another environment", root: says("x", Waits(), OnHalt(func(int, Reason) {})),
			want: []string{"env-type x"},
		},
	})
}

// TestCompileLatch lets a latch stand in the last place of a LatchLast only.
//
// Proves: BA-02-001
func TestCompileLatch(t *testing.T) {
	a, latch := says("a"), says("latch", Latch())
	var none Node[*world]
	runMistakes(t, []mistake{
		{name: "fine", root: LatchLast("x", latch, a)},
		{name: "as root", root: says("mark", Latch()), want: []string{"latch mark"}},
		{name: "last in a sequence", root: Sequence("x", a, latch), want: []string{"latch x/latch"}},
		{
			name: "as a step", root: LatchLast("x", latch, a, says("early", Latch())),
			want: []string{"latch x/early"},
		},
		{
			name: "below the last place", root: LatchLast("x", Sequence("y", latch), a),
			want: []string{"not-latch x/y", "latch x/y/latch"},
		},
		{name: "no latch at all", root: LatchLast("x", none, a), want: []string{"not-latch x/[1]"}},
		{name: "a leaf that is none", root: LatchLast("x", a, says("b")), want: []string{"not-latch x/a"}},
		{name: "no steps", root: LatchLast("x", latch), want: []string{"empty x"}},
		{
			name: "within a subtree", root: Sequence("x", a, Subtree("s", MustCompile(LatchLast("y", latch, a)))),
		},
	})
}

// TestCompileWaits keeps waiting leaves out of single-shot trees.
//
// Proves: BA-02-002
func TestCompileWaits(t *testing.T) {
	a := says("a")
	waits := MustCompile(Sequence("y", waiter("w")))
	runMistakes(t, []mistake{
		{name: "fine", root: Sequence("x", a), opts: []CompileOption{SingleShot()}},
		{name: "fine when it may wait", root: Sequence("x", a, waiter("w"))},
		{
			name: "single shot", root: Sequence("x", waiter("v"), Invert("i", waiter("w"))),
			opts: []CompileOption{SingleShot()},
			want: []string{"waits x/v", "waits x/i/w"},
		},
		{
			name: "in a subtree", root: Subtree("x", waits),
			opts: []CompileOption{SingleShot()},
			want: []string{"waits x/y/w"},
		},
		{
			name: "halt without wait", root: says("x", OnHalt(func(*world, Reason) {})),
			want: []string{"halt x"},
		},
		{
			name: "two waiting children of a reactive sequence",
			root: ReactiveSequence("x", Invert("i", waiter("v")), a, waiter("w")),
			want: []string{"two-waiting x"},
		},
		{name: "two waiting children of a reactive selector", root: ReactiveSelector("x", waiter("v"), waiter("w"))},
	})
}

// TestCompileGates checks where gates and what needs them may stand.
func TestCompileGates(t *testing.T) {
	gate := roleGate("r")
	needs := says("a", Needs("r"))
	gated := MustCompile(WhenRole(gate, needs))
	runMistakes(t, []mistake{
		{name: "below its gate", root: WhenRole(gate, Sequence("x", Invert("i", needs)))},
		{name: "below a required gate", root: RequireRole(gate, needs)},
		{name: "without gate", root: Sequence("x", needs), want: []string{"needs x/a"}},
		{
			name: "beside its gate", root: Sequence("x", WhenRole(gate, says("b")), needs),
			want: []string{"needs x/a"},
		},
		{
			name: "below another gate", root: WhenRole(roleGate("other"), needs),
			want: []string{"needs a@other/a"},
		},
		{
			name: "needs two", root: WhenRole(gate, says("a", Needs("r"), Needs("s"))),
			want: []string{"needs a@r/a"},
		},
		{name: "below two", root: WhenRole(gate, WhenRole(roleGate("s"), says("a", Needs("r"), Needs("s"))))},
		{
			name: "skip below a selector", root: Selector("x", WhenRole(gate, needs), says("b")),
			want: []string{"skip x/a@r"},
		},
		{
			name: "skip below a reactive selector", root: ReactiveSelector("x", WhenRole(gate, needs)),
			want: []string{"skip x/a@r"},
		},
		{
			name: "skip below an invert", root: Invert("x", WhenRole(gate, needs)),
			want: []string{"skip x/a@r"},
		},
		{
			name: "skip as a selector's subtree", root: Selector("x", Subtree("s", gated), says("b")),
			want: []string{"skip x/s/a@r"},
		},
		{name: "skip deeper", root: Selector("x", Sequence("y", WhenRole(gate, needs)))},
		{name: "require below a selector", root: Selector("x", RequireRole(gate, needs))},
	})
}

// TestCompileReportsEverything: one compilation names every mistake.
func TestCompileReportsEverything(t *testing.T) {
	root := Sequence("x", says("a", Latch(), Needs("r")), Sequence[*world]("y"), says("a"), Leaf[*world]("", nil))
	_, err := Compile(root)
	want := []string{
		"duplicate x/a", "latch x/a", "needs x/a", "empty x/y", "name x/[3]", "no-func x/[3]",
	}
	if diff := cmp.Diff(want, mistakes(err)); diff != "" {
		t.Errorf("mistakes (-want +got):\n%s", diff)
	}
	defer func() {
		if r := recover(); r == nil {
			t.Error("MustCompile did not panic")
		}
	}()
	MustCompile(root)
}

// TestIDClash reports two paths that hash alike; none are known.
func TestIDClash(t *testing.T) {
	c := &compiler[*world]{tree: &Tree[*world]{byID: map[uint64]int{}, info: []NodeInfo{{Path: "a", ID: 1}, {Path: "b", ID: 1}}}}
	c.identify(0)
	c.identify(1)
	if diff := cmp.Diff([]string{"id-clash b"}, mistakes(errors.Join(c.errs...))); diff != "" {
		t.Errorf("mistakes (-want +got):\n%s", diff)
	}
}
