// Package demo is the command that works one case between two organisations:
// nodes as child processes, driven over HTTP alone, every state read back from
// the node that holds it.
package demo

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"bateleur/adapters/wire/advisory"
	"bateleur/cmd/bateleur/exit"
)

// Command are the flags of demo.
type Command struct {
	Report string `help:"Report this file: a CVE or OSV record, a CSAF advisory, Markdown or plain text." placeholder:"FILE"`
	Data   string `help:"Keep the stores in this folder." placeholder:"DIR" type:"path"`
	JSON   bool   `help:"Print events as JSON, one a line."`
}

//go:embed sample.md
var sample []byte

// Run tells the story; the exit code is 1 when something does not hold and 2
// when the report cannot be read.
func (c *Command) Run(ctx context.Context, out io.Writer) error {
	report, err := c.report()
	if err != nil {
		return exit.Error{Code: exit.Usage, Err: err}
	}
	data, cleanUp, err := c.folder()
	if err != nil {
		return err
	}
	defer cleanUp()
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	tell := newTeller(out, c.JSON)
	finder, vendor, err := startNodes(ctx, data)
	if finder != nil {
		defer finder.stop()
	}
	if vendor != nil {
		defer vendor.stop()
	}
	if err != nil {
		return err
	}
	s := &story{ctx: ctx, tell: tell, report: report, finder: finder.actor("finder"),
		vendor: vendor.actor("vendor"), manager: vendor.actor("case-actor"), nodes: []*child{finder, vendor}}
	if err := s.play(); err != nil {
		tell.failed(err)
		return exit.Error{Code: exit.Failed, Err: err}
	}
	tell.next(c.Data != "", data, s)
	return nil
}

func (c *Command) report() (advisory.Report, error) {
	if c.Report == "" {
		return advisory.Parse("sample.md", sample)
	}
	return advisory.ReadFile(c.Report)
}

// folder is where the stores lie: the one asked for, or one that is removed.
func (c *Command) folder() (string, func(), error) {
	if c.Data != "" {
		if _, err := os.Stat(filepath.Join(c.Data, "finder")); err == nil {
			return "", nil, exit.Error{Code: exit.Usage,
				Err: fmt.Errorf("%s holds the stores of an earlier run: name another folder, or remove it", c.Data)}
		}
		return c.Data, func() {}, os.MkdirAll(c.Data, 0o700)
	}
	dir, err := os.MkdirTemp("", "bateleur-demo-")
	return dir, func() { _ = os.RemoveAll(dir) }, err
}
