package delivery

import (
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

// FuzzClean: a stranger's text becomes one short line that a terminal can show.
func FuzzClean(f *testing.F) {
	for _, seed := range []string{"", "gone\r\nSet-Cookie: x", "\x1b[31mred", "\xff\xfe", strings.Repeat("ä", 1000), "a\u202eb"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := clean(s)
		if len(got) > 310 || !utf8.ValidString(got) ||
			strings.ContainsFunc(got, func(r rune) bool { return unicode.IsControl(r) || !unicode.IsPrint(r) }) {
			t.Errorf("%q became %q", s, got)
		}
	})
}

// FuzzRetryAfter: no header makes a pause below nothing or beyond a day.
func FuzzRetryAfter(f *testing.F) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, seed := range []string{"", "0", "120", "-1", "99999999999999999999", "Fri, 02 Jan 2026 03:05:05 GMT", "Fri, 02 Jan 9999 03:05:05 GMT"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		if got := retryAfter(header, now); got < 0 || got > longestPause {
			t.Errorf("%q is a pause of %s", header, got)
		}
	})
}
