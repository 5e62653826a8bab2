package scope

import (
	"bytes"
	"encoding/json"
	"io"

	"bateleur/core/fault"
)

// Command is what an actor's owner wants done.
type Command struct {
	ID      string          `json:"id"`
	Trigger string          `json:"trigger"`
	Params  json.RawMessage `json:"params"`
}

// Params reads a command's parameters; an unknown or ill-typed member is
// fault.Invalid.
func Params[T any](s *Scope) (T, error) { return DecodeParams[T](s.in.Command) }

// DecodeParams reads a command's parameters outside of a run, before it is
// queued.
func DecodeParams[T any](c Command) (T, error) {
	var out T
	dec := json.NewDecoder(bytes.NewReader(c.Params))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&out); err != nil {
		return out, fault.Wrap("command.params", c.Trigger, fault.Invalid, err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return out, fault.New("command.params", c.Trigger, fault.Invalid, "more than one JSON value")
	}
	return out, nil
}
