package bt

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var errUnreadable = errors.New("roles cannot be read")

// TestGates shows what gates do with every answer, and that Enter and Leave are
// called in pairs however the child ends.
func TestGates(t *testing.T) {
	gate := roleGate("manager")
	crash := errors.New("crash")
	answers := map[string]Result{
		"open": Ok(), "closed": Fail("guest", "is a guest"), "mute": Fail("", ""), "unreadable": Abort(errUnreadable),
	}
	tests := []struct {
		name   string
		gate   string
		child  Result
		panics bool
		when   Outcome
		wants  Outcome // of RequireRole, if it differs
		log    []string
	}{
		{
			name: "open", gate: "open", child: Ok(), when: Outcome{Status: Success},
			log: []string{"ask manager", "enter manager", "act", "leave manager"},
		},
		{
			name: "open, failing", gate: "open", child: no,
			when: Outcome{Status: Failure, Reason: no.Reason(), Path: "act@manager/act"},
			log:  []string{"ask manager", "enter manager", "act", "leave manager"},
		},
		{
			name: "open, error", gate: "open", child: Abort(crash), when: Outcome{Err: crash, Path: "act@manager/act"},
			log: []string{"ask manager", "enter manager", "act", "leave manager"},
		},
		{
			name: "open, panic", gate: "open", panics: true, when: Outcome{Err: crash, Path: "act@manager/act"},
			log: []string{"ask manager", "enter manager", "act", "leave manager"},
		},
		{
			name: "closed", gate: "closed",
			when:  Outcome{Status: Success, NotMine: true, NotMinePath: "act@manager"},
			wants: Outcome{Err: &ClosedGateError{}, Reason: Reason{"guest", "is a guest"}, Path: "act@manager"},
			log:   []string{"ask manager"},
		},
		{
			name: "closed without a word", gate: "mute",
			when:  Outcome{Status: Success, NotMine: true, NotMinePath: "act@manager"},
			wants: Outcome{Err: &ClosedGateError{}, Reason: Reason{Code: CodeNotMine}, Path: "act@manager"},
			log:   []string{"ask manager"},
		},
		{
			name: "unreadable", gate: "unreadable", when: Outcome{Err: errUnreadable, Path: "act@manager"},
			log: []string{"ask manager"},
		},
	}
	for _, tt := range tests {
		child := Leaf("act", func(w *world) Result {
			w.note("act")
			if tt.panics {
				panic(crash)
			}
			return tt.child
		})
		check := func(t *testing.T, n Node[*world], want Outcome) {
			t.Helper()
			w := newWorld()
			w.answers["manager"] = answers[tt.gate]
			got := MustCompile(n).Run(w)
			_, gotClosed := errors.AsType[*ClosedGateError](got.Err)
			_, wantClosed := errors.AsType[*ClosedGateError](want.Err)
			if gotClosed != wantClosed || !wantClosed && !errors.Is(got.Err, want.Err) {
				t.Errorf("error %v, want %v", got.Err, want.Err)
			}
			got.Err, want.Err = nil, nil
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("outcome (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.log, w.log); diff != "" {
				t.Errorf("log (-want +got):\n%s", diff)
			}
		}
		t.Run("when/"+tt.name, func(t *testing.T) { check(t, WhenRole(gate, child), tt.when) })
		t.Run("require/"+tt.name, func(t *testing.T) {
			want := tt.when
			if tt.wants != (Outcome{}) {
				want = tt.wants
			}
			check(t, RequireRole(gate, child), want)
		})
	}
}

// TestNotMine: a skip on a branch that failed does not count, and the first that
// counts is named.
func TestNotMine(t *testing.T) {
	skip := func(name string) Node[*world] { return WhenRole(roleGate("closed"), says(name)) }
	tests := []struct {
		name string
		root Node[*world]
		want string
	}{
		{name: "none", root: says("a")},
		{name: "first of two", root: Sequence("x", says("a"), skip("b"), skip("c")), want: "x/b@closed"},
		{name: "on a failed branch", root: Selector("x", Sequence("y", skip("b"), says("fails")), says("a"))},
		{
			name: "on a failed branch and after it",
			root: Sequence("x", Force("f", Success, Sequence("y", skip("b"), says("fails"))), skip("c")), want: "x/c@closed",
		},
		{
			name: "before a failed branch",
			root: Sequence("x", skip("b"), Invert("i", Sequence("y", skip("c"), says("fails")))), want: "x/b@closed",
		},
		{name: "of a failed run", root: Sequence("x", skip("b"), says("fails"))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld()
			w.answers["closed"], w.answers["fails"] = no, no
			out := MustCompile(tt.root).Run(w)
			if out.NotMinePath != tt.want || out.NotMine != (tt.want != "") {
				t.Errorf("not mine %v at %q, want %q", out.NotMine, out.NotMinePath, tt.want)
			}
		})
	}
}

// TestLatchHook is called around the latch and nothing else, however it ends.
func TestLatchHook(t *testing.T) {
	hook := LatchHook(func(w *world) { w.note("enter") }, func(w *world) { w.note("leave") })
	tests := []struct {
		name string
		step Result
		do   func() Result
		want []string
	}{
		{name: "success", step: Ok(), do: Ok, want: []string{"step", "enter", "latch", "leave"}},
		{name: "failed latch", step: Ok(), do: func() Result { return no }, want: []string{"step", "enter", "latch", "leave"}},
		{name: "panic", step: Ok(), do: func() Result { panic("x") }, want: []string{"step", "enter", "latch", "leave"}},
		{name: "failed step", step: no, want: []string{"step"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			latch := Leaf("latch", func(w *world) Result { w.note("latch"); return tt.do() }, Latch())
			w := newWorld()
			w.answers["step"] = tt.step
			MustCompile(LatchLast("x", latch, says("step")), hook).Run(w)
			if diff := cmp.Diff(tt.want, w.log); diff != "" {
				t.Errorf("log (-want +got):\n%s", diff)
			}
		})
	}
}
