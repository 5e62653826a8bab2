// Package demo is the command that works one case between two organisations:
// nodes as child processes, driven over HTTP alone, every state that is told read
// back from the node that holds it.
package demo

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"bateleur/adapters/wire/advisory"
	"bateleur/cmd/bateleur/exit"
	"bateleur/core/fault"
	"bateleur/core/usecases/trigger"
)

// Command are the flags of demo.
type Command struct {
	Report string `help:"Report this file: a CVE or OSV record, a CSAF advisory, Markdown or plain text." placeholder:"FILE"`
	Data   string `help:"Keep the stores in this folder." placeholder:"DIR" type:"path"`
	JSON   bool   `help:"Print events as JSON, one a line."`
}

//go:embed sample.md
var sample []byte

// longest bounds the whole demonstration.
const longest = 2 * time.Minute

// Run tells the story. The exit code is 1 when something does not hold
// (BA-07-002), and 2 when the report or the folder is none, before any node is
// started.
func (c *Command) Run(ctx context.Context, out io.Writer) error {
	report, err := c.report()
	if err != nil {
		return exit.Error{Code: exit.Usage, Err: err}
	}
	place, err := findPlace(c.Data)
	if err != nil {
		return exit.Error{Code: exit.Usage, Err: err}
	}
	bounded, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	t := newTeller(out, c.JSON)
	err = play(bounded, t, report, place)
	if err != nil && ctx.Err() != nil {
		err = errors.New("interrupted")
	} else {
		place.keep = place.keep || err != nil // somebody will want to look
	}
	place.leave()
	t.ended(place, err)
	return err
}

// play starts the nodes, works the case on them and stops them.
func play(ctx context.Context, t *teller, report advisory.Report, at *place) (err error) {
	finder, vendor, err := startNodes(ctx, at)
	defer func() { err = errors.Join(err, stopAll(finder, vendor)) }()
	if err != nil {
		return err
	}
	s := newStory(t, report, finder, vendor)
	t.begins(s)
	if err := s.work(ctx); err != nil {
		return errors.Join(err, s.deadLetters(ctx))
	}
	return s.close(ctx)
}

func (c *Command) report() (advisory.Report, error) {
	if c.Report == "" {
		return advisory.Parse("the bundled sample.md", sample)
	}
	r, err := advisory.ReadFile(c.Report)
	if err != nil {
		return r, err
	}
	text, err := json.Marshal(r.Content)
	if err == nil && len(text) > trigger.MaxReport {
		err = fault.New("demo", c.Report, fault.TooLarge, fmt.Sprintf("the report's text is %d bytes long, a message holds %d", len(text), trigger.MaxReport))
	}
	return r, err
}

// place is the folder in which the nodes' stores and logs lie.
type place struct {
	folder string
	keep   bool
}

// findPlace takes the folder asked for, or a new one that is removed.
func findPlace(asked string) (*place, error) {
	const op = "demo"
	if asked == "" {
		folder, err := os.MkdirTemp("", "bateleur-demo-")
		return &place{folder: folder}, fault.Wrap(op, folder, fault.Unavailable, err)
	}
	if err := os.MkdirAll(asked, 0o700); err != nil {
		return nil, fault.Wrap(op, asked, fault.Unavailable, err)
	}
	there, err := os.ReadDir(asked)
	switch {
	case err != nil:
		return nil, fault.Wrap(op, asked, fault.Unavailable, err)
	case len(there) > 0:
		return nil, fault.New(op, asked, fault.Conflict, "this folder is not empty; name another, or remove what is in it")
	}
	return &place{folder: asked, keep: true}, nil
}

// leave removes a folder that nobody wants to keep.
func (p *place) leave() {
	if !p.keep {
		_ = os.RemoveAll(p.folder) // it lies among what is temporary
	}
}
