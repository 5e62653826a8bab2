package advisory

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A sheet collects the text of a report: sections with a heading each, left out
// when there is nothing to say.
type sheet struct{ strings.Builder }

// heading starts the sheet with the source's id and title.
func (s *sheet) heading(id, title string) {
	s.WriteString(joined(": ", id, strings.TrimSpace(title)))
	s.WriteByte('\n')
}

// block writes a text verbatim.
func (s *sheet) block(name, text string) {
	if strings.TrimSpace(text) != "" {
		fmt.Fprintf(s, "\n%s:\n%s\n", name, text)
	}
}

// list writes items under a heading, each once; lines after an item's first are
// indented.
func (s *sheet) list(name string, items []string) {
	started, seen := false, map[string]bool{}
	for _, item := range items {
		item = strings.TrimSpace(item)
		if item == "" || seen[item] {
			continue
		}
		if !started {
			fmt.Fprintf(s, "\n%s:\n", name)
		}
		started, seen[item] = true, true
		fmt.Fprintf(s, "- %s\n", strings.ReplaceAll(item, "\n", "\n  "))
	}
}

// joined puts what is not empty together.
func joined(sep string, parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, sep)
}

// labelled is "label: text", or nothing without text.
func labelled(label, text string) string {
	if text == "" {
		return ""
	}
	return label + ": " + text
}

// bracketed is text with a remark behind it, or either alone.
func bracketed(text, remark string) string {
	switch {
	case remark == "":
		return text
	case text == "":
		return remark
	}
	return text + " (" + remark + ")"
}

// A score is a CVSS assessment in whichever version.
type score struct {
	Vector   string         `json:"vectorString"`
	Base     jsontext.Value `json:"baseScore"`
	Severity string         `json:"baseSeverity"`
}

func (c *score) String() string {
	if c == nil {
		return ""
	}
	base := string(c.Base)
	if c.Base.Kind() != '0' {
		base = ""
	}
	return bracketed(c.Vector, joined(" ", base, c.Severity))
}
