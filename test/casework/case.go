package casework

import (
	"bateleur/core/authority"
	"bateleur/core/bt"
	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/scope"
	"bateleur/core/usecases/leaf"
)

// Report is what the case is about.
func Report() *model.Report {
	return &model.Report{ID: "urn:uuid:22222222-2222-4222-8222-222222222222", Type: model.TypeReport, Name: "Overflow",
		Content: "It overflows.", AttributedTo: Reporter.URI(), Published: Begin, Updated: Begin}
}

// Embargo is under what it is kept.
func Embargo() *model.EmbargoEvent {
	return &model.EmbargoEvent{ID: "urn:uuid:33333333-3333-4333-8333-333333333333", Type: model.TypeEmbargo, Context: CaseID,
		StartTime: Begin, EndTime: Begin.AddDate(0, 3, 0)}
}

// ParticipantID is the id of an actor's participant.
func ParticipantID(who model.ActorID) string { return CaseID + "/participants/" + who.Segment() }

// Founded is the case as its manager founds it: without an embargo, the manager,
// the owner and the reporter taking part.
func Founded() *model.VulnerabilityCase {
	vc := &model.VulnerabilityCase{ID: CaseID, Type: model.TypeCase, Name: "Overflow", AttributedTo: Manager.URI(),
		Published: Begin, Updated: Begin, VulnerabilityReports: []model.Item{model.Inline(Report())},
		GenesisHash: ledger.Genesis(CaseID, Begin, Manager.URI())}
	join := func(who model.ActorID, rm model.RM, roles ...model.Role) {
		vc.CaseParticipants = append(vc.CaseParticipants, model.Inline(&model.CaseParticipant{ID: ParticipantID(who),
			Type: model.TypeParticipant, Name: who.URI(), AttributedTo: who.URI(), Context: CaseID, CaseRoles: roles,
			ParticipantStatuses: []model.Item{model.Inline(&model.ParticipantStatus{ID: ParticipantID(who) + "/status", Type: model.TypeParticipantStatus,
				Context: CaseID, AttributedTo: who.URI(), RMState: rm, VFDState: model.VFDUnaware})}}))
	}
	join(Manager, model.RMAccepted, model.RoleCoordinator, model.RoleCaseManager)
	join(Owner, model.RMReceived, model.RoleVendor, model.RoleCaseOwner)
	join(Reporter, model.RMAccepted, model.RoleReporter)
	return vc
}

// Found puts the case into its manager's store, under the embargo.
func (d *Desk) Found() *Desk {
	d.Helper()
	d.Want(d.Run(scope.Input{}, bt.Sequence("found",
		leaf.Do("found", func(s *scope.Scope) error { return s.Found(Founded()) }),
		leaf.AsManager(leaf.ForCase("adopt", func(s *scope.Scope, auth authority.Case) error { return s.AdoptEmbargo(auth, Embargo()) })))))
	return d
}

// Seed puts the case into a participant's store, as it is told without an embargo.
func (d *Desk) Seed() *Desk {
	d.Helper()
	d.Want(d.Run(scope.Input{}, leaf.Do("seed", func(s *scope.Scope) error { return s.SeedReplica(Founded()) })))
	return d
}

// InCase is a guard that makes the case the run's.
func InCase() bt.Node[*scope.Scope] {
	return leaf.Guard("in the case", func(s *scope.Scope) bt.Result { return leaf.Here(s, CaseID) })
}

// Want ends the test unless a run succeeded.
func (d *Desk) Want(out bt.Outcome) {
	d.Helper()
	if out.Status != bt.Success {
		d.Fatalf("the run ended at %s with %s %v", out.Path, out.Reason, out.Err)
	}
}
