package bt

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// account is what the naive model says of one evaluation: every node returns the
// writes that are left of it, instead of taking any back.
type account struct {
	status Status
	log    []string
	reason Reason
	path   string
	skip   string // the first gate that was skipped
}

// naive interprets a definition without waiting leaves by plain recursion.
func naive(s *spec, w *world) account {
	var a account
	switch s.kind {
	case KindLeaf:
		a = account{status: Success, log: []string{s.name}}
		if w.answers[s.name] == no {
			a = account{status: Failure, reason: no.Reason(), path: s.path}
		}
	case KindSelector, KindReactiveSelector:
		for _, k := range s.kids {
			if a = naive(k, w); a.status != Failure {
				break
			}
		}
	case KindInvert:
		a = inverted(s, naive(s.kids[0], w))
	case KindForce:
		a = naive(s.kids[0], w)
		if a.status == Success && s.force == Failure {
			a = account{status: Failure, reason: Reason{CodeForced, "the child succeeded"}, path: s.path}
		} else if a.status == Failure && s.force == Success {
			a = account{status: Success}
		}
	case KindWhenRole, KindRequireRole:
		a = naiveGate(s, w)
	default:
		a = naiveSequence(s.kids, w)
	}
	return a
}

func inverted(s *spec, child account) account {
	switch child.status {
	case Success:
		return account{status: Failure, reason: Reason{CodeInverted, "the child succeeded"}, path: s.path}
	case Failure:
		return account{status: Success}
	}
	return child
}

func naiveSequence(kids []*spec, w *world) account {
	sum := account{status: Success}
	for _, k := range kids {
		a := naive(k, w)
		if a.status != Success {
			return a
		}
		sum.log = append(sum.log, a.log...)
		if sum.skip == "" {
			sum.skip = a.skip
		}
	}
	return sum
}

func naiveGate(s *spec, w *world) account {
	asked := []string{"ask " + s.name}
	switch {
	case w.answers[s.name] != no:
		a := naive(s.kids[0], w)
		if a.status == Success {
			a.log = slices.Concat(asked, []string{"enter " + s.name}, a.log, []string{"leave " + s.name})
		}
		return a
	case s.kind == KindWhenRole:
		return account{status: Success, log: asked, skip: s.path}
	}
	return account{status: ended, reason: no.Reason(), path: s.path}
}

// TestUndoAgainstModel runs random trees and compares status, reason, path, skip,
// and what is left of the writes to the environment and to a cell.
//
// Proves: BA-02-003, BT-13-001
func TestUndoAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := (&specs{t: t}).draw(4, 0, false)
		tree := MustCompile(s.build(""), journalled, Inputs(trail))
		for range 3 {
			w := newWorld()
			s.answer(t, w)
			w.log = []string{"before"}
			x := tree.runs.Get().(*exec[*world])
			if err := x.prepare(true, nil, []RunOption{With(trail, []string{"before"})}); err != nil {
				t.Fatal(err)
			}
			var out Outcome
			x.tick(w, &out)
			want := naive(s, w)
			compare(t, want, out, w, cellOf(x))
			x.release()
		}
	})
}

func cellOf(x *exec[*world]) []string {
	return x.cells.slots[0].(*cell[[]string]).value
}

func compare(t *rapid.T, want account, out Outcome, w *world, cells []string) {
	t.Helper()
	wantOut := Outcome{Status: want.status, Reason: want.reason, Path: want.path}
	if want.status == ended {
		wantOut.Status = Invalid
	}
	if want.skip != "" {
		wantOut.NotMine, wantOut.NotMinePath = true, want.skip
	}
	if diff := cmp.Diff(wantOut, out, cmpopts.IgnoreFields(Outcome{}, "Err")); diff != "" {
		t.Errorf("outcome (-want +got):\n%s", diff)
	}
	if (out.Err != nil) != (want.status == ended) {
		t.Errorf("error %v for status %v", out.Err, want.status)
	}
	wantLog := append([]string{"before"}, want.log...)
	if diff := cmp.Diff(wantLog, w.log); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
	wantCells := slices.DeleteFunc(slices.Clone(wantLog), func(s string) bool {
		return s != "before" && s[0] != 'n' && s[0] != 'l' || len(s) > 5 && s[:5] == "leave"
	})
	if diff := cmp.Diff(wantCells, cells); diff != "" {
		t.Errorf("cell (-want +got):\n%s", diff)
	}
}

// TestUndo shows on single shapes what a Failure leaves behind.
//
// Proves: BA-02-003
func TestUndo(t *testing.T) {
	fails := says("fails")
	tests := []struct {
		name string
		root Node[*world]
		want []string
		mark int // how often a mark was taken
	}{
		{
			name: "sequence", mark: 1,
			root: Sequence("x", says("a"), fails),
		},
		{
			name: "selector keeps the branch that succeeded", mark: 4,
			root: Sequence("x", says("a"), Selector("y", Sequence("z", says("b"), fails), says("c"), says("d")), Selector("w", says("e"))),
			want: []string{"a", "c", "e"},
		},
		{
			name: "invert of a success", mark: 3,
			root: Selector("x", Invert("y", says("a"))),
		},
		{
			name: "invert of a failure", mark: 2,
			root: Sequence("x", says("a"), Invert("y", fails)),
			want: []string{"a"},
		},
		{
			name: "forced success", mark: 2,
			root: Force("x", Success, Sequence("y", says("a"), fails)),
		},
		{
			name: "gate is left after the undo", mark: 3,
			root: Force("x", Success, RequireRole(roleGate("r"), Sequence("y", says("a"), fails))),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld()
			w.answers["fails"] = no
			MustCompile(tt.root, journalled).Run(w)
			if diff := cmp.Diff(tt.want, w.log, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("log (-want +got):\n%s", diff)
			}
			if w.marks != tt.mark {
				t.Errorf("%d marks taken, want %d", w.marks, tt.mark)
			}
		})
	}
}

// TestGateIsLeftAfterTheUndo: Leave must not see the writes of a child that failed.
func TestGateIsLeftAfterTheUndo(t *testing.T) {
	var seen []string
	gate := Gate[*world]{
		Name: "role", Ask: func(*world) (bool, Reason, error) { return true, Reason{}, nil },
		Leave: func(w *world) { seen = slices.Clone(w.log) },
	}
	w := newWorld()
	w.answers["fails"] = no
	MustCompile(Sequence("x", says("a"), RequireRole(gate, Sequence("y", says("b"), says("fails")))), journalled).Run(w)
	if diff := cmp.Diff([]string{"a"}, seen); diff != "" {
		t.Errorf("log at Leave (-want +got):\n%s", diff)
	}
}
