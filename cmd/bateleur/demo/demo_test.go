package demo

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"bateleur/adapters/wire/advisory"
	"bateleur/cmd/bateleur/serve"
)

// TestMain lets the test binary be the nodes that a demo starts.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "serve" {
		var c struct {
			Serve serve.Command `cmd:""`
		}
		k := kong.Parse(&c, kong.Configuration(serve.LoadConfig),
			kong.BindTo(context.Background(), (*context.Context)(nil)), kong.BindTo(os.Stdout, (*io.Writer)(nil)))
		k.FatalIfErrorf(k.Run())
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func newStory(t *testing.T, out io.Writer) *story {
	t.Helper()
	finder, vendor, err := startNodes(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { finder.stop(); vendor.stop() })
	report, err := advisory.Parse("sample.md", sample)
	if err != nil {
		t.Fatal(err)
	}
	return &story{ctx: t.Context(), tell: newTeller(out, false), report: report, finder: finder.actor("finder"),
		vendor: vendor.actor("vendor"), manager: vendor.actor("case-actor"), nodes: []*child{finder, vendor}}
}

// A story that is not the one told has an invariant that fails, and says which.
//
// Proves: BA-07-002
func TestAnInvariantThatFailsIsNamed(t *testing.T) {
	s := newStory(t, io.Discard)
	for _, step := range []func() error{s.meet, s.submit, s.received, s.created, s.replicated, s.validate} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	err := s.check()
	if err == nil || !strings.Contains(err.Error(), "has 9 entries, not 21") {
		t.Errorf("check of an unfinished story: %v", err)
	}
}

func TestTextFromOutsideSteersNoTerminal(t *testing.T) {
	var out bytes.Buffer
	tell := newTeller(&out, false)
	tell.step("finder", "submits", "x -> y", "a\x1b[2Jb\r\nc\u202egpj.exe"+strings.Repeat("z", 500))
	if said := out.String(); strings.ContainsAny(said, "\x1b\r\u202e") || strings.Count(said, "\n") != 1 || len(said) > 250 {
		t.Errorf("printed %q", said)
	}
}
