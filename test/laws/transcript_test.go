package laws

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bateleur/core/model"
	"bateleur/core/semantics"
	"bateleur/test/simnet"
)

// The two parties' case, message by message and entry by entry, reads as it is
// written down.
//
// Proves: BA-12-001, PCR-08-001, CP-04-001
func TestTranscript(t *testing.T) {
	t.Parallel()
	g := set(t, setting{})
	g.story()
	golden(t, "two_parties.txt", transcript(g))
}

// transcript tells what each party sent to each other one, in order, and the
// ledger. Messages to different recipients leave side by side, so each pair of
// sender and recipient has a list of its own.
func transcript(g *stage) string {
	n := newNormal(g)
	var b strings.Builder
	for _, from := range []simnet.Party{g.F, g.V, g.M} {
		for _, to := range []simnet.Party{g.F, g.V, g.M} {
			told := conversation(g.net.Sent(), from.URI(), to.URI())
			if len(told) == 0 {
				continue
			}
			fmt.Fprintf(&b, "%s to %s\n", n.text(from.URI()), n.text(to.URI()))
			for _, m := range told {
				fmt.Fprintf(&b, "  %s\n", n.text(line(m.Activity)))
			}
		}
	}
	b.WriteString("ledger\n")
	for _, e := range g.M.Entries(g.caseID) {
		a, err := decode(e.Payload)
		if err != nil {
			g.t.Fatal(err)
		}
		fmt.Fprintf(&b, "  %d %s by %s: %s\n", e.Index, e.EventType, n.text(a.Actor), n.text(line(a)))
	}
	return b.String()
}

func conversation(sent []simnet.Message, from, to string) (told []simnet.Message) {
	for _, m := range sent {
		if m.From == from && m.To() == to {
			told = append(told, m)
		}
	}
	return told
}

func line(a *model.Activity) string {
	text := fmt.Sprintf("%s(%s) %s", a.Type, a.Object.Type(), semantics.Classify(a))
	switch o := a.Object.Object().(type) {
	case *model.LedgerEntry:
		text += fmt.Sprintf(" %d %s", o.Entry.Index, o.Entry.EventType)
	case *model.ParticipantStatus:
		text += fmt.Sprintf(" %s %s", o.RMState, o.VFDState)
		if world, ok := model.InlineAs[*model.CaseStatus](o.CaseStatus); ok {
			text += " " + string(world.PXAState)
		}
	case *model.CaseStatus:
		text += fmt.Sprintf(" %s %s", o.EMState, o.PXAState)
	case *model.Note:
		text += fmt.Sprintf(" %q", o.Content)
	}
	return text
}

// golden compares text with a file of testdata, or writes it there.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); d != "" {
		t.Error(d)
	}
}
