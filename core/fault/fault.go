// Package fault is the project's one error type: what was attempted (Op), on
// what (Subject), and which of a closed list of codes applies.
//
// An error is not a behaviour tree's Failure. Failure is control flow and
// carries a reason (package bt); an error means that the work could not be
// decided. Errors are wrapped once, where a port returns them, and mapped once,
// at the HTTP edge.
package fault

import (
	"context"
	"errors"
	"strings"
)

// Code is one of the constants below. Codes are stable strings: they appear in
// problem documents, logs and stored outcomes.
type Code string

// The closed list of codes.
const (
	Invalid       Code = "invalid"        // input is malformed; Field names the member
	NotFound      Code = "not-found"      // the subject does not exist
	Conflict      Code = "conflict"       // the subject exists already, or another writer was first
	Forbidden     Code = "forbidden"      // the actor does not hold what the operation needs
	NotHosted     Code = "not-hosted"     // this node does not host the actor
	OwnerMismatch Code = "owner-mismatch" // the store belongs to another actor
	Corrupt       Code = "corrupt"        // stored data is damaged
	Schema        Code = "schema"         // the store was written by a newer program
	TooLarge      Code = "too-large"      // a bound was exceeded
	Unsupported   Code = "unsupported"    // well-formed, but nothing here handles it
	Unavailable   Code = "unavailable"    // may succeed later
	Cancelled     Code = "cancelled"      // the caller's context ended
	Closed        Code = "closed"         // the handle was closed before
	Inconsistent  Code = "inconsistent"   // two facts that must agree differ
	Internal      Code = "internal"       // a defect of this program
)

// Error is an operation on a subject that failed with a code.
type Error struct {
	Op      string // what was attempted, e.g. "sqlite.open"
	Subject string // what it was attempted on: an id, a path, a field's owner
	Code    Code
	Field   string // for Invalid: the member at fault, as the caller spelled it
	Text    string // one sentence for people; no secrets
	Err     error  // the cause, may be nil
}

// New makes an error without a cause.
func New(op, subject string, code Code, text string) *Error {
	return &Error{Op: op, Subject: subject, Code: code, Text: text}
}

// Wrap gives a cause its operation, subject and code. A nil cause stays nil. A
// cause that ended a context is Cancelled whatever code was named.
func Wrap(op, subject string, code Code, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		code = Cancelled
	}
	return &Error{Op: op, Subject: subject, Code: code, Err: err}
}

// Field makes an Invalid error about one member of the input.
func Field(op, subject, field, text string) *Error {
	return &Error{Op: op, Subject: subject, Code: Invalid, Field: field, Text: text}
}

// Error reads as the path of what failed: "op subject: field: text: cause".
func (e *Error) Error() string {
	parts := []string{strings.TrimSpace(e.Op + " " + e.Subject)}
	if e.Field != "" {
		parts = append(parts, e.Field)
	}
	if e.Text != "" {
		parts = append(parts, e.Text)
	}
	if e.Err != nil {
		parts = append(parts, e.Err.Error())
	}
	if e.Text == "" && e.Err == nil {
		parts = append(parts, string(e.Code))
	}
	return strings.Join(parts, ": ")
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is makes errors.Is(err, &Error{Code: c}) compare codes.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Op == "" && t.Subject == "" && t.Code == e.Code
}

// CodeOf reads the code of the outermost Error in err's chain. A bare context
// error is Cancelled, anything else unknown is Internal, nil is "".
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	switch {
	case errors.As(err, &e):
		return e.Code
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return Cancelled
	}
	return Internal
}

// FieldOf reads the member at fault of the outermost Error that names one.
func FieldOf(err error) string {
	var e *Error
	for errors.As(err, &e) {
		if e.Field != "" {
			return e.Field
		}
		err = e.Err
	}
	return ""
}
