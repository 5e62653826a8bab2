package advisory

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Format is what a file turned out to be.
type Format string

// The formats that Parse reads.
const (
	FormatCVE       Format = "cve"
	FormatOSV       Format = "osv"
	FormatCSAF      Format = "csaf"
	FormatMarkdown  Format = "markdown"
	FormatPlainText Format = "text"
)

// MaxTitle bounds a report's title, in runes.
const MaxTitle = 200

// Report is the text of a vulnerability report.
type Report struct {
	Format Format

	// ID is the source's own: a CVE or OSV id, a CSAF tracking id. Text has none,
	// and some OSV records have an empty one.
	ID string

	// Title is one line of at most MaxTitle runes and never empty: the source's
	// title, else the first line of its description, else its id. A title that
	// was cut ends in "…"; Content holds all of it.
	Title string

	// Content is the whole report to read. Markdown and plain text are kept as they
	// were but for a byte order mark, escapes for terminals included. Times are
	// spelled as in the source; what lacks a zone is marked.
	Content string

	// Aliases are other ids the source gives the same report, in its order.
	Aliases []string

	// Published is when the source says it was published, as RFC 3339 with the
	// source's own offset; UTC where it gave none. Empty where it is unknown.
	Published string
}

// title picks the first candidate that has something to read.
func title(candidates ...string) string {
	for _, c := range candidates {
		if line := oneLine(c); strings.ContainsFunc(line, unicode.IsGraphic) {
			return line
		}
	}
	return "Report without a title"
}

// oneLine joins what stands between white space and control characters by single
// spaces and cuts it to MaxTitle. Marks that turn the direction of the text go:
// they would reorder what is shown around a title.
func oneLine(s string) string {
	words := strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) })
	line := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}, strings.Join(words, " "))
	if utf8.RuneCountInString(line) <= MaxTitle {
		return line
	}
	return strings.TrimSpace(string([]rune(line)[:MaxTitle-1])) + "…"
}

// firstLine is the first line of s with a letter or digit, or else the first that
// is not blank.
func firstLine(s string) string {
	spare := ""
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
			return line
		}
		if spare == "" {
			spare = line
		}
	}
	return spare
}
