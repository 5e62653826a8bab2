package terminal

import (
	"fmt"
	"unicode"
	"unicode/utf16"
)

// JSON gives a JSON text another spelling with the same meaning, in which
// everything that is not printed stands as an escape. Bytes that are no UTF-8
// become U+FFFD.
func JSON(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for _, r := range string(text) {
		switch high, low := utf16.EncodeRune(r); {
		case r == '\n' || unicode.IsPrint(r) && r != unicode.ReplacementChar:
			out = append(out, string(r)...)
		case high == unicode.ReplacementChar:
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		}
	}
	return out
}
