package as2

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"bateleur/core/fault"
)

// maxPath bounds the path of a member in an error, in bytes.
const maxPath = 256

// path says where a node lies, as people write it: "object.to[2]".
func (t *tree) path(at int32) string {
	var b strings.Builder
	for here := int32(root); here != at && b.Len() < maxPath; {
		child, index := here+1, 0
		for t.nodes[child].next <= at {
			child, index = t.nodes[child].next, index+1
		}
		if t.nodes[here].kind == '[' {
			b.WriteString("[" + strconv.Itoa(index) + "]")
		} else {
			b.WriteString("." + t.memberName(child))
		}
		here = child
	}
	return clip(strings.TrimPrefix(b.String(), "."))
}

// pointed turns a JSON pointer into a path.
func pointed(p jsontext.Pointer) string {
	var b strings.Builder
	for token := range p.Tokens() {
		if _, err := strconv.ParseUint(token, 10, 32); err == nil {
			b.WriteString("[" + token + "]")
		} else {
			b.WriteString("." + token)
		}
	}
	return clip(strings.TrimPrefix(b.String(), "."))
}

func clip(s string) string {
	if len(s) > maxPath {
		return strings.ToValidUTF8(s[:maxPath], "") + "…"
	}
	return s
}

// malformed is the error for a text that is not JSON as it must be.
func malformed(err error) error {
	e := &fault.Error{Op: "as2.decode", Code: fault.Invalid, Text: "the document ends too early", Err: err}
	if at, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		e.Field = pointed(at.JSONPointer)
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			e.Text = "not JSON in UTF-8: " + at.Err.Error()
		}
	}
	return e
}
