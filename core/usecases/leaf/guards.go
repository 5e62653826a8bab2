package leaf

import (
	"time"

	"bateleur/core/bt"
	"bateleur/core/cases"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/scope"
	"bateleur/core/semantics"
)

// PatienceForCase is how long a peer's message waits for its case.
const PatienceForCase = 300 * time.Second

// PatienceOfOwner is how long an owner's command waits for its case.
const PatienceOfOwner = 72 * time.Hour

// patience is how long the run's item may wait.
func patience(s *scope.Scope) time.Duration {
	if s.Message() == nil {
		return PatienceOfOwner
	}
	return PatienceForCase
}

// CaseIsHere lets pass when the message's case is in the executing actor's own
// store. A case that is not here is absent, wherever else it may lie
// (PCR-01-003): the run waits for its Create.
func CaseIsHere() Node {
	return Guard("case is here", func(s *scope.Scope) bt.Result {
		return Here(s, semantics.CaseOf(s.Message(), semantics.Classify(s.Message())))
	})
}

// Here tells whether the store holds the case, and makes it the run's.
func Here(s *scope.Scope, caseID string) bt.Result {
	if caseID == "" {
		return bt.Fail(Malformed, "names no case")
	}
	here, err := s.HasCase(caseID)
	switch {
	case err != nil:
		return bt.Abort(err)
	case !here:
		return absent(s, caseID)
	}
	return Result(s.SetCase(caseID))
}

// absent lets the run wait for a case; messages only as many as may wait for one.
func absent(s *scope.Scope, caseID string) bt.Result {
	key := scope.WakeCase(caseID)
	if s.Message() != nil {
		if waiting, err := s.Waiting(key); err != nil || len(waiting) >= MaxWaitingForCase {
			return orAbort(err, bt.Fail("too-many-waiting", "enough messages wait for case "+caseID))
		}
	}
	s.Await(key, s.Instant().Add(patience(s)))
	return bt.Fail(Absent, "case "+caseID+" is not here")
}

func orAbort(err error, r bt.Result) bt.Result {
	if err != nil {
		return bt.Abort(err)
	}
	return r
}

// MaxWaitingForCase bounds the messages that wait for one case.
const MaxWaitingForCase = 256

// CaseOfReportIsHere is CaseIsHere for what is said about a report: the report's
// case is known once its replica arrived.
func CaseOfReportIsHere(reportOf func(*scope.Scope) (string, error)) Node {
	return Guard("case of the report is here", func(s *scope.Scope) bt.Result {
		reportID, err := reportOf(s)
		if err != nil {
			return bt.Abort(err)
		}
		link, known, err := cases.Find[cases.CaseLink](s, cases.KindCaseLink, reportID)
		switch {
		case err != nil:
			return bt.Abort(err)
		case !known:
			s.Await(scope.WakeReport(reportID), s.Instant().Add(patience(s)))
			return bt.Fail(Absent, "the case of report "+reportID+" is not here")
		}
		return Here(s, link.Value.CaseID)
	})
}

// SenderParticipates lets pass when the sender is a participant that has not
// left.
func SenderParticipates() Node {
	return Guard("sender participates", func(s *scope.Scope) bt.Result {
		p, err := SenderIn(s)
		switch {
		case err != nil:
			return bt.Abort(err)
		case p == nil:
			return bt.Fail(NotForSender, s.Sender().URI()+" does not participate in the case")
		case p.RM == model.RMClosed:
			return bt.Fail(NotForSender, s.Sender().URI()+" has left the case")
		}
		return bt.Ok()
	})
}

// SenderIn is the sender's participant, nil when it has none.
func SenderIn(s *scope.Scope) (*cases.Participant, error) {
	c, err := s.Case()
	if err != nil {
		return nil, err
	}
	return c.Of(s.Sender().URI()), nil
}

// SenderManages lets pass when the sender holds CASE_MANAGER in the case, by
// role, whatever its id looks like.
func SenderManages() Node {
	return Guard("sender manages the case", func(s *scope.Scope) bt.Result {
		c, err := s.Case()
		switch {
		case err != nil:
			return bt.Abort(err)
		case c.Manager() != s.Sender().URI():
			return bt.Fail(NotForSender, s.Sender().URI()+" does not manage the case")
		}
		return bt.Ok()
	})
}

// NotLedgered lets pass when the message is not in the ledger yet: a repeated
// assertion is silent (CLP-13-001).
func NotLedgered(eventType string) Node {
	return Guard("not ledgered yet", func(s *scope.Scope) bt.Result {
		_, err := s.EntryByObject(eventType, s.Message().ID)
		switch fault.CodeOf(err) {
		case fault.NotFound:
			return bt.Ok()
		case "":
			return bt.Fail(Duplicate, "ledgered before")
		}
		return bt.Abort(err)
	})
}
