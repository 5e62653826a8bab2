package scope

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

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
// queued. Text that is not UTF-8, a member that is given twice and a name in
// another letter case are fault.Invalid too: encoding/json would mend the first
// and choose for the others.
func DecodeParams[T any](c Command) (T, error) {
	var out T
	if !utf8.Valid(c.Params) {
		return out, fault.Field("command.params", c.Trigger, "body", "not UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(c.Params))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&out); err != nil {
		return out, fault.Wrap("command.params", c.Trigger, fault.Invalid, err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return out, fault.New("command.params", c.Trigger, fault.Invalid, "more than one JSON value")
	}
	return out, exactNames(c, reflect.TypeFor[T]())
}

// exactNames refuses a member whose name is not written as the parameters' type
// writes it, and one that comes twice. The text has been decoded before.
func exactNames(c Command, params reflect.Type) error {
	free := memberNames(params)
	dec := json.NewDecoder(bytes.NewReader(c.Params))
	_, _ = dec.Token() // the opening brace, or null, which has no members
	for dec.More() {
		token, err := dec.Token()
		name, _ := token.(string)
		var value json.RawMessage
		if err != nil || dec.Decode(&value) != nil {
			return fault.New("command.params", c.Trigger, fault.Invalid, "not a JSON object")
		}
		unused, known := free[name]
		switch {
		case !known:
			return fault.Field("command.params", c.Trigger, name, "unknown field "+strconv.Quote(name))
		case !unused:
			return fault.Field("command.params", c.Trigger, name, "given twice")
		}
		free[name] = false
	}
	return nil
}

// memberNames are the names of a type's members, each free to be given.
func memberNames(params reflect.Type) map[string]bool {
	names := map[string]bool{}
	for field := range params.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names[name] = true
	}
	return names
}
