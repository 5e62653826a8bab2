package cli

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"bateleur/cmd/bateleur/serve"
)

// demo starts a demonstration and returns when its nodes are at work.
func demo(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(binary, append([]string{"demo", "--json"}, args...)...)
	cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
	cmd.Stderr = &bytes.Buffer{}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	})
	if line, err := bufio.NewReader(stdout).ReadString('\n'); err != nil || !strings.Contains(line, `"begin"`) {
		t.Fatalf("%q: %v", line, err)
	}
	return cmd
}

// A demonstration that is killed takes its nodes along.
func TestNoNodeOutlivesItsDemonstration(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	cmd := demo(t, "--data", data)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	for _, name := range []string{"finder", "vendor"} {
		lock := flock.New(filepath.Join(data, name, serve.LockName))
		free := false
		for deadline := time.Now().Add(20 * time.Second); !free && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
			var err error
			if free, err = lock.TryLock(); err != nil {
				t.Fatal(err)
			}
		}
		if !free {
			t.Errorf("the %s's node lives on", name)
		}
		_ = lock.Unlock()
	}
}

// One that is interrupted ends its nodes, removes what was temporary and says so.
func TestADemonstrationCanBeInterrupted(t *testing.T) {
	cmd := demo(t)
	said := cmd.Stderr.(*bytes.Buffer)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	switch code := cmd.ProcessState.ExitCode(); {
	case code == 0:
		t.Log("it was done before it was interrupted")
	case code != 1 || !strings.Contains(said.String(), "interrupted"):
		t.Errorf("exit code %d: %s", code, said)
	}
	var tmp string
	for _, e := range cmd.Env {
		if v, ok := strings.CutPrefix(e, "TMPDIR="); ok {
			tmp = v
		}
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}
