package advisory

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bateleur/core/fault"
)

// decode reads JSON strictly: no repeated names, no invalid UTF-8, names in their
// exact spelling. Unknown members are ignored.
func decode(name string, text []byte, into any) error {
	err := json.Unmarshal(text, into)
	if err == nil {
		return nil
	}
	f := &fault.Error{Op: op, Subject: name, Code: fault.Invalid, Err: err}
	var syntax *jsontext.SyntacticError
	var wrongType *json.SemanticError
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName) && errors.As(err, &syntax):
		f.Field, f.Text = dotted(syntax.JSONPointer), "the name is repeated"
	case errors.As(err, &wrongType):
		f.Field, f.Text = dotted(wrongType.JSONPointer), "a value of the wrong type"
	default:
		f.Text = "this is not valid JSON; " + lookedFor
	}
	return f
}

// dotted spells a place in a document as people do.
func dotted(p jsontext.Pointer) string {
	var names []string
	for name := range p.Tokens() {
		names = append(names, name)
	}
	return strings.Join(names, ".")
}

// unbounded names the bound that a JSON text exceeds, or is "". It counts
// brackets outside of strings, before anything is decoded: an empty object in a
// list takes three bytes here and hundreds once it is decoded.
func unbounded(text []byte) string {
	depth, containers, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
			containers++
		case c == '}' || c == ']':
			depth--
		}
		if depth > maxDepth {
			return fmt.Sprintf("JSON nested deeper than %d", maxDepth)
		}
		if containers > maxContainers {
			return fmt.Sprintf("JSON of more than %d objects and lists", maxContainers)
		}
	}
	return ""
}
