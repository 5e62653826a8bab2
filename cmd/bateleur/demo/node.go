package demo

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"bateleur/cmd/bateleur/serve"
)

// node is one in a process of its own. It ends when this process does: its
// standard input ends then.
type node struct {
	name string
	base string // ends in a slash
	data string
	cmd  *exec.Cmd

	stdin io.Closer
	log   *os.File
}

// startNodes starts the finder's and the vendor's node side by side. After an
// error those that are not nil are to be stopped as well.
func startNodes(ctx context.Context, at *place) (finder, vendor *node, err error) {
	var others sync.WaitGroup
	var failed error
	others.Go(func() {
		finder, failed = start(ctx, at, "finder", "--no-case-manager", "--actor", "finder,type=Person,name=Finn")
	})
	vendor, err = start(ctx, at, "vendor", "--actor", "vendor,type=Organization,name=Vendor Inc.")
	others.Wait()
	return finder, vendor, errors.Join(failed, err)
}

func start(ctx context.Context, at *place, name string, args ...string) (*node, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	n := &node{name: name, data: filepath.Join(at.folder, name)}
	if err := os.MkdirAll(n.data, 0o700); err != nil {
		return nil, err
	}
	if n.log, err = os.OpenFile(n.logName(), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600); err != nil {
		return nil, err
	}
	n.cmd = exec.CommandContext(context.WithoutCancel(ctx), self, append([]string{"serve", "--base-url", "http://127.0.0.1:0/api/v2/",
		"--data", n.data, "--exit-with-stdin"}, args...)...)
	n.cmd.Env, n.cmd.Stderr = withoutSettings(os.Environ()), n.log
	if n.stdin, err = n.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := n.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := n.cmd.Start(); err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, n.askToEnd)()
	return n, n.ready(stdout)
}

// withoutSettings keeps a user's settings for other nodes from this one.
func withoutSettings(env []string) (kept []string) {
	for _, e := range env {
		if !strings.HasPrefix(e, "BATELEUR_") {
			kept = append(kept, e)
		}
	}
	return kept
}

// ready reads the line in which the node says where it listens.
func (n *node) ready(stdout io.Reader) error {
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	var said serve.Listening
	if err == nil {
		err = json.Unmarshal(line, &said)
	}
	if err != nil || said.BaseURL == "" {
		return fmt.Errorf("the %s's node did not start; its log says:\n%s", n.name, n.tail())
	}
	n.base = said.BaseURL
	return nil
}

func (n *node) logName() string { return filepath.Join(n.data, "node.log") }

// tail is the end of the node's log.
func (n *node) tail() string {
	raw, err := os.ReadFile(n.logName())
	if err != nil {
		return err.Error()
	}
	return string(raw[max(0, len(raw)-2000):])
}

// askToEnd has the node finish what it is at. A signal would be its second one,
// and end it at once, when somebody interrupts us both from a terminal.
func (n *node) askToEnd() { _ = n.stdin.Close() }

// stopAll ends nodes, each after what it is at; those that are nil have ended.
func stopAll(nodes ...*node) error {
	var waiting sync.WaitGroup
	errs := make([]error, len(nodes))
	for i, n := range nodes {
		if n != nil && n.cmd != nil && n.cmd.Process != nil {
			waiting.Go(func() { errs[i] = n.stop() })
		}
	}
	waiting.Wait()
	return errors.Join(errs...)
}

func (n *node) stop() error {
	defer n.log.Close()
	n.askToEnd()
	overdue := time.AfterFunc(20*time.Second, func() { _ = n.cmd.Process.Kill() })
	defer overdue.Stop()
	if err := n.cmd.Wait(); err != nil {
		return fmt.Errorf("the %s's node did not end well: %w; its log says:\n%s", n.name, err, n.tail())
	}
	return nil
}
