package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"

	"bateleur/adapters/wire/advisory"
	"bateleur/cmd/bateleur/exit"
	"bateleur/cmd/bateleur/serve"
	"bateleur/core/fault"
)

// TestMain lets the test binary be the nodes that a demo starts.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "serve" {
		var c struct {
			Serve serve.Command `cmd:""`
		}
		k := kong.Parse(&c, kong.BindTo(context.Background(), (*context.Context)(nil)), kong.BindTo(os.Stdout, (*io.Writer)(nil)))
		k.FatalIfErrorf(k.Run())
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// onNodes gives a story that is not told yet, on nodes of its own.
func onNodes(t *testing.T, out io.Writer, asJSON bool) *story {
	t.Helper()
	finder, vendor, err := startNodes(t.Context(), &place{folder: t.TempDir()})
	t.Cleanup(func() {
		if err := stopAll(finder, vendor); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	report, err := advisory.Parse("sample.md", sample)
	if err != nil {
		t.Fatal(err)
	}
	tell := newTeller(out, asJSON)
	s := newStory(tell, report, finder, vendor)
	tell.begins(s)
	return s
}

// What is told was read: in each turn the state before is the one that the turn
// before it ended in.
//
// Proves: BA-07-001
func TestTheTurnsFollowFromEachOther(t *testing.T) {
	var out bytes.Buffer
	s := onNodes(t, &out, true)
	if err := s.work(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.close(t.Context()); err != nil {
		t.Fatal(err)
	}
	now := map[string]string{}
	for line := range strings.Lines(out.String()) {
		var e struct {
			Event string
			Turns []turn
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		for _, turn := range e.Turns {
			for _, at := range turn.At {
				if turn.From != now[turn.What+at] && now[turn.What+at] != "" {
					t.Errorf("%s at %s was %q, and turned from %q", turn.What, at, now[turn.What+at], turn.From)
				}
				now[turn.What+at] = turn.To
			}
		}
	}
	for what, want := range map[string]string{"casevendor": "closed", "vendor's RMvendor": "CLOSED", "EMfinder": "EXITED", "PXAcase-actor": "Pxa"} {
		if now[what] != want {
			t.Errorf("%s ends as %q, want %q", what, now[what], want)
		}
	}
}

// An invariant that does not hold ends the demonstration with an error that names
// it.
//
// Proves: BA-07-002
func TestAnInvariantThatDoesNotHoldIsNamed(t *testing.T) {
	s := onNodes(t, io.Discard, false)
	for _, step := range s.steps()[:2] {
		if s.caseID == "" {
			if err := s.finder.node.meet(t.Context(), s.vendor, "Organization", "V"); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.take(t.Context(), step); err != nil {
			t.Fatal(err)
		}
	}
	err := s.close(t.Context())
	if err == nil || !strings.Contains(err.Error(), "case-actor has all its entries: 9, not 21") {
		t.Errorf("an unfinished story ends with %v", err)
	}
}

// A state that does not show is told with the one that did.
//
// Proves: BA-07-002
func TestAStateThatDoesNotShowIsNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := reading{"EM", []*party{{segment: "finder"}},
			func(context.Context, *party) (string, error) { return "ACTIVE", nil }, "EXITED"}
		began := time.Now()
		_, err := r.wait(t.Context())
		if err == nil || err.Error() != `EM at finder is "ACTIVE" and did not become "EXITED"` {
			t.Error(err)
		}
		if waited := time.Since(began); waited < patience || waited > patience+time.Second {
			t.Errorf("waited for %v", waited)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := r.wait(ctx); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

func TestTurnsJoinStoresThatAgree(t *testing.T) {
	a, b, c := &party{segment: "a"}, &party{segment: "b"}, &party{segment: "c"}
	r := reading{what: "x", at: []*party{a, b, c}}
	want := []turn{{"x", "1", "2", []string{"a", "b"}}, {"x", "", "2", []string{"c"}}}
	if diff := cmp.Diff(want, r.turns([]string{"1", "1", ""}, []string{"2", "2", "2"})); diff != "" {
		t.Error(diff)
	}
}

func TestTextFromOutsideIsHarmless(t *testing.T) {
	who := &party{segment: "finder"}
	for _, asJSON := range []bool{false, true} {
		var out bytes.Buffer
		newTeller(&out, asJSON).line(line{who, "submits", "a\x1b[2J\u009b\r\nc\u202egpj.exe" + strings.Repeat("z", 500), nil},
			[]turn{{"x", "\x1b]0;", "\x1b[2J", []string{"finder"}}})
		if said := out.String(); strings.ContainsAny(said, "\x1b\u009b\r\u202e") || strings.Count(said, "\n") != 1 {
			t.Errorf("printed %q", said)
		}
	}
}

// A story that does not go on tells what the nodes gave up.
func TestDeadLettersAreTold(t *testing.T) {
	s := onNodes(t, io.Discard, false)
	if err := s.deadLetters(t.Context()); err != nil {
		t.Errorf("before anything happened: %v", err)
	}
	refused := s.finder.order(t.Context(), "submit-report", map[string]string{"report_name": "Overflow",
		"recipient_id": s.vendor.node.base + "actors/nobody"}, nil)
	if refused != nil {
		t.Fatal(refused)
	}
	told, err := until(t.Context(), func() (error, bool, error) {
		told := s.deadLetters(t.Context())
		return told, told != nil, nil
	})
	if err != nil || told == nil || !strings.Contains(told.Error(), "finder gave up a delivery to "+s.vendor.node.base+"actors/nobody") {
		t.Errorf("told %v, %v", told, err)
	}
}

func TestAReportThatNoMessageHolds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "long.md")
	if err := os.WriteFile(path, bytes.Repeat([]byte("a \"b\"\n"), 200_000), 0o600); err != nil {
		t.Fatal(err)
	}
	err := (&Command{Report: path}).Run(t.Context(), io.Discard)
	asked, _ := errors.AsType[exit.Error](err)
	if asked.Code != exit.Usage || fault.CodeOf(err) != fault.TooLarge {
		t.Errorf("%+v", err)
	}
}
