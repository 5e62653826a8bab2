package cli

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"bateleur/cmd/bateleur/serve"
)

// demo starts a demonstration and returns when its nodes are at work, with what
// it prints after that and the folder for what is temporary.
func demo(t *testing.T, args ...string) (cmd *exec.Cmd, stdout io.Closer, tmp string) {
	t.Helper()
	cmd, tmp = exec.Command(binary, append([]string{"demo", "--json"}, args...)...), t.TempDir()
	cmd.Env = append(os.Environ(), "TMPDIR="+tmp)
	cmd.Stderr = &bytes.Buffer{}
	printed, err := cmd.StdoutPipe()
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
	if line, err := bufio.NewReader(printed).ReadString('\n'); err != nil || !strings.Contains(line, `"begin"`) {
		t.Fatalf("%q: %v", line, err)
	}
	return cmd, printed, tmp
}

func empty(t *testing.T, folder string) {
	t.Helper()
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// A demonstration that is killed takes its nodes along.
func TestNoNodeOutlivesItsDemonstration(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	cmd, _, _ := demo(t, "--data", data)
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
	cmd, _, tmp := demo(t)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	said := cmd.Stderr.(*bytes.Buffer)
	switch code := cmd.ProcessState.ExitCode(); {
	case code == 0:
		t.Log("it was done before it was interrupted")
	case code != 1 || !strings.Contains(said.String(), "interrupted"):
		t.Errorf("exit code %d: %s", code, said)
	}
	empty(t, tmp)
}

// One to which nobody listens any longer ends as it would have.
func TestADemonstrationThatNobodyReads(t *testing.T) {
	cmd, stdout, tmp := demo(t)
	if err := stdout.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, cmd.Stderr)
	}
	empty(t, tmp)
}
