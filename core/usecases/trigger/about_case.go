package trigger

import (
	"bateleur/core/bt"
	"bateleur/core/cases"
	"bateleur/core/model"
	"bateleur/core/scope"
	"bateleur/core/usecases/leaf"
)

// The steps of an actor's part in a case.
var (
	engageCase = stepInCase("engage-case", cases.EventEngageCase, model.Join, "accept", model.RMAccepted)
	deferCase  = stepInCase("defer-case", cases.EventDeferCase, model.Ignore, "defer", model.RMDeferred)
	// closeCase leaves the case; when the owner leaves, the case closes (CM-23-001).
	closeCase = stepInCase("close-case", cases.EventCloseCase, model.Leave, "close", model.RMClosed)
)

func stepInCase(name, event, verb, step string, to model.RM) Trigger {
	return Trigger{Name: name, Check: check[InCase](name), Tree: leaf.Compile(bt.Sequence(name,
		caseIsHere(namedCase),
		managerIsKnown(),
		mayStep(step),
		leaf.Do("assert it to the manager", func(s *scope.Scope) error {
			c, err := s.Case()
			if err != nil {
				return err
			}
			a := s.NewActivity(verb, cases.Stub(c))
			return assert(s, a, cases.Pending{EventType: event, ObjectID: a.ID, RM: to})
		})))}
}
