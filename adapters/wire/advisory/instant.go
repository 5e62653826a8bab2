package advisory

import (
	"strings"
	"time"
)

// zoned and zoneless are how sources spell times; a fraction may follow the
// seconds in all of them.
var (
	zoned    = []string{time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04Z07:00"}
	zoneless = []string{"2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly}
)

// readTime reads a source's time; hasZone tells whether it named its zone.
func readTime(s string) (t time.Time, hasZone, ok bool) {
	s = strings.ToUpper(strings.TrimSpace(s))
	if len(s) > 10 && s[10] == ' ' {
		s = s[:10] + "T" + s[11:]
	}
	for _, layout := range zoned {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true, true
		}
	}
	for _, layout := range zoneless {
		if t, err := time.Parse(layout, s); err == nil {
			return t, false, true
		}
	}
	return time.Time{}, false, false
}

// when is a source's time to read: its own spelling, and a remark where it does
// not say which instant it means.
func when(s string) string {
	t, hasZone, ok := readTime(s)
	switch {
	case strings.TrimSpace(s) == "":
		return ""
	case !ok:
		return s + " (not readable as a time)"
	case t.Year() <= 1:
		return s + " (a placeholder, not a time)"
	case !hasZone:
		return s + " (zone assumed UTC)"
	}
	return s
}

// published is a source's time as RFC 3339, or "" where it is none.
func published(s string) string {
	t, _, ok := readTime(s)
	if !ok || t.Year() <= 1 {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}

// dated is a line for a list of dates, or nothing without date.
func dated(label, s string) string { return labelled(label, when(s)) }
