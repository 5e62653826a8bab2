package bt

// Status is what a node's evaluation came to.
type Status uint8

// The statuses. A node that was not evaluated, or was halted, is Invalid; a
// leaf that returns Invalid is taken to have failed, so that forgetting to
// decide can never mean success.
const (
	Invalid Status = iota
	Success
	Failure
	Running
)

const (
	// ended is how an error travels: from Abort, and up the evaluation. An
	// Outcome never has it.
	ended Status = 4
	// skipBit marks the Success of a closed WhenRole gate in a run's table.
	skipBit Status = 0x10
)

// String names the status in lower case.
func (s Status) String() string {
	switch s {
	case Success:
		return "success"
	case Failure:
		return "failure"
	case Running:
		return "running"
	case ended:
		return "error"
	}
	return "invalid"
}

// Reason says why a node failed, waits or was halted. Code is a stable word for
// programs, Text a sentence for people; Text may be empty, Code may not.
type Reason struct{ Code, Text string }

// String reads "code: text".
func (r Reason) String() string {
	if r.Text == "" {
		return r.Code
	}
	return r.Code + ": " + r.Text
}

// Codes of the reasons that the engine itself gives.
const (
	CodeUnspecified = "unspecified" // a leaf returned the zero Result
	CodeInverted    = "inverted"    // Invert turned a Success into this Failure
	CodeForced      = "forced"      // Force turned a Success into this Failure
	CodeNotMine     = "not-mine"    // a gate was closed and gave no code of its own
	CodePreempted   = "preempted"   // halted because another branch took over
	CodeSuperseded  = "superseded"  // halted because a node it depended on failed
	CodeHalted      = "halted"      // halted by a caller who gave no code
)
