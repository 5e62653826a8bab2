package model

// RM is a participant's report-management state in one case.
type RM string

// The states of report management.
const (
	RMStart    RM = "START"
	RMReceived RM = "RECEIVED"
	RMInvalid  RM = "INVALID"
	RMValid    RM = "VALID"
	RMDeferred RM = "DEFERRED"
	RMAccepted RM = "ACCEPTED"
	RMClosed   RM = "CLOSED"
)

var rmMachine = machine[RM]{"rm", []edge[RM]{
	{RMStart, "receive", RMReceived},
	{RMReceived, "validate", RMValid},
	{RMReceived, "invalidate", RMInvalid},
	{RMInvalid, "validate", RMValid},
	{RMValid, "accept", RMAccepted},
	{RMValid, "defer", RMDeferred},
	{RMDeferred, "accept", RMAccepted},
	{RMAccepted, "defer", RMDeferred},
	{RMInvalid, "close", RMClosed},
	{RMDeferred, "close", RMClosed},
	{RMAccepted, "close", RMClosed},
}}

var rmRank = map[RM]int{RMStart: 0, RMReceived: 1, RMInvalid: 2, RMValid: 2, RMDeferred: 3, RMAccepted: 3, RMClosed: 4}

// Next is an actor's own transition: only rows of the table (RMB-15-001).
func (s RM) Next(trigger string) (RM, error) { return rmMachine.next(s, trigger) }

// MayMoveTo tells whether an actor's own step from s to t stands in the table.
func (s RM) MayMoveTo(t RM) bool { return rmMachine.reaches(s, t) }

// Known tells whether s is a state of the machine.
func (s RM) Known() bool { _, ok := rmRank[s]; return ok }

// AcceptsReported tells whether a peer's report of state t may replace s: the
// same or a higher rank, jumps included; nothing leaves CLOSED (RSH-05-006).
func (s RM) AcceptsReported(t RM) bool {
	if s == RMClosed {
		return t == RMClosed
	}
	return t.Known() && rmRank[t] >= rmRank[s]
}

// Engaged tells whether vendor-fix progress may be asserted in s (CSB-18-001).
func (s RM) Engaged() bool { return s == RMAccepted || s == RMDeferred || s == RMClosed }
