package bt

import (
	"errors"
	"testing"

	"pgregory.net/rapid"
)

// TestResultKeepsItsReason whatever the strings are.
func TestResultKeepsItsReason(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := Reason{rapid.String().Draw(t, "code"), rapid.String().Draw(t, "text")}
		for _, r := range []Result{Fail(want.Code, want.Text), Wait(want.Code, want.Text)} {
			if got := r.Reason(); got != want || r.Err() != nil {
				t.Fatalf("got %+v and %v, want %+v", got, r.Err(), want)
			}
		}
	})
}

// TestResultWithoutReason has neither reason nor error unless it is an Abort.
func TestResultWithoutReason(t *testing.T) {
	crash := errors.New("crash")
	tests := []struct {
		name string
		got  Result
		err  error
	}{
		{name: "ok", got: Ok()},
		{name: "zero"},
		{name: "abort", got: Abort(crash), err: crash},
		{name: "abort without an error", got: Abort(nil), err: errAbortNil},
		{name: "a status made by hand", got: Result{Status: ended}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.got.Reason() != (Reason{}) || !errors.Is(tt.got.Err(), tt.err) {
				t.Errorf("reason %v, error %v", tt.got.Reason(), tt.got.Err())
			}
		})
	}
}

// TestUnusableResults: what a leaf must not return ends the run, and forgetting to
// decide is a Failure.
//
// Proves: BA-02-002, BT-13-001
func TestUnusableResults(t *testing.T) {
	tests := []struct {
		name  string
		give  Result
		waits bool
		code  string // of the UsageError
		want  Reason // of the Failure
	}{
		{name: "zero", want: Reason{Code: CodeUnspecified}},
		{name: "failure without a reason", give: Result{Status: Failure}, code: CodeNoReason},
		{name: "failure without a code", give: Fail("", "text"), code: CodeNoReason},
		{name: "wait without a code", give: Wait("", ""), waits: true, code: CodeNoReason},
		{name: "undeclared wait", give: Wait("later", ""), code: CodeUndeclaredWait},
		{name: "no such status", give: Result{Status: 9}, code: CodeBadStatus},
		{name: "an abort made by hand", give: Result{Status: ended}, code: CodeBadStatus},
	}
	for _, tt := range tests {
		for _, traced := range []bool{false, true} {
			t.Run(tt.name, func(t *testing.T) {
				var opts []LeafOption
				if tt.waits {
					opts = append(opts, Waits())
				}
				leaf := Leaf("leaf", func(*world) Result { return tt.give }, opts...)
				var run []RunOption
				if traced {
					run = append(run, WithTrace(NewTrace(0, nil)))
				}
				out := MustCompile(Sequence("x", leaf)).Run(newWorld(), run...)
				code := ""
				if usage, ok := errors.AsType[*UsageError](out.Err); ok {
					code = usage.Code
				}
				if code != tt.code || out.Reason != tt.want || out.Path != "x/leaf" {
					t.Errorf("outcome %+v, code %q", out, code)
				}
			})
		}
	}
}

// TestFailureSaysWhy: the reason and path that come out are those of the leaf, or
// decorator, that decided.
//
// Proves: BT-13-001
func TestFailureSaysWhy(t *testing.T) {
	a, b := says("a"), says("b")
	tests := []struct {
		name string
		root Node[*world]
		want string
	}{
		{name: "sequence", root: Sequence("x", a, b), want: "x/a first: why a"},
		{name: "selector gives its last", root: Selector("x", a, b), want: "x/b second: why b"},
		{
			name: "deep", root: Sequence("x", Force("f", Success, b), Subtree("s", MustCompile(Selector("y", Sequence("z", a))))),
			want: "x/s/y/z/a first: why a",
		},
		{name: "invert", root: Sequence("x", Invert("i", says("c"))), want: "x/i inverted: the child succeeded"},
		{name: "force a success", root: Force("f", Failure, says("c")), want: "f forced: the child succeeded"},
		{name: "force a failure", root: Force("f", Failure, a), want: "f/a first: why a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld()
			w.answers["a"], w.answers["b"] = Fail("first", "why a"), Fail("second", "why b")
			out := MustCompile(tt.root).Run(w)
			if got := out.Path + " " + out.Reason.String(); got != tt.want || out.Status != Failure {
				t.Errorf("got %s %q, want %q", out.Status, got, tt.want)
			}
		})
	}
}
