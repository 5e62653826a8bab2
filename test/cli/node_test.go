package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

type runningKey struct{}

// running is a server that a script started.
type running struct {
	cmd    *exec.Cmd
	stderr bytes.Buffer
}

func nodes(ts *testscript.TestScript) map[string]*running {
	return ts.Value(runningKey{}).(map[string]*running)
}

// startNode is "node NAME ARGS...": it starts a server, waits until it says that
// it listens, and sets NAME to its base URL without the last slash.
func startNode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: node NAME ARGS...")
	}
	r := &running{cmd: exec.Command(binary, append([]string{"serve"}, args[1:]...)...)}
	r.cmd.Dir, r.cmd.Env, r.cmd.Stderr = ts.Getenv("WORK"), scriptEnv(ts), &r.stderr
	stdout, err := r.cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(r.cmd.Start())
	ts.Defer(func() {
		if r.cmd.ProcessState == nil {
			_ = r.cmd.Process.Kill()
			_ = r.cmd.Wait()
		}
	})
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	var said struct{ Event, BaseURL string }
	if err != nil || json.Unmarshal(line, &said) != nil || said.Event != "listening" {
		_ = r.cmd.Wait()
		ts.Fatalf("not ready: %q\n%s", line, r.stderr.String())
	}
	ts.Setenv(args[0], strings.TrimSuffix(said.BaseURL, "/"))
	nodes(ts)[args[0]] = r
}

// scriptEnv is this process's environment with what the script set of ours.
func scriptEnv(ts *testscript.TestScript) []string {
	env := os.Environ()
	for _, name := range []string{"BATELEUR_DATA", "BATELEUR_ACTOR", "BATELEUR_CONFIG", "BATELEUR_LOG_FORMAT"} {
		if v := ts.Getenv(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// endNode is "end NAME [kill]": it ends a server by SIGTERM and expects that it
// exits with 0 soon, or kills it.
func endNode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: end NAME [kill]")
	}
	r := nodes(ts)[args[0]]
	if len(args) > 1 {
		ts.Check(r.cmd.Process.Kill())
		_ = r.cmd.Wait()
		return
	}
	ts.Check(r.cmd.Process.Signal(syscall.SIGTERM))
	overdue := time.AfterFunc(20*time.Second, func() { _ = r.cmd.Process.Kill() })
	defer overdue.Stop()
	if err := r.cmd.Wait(); err != nil {
		ts.Fatalf("SIGTERM: %v\n%s", err, r.stderr.String())
	}
	_, err := ts.Stderr().Write(r.stderr.Bytes())
	ts.Check(err)
}
