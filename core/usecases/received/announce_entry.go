package received

import (
	"time"

	"bateleur/core/bt"
	"bateleur/core/fault"
	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/scope"
	"bateleur/core/usecases/leaf"
)

// Bounds of replication (protocol, sections 6.6 and 6.7).
const (
	// MaxWaiting bounds the entries that wait for a predecessor, a case.
	MaxWaiting = 256
	// PatienceForEntry is how long an entry waits for its predecessor.
	PatienceForEntry = time.Hour
	// ReplayAfter is how soon a replica asks again from the same position.
	ReplayAfter = 30 * time.Second
	// ReplayGenesisAfter is the same for a replica that has nothing.
	ReplayGenesisAfter = 2 * time.Second
)

// announceEntry applies an entry of the case's ledger to this actor's replica:
// in order, verified, effects first and the entry last (SYNC-12-001..003). An
// entry that is ahead of the replica waits, one that does not link to it is
// refused (SYNC-08-005), and either way the manager is told from where to replay
// (SYNC-03-001, SYNC-14-001).
var announceEntry = leaf.Compile(bt.Selector("announce_case_ledger_entry",
	bt.Sequence("before its case",
		caseIsMissing(),
		caseIsAwaited(),
		ifThereIsRoom(leaf.Do("wait for the case", func(s *scope.Scope) error { return waitForPredecessor(s, "") }))),
	bt.Sequence("ahead of the replica",
		entryCaseIsHere(), leaf.SenderManages(), replicaIsMine(),
		entryIsAhead(),
		ifThereIsRoom(leaf.Do("wait for the predecessor", func(s *scope.Scope) error {
			head, err := s.Ledger()
			if err != nil {
				return err
			}
			return waitForPredecessor(s, head.TailHash)
		}))),
	bt.Sequence("diverged",
		entryCaseIsHere(), leaf.SenderManages(), replicaIsMine(),
		entryDiverges(),
		leaf.Do("refuse it and name the tail", refuseDiverged)),
	bt.LatchLast("next entry",
		leaf.Latch("store the entry", func(s *scope.Scope) error { return s.StoreEntry(*announced(s)) }),
		entryCaseIsHere(), leaf.SenderManages(), replicaIsMine(),
		entryIsNext(),
		entryIsAuthentic(),
		leaf.Do("project the entry", func(s *scope.Scope) error { return s.ProjectEntry(*announced(s)) })),
))

// announced is the entry in the message; never nil once classified.
func announced(s *scope.Scope) *ledger.Entry {
	e, ok := model.InlineAs[*model.LedgerEntry](s.Message().Object)
	if !ok {
		return &ledger.Entry{}
	}
	return &e.Entry
}

func caseIsMissing() leaf.Node {
	return leaf.Guard("case is not here", func(s *scope.Scope) bt.Result {
		e := announced(s)
		here, err := s.HasCase(e.CaseID)
		switch {
		case err != nil:
			return bt.Abort(err)
		case e.CaseID == "" || here:
			return bt.Fail(leaf.Duplicate, "the case is here")
		}
		return bt.Ok()
	})
}

// caseIsAwaited keeps strangers from filling the queue: an entry of an unknown
// case waits only while a case is expected.
func caseIsAwaited() leaf.Node {
	return leaf.Guard("a case is awaited", func(s *scope.Scope) bt.Result {
		awaited, err := leaf.AwaitsCase(s)
		switch {
		case err != nil:
			return bt.Abort(err)
		case !awaited:
			return bt.Fail(leaf.Unknown, "case "+announced(s).CaseID+" is not here, and none is awaited")
		}
		return bt.Ok()
	})
}

// ifThereIsRoom lets at most MaxWaiting entries of a case wait (SYNC-14-006). An
// entry turned away comes again with the replay.
func ifThereIsRoom(wait leaf.Node) leaf.Node {
	return bt.Selector("if there is room",
		bt.Sequence("room", fewAreWaiting(), wait),
		leaf.Do("turn it away", func(s *scope.Scope) error {
			s.Refuse("too-many-waiting", "entries of the case are waiting already")
			return nil
		}))
}

