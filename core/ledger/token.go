package ledger

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// form tells what a string's source holds beyond printable ASCII.
type form uint8

const (
	formPlain   form = iota // printable ASCII only: already canonical
	formWide                // more than ASCII, no escapes
	formEscaped             // at least one escape
)

// plainByte tells which bytes stand for themselves in the canonical form.
var plainByte = func() (t [256]bool) {
	for c := ' '; c <= '~'; c++ {
		t[c] = c != '"' && c != '\\'
	}
	return t
}()

// plainRun is the length of the run of plain bytes that s starts with. It reads
// eight at a time: most of a snapshot is such runs.
func plainRun(s []byte) int {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		if marks := markOthers(binary.LittleEndian.Uint64(s[i:])); marks != 0 {
			return i + bits.TrailingZeros64(marks)/8
		}
	}
	for i < len(s) && plainByte[s[i]] {
		i++
	}
	return i
}

// markOthers sets the top bit of the lowest byte that is not plain. Bits above it
// mean nothing, and no bit is set where all eight are plain.
func markOthers(w uint64) uint64 {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	quote, slash, del := w^(ones*'"'), w^(ones*'\\'), w^(ones*0x7F)
	return (w | (w-ones*' ')&^w | (quote-ones)&^quote | (slash-ones)&^slash | (del-ones)&^del) & tops
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// skipString moves behind the string that starts here and checks it.
func (d *document) skipString() (form, error) {
	f, i := formPlain, int(d.pos)+1
	for {
		i += plainRun(d.src[i:])
		if i >= len(d.src) {
			return f, d.fail("a string is not closed")
		}
		switch c := d.src[i]; {
		case c == '"':
			d.pos = int32(i) + 1
			return f, nil
		case c == '\\':
			n := escapeLen(d.src[i:])
			if n == 0 {
				return f, d.fail("an unknown escape in the string")
			}
			f, i = formEscaped, i+n
		case c < ' ':
			return f, d.fail("a control character in the string")
		default:
			r, n := utf8.DecodeRune(d.src[i:])
			if r == utf8.RuneError && n == 1 {
				return f, d.fail("invalid UTF-8 in the string")
			}
			f, i = max(f, formWide), i+n
		}
	}
}

// escapeLen is the length of the escape at the start of s, 0 when it is none.
func escapeLen(s []byte) int {
	if len(s) < 2 {
		return 0
	}
	switch s[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if len(s) >= 6 && isHex(s[2]) && isHex(s[3]) && isHex(s[4]) && isHex(s[5]) {
			return 6
		}
	}
	return 0
}

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// hexUnit reads the four digits of a checked \u escape.
func hexUnit(s []byte) uint16 {
	var u uint16
	for _, c := range s[2:6] {
		if isDigit(c) {
			u = u<<4 | uint16(c-'0')
		} else {
			u = u<<4 | uint16(c|0x20-'a'+10)
		}
	}
	return u
}

// unescape reads the checked escape at the start of s. Two escapes that form a
// surrogate pair are one rune; a lone surrogate is its own code point.
func unescape(s []byte) (r rune, size int) {
	switch s[1] {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		r = rune(hexUnit(s))
		if utf16.IsSurrogate(r) && len(s) >= 12 && s[6] == '\\' && s[7] == 'u' {
			if pair := utf16.DecodeRune(r, rune(hexUnit(s[6:]))); pair != utf8.RuneError {
				return pair, 12
			}
		}
		return r, 6
	}
	return rune(s[1]), 2
}

// appendDecoded decodes a checked string body. A lone surrogate gets the three
// bytes UTF-8 would give it, which keeps the order by code points; the result is
// then not valid UTF-8.
func appendDecoded(dst, body []byte) []byte {
	for i := 0; i < len(body); {
		if body[i] != '\\' {
			dst = append(dst, body[i])
			i++
			continue
		}
		r, n := unescape(body[i:])
		if utf16.IsSurrogate(r) {
			dst = append(dst, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
		} else {
			dst = utf8.AppendRune(dst, r)
		}
		i += n
	}
	return dst
}

// number moves behind the number that starts here.
func (d *document) number() (value, error) {
	v := value{kind: kindNumber, start: d.pos}
	if d.peek() == '-' {
		d.pos++
	}
	zero, whole := d.peek() == '0', d.pos
	ok := d.digits()
	if zero && d.pos > whole+1 {
		return v, d.fail("a number with a leading zero")
	}
	if ok && d.peek() == '.' {
		d.pos++
		ok = d.digits()
	}
	if ok && d.peek()|0x20 == 'e' {
		d.pos++
		if c := d.peek(); c == '+' || c == '-' {
			d.pos++
		}
		ok = d.digits()
	}
	if !ok {
		return v, d.fail("a digit is missing")
	}
	v.end = d.pos
	return v, nil
}

// digits moves behind a run of digits and tells whether there was one.
func (d *document) digits() bool {
	start := d.pos
	for isDigit(d.peek()) {
		d.pos++
	}
	return d.pos > start
}
