package advisory

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"bateleur/core/fault"
)

// readText checks that the bytes are text and gives it without byte order mark.
func readText(name string, data []byte) ([]byte, error) {
	if len(data) > MaxSize {
		return nil, fault.New(op, name, fault.TooLarge, fmt.Sprintf("larger than %d MiB", MaxSize>>20))
	}
	text := bytes.TrimPrefix(data, []byte("\ufeff"))
	switch {
	case len(bytes.TrimSpace(text)) == 0:
		return nil, refuse(name, "the file is empty")
	case bytes.HasPrefix(text, []byte{0xFF, 0xFE}), bytes.HasPrefix(text, []byte{0xFE, 0xFF}):
		return nil, refuse(name, "this is UTF-16")
	case bytes.HasPrefix(text, []byte("%PDF-")), bytes.ContainsFunc(text, isBinary):
		return nil, refuse(name, "this is binary data")
	case !utf8.Valid(text):
		return nil, refuse(name, "this is not UTF-8")
	}
	return text, nil
}

// isBinary finds control characters that text does not have. Text pasted from a
// terminal may have escapes and backspaces.
func isBinary(r rune) bool {
	return r < ' ' && !strings.ContainsRune("\t\n\v\f\r\b\x1b", r)
}

// looksLikeJSON tells JSON, broken JSON included, from text. Markdown may start
// with a bracket too.
func looksLikeJSON(name string, text []byte) bool {
	if jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true)) {
		return true
	}
	if _, byName := textFormat(name); byName {
		return false
	}
	head := bytes.TrimSpace(text)
	switch head[0] {
	case '{':
		return true
	case '[':
		rest := bytes.TrimSpace(head[1:])
		return len(rest) > 0 && strings.ContainsRune(`{["`, rune(rest[0]))
	}
	return false
}
