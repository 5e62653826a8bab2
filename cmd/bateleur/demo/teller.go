package demo

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/usecases/query"
)

// teller prints the story, for people or as events.
type teller struct {
	out    io.Writer
	json   bool
	colour bool
	began  time.Time
	n      int
}

func newTeller(out io.Writer, asJSON bool) *teller {
	return &teller{out: out, json: asJSON, colour: isTerminal(out) && os.Getenv("NO_COLOR") == "", began: time.Now()}
}

func isTerminal(out io.Writer) bool {
	f, ok := out.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func (t *teller) event(kind string, members map[string]any) {
	members["event"] = kind
	line, err := json.Marshal(members)
	if err == nil {
		fmt.Fprintln(t.out, string(line))
	}
}

// step tells one thing that happened: who, what, which state became which.
func (t *teller) step(who, did, change, detail string) {
	t.n++
	if t.json {
		t.event("step", map[string]any{"n": t.n, "who": who, "did": did, "change": change, "detail": detail,
			"ms": time.Since(t.began).Milliseconds()})
		return
	}
	if detail = plain(detail); detail != "" {
		detail = "  (" + detail + ")"
	}
	fmt.Fprintf(t.out, "%2d  %s %s  %s%s\n", t.n, t.mark("1", fmt.Sprintf("%-12s", who)), did, t.mark("36", "["+change+"]"), detail)
}

func (t *teller) mark(code, text string) string {
	if !t.colour {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// plain makes text from outside one short line that steers no terminal.
func plain(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
	if runes := []rune(text); len(runes) > 90 {
		text = string(runes[:90]) + "…"
	}
	return text
}

func (t *teller) ledger(entries []ledger.Entry) {
	if t.json {
		for _, e := range entries {
			t.event("entry", map[string]any{"index": e.Index, "type": e.EventType, "actor": asserter(e),
				"receivedAt": e.ReceivedAt, "hash": e.Hash})
		}
		return
	}
	fmt.Fprintln(t.out, "\nThe case's ledger:")
	tab := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
	for _, e := range entries {
		fmt.Fprintf(tab, "  %d\t%s\t%s\t%s\t%.12s\n", e.Index, e.EventType, model.LastSegment(asserter(e)), e.ReceivedAt, e.Hash)
	}
	_ = tab.Flush()
	fmt.Fprintln(t.out)
}

func asserter(e ledger.Entry) string {
	var snapshot struct{ Actor string }
	_ = json.Unmarshal(e.Payload, &snapshot)
	return snapshot.Actor
}

func (t *teller) verified(p *party, v query.Verification) {
	if t.json {
		t.event("verified", map[string]any{"actor": p.id, "ok": v.OK, "entries": v.Entries, "standing": v.Standing, "tail": v.TailHash})
		return
	}
	said := t.mark("32", "holds")
	if !v.OK {
		said = t.mark("31", "DOES NOT HOLD")
	}
	fmt.Fprintf(t.out, "%-12s %s: %d entries, %s, state equals its projection\n", p.segment, said, v.Entries, v.Standing)
}

func (t *teller) counts(s *story) {
	if t.json {
		t.event("counts", map[string]any{"ms": s.took.Milliseconds(), "inboxPosts": s.count.InboxPosts,
			"inboxBytes": s.count.InboxBytes, "entries": allEntries})
		return
	}
	fmt.Fprintf(t.out, "\n%d entries, %d inbox posts, %d bytes, %d ms of work\n", allEntries, s.count.InboxPosts,
		s.count.InboxBytes, s.took.Milliseconds())
}

func (t *teller) failed(err error) {
	if t.json {
		t.event("failed", map[string]any{"error": err.Error()})
	}
}

// next says where the stores lie and what to try.
func (t *teller) next(kept bool, data string, s *story) {
	stores := map[string]string{s.finder.id: s.nodes[0].data, s.vendor.id: s.nodes[1].data, s.manager.id: s.nodes[1].data}
	if t.json {
		t.event("done", map[string]any{"kept": kept, "stores": stores, "case": s.caseID})
		return
	}
	if !kept {
		fmt.Fprintf(t.out, "\nThe stores lay under %s, a file an actor, and are removed now. To keep and look into them:\n"+
			"  bateleur demo --data ./demo-data\n", data)
		return
	}
	fmt.Fprintln(t.out, "\nThe stores, a file an actor:")
	for _, p := range []*party{s.finder, s.vendor, s.manager} {
		fmt.Fprintf(t.out, "  bateleur store verify --data %s --actor %s\n", p.node.data, p.id)
	}
	fmt.Fprintf(t.out, "Everything in one of them, as JSON:\n  bateleur store dump --data %s --actor %s\n", s.vendor.node.data, s.vendor.id)
}
