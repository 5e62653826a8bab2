package bt

import "fmt"

// Outcome is what one evaluation of a tree came to.
type Outcome struct {
	// Status is Success, Failure or Running, and Invalid when Err is set.
	Status Status
	// Reason tells why a Failure or Running, or why the gate of a
	// *ClosedGateError was closed. It is the failing or waiting leaf's own: of a
	// sequence's failing child, of a selector's last, or of the decorator that
	// turned a Success.
	Reason Reason
	// Path is the node that gave Reason or raised Err.
	Path string
	// Err ended the run: what a leaf or gate returned, as it is, or a
	// *PanicError, *ClosedGateError or *UsageError. Nothing was written.
	Err error
	// NotMine tells that this tick skipped a closed WhenRole gate on a branch
	// that did not fail; NotMinePath is the first such gate.
	NotMine     bool
	NotMinePath string
}

// PanicError is a panic in a leaf, gate or hook. The run was undone.
type PanicError struct {
	Path  string // the leaf or gate that was being called
	Value any
	Stack []byte
}

// Error names the path and the value.
func (e *PanicError) Error() string { return fmt.Sprintf("bt: %s: panic: %v", e.Path, e.Value) }

// Unwrap gives the value if the panic was raised with an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// ClosedGateError is a RequireRole gate that was closed.
type ClosedGateError struct {
	Path   string
	Gate   string
	Reason Reason
}

// Error names the path, the gate and the reason.
func (e *ClosedGateError) Error() string {
	return fmt.Sprintf("bt: %s: %s is required: %s", e.Path, e.Gate, e.Reason)
}

// Codes of UsageError.
const (
	CodeNoReason        = "no-reason"        // Failure or Running without a reason code
	CodeBadStatus       = "bad-status"       // a status that does not exist
	CodeUndeclaredWait  = "undeclared-wait"  // Running from a leaf without Waits
	CodeUndeclaredRead  = "undeclared-read"  // Get of a key the leaf does not declare
	CodeUndeclaredWrite = "undeclared-write" // Set of a key the leaf does not declare
	CodeUnknownInput    = "unknown-input"    // With a key that is not an input of the tree
	CodeMissingInput    = "missing-input"    // an input that the caller did not give
)

// UsageError is a leaf or a caller that broke a rule of this package: a defect
// of the program, not a condition of the case at hand.
type UsageError struct {
	Path string
	Code string // one of the codes above
	Key  string // the blackboard key concerned, if any
	Text string
}

// Error reads "bt: path: text".
func (e *UsageError) Error() string { return fmt.Sprintf("bt: %s: %s", e.Path, e.Text) }
