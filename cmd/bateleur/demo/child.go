package demo

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// child is a node in a process of its own. It ends when this process does: its
// standard input ends then.
type child struct {
	name  string
	base  string // without a trailing slash
	root  string // scheme and host
	data  string
	cmd   *exec.Cmd
	stdin io.Closer
	log   *bytes.Buffer
}

// startNodes starts the finder's and the vendor's node side by side.
func startNodes(ctx context.Context, data string) (finder, vendor *child, err error) {
	failed := make(chan error, 2)
	go func() {
		var err error
		finder, err = start(ctx, "finder", filepath.Join(data, "finder"), "--no-case-manager",
			"--actor", "finder,type=Person,name=Finn")
		failed <- err
	}()
	go func() {
		var err error
		vendor, err = start(ctx, "vendor", filepath.Join(data, "vendor"), "--actor", "vendor,name=Vendor Inc.")
		failed <- err
	}()
	for range 2 {
		if e := <-failed; e != nil {
			err = e
		}
	}
	return finder, vendor, err
}

func start(ctx context.Context, name, data string, args ...string) (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := &child{name: name, data: data, log: &bytes.Buffer{}}
	c.cmd = exec.CommandContext(ctx, self, append([]string{"serve", "--base-url", "http://127.0.0.1:0/api/v2/",
		"--data", data, "--log-level", "warn", "--exit-with-stdin"}, args...)...)
	c.cmd.Env = withoutSettings(os.Environ())
	c.cmd.Stderr = c.log
	if c.stdin, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	return c, c.ready(stdout)
}

// withoutSettings keeps a user's settings for other nodes from this one.
func withoutSettings(env []string) []string {
	var out []string
	for _, e := range env {
		if !strings.HasPrefix(e, "BATELEUR_") {
			out = append(out, e)
		}
	}
	return out
}

// ready reads the line in which the node says where it listens.
func (c *child) ready(stdout io.Reader) error {
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	var said struct{ BaseURL string }
	if err != nil || json.Unmarshal(line, &said) != nil || said.BaseURL == "" {
		_ = c.cmd.Wait()
		return fmt.Errorf("the %s's node did not start:\n%s", c.name, c.log)
	}
	c.base = strings.TrimSuffix(said.BaseURL, "/")
	c.root = c.base[:len("http://")+strings.Index(c.base[len("http://"):], "/")]
	return nil
}

// stop lets the node finish what it is at and waits for it.
func (c *child) stop() {
	_ = c.stdin.Close()
	_ = c.cmd.Process.Signal(syscall.SIGTERM)
	ended := make(chan struct{})
	go func() { _ = c.cmd.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		_ = c.cmd.Process.Kill()
		<-ended
	}
}

// party is an actor on one of the nodes, seen through HTTP.
type party struct {
	node    *child
	segment string
	id      string
}

func (c *child) actor(segment string) *party {
	return &party{node: c, segment: segment, id: c.base + "/actors/" + segment}
}
