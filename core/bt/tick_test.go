package bt

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// model is a naive interpreter of waiting trees with a journal. It keeps what a
// run must remember and nothing else: which leaf waits. A node is Running if
// that leaf is below it.
type model struct {
	w      *world
	active *spec
}

// effect is what is left of an evaluation. Halts are listed apart as well,
// because they outlive the Failure of a node around them.
type effect struct {
	status     Status
	log, halts []string
}

func (e *effect) add(o effect) {
	e.log = append(e.log, o.log...)
	e.halts = append(e.halts, o.halts...)
}

func (m *model) below(s *spec) bool {
	return m.active != nil && s.contains(m.active)
}

// halt drops the waiting leaf if it is below one of the given nodes.
func (m *model) halt(below ...*spec) effect {
	if !slices.ContainsFunc(below, m.below) {
		return effect{}
	}
	h := []string{"halt " + m.active.name}
	m.active = nil
	return effect{log: h, halts: h}
}

// absorbed is what is left of child s after a Failure with effect e.
func (m *model) absorbed(s *spec, e effect) effect {
	left := effect{log: slices.Clone(e.halts), halts: e.halts}
	left.add(m.halt(s))
	return left
}

func (m *model) eval(s *spec) effect {
	switch s.kind {
	case KindLeaf:
		return m.leaf(s)
	case KindSelector, KindReactiveSelector:
		return m.selector(s)
	case KindInvert, KindForce:
		return m.decorated(s)
	case KindWhenRole, KindRequireRole:
		return m.gate(s)
	}
	return m.sequence(s)
}

func (m *model) leaf(s *spec) effect {
	status := m.w.answers[s.name].Status
	if status == Running {
		m.active = s
	} else if m.active == s {
		m.active = nil
	}
	return effect{status: status, log: []string{s.name}}
}

func (m *model) decorated(s *spec) effect {
	e := m.eval(s.kids[0])
	to := map[Status]Status{Success: Failure, Failure: Success}
	if s.kind == KindForce {
		to = map[Status]Status{Success: s.force, Failure: s.force}
	}
	if e.status == Failure && to[Failure] == Success {
		e = m.absorbed(s.kids[0], e)
		e.status = Success
	} else if e.status == Success {
		e.status = to[Success]
	}
	return e
}

func (m *model) gate(s *spec) effect {
	e := effect{status: Success, log: []string{"ask " + s.name}}
	if m.w.answers[s.name].Status == Failure {
		if s.kind == KindRequireRole {
			return effect{status: ended}
		}
		e.add(m.halt(s))
		return e
	}
	child := m.eval(s.kids[0])
	e.log = append(e.log, "enter "+s.name)
	e.add(child)
	e.log = append(e.log, "leave "+s.name)
	e.status = child.status
	return e
}

// from is the child that a node with memory starts at.
func (m *model) from(s *spec) int {
	if s.kind.reactive() {
		return 0
	}
	return max(0, slices.IndexFunc(s.kids, m.below))
}

func (m *model) sequence(s *spec) effect {
	e := effect{status: Success}
	for _, k := range s.kids[m.from(s):] {
		child := m.eval(k)
		e.add(child)
		if child.status != Success {
			e.status = child.status
			break
		}
	}
	return e
}

func (m *model) selector(s *spec) effect {
	var e effect
	for i := m.from(s); i < len(s.kids); i++ {
		k, later := s.kids[i], s.kids[i+1:]
		if slices.ContainsFunc(later, m.below) {
			trial := model{w: m.w} // nobody waits as far as the challenger can see
			switch status := trial.eval(k).status; status {
			case Failure:
				continue
			case ended:
				return effect{status: ended}
			}
			e.add(m.halt(later...))
		}
		child := m.eval(k)
		e.status = child.status
		if child.status != Failure {
			e.add(child)
			break
		}
		if i < len(s.kids)-1 {
			child = m.absorbed(k, child)
		}
		e.add(child)
	}
	return e
}

// tick is one evaluation from the root; an error changes nothing.
func (m *model) tick(s *spec) effect {
	before := m.active
	e := m.eval(s)
	switch e.status {
	case ended:
		m.active = before
		return effect{status: Invalid}
	case Failure:
		e = m.absorbed(s, e)
		e.status = Failure
	}
	return e
}

