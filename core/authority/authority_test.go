package authority_test

import (
	"errors"
	"testing"

	"bateleur/core/authority"
	"bateleur/core/bt"
	"bateleur/core/fault"
	"bateleur/core/model"
)

func actor(segment string) model.ActorID {
	id, err := model.ParseActorID("http://a.test/actors/" + segment)
	if err != nil {
		panic(err)
	}
	return id
}

// subject is a scope of a test's making.
type subject struct {
	executing, receiving, owner model.ActorID
	roles                       map[model.ActorID][]model.Role
	err                         error
	authority.Gates
}

func (s *subject) Executing() model.ActorID { return s.executing }
func (s *subject) Receiving() model.ActorID { return s.receiving }
func (s *subject) Owner() model.ActorID     { return s.owner }
func (s *subject) CaseID() string           { return "urn:uuid:case" }
func (s *subject) RolesOf(a model.ActorID) ([]model.Role, error) {
	return s.roles[a], s.err
}

func manager() *subject {
	m := actor("anyone")
	return &subject{executing: m, receiving: m, owner: m,
		roles: map[model.ActorID][]model.Role{m: {model.RoleCoordinator, model.RoleCaseManager}}}
}

func run(s *subject, require bool, leaf func(*subject) bt.Result) bt.Outcome {
	gate := authority.Gate[*subject](model.RoleCaseManager)
	child := bt.Leaf("act", leaf, bt.Needs(authority.ForCase))
	node := bt.WhenRole(gate, child)
	if require {
		node = bt.RequireRole(gate, child)
	}
	return bt.MustCompile(bt.Sequence("root", node)).Run(s)
}

// The value works inside the gate, for its actor and its case, and is worth
// nothing elsewhere: not before, not after, not in another's hands, and not when
// the gate's parts are called from outside the engine.
//
// Proves: BA-03-001, CLP-09-004
func TestAuthorityIsWorthSomethingInsideItsOpenGateAlone(t *testing.T) {
	s := manager()
	var kept authority.Case
	out := run(s, false, func(s *subject) bt.Result {
		kept = s.Authority()
		if err := kept.Check(s.executing, s.CaseID()); err != nil {
			t.Errorf("inside the gate: %v", err)
		}
		for name, err := range map[string]error{
			"another actor": kept.Check(actor("other"), s.CaseID()),
			"another case":  kept.Check(s.executing, "urn:uuid:other"),
		} {
			if fault.CodeOf(err) != fault.Forbidden {
				t.Errorf("%s: %v", name, err)
			}
		}
		return bt.Ok()
	})
	if out.Status != bt.Success {
		t.Fatalf("outcome %+v", out)
	}
	gate := authority.Gate[*subject](model.RoleCaseManager)
	nobody := &subject{executing: actor("n"), receiving: actor("n"), owner: actor("n")}
	gate.Enter(nobody)
	for name, err := range map[string]error{
		"the zero value":             authority.Case{}.Check(s.executing, s.CaseID()),
		"after the gate closed":      kept.Check(s.executing, s.CaseID()),
		"a gate entered by the back": nobody.Authority().Check(nobody.executing, nobody.CaseID()),
	} {
		if fault.CodeOf(err) != fault.Forbidden {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Proves: CLP-09-004, BA-03-001
func TestAGateAsksAtEveryRun(t *testing.T) {
	s := manager()
	ran := 0
	leaf := func(*subject) bt.Result { ran++; return bt.Ok() }
	run(s, false, leaf)
	s.roles = nil
	if out := run(s, false, leaf); !out.NotMine || ran != 1 {
		t.Errorf("after the role is gone: ran %d times, %+v", ran, out)
	}
	out := run(s, true, leaf)
	var closed *bt.ClosedGateError
	if !errors.As(out.Err, &closed) || ran != 1 {
		t.Errorf("a required role that is gone: ran %d times, %+v", ran, out)
	}
}

// Where role holder, receiver and store owner are not one, the run raises; what
// cannot be read is never a closed gate.
//
// Proves: BT-05-006, BA-10-002
func TestAGateThatCannotBeAskedIsAnError(t *testing.T) {
	cases := []struct {
		name string
		with func(*subject)
		want fault.Code
	}{
		{"another receiver", func(s *subject) { s.receiving = actor("r") }, fault.Inconsistent},
		{"another's store", func(s *subject) { s.owner = actor("o") }, fault.Inconsistent},
		{"an unknown case", func(s *subject) { s.err = fault.New("x", "y", fault.NotFound, "") }, fault.NotFound},
		{"unreadable roles", func(s *subject) { s.err = errors.New("disk") }, fault.Internal},
	}
	for _, c := range cases {
		for _, require := range []bool{false, true} {
			t.Run(c.name, func(t *testing.T) {
				s := manager()
				c.with(s)
				out := run(s, require, func(*subject) bt.Result { t.Error("the leaf ran"); return bt.Ok() })
				if out.NotMine || fault.CodeOf(out.Err) != c.want {
					t.Errorf("got %+v", out)
				}
			})
		}
	}
}

// Nested gates give back the outer's authority.
//
// Proves: BA-03-001
func TestNestedGates(t *testing.T) {
	s := manager()
	gate := authority.Gate[*subject](model.RoleCaseManager)
	check := func(s *subject) bt.Result {
		if err := s.Authority().Check(s.executing, s.CaseID()); err != nil {
			t.Error(err)
		}
		return bt.Ok()
	}
	inner := bt.WhenRole(gate, bt.Leaf("inner", check))
	tree := bt.MustCompile(bt.WhenRole(gate, bt.Sequence("outer", inner, bt.Leaf("after", check))))
	if out := tree.Run(s); out.Status != bt.Success {
		t.Errorf("got %+v", out)
	}
}
