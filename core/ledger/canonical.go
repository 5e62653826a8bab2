package ledger

import (
	"sync"
	"unicode/utf16"
	"unicode/utf8"
)

// AppendCanonical appends the canonical form of a JSON text to dst. Names are
// sorted by code point at every level, nothing separates tokens but "," and
// ":", strings are ASCII with lower-case \uXXXX escapes, pairs for what lies
// beyond U+FFFF, and the short forms \b \f \n \r \t. "/", "<", ">" and "&" are
// not escaped. Numbers and lone surrogate escapes keep their spelling.
//
// Repeated names, invalid UTF-8 and anything that is not JSON are
// [fault.Invalid]; nesting beyond 200 is [fault.TooLarge]; dst is then returned
// unchanged. The cost is linear in the size of the text.
func AppendCanonical(dst, json []byte) ([]byte, error) {
	w := borrow()
	defer w.release()
	if err := w.parse(json); err != nil {
		return dst, err
	}
	return w.appendValue(dst, w.root, asWritten), nil
}

// A workspace is what building a canonical form needs, kept for reuse.
type workspace struct {
	document
	out []byte
}

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

func borrow() *workspace { return workspaces.Get().(*workspace) }

// release keeps the workspace unless one large text has blown it up.
func (w *workspace) release() {
	const keep = 1 << 20
	w.src = nil
	if cap(w.out) <= keep && cap(w.names) <= keep && cap(w.closed) <= keep/32 && cap(w.open) <= keep/32 {
		workspaces.Put(w)
	}
}

// spelling says how timestamps among the string values are written.
type spelling bool

const (
	asWritten spelling = false
	respelled spelling = true // 2026-01-02T03:04:05Z as 2026-01-02 03:04:05+00:00
)

func (d *document) appendValue(dst []byte, v value, s spelling) []byte {
	switch v.kind {
	case kindObject:
		return d.appendObject(dst, v, s)
	case kindArray:
		return d.appendArray(dst, v, s)
	case kindString:
		return appendToken(dst, d.raw(v), v.plain, s)
	}
	return append(dst, d.raw(v)...)
}

func (d *document) appendObject(dst []byte, v value, s spelling) []byte {
	dst = append(dst, '{')
	members := d.content(v)
	for i := range members {
		m := &members[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendToken(dst, d.src[m.nameStart:m.nameEnd], m.namePlain, asWritten)
		dst = append(dst, ':')
		dst = d.appendValue(dst, m.value, s)
	}
	return append(dst, '}')
}

func (d *document) appendArray(dst []byte, v value, s spelling) []byte {
	dst = append(dst, '[')
	for i, m := range d.content(v) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = d.appendValue(dst, m.value, s)
	}
	return append(dst, ']')
}

// appendToken writes a checked string token, quotes included.
func appendToken(dst, token []byte, plain bool, s spelling) []byte {
	body := token[1 : len(token)-1]
	switch {
	case plain && s == respelled && isStamp(body):
		dst = append(append(append(dst, '"'), body[:10]...), ' ')
		return append(append(dst, body[11:len(body)-1]...), `+00:00"`...)
	case plain:
		return append(dst, token...)
	}
	return append(appendBody(append(dst, '"'), body), '"')
}

// appendBody writes the canonical form of a checked string body.
func appendBody(dst, body []byte) []byte {
	for len(body) > 0 {
		n := plainRun(body)
		dst, body = append(dst, body[:n]...), body[n:]
		if len(body) == 0 {
			break
		}
		r, size := utf8.DecodeRune(body)
		if r == '\\' {
			r, size = unescape(body)
		}
		dst, body = appendRune(dst, r), body[size:]
	}
	return dst
}

// appendQuoted writes a Go string, which must be valid UTF-8, in canonical form.
func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for len(s) > 0 {
		n := 0
		for n < len(s) && plainByte[s[n]] {
			n++
		}
		dst, s = append(dst, s[:n]...), s[n:]
		if len(s) > 0 {
			r, size := utf8.DecodeRuneInString(s)
			dst, s = appendRune(dst, r), s[size:]
		}
	}
	return append(dst, '"')
}

func appendRune(dst []byte, r rune) []byte {
	if r > 0xFFFF {
		hi, lo := utf16.EncodeRune(r)
		return appendUnit(appendUnit(dst, uint16(hi)), uint16(lo))
	}
	return appendUnit(dst, uint16(r))
}

// appendUnit writes one UTF-16 code unit.
func appendUnit(dst []byte, u uint16) []byte {
	if u < 0x80 && plainByte[u] {
		return append(dst, byte(u))
	}
	switch u {
	case '"', '\\':
		return append(dst, '\\', byte(u))
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	const hex = "0123456789abcdef"
	return append(dst, '\\', 'u', hex[u>>12], hex[u>>8&15], hex[u>>4&15], hex[u&15])
}

// isStamp tells whether s reads YYYY-MM-DDTHH:MM:SS[.f]Z.
func isStamp(s []byte) bool {
	const shape = "0000-00-00T00:00:00"
	if len(s) <= len(shape) || s[len(s)-1] != 'Z' {
		return false
	}
	for i := range len(shape) {
		if shape[i] == '0' && !isDigit(s[i]) || shape[i] != '0' && s[i] != shape[i] {
			return false
		}
	}
	fraction := s[len(shape) : len(s)-1]
	for i, c := range fraction {
		if i == 0 && c != '.' || i > 0 && !isDigit(c) {
			return false
		}
	}
	return len(fraction) != 1
}
