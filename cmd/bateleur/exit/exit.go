// Package exit names the exit codes of the commands.
package exit

// Exit codes.
const (
	Failed = 1 // the work was done and something does not hold, or could not be done
	Usage  = 2 // the command line or its input is wrong; nothing was done
)

// Error is an error with the exit code that it asks for. A nil Err asks for the
// code alone: what is wrong has been printed.
type Error struct {
	Code int
	Err  error
}

// Error is the cause's text.
func (e Error) Error() string {
	if e.Err == nil {
		return ""
	}
	return e.Err.Error()
}

// Unwrap gives the cause.
func (e Error) Unwrap() error { return e.Err }