func fewAreWaiting() leaf.Node {
	return leaf.Guard("few enough are waiting", func(s *scope.Scope) bt.Result {
		waiting, err := s.Waiting(scope.WakeLedgerOf(announced(s).CaseID))
		switch {
		case err != nil:
			return bt.Abort(err)
		case len(waiting) >= MaxWaiting:
			return bt.Fail("too-many-waiting", "entries of the case are waiting already")
		}
		return bt.Ok()
	})
}

func entryCaseIsHere() leaf.Node {
	return leaf.Guard("case is here", func(s *scope.Scope) bt.Result {
		e := announced(s)
		if e.CaseID == "" {
			return bt.Fail(leaf.Malformed, "object.caseId: missing")
		}
		here, err := s.HasCase(e.CaseID)
		switch {
		case err != nil:
			return bt.Abort(err)
		case !here:
			return bt.Fail(leaf.Unknown, "case "+e.CaseID+" is not here")
		}
		if err := s.SetCase(e.CaseID); err != nil {
			return bt.Abort(err)
		}
		return bt.Ok()
	})
}

// replicaIsMine keeps an own ledger from being written by an announcement.
func replicaIsMine() leaf.Node {
	return leaf.Guard("ledger is a replica", func(s *scope.Scope) bt.Result {
		head, err := s.Ledger()
		switch {
		case err != nil:
			return bt.Abort(err)
		case head.Standing != ports.Replica:
			return bt.Fail(leaf.NotForSender, "this actor's ledger of the case is its own")
		}
		return bt.Ok()
	})
}

func entryIsAhead() leaf.Node {
	return leaf.Guard("entry is ahead", func(s *scope.Scope) bt.Result {
		head, err := s.Ledger()
		switch {
		case err != nil:
			return bt.Abort(err)
		case announced(s).Index <= head.Tail+1:
			return bt.Fail("not-ahead", "the entry is not ahead of the replica")
		}
		return bt.Ok()
	})
}

// entryDiverges lets pass an entry that cannot be of the replica's chain: it
// links to another tail, or stands where the replica holds another one.
func entryDiverges() leaf.Node {
	return leaf.Guard("entry diverges", func(s *scope.Scope) bt.Result {
		e := announced(s)
		head, err := s.Ledger()
		switch {
		case err != nil:
			return bt.Abort(err)
		case e.Index > head.Tail+1:
			return bt.Fail("ahead", "the entry is ahead of the replica")
		case e.Index == head.Tail+1 && e.PrevHash == head.TailHash:
			return bt.Fail("follows", "the entry follows the tail")
		case e.Index == head.Tail+1:
			return bt.Ok()
		}
		known, err := holds(s, e)
		switch {
		case err != nil:
			return bt.Abort(err)
		case known:
			return bt.Fail(leaf.Duplicate, "entry "+e.ID()+" is here")
		}
		return bt.Ok()
	})
}

func holds(s *scope.Scope, e *ledger.Entry) (bool, error) {
	_, err := s.EntryByHash(e.Hash)
	if fault.CodeOf(err) == fault.NotFound {
		return false, nil
	}
	return err == nil, err
}

func refuseDiverged(s *scope.Scope) error {
	head, err := s.Ledger()
	if err != nil {
		return err
	}
	s.Refuse("diverged", "entry "+announced(s).ID()+" is not of the chain that ends with "+head.TailHash)
	return askForReplay(s, head.TailHash)
}

// entryIsNext keeps a repetition silent (SYNC-03-003).
func entryIsNext() leaf.Node {
	return leaf.Guard("entry is the next", func(s *scope.Scope) bt.Result {
		e := announced(s)
		head, err := s.Ledger()
		switch {
		case err != nil:
			return bt.Abort(err)
		case e.Index <= head.Tail:
			return bt.Fail(leaf.Duplicate, "entry "+e.ID()+" is here")
		case e.Index != head.Tail+1 || e.PrevHash != head.TailHash:
			return bt.Fail(leaf.Absent, "its predecessor is missing")
		}
		return bt.Ok()
	})
}

func entryIsAuthentic() leaf.Node {
	return leaf.Guard("entry's hash is right", func(s *scope.Scope) bt.Result {
		e := announced(s)
		if e.Disposition != ledger.Recorded {
			return bt.Fail(leaf.NotAuthentic, "only recorded entries are replicated")
		}
		if _, err := ledger.Verify(*e); err != nil {
			return bt.Fail(leaf.NotAuthentic, "the entry's hash does not follow from its content")
		}
		return bt.Ok()
	})
}
