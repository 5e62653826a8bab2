package scope

import (
	"bateleur/core/authority"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/semantics"
)

// managersOnly are the meanings that only a case's manager may emit.
var managersOnly = map[semantics.Meaning]bool{
	semantics.CreateCase:                 true,
	semantics.AnnounceVulnerabilityCase:  true,
	semantics.AnnounceCaseLedgerEntry:    true,
	semantics.InviteActorToCase:          true,
	semantics.AcceptCaseProposal:         true,
	semantics.AddCaseStatusToCase:        true,
	semantics.AddCaseParticipantToCase:   true,
	semantics.AddEmbargoEventToCase:      true,
	semantics.RemoveEmbargoEventFromCase: true,
	semantics.AnnounceEmbargoEventToCase: true,
	semantics.CreateCaseStatus:           true,
}

// Emit queues an activity of the executing actor. What only a case's manager
// may say is fault.Forbidden here: it needs EmitForCase. An activity that claims
// to speak for another actor is refused likewise.
func (s *Scope) Emit(a *model.Activity, o ports.EmitOptions) error {
	if managersOnly[semantics.Classify(a)] || a.AttributedTo != "" {
		return fault.New("scope.emit", a.ID, fault.Forbidden, "needs the authority of an open role gate")
	}
	return s.emit(a, o)
}

// EmitForCase queues an activity that the manager emits for the case, perhaps
// on behalf of the participant in AttributedTo (CM-24-001, CM-24-002).
func (s *Scope) EmitForCase(auth authority.Case, a *model.Activity, o ports.EmitOptions) error {
	if err := auth.Check(s.executing, s.caseID); err != nil {
		return err
	}
	return s.emit(a, o)
}

func (s *Scope) emit(a *model.Activity, o ports.EmitOptions) error {
	if a.Actor != s.executing.URI() {
		return fault.New("scope.emit", a.ID, fault.OwnerMismatch, "activity of "+a.Actor+" emitted by "+s.executing.URI())
	}
	return s.tools.Emitter.Emit(a, o)
}

// NewActivity begins an activity of the executing actor.
func (s *Scope) NewActivity(typ string, object model.Object, to ...string) *model.Activity {
	return &model.Activity{ID: s.NewID(), Type: typ, Actor: s.executing.URI(), Object: model.Inline(object),
		To: to, Published: s.Now(), Updated: s.Now()}
}
