package authority_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

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

type gates = authority.Gates

// subject is a scope of a test's making.
type subject struct {
	gates
	executing, receiving, owner model.ActorID
	roles                       map[model.ActorID][]model.Role
	err                         error
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

// works is a leaf that has the authority to act.
func works(t *testing.T, s *subject) bt.Result {
	t.Helper()
	if err := s.Authority().Check(s.executing, s.CaseID()); err != nil {
		t.Error(err)
	}
	return bt.Ok()
}

func refused(t *testing.T, tries map[string]error) {
	t.Helper()
	for name, err := range tries {
		if fault.CodeOf(err) != fault.Forbidden {
			t.Errorf("%s: %v", name, err)
		}
	}
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
		refused(t, map[string]error{
			"another actor": kept.Check(actor("other"), s.CaseID()),
			"another case":  kept.Check(s.executing, "urn:uuid:other"),
		})
		return works(t, s)
	})
	if out.Status != bt.Success {
		t.Fatalf("outcome %+v", out)
	}
	gate := authority.Gate[*subject](model.RoleCaseManager)
	nobody := &subject{executing: actor("n"), receiving: actor("n"), owner: actor("n")}
	gate.Enter(nobody)
	unreadable := manager()
	unreadable.err = errors.New("disk")
	gate.Enter(unreadable)
	refused(t, map[string]error{
		"the zero value":         authority.Case{}.Check(s.executing, s.CaseID()),
		"a scope without a gate": manager().Authority().Check(s.executing, s.CaseID()),
		"after the gate closed":  kept.Check(s.executing, s.CaseID()),
		"entered by the back":    nobody.Authority().Check(nobody.executing, nobody.CaseID()),
		"roles that are unread":  unreadable.Authority().Check(s.executing, s.CaseID()),
	})
}

// However a gate is left, by a Failure, an error or a panic below it, what it
// yielded ends with it.
//
// Proves: BA-03-001
func TestAuthorityEndsHoweverItsGateIsLeft(t *testing.T) {
	for name, result := range map[string]func() bt.Result{
		"success": bt.Ok,
		"failure": func() bt.Result { return bt.Fail("no", "") },
		"error":   func() bt.Result { return bt.Abort(errors.New("no")) },
		"panic":   func() bt.Result { panic("no") },
	} {
		t.Run(name, func(t *testing.T) {
			s := manager()
			var kept authority.Case
			run(s, true, func(s *subject) bt.Result {
				kept = s.Authority()
				works(t, s)
				return result()
			})
			refused(t, map[string]error{
				"kept":  kept.Check(s.executing, s.CaseID()),
				"asked": s.Authority().Check(s.executing, s.CaseID()),
			})
		})
	}
}

// Only the role of the case's manager acts for the case: what another role's
// gate yields is worth nothing, and a leaf that needs the authority does not
// compile below it.
//
// Proves: BA-03-001, BA-03-002
func TestNoOtherRoleActsForTheCase(t *testing.T) {
	s := manager()
	s.roles[s.executing] = []model.Role{model.RoleCaseOwner}
	gate := authority.Gate[*subject](model.RoleCaseOwner)
	out := bt.MustCompile(bt.WhenRole(gate, bt.Leaf("act", func(s *subject) bt.Result {
		refused(t, map[string]error{"the owner's": s.Authority().Check(s.executing, s.CaseID())})
		return bt.Ok()
	}))).Run(s)
	if out.Status != bt.Success || out.NotMine {
		t.Errorf("the owner's gate: %+v", out)
	}
	act := bt.Leaf("act", func(*subject) bt.Result { return bt.Ok() }, bt.Needs(authority.ForCase))
	for name, root := range map[string]bt.Node[*subject]{
		"below another role's gate": bt.WhenRole(gate, act),
		"below none":                bt.Sequence("root", act),
	} {
		if _, err := bt.Compile(root); err == nil {
			t.Errorf("%s: a leaf that acts for the case compiles", name)
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
		{"another executes", func(s *subject) { s.executing = actor("e") }, fault.Inconsistent},
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
	var inner authority.Case
	nested := bt.WhenRole(gate, bt.Leaf("inner", func(s *subject) bt.Result {
		inner = s.Authority()
		return works(t, s)
	}))
	tree := bt.MustCompile(bt.WhenRole(gate, bt.Sequence("outer", nested,
		bt.Leaf("after", func(s *subject) bt.Result { return works(t, s) }))))
	if out := tree.Run(s); out.Status != bt.Success {
		t.Errorf("got %+v", out)
	}
	refused(t, map[string]error{"the inner gate's": inner.Check(s.executing, s.CaseID())})
}

// Whatever is called from outside the engine, in whatever order and with the
// role coming and going: what a scope yields is worth something only between the
// Enter of a gate that was open and its Leave.
//
// Proves: BA-03-001
func TestNoOtherWayToAuthority(t *testing.T) {
	asManager, asOwner := authority.Gate[*subject](model.RoleCaseManager), authority.Gate[*subject](model.RoleCaseOwner)
	rapid.Check(t, func(t *rapid.T) {
		s := manager()
		held := s.roles
		var open []bool // of the gates entered, whether they yield anything
		var kept []authority.Case
		t.Repeat(map[string]func(*rapid.T){
			"enter": func(*rapid.T) {
				asManager.Enter(s)
				open = append(open, s.roles != nil)
			},
			"enter another's": func(*rapid.T) {
				asOwner.Enter(s)
				open = append(open, false)
			},
			"leave": func(*rapid.T) {
				asManager.Leave(s)
				open = open[:max(0, len(open)-1)]
			},
			"lose the role": func(*rapid.T) { s.roles = nil },
			"get the role":  func(*rapid.T) { s.roles = held },
			"keep":          func(*rapid.T) { kept = append(kept, s.Authority()) },
			"": func(t *rapid.T) {
				valid := s.Authority().Check(s.executing, s.CaseID()) == nil
				if want := len(open) > 0 && open[len(open)-1]; valid != want {
					t.Fatalf("valid is %v with the gates %v", valid, open)
				}
				for _, c := range kept {
					if len(open) == 0 && c.Check(s.executing, s.CaseID()) == nil {
						t.Fatal("a kept copy is worth something without a gate")
					}
				}
			},
		})
	})
}
