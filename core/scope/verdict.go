package scope

import (
	"encoding/json"
	"time"

	"bateleur/core/bt"
)

// Verdict is how a run ended that did not simply do its work: refused with the
// protocol's answer, or deferred until something wakes it. The writes that
// stand beside it are the answer.
type Verdict struct {
	Kind   VerdictKind
	Reason bt.Reason
	Wake   string
	Until  time.Time
	Result json.RawMessage
}

// VerdictKind tells the three ends of a run apart.
type VerdictKind uint8

// The ends of a run.
const (
	VerdictDone VerdictKind = iota
	VerdictRefused
	VerdictDeferred
)

// Refuse ends the run as refused; what it wrote is the answer. The verdict
// falls away when its node's Failure is undone.
func (s *Scope) Refuse(code, text string) {
	s.setVerdict(Verdict{Kind: VerdictRefused, Reason: bt.Reason{Code: code, Text: text}})
}

// Defer ends the run as waiting for a key, at most until an instant.
func (s *Scope) Defer(wake string, until time.Time, code, text string) {
	s.setVerdict(Verdict{Kind: VerdictDeferred, Reason: bt.Reason{Code: code, Text: text}, Wake: wake, Until: until})
}

func (s *Scope) setVerdict(v Verdict) {
	before := s.verdict
	v.Result = before.Result
	s.verdict = v
	s.unit.Beside(func() { s.verdict = before })
}

// Answer is what a command's giver is told. It falls away like a verdict.
func (s *Scope) Answer(v any) error {
	body, err := json.Marshal(v)
	before := s.verdict
	s.verdict.Result = body
	s.unit.Beside(func() { s.verdict = before })
	return err
}

// Verdict is how the run stands.
func (s *Scope) Verdict() Verdict { return s.verdict }

// Await says for what a run waits that fails as absent, and until when. Unlike a
// verdict it survives the undo of the Failure that it belongs to.
func (s *Scope) Await(wake string, until time.Time) { s.wake, s.until = wake, until }

// Awaited is what Await said.
func (s *Scope) Awaited() (wake string, until time.Time) { return s.wake, s.until }
