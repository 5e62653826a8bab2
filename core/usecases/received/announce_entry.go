package received

import (
	"time"

	"bateleur/core/bt"
	"bateleur/core/cases"
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
// entry that is ahead of the replica waits, and the manager is told from where
// to replay (SYNC-03-001, SYNC-14-001).
var announceEntry = leaf.Compile(bt.Selector("announce_case_ledger_entry",
	bt.Sequence("before its case",
		caseIsMissing(),
		caseIsAwaited(),
		waitingIsBounded(),
		leaf.Do("wait for the case", func(s *scope.Scope) error { return waitForPredecessor(s, "") })),
	bt.Sequence("ahead of the replica",
		entryCaseIsHere(), leaf.SenderManages(), replicaIsMine(),
		entryIsAhead(),
		waitingIsBounded(),
		leaf.Do("wait for the predecessor", func(s *scope.Scope) error {
			head, err := s.Ledger()
			if err != nil {
				return err
			}
			return waitForPredecessor(s, head.TailHash)
		})),
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
		awaited, err := awaitsCase(s)
		switch {
		case err != nil:
			return bt.Abort(err)
		case !awaited:
			return bt.Fail(leaf.Unknown, "case "+announced(s).CaseID+" is not here, and none is awaited")
		}
		return bt.Ok()
	})
}

// awaitsCase tells whether an offer or an accepted invitation has no case yet.
func awaitsCase(s *scope.Scope) (bool, error) {
	offers, err := cases.All[cases.OfferRecord](s, cases.KindOffer, ports.Ref{})
	if err != nil {
		return false, err
	}
	for _, o := range offers {
		_, known, err := cases.Find[cases.CaseLink](s, cases.KindCaseLink, o.ReportID)
		if err != nil || !known {
			return !known, err
		}
	}
	answers, err := cases.All[cases.Answer](s, cases.KindConsent, ports.Ref{})
	if err != nil {
		return false, err
	}
	for _, a := range answers {
		here, err := s.HasCase(a.CaseID)
		if err != nil || a.Accepted && !here {
			return err == nil, err
		}
	}
	return false, nil
}

// waitingIsBounded lets at most MaxWaiting entries of a case wait (SYNC-14-006).
// An entry turned away comes again with the replay.
func waitingIsBounded() leaf.Node {
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

// entryIsNext tells a repetition, a divergence and the next entry apart.
func entryIsNext() leaf.Node {
	return leaf.Guard("entry is the next", func(s *scope.Scope) bt.Result {
		e := announced(s)
		head, err := s.Ledger()
		if err != nil {
			return bt.Abort(err)
		}
		switch {
		case e.Index <= head.Tail:
			return repeated(s, e)
		case e.Index > head.Tail+1:
			return bt.Fail(leaf.Absent, "its predecessor is missing")
		case e.PrevHash != head.TailHash:
			return bt.Fail("diverged", "does not follow entry "+head.TailHash)
		}
		return bt.Ok()
	})
}

func repeated(s *scope.Scope, e *ledger.Entry) bt.Result {
	_, err := s.EntryByHash(e.Hash)
	switch fault.CodeOf(err) {
	case "":
		return bt.Fail(leaf.Duplicate, "entry "+e.ID()+" is here")
	case fault.NotFound:
		return bt.Fail("diverged", "another entry stands at "+e.ID())
	}
	return bt.Abort(err)
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

// waitForPredecessor keeps the entry and asks the sender, not too often, to
// replay from this replica's position.
func waitForPredecessor(s *scope.Scope, position string) error {
	e := announced(s)
	s.Defer(scope.WakeLedger(e.CaseID, e.PrevHash), s.Instant().Add(PatienceForEntry),
		leaf.Absent, "entry "+e.ID()+" is ahead of the replica")
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
