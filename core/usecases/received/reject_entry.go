package received

import (
	"time"

	"bateleur/core/authority"
	"bateleur/core/bt"
	"bateleur/core/cases"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/scope"
	"bateleur/core/usecases/leaf"
)

// ReplayBatch bounds the entries sent in answer to one request; a replica that
// is still behind asks again from its new position.
const ReplayBatch = 256

// rejectEntry answers a participant's "I am at this position" with the entries
// from there on (SYNC-03-002), not too often from one position (SYNC-15-009).
var rejectEntry = leaf.Compile(bt.Sequence("reject_case_ledger_entry",
	leaf.CaseIsHere(),
	senderMayKnow(),
	positionIsFresh(),
	leaf.WhenManager(bt.Sequence("replay",
		leaf.ForCase("tell the case to one that has nothing", retellCase),
		leaf.ForCase("send the missing entries", replayEntries))),
))

// senderMayKnow lets pass whom the ledger's entries are told at all. One who has
// left may still fetch what it was due; the case as it stands is no longer its
// business (CM-23-004).
func senderMayKnow() leaf.Node {
	return leaf.Guard("sender may know", func(s *scope.Scope) bt.Result {
		c, err := s.Case()
		if err != nil {
			return bt.Abort(err)
		}
		p := c.Of(s.Sender().URI())
		switch {
		case p == nil:
			return bt.Fail(leaf.NotForSender, s.Sender().URI()+" does not participate in the case")
		case c.EM.InForce() && p.PEC != model.PECSignatory:
			return bt.Fail(leaf.NotForSender, s.Sender().URI()+" has not consented to the embargo")
		case p.RM != model.RMClosed || s.Message().Context != "":
			return bt.Ok()
		}
		head, err := s.Ledger()
		if err != nil {
			return bt.Abort(err)
		}
		if due, err := lastDue(s); err != nil || due < head.Tail {
			return orAbort(err, leaf.NotForSender, s.Sender().URI()+" has left the case")
		}
		return bt.Ok()
	})
}

func orAbort(err error, code, text string) bt.Result {
	if err != nil {
		return bt.Abort(err)
	}
	return bt.Fail(code, text)
}

// lastDue is the last entry that the sender is told: the tail, or the one by
// which it left. The owner's leaving closes the case and so it hears of that too.
func lastDue(s *scope.Scope) (int64, error) {
	c, err := s.Case()
	if err != nil {
		return 0, err
	}
	p := c.Of(s.Sender().URI())
	if p.RM == model.RMClosed && !p.Has(model.RoleCaseOwner) {
		return cases.ClosedBy(s, c, p)
	}
	head, err := s.Ledger()
	return head.Tail, err
}

func replication(s *scope.Scope) (cases.Stored[cases.Replication], string, error) {
	id := s.CaseID() + "|" + s.Sender().URI()
	state, _, err := cases.Find[cases.Replication](s, cases.KindReplication, id)
	return state, id, err
}

func positionIsFresh() leaf.Node {
	return leaf.Guard("position was not served just now", func(s *scope.Scope) bt.Result {
		state, _, err := replication(s)
		if err != nil {
			return bt.Abort(err)
		}
		pause := ReplayAfter
		if s.Message().Context == "" {
			pause = ReplayGenesisAfter
		}
		if state.Rev > 0 && state.Value.ReplayedFrom == s.Message().Context &&
			s.Instant().Sub(state.Value.ReplayedAt) < pause {
			return bt.Fail(leaf.Duplicate, "replayed from this position less than "+pause.String()+" ago")
		}
		return bt.Ok()
	})
}

func retellCase(s *scope.Scope, auth authority.Case) error {
	if s.Message().Context != "" {
		return auth.Check(s.Executing(), s.CaseID())
	}
	return tellNewcomer(s, auth, s.Sender().URI())
}

// tellNewcomer announces the case whole to one actor.
func tellNewcomer(s *scope.Scope, auth authority.Case, actor string) error {
	whole, err := s.WholeCase()
	if err != nil {
		return err
	}
	a := s.NewActivity(model.Announce, whole, actor)
	a.Context = s.CaseID()
	return s.EmitForCase(auth, a, ports.EmitOptions{About: s.CaseID()})
}

// replayEntries starts behind the position; an unknown one is taken for none
// (CLP-08-005). When nothing is missing the position stays as it was.
func replayEntries(s *scope.Scope, auth authority.Case) error {
	from := int64(0)
	known, err := s.EntryByHash(s.Message().Context)
	switch fault.CodeOf(err) {
	case "":
		from = known.Index + 1
	case fault.NotFound:
	default:
		return err
	}
	due, err := lastDue(s)
	if err != nil || from > due {
		return err
	}
	missing, err := s.Entries(from, min(ReplayBatch, int(due-from+1)))
	if err != nil {
		return err
	}
	for _, e := range missing {
		if err := s.AnnounceEntry(auth, e, s.Sender().URI()); err != nil {
			return err
		}
	}
	return noteReplay(s, s.Instant())
}

func noteReplay(s *scope.Scope, at time.Time) error {
	state, id, err := replication(s)
	if err != nil {
		return err
	}
	position := s.Message().Context
	state.Value = cases.Replication{CaseID: s.CaseID(), Peer: s.Sender().URI(),
		Acknowledged: position, ReplayedFrom: position, ReplayedAt: at}
	return cases.Save(s, cases.KindReplication, id, &state, ports.Ref{Name: cases.RefCase, Target: s.CaseID()})
}
