package received

import (
	"bateleur/core/cases"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/scope"
	"bateleur/core/usecases/leaf"
)

// waitForPredecessor keeps the entry and asks the sender to replay from this
// replica's position.
func waitForPredecessor(s *scope.Scope, position string) error {
	e := announced(s)
	s.Defer(scope.WakeLedger(e.CaseID, e.PrevHash), s.Instant().Add(PatienceForEntry),
		leaf.Absent, "entry "+e.ID()+" is ahead of the replica")
	return askForReplay(s, position)
}

// askForReplay answers the entry with the position from which this replica needs
// entries, not too often from the same one.
func askForReplay(s *scope.Scope, position string) error {
	e := announced(s)
	asked, _, err := cases.Find[cases.ReplayRequest](s, cases.KindRejection, e.CaseID)
	if err != nil {
		return err
	}
	pause := ReplayAfter
	if position == "" {
		pause = ReplayGenesisAfter
	}
	if asked.Rev > 0 && asked.Value.From == position && s.Instant().Sub(asked.Value.At) < pause {
		return nil
	}
	asked.Value = cases.ReplayRequest{CaseID: e.CaseID, From: position, At: s.Instant()}
	if err := cases.Save(s, cases.KindRejection, e.CaseID, &asked); err != nil {
		return err
	}
	a := s.NewActivity(model.Reject, &model.LedgerEntry{Entry: *e}, s.Sender().URI())
	a.Context, a.HasContext = position, true
	return s.Emit(a, ports.EmitOptions{About: e.ID()})
}
