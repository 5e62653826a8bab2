package authority

import (
	"slices"

	"bateleur/core/bt"
	"bateleur/core/fault"
	"bateleur/core/model"
)

// ForCase is the tag that a gate grants and a leaf may need: a leaf that
// declares it does not compile outside a gate.
const ForCase = "case-authority"

// Subject is a running tree's scope as a gate sees it.
type Subject interface {
	// Executing, Receiving and Owner are the actor that executes, the actor that
	// received, and the actor whose store is written.
	Executing() model.ActorID
	Receiving() model.ActorID
	Owner() model.ActorID
	// CaseID is the case that the run is about.
	CaseID() string
	// RolesOf are an actor's roles in that case, read in the run's own unit of
	// work, uncommitted writes included.
	RolesOf(actor model.ActorID) ([]model.Role, error)
	// gates is given by embedding a Gates; nothing else can.
	gates() *Gates
}

// Gates is what a Subject embeds, in a field that nobody else reaches: which
// gates are open around it, innermost first. The zero Gates is ready.
type Gates struct{ inner *seal }

// Authority is what the innermost open gate yields, the zero Case outside.
func (g *Gates) Authority() Case { return Case{g.inner} }

func (g *Gates) gates() *Gates { return g } //nolint:unused // a Subject gets it by embedding

// Gate is open while the executing actor holds the role in the case. It is an
// error, never "closed", when executing actor, receiving actor and store owner
// differ (BT-05-006) or when the case or its roles cannot be read.
func Gate[S Subject](role model.Role) bt.Gate[S] {
	return bt.Gate[S]{
		Name:   string(role),
		Grants: grants(role),
		Ask:    func(s S) (bool, bt.Reason, error) { return ask(s, role) },
		Enter:  func(s S) { enter(s, role) },
		Leave:  func(s S) { leave(s) },
	}
}

// grants keeps a leaf that acts for the case from compiling below the gate of a
// role that does not.
func grants(role model.Role) string {
	if role == model.RoleCaseManager {
		return ForCase
	}
	return string(role)
}

func ask(s Subject, role model.Role) (bool, bt.Reason, error) {
	actor := s.Executing()
	if actor != s.Owner() || actor != s.Receiving() {
		return false, bt.Reason{}, fault.New("authority.gate", s.CaseID(), fault.Inconsistent,
			"executing "+actor.URI()+", receiving "+s.Receiving().URI()+", store of "+s.Owner().URI())
	}
	held, err := s.RolesOf(actor)
	if err != nil {
		return false, bt.Reason{}, fault.Wrap("authority.gate", s.CaseID(), fault.CodeOf(err), err)
	}
	if slices.Contains(held, role) {
		return true, bt.Reason{}, nil
	}
	return false, bt.Reason{Code: string(fault.Forbidden), Text: actor.URI() + " does not hold " + string(role)}, nil
}

// enter asks once more, so that a call from outside the engine yields nothing.
func enter(s Subject, role model.Role) {
	open, _, err := ask(s, role)
	g := s.gates()
	g.inner = &seal{actor: s.Executing(), caseID: s.CaseID(), role: role, open: open && err == nil, outer: g.inner}
}

func leave(s Subject) {
	if g := s.gates(); g.inner != nil {
		g.inner.open = false
		g.inner = g.inner.outer
	}
}
