// Package cli runs the program as its users type it: scripts under testdata.
package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

var binary string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "bateleur-cli")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(dir, "bateleur")
	build := exec.Command("go", "build", "-o", binary, "bateleur/cmd/bateleur")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(e *testscript.Env) error {
			e.Setenv("PATH", filepath.Dir(binary)+string(os.PathListSeparator)+e.Getenv("PATH"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"serving": serving, "same": same, "snapshot": snapshot, "flip": flip, "actor": actorOf,
		},
	})
}

// serving ARGS...: starts a server, waits until it is ready, checks its health,
// ends it by SIGTERM and expects a clean exit.
func serving(ts *testscript.TestScript, _ bool, args []string) {
	cmd := exec.Command(binary, append([]string{"serve"}, args...)...)
	cmd.Dir = ts.Getenv("WORK")
	cmd.Env = append(os.Environ(), "BATELEUR_DATA="+ts.Getenv("BATELEUR_DATA"))
	if ts.Getenv("BATELEUR_DATA") == "" {
		cmd.Env = os.Environ()
	}
	stdout, err := cmd.StdoutPipe()
	ts.Check(err)
	var log bytes.Buffer
	cmd.Stderr = &log
	ts.Check(cmd.Start())
	line := make([]byte, 4096)
	n, _ := stdout.Read(line)
	_, rest, ok := strings.Cut(string(line[:n]), `"baseUrl":"`)
	if !ok {
		_ = cmd.Wait()
		ts.Fatalf("not ready: %s%s", line[:n], log.String())
	}
	base, _, _ := strings.Cut(rest, `"`)
	root, _, _ := strings.Cut(base, "/api/")
	for _, path := range []string{root + "/health/live", root + "/health/ready", base + "health/ready", base + "actors/"} {
		resp, err := http.Get(path)
		ts.Check(err)
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			ts.Fatalf("%s: %s", path, resp.Status)
		}
	}
	second := exec.Command(binary, append([]string{"serve"}, args...)...)
	second.Dir, second.Env = cmd.Dir, cmd.Env
	if said, err := second.CombinedOutput(); err == nil || !strings.Contains(string(said), "another server") {
		ts.Fatalf("a second server on the same folder: %v %s", err, said)
	}
	ts.Check(cmd.Process.Signal(syscall.SIGTERM))
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			ts.Fatalf("SIGTERM: %v\n%s", err, log.String())
		}
	case <-time.After(10 * time.Second):
		_ = cmd.Process.Kill()
		ts.Fatalf("SIGTERM did not end the server")
	}
}

// snapshot DIR keeps every byte of a folder, same DIR demands that they are so
// still.
func snapshot(ts *testscript.TestScript, _ bool, args []string) {
	ts.Setenv("SNAPSHOT", folder(ts, ts.MkAbs(args[0])))
}

func same(ts *testscript.TestScript, _ bool, args []string) {
	if now := folder(ts, ts.MkAbs(args[0])); now != ts.Getenv("SNAPSHOT") {
		ts.Fatalf("%s was touched", args[0])
	}
}

func folder(ts *testscript.TestScript, dir string) string {
	var all strings.Builder
	ts.Check(filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		all.WriteString(path + "\n" + string(raw) + "\n")
		return err
	}))
	sum := sha256.Sum256([]byte(all.String()))
	return hex.EncodeToString(sum[:])
}

// flip GLOB: damages a file in its middle.
func flip(ts *testscript.TestScript, _ bool, args []string) {
	found, err := filepath.Glob(ts.MkAbs(args[0]))
	ts.Check(err)
	if len(found) != 1 {
		ts.Fatalf("%s names %d files", args[0], len(found))
	}
	raw, err := os.ReadFile(found[0])
	ts.Check(err)
	for i := 100; i < len(raw); i += 50 {
		raw[i] ^= 0xff
	}
	ts.Check(os.WriteFile(found[0], raw, 0o600))
}

// actor NAME SEGMENT: sets NAME to the id of the actor with that segment, from
// the last command's output.
func actorOf(ts *testscript.TestScript, _ bool, args []string) {
	for word := range strings.FieldsSeq(ts.ReadFile("stdout")) {
		if strings.HasSuffix(word, "/actors/"+args[1]) {
			ts.Setenv(args[0], word)
			return
		}
	}
	ts.Fatalf("no actor %s in the output", args[1])
}
