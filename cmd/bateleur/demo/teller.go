package demo

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"bateleur/cmd/bateleur/terminal"
	"bateleur/core/ledger"
	"bateleur/core/model"
)

// teller prints the story, for people or as events.
type teller struct {
	out   io.Writer
	json  bool
	style terminal.Style
	began time.Time
	lines int
	told  *story
}

func newTeller(out io.Writer, asJSON bool) *teller {
	return &teller{out: out, json: asJSON, style: terminal.StyleOf(out)}
}

// event prints one line of JSON.
func (t *teller) event(kind string, members map[string]any) {
	members["event"] = kind
	if line, err := json.Marshal(members); err == nil {
		fmt.Fprintf(t.out, "%s\n", terminal.JSON(line))
	}
}

func (t *teller) printf(format string, args ...any) { fmt.Fprintf(t.out, format, args...) }

// begins says who is there and what is reported.
func (t *teller) begins(s *story) {
	t.began, t.told = time.Now(), s
	if t.json {
		t.event("begin", map[string]any{"report": map[string]any{"format": s.report.Format, "id": s.report.ID, "title": s.report.Title},
			"finder": s.finder.id, "vendor": s.vendor.id, "caseManager": s.manager.id})
		return
	}
	t.printf("%s  %s\n", t.style.Strong("finder's node"), s.finder.node.base)
	t.printf("%s  %s  with its case manager %s\n\n", t.style.Strong("vendor's node"), s.vendor.node.base, s.manager.segment)
}

// line tells one thing that happened.
func (t *teller) line(l line, turns []turn) {
	t.lines++
	if t.json {
		t.event("step", map[string]any{"n": t.lines, "who": l.who.id, "did": l.did, "about": l.about, "turns": turns,
			"ms": time.Since(t.began).Milliseconds()})
		return
	}
	about := ""
	if l.about != "" {
		about = `: "` + terminal.Line(l.about, 60) + `"`
	}
	t.printf("%2d  %s %s%s  %s\n", t.lines, t.style.Strong(fmt.Sprintf("%-10s", l.who.segment)), l.did, about, t.shown(turns))
}

// shown puts turns into words: what: from -> to at whose stores.
func (t *teller) shown(turns []turn) string {
	words := make([]string, len(turns))
	for i, turn := range turns {
		from := turn.From
		if from == "" {
			from = "none"
		}
		words[i] = fmt.Sprintf("%s %s -> %s %s", turn.What, terminal.Line(from, 40), t.style.Good(terminal.Line(turn.To, 40)),
			t.style.Faint("("+strings.Join(turn.At, ", ")+")"))
	}
	return "[" + strings.Join(words, "; ") + "]"
}

// asserter is by whom an entry's activity is.
func asserter(e ledger.Entry) string {
	var snapshot struct {
		Actor string `json:"actor"`
	}
	if json.Unmarshal(e.Payload, &snapshot) != nil {
		return ""
	}
	return snapshot.Actor
}

// short is the last part of an id from outside.
func short(id string) string { return terminal.Line(model.LastSegment(id), 30) }
