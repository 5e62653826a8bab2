// Package terminal is what the commands know of terminals: when colours are
// wanted, and how text from outside is shown so that it steers nothing.
package terminal

import (
	"io"
	"os"
	"strings"
	"unicode"
)

// Style marks text for a reader. The zero value leaves it as it is.
type Style struct{ colours bool }

// StyleOf gives the marks that out can show: none unless it is a terminal, and
// none where NO_COLOR is set.
func StyleOf(out io.Writer) Style {
	f, ok := out.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return Style{}
	}
	info, err := f.Stat()
	return Style{err == nil && info.Mode()&os.ModeCharDevice != 0}
}

// Strong is for names.
func (s Style) Strong(text string) string { return s.mark("1", text) }

// Good is for what holds.
func (s Style) Good(text string) string { return s.mark("32", text) }

// Bad is for what does not.
func (s Style) Bad(text string) string { return s.mark("31", text) }

// Faint is for what is beside.
func (s Style) Faint(text string) string { return s.mark("2", text) }

func (s Style) mark(code, text string) string {
	if !s.colours || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Line makes of text from outside one line of at most longest runes. What is not
// printed, such as the escapes that steer a terminal and marks that turn the
// direction of text, is a blank.
func Line(text string, longest int) string {
	shown := make([]rune, 0, min(len(text), longest))
	for _, r := range text {
		if len(shown) == longest {
			shown[longest-1] = '…'
			break
		}
		if !unicode.IsPrint(r) {
			r = ' '
		}
		shown = append(shown, r)
	}
	return string(shown)
}

// Text makes text from outside, of any number of lines, harmless in the same way.
func Text(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
}
