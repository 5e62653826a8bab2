package advisory

import (
	"path/filepath"
	"regexp"
	"strings"
)

// parseText keeps a text as it is and finds its title.
func parseText(name, text string) Report {
	format, byName := textFormat(name)
	heading := firstHeading(text)
	if !byName && (heading != "" || markup.MatchString(text)) {
		format = FormatMarkdown
	}
	if format == FormatPlainText {
		heading = ""
	}
	return Report{Format: format, Title: title(heading, firstLine(withoutFrontMatter(text)), firstLine(text)), Content: text}
}

// textFormat tells what a file's name says about a text, if anything.
func textFormat(name string) (f Format, said bool) {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".md", ".markdown":
		return FormatMarkdown, true
	case ".txt", ".text":
		return FormatPlainText, true
	}
	return FormatPlainText, false
}

var (
	markup     = regexp.MustCompile("(?m)^ {0,3}```|\\]\\([^)\\s]+\\)")
	atxHeading = regexp.MustCompile(`^#{1,6}(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$`)
)

// firstHeading is the text of the first Markdown heading outside of code, or "".
func firstHeading(text string) string {
	before, inCode := "", false
	for line := range strings.Lines(withoutFrontMatter(text)) {
		line = strings.TrimRight(line, "\r\n")
		switch kind, heading := lineKind(line); {
		case kind == fenceLine:
			before, inCode = "", !inCode
		case inCode:
		case kind == headingLine && heading != "":
			return heading
		case kind == underLine && before != "":
			return before
		case kind == textLine:
			before = strings.TrimSpace(line)
		default:
			before = ""
		}
	}
	return ""
}

// The kinds of lines that matter for headings.
const (
	textLine = iota
	headingLine
	underLine
	fenceLine
	codeLine // indented
)

// lineKind tells a line's kind, and for a heading its text.
func lineKind(line string) (kind int, heading string) {
	rest := strings.TrimLeft(line, " ")
	if len(line)-len(rest) > 3 || strings.HasPrefix(rest, "\t") {
		return codeLine, ""
	}
	if rest == "" {
		return textLine, ""
	}
	switch rest[0] {
	case '#':
		if m := atxHeading.FindStringSubmatch(rest); m != nil {
			return headingLine, strings.TrimSpace(m[1])
		}
	case '=', '-':
		if strings.Trim(strings.TrimRight(rest, " \t"), rest[:1]) == "" {
			return underLine, ""
		}
	case '`', '~':
		if strings.HasPrefix(rest, "```") || strings.HasPrefix(rest, "~~~") {
			return fenceLine, ""
		}
	}
	return textLine, ""
}

// withoutFrontMatter skips a block of settings between lines of three dashes at
// the start of a text.
func withoutFrontMatter(text string) string {
	rest, ok := strings.CutPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "---\n")
	if !ok {
		return text
	}
	if _, body, closed := strings.Cut("\n"+rest, "\n---\n"); closed {
		return body
	}
	return text
}