// TestTicksAgainstModel runs random waiting trees for several ticks with random
// answers and compares statuses, writes and halts with the model.
//
// Proves: BA-02-003, BA-02-007, BA-02-008
func TestTicksAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := (&specs{t: t, waits: true}).draw(4, 0, true)
		tree, err := Compile(s.build(""), journalled, Inputs(trail))
		if err != nil {
			t.Fatal(err)
		}
		w := newWorld()
		m := &model{w: w}
		inst := tree.NewInstance(With(trail, nil))
		for range 8 {
			s.answer(t, w)
			want := m.tick(s)
			out := inst.Tick(w)
			if out.Status != want.status {
				t.Fatalf("status %v, want %v\n%s", out.Status, want.status, inst.Unicode())
			}
			if diff := cmp.Diff(want.log, w.drain(), cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("log (-want +got):\n%s%s", diff, inst.Unicode())
			}
			s.each(func(k *spec) {
				if got := inst.Status(pathID(k.path)) == Running; got != m.below(k) {
					t.Fatalf("%s: running is %v\n%s", k.path, got, inst.Unicode())
				}
			})
		}
	})
}

// TestNeverTwoAtWork: without a journal too a leaf that waits is halted or asked
// to the end before another one begins, and halted once.
//
// Proves: BA-02-008
func TestNeverTwoAtWork(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := (&specs{t: t, waits: true}).draw(4, 0, true)
		tree := MustCompile(s.build(""), Inputs(trail))
		waiting := map[string]bool{}
		s.each(func(k *spec) { waiting[k.name] = k.waits })
		w, inst := newWorld(), tree.NewInstance(With(trail, nil))
		active := ""
		for range 8 {
			s.answer(t, w)
			out := inst.Tick(w)
			if out.Err != nil {
				return // nothing undoes such a world
			}
			for _, event := range w.drain() {
				leaf, halt := strings.CutPrefix(event, "halt ")
				switch {
				case halt && leaf != active:
					t.Fatalf("%s was halted while %q was at work", leaf, active)
				case halt:
					active = ""
				case waiting[leaf] && active != "" && active != leaf:
					t.Fatalf("%s begins while %s is at work", leaf, active)
				case waiting[leaf]:
					active = ""
					if w.answers[leaf] == later {
						active = leaf
					}
				}
			}
			at, running := inst.Running()
			if running != (active != "") || at.Name != active || running != (out.Status == Running) {
				t.Fatalf("status %v, the instance waits at %q, want %q", out.Status, at.Name, active)
			}
		}
	})
}

// TestHaltThenTickIsFresh: after Halt, and after Reset, an instance does what a
// new one does.
func TestHaltThenTickIsFresh(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := (&specs{t: t, waits: true}).draw(4, 0, true)
		tree := MustCompile(s.build(""), journalled, Inputs(trail))
		w, inst := newWorld(), tree.NewInstance(With(trail, nil))
		for range rapid.IntRange(0, 4).Draw(t, "ticks") {
			s.answer(t, w)
			inst.Tick(w)
		}
		at, running := inst.Running()
		w.drain()
		var want []string
		if rapid.Bool().Draw(t, "halt") {
			if err := inst.Halt(w, Reason{}); err != nil {
				t.Fatal(err)
			}
			if running {
				want = []string{"halt " + at.Name}
			}
		} else {
			inst.Reset()
		}
		if diff := cmp.Diff(want, w.drain(), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("halted (-want +got):\n%s", diff)
		}
		s.answer(t, w)
		fresh := &world{answers: maps.Clone(w.answers)}
		got, wanted := inst.Tick(w), tree.NewInstance(With(trail, nil)).Tick(fresh)
		if diff := cmp.Diff(wanted, got, cmpopts.EquateErrors(), cmpopts.IgnoreFields(Outcome{}, "Err")); diff != "" {
			t.Errorf("outcome (-fresh +halted):\n%s", diff)
		}
		if diff := cmp.Diff(fresh.log, w.log); diff != "" {
			t.Errorf("log (-fresh +halted):\n%s", diff)
		}
	})
}
