package process

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"bateleur/test/program"
)

// binary is the program under test, built once.
var binary string

func TestMain(m *testing.M) { os.Exit(program.Run(m, &binary)) }

// served is a node in a process of its own.
type served struct {
	t      *testing.T
	listen string
	base   string
	data   string
	args   []string
	cmd    *exec.Cmd
	log    *bytes.Buffer
}

// freeAddress is a loopback address that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	return ln.Addr().String()
}

// serve starts a node; base is under which URL others reach it, "" for its own.
func serve(t *testing.T, base string, args ...string) *served {
	t.Helper()
	s := &served{t: t, listen: freeAddress(t), base: base, data: t.TempDir(), args: args}
	if s.base == "" {
		s.base = "http://" + s.listen + "/api/v2"
	}
	s.start()
	t.Cleanup(s.kill)
	return s
}

func (s *served) start() {
	s.t.Helper()
	s.log = &bytes.Buffer{}
	s.cmd = exec.Command(binary, append([]string{"serve", "--base-url", s.base + "/", "--listen", s.listen,
		"--data", s.data}, s.args...)...)
	s.cmd.Stderr = s.log
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.until("ready", func() bool {
		req, _ := http.NewRequest(http.MethodGet, "http://"+s.listen+"/health/ready", nil)
		u, _ := url.Parse(s.base)
		req.Host = u.Host
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return false
		}
		resp.Body.Close()
		return resp.StatusCode == http.StatusOK
	})
}

// kill ends the process at once, as kill -9 does.
func (s *served) kill() {
	if s.cmd != nil && s.cmd.ProcessState == nil {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
	}
}

func (s *served) actor(segment string) string { return s.base + "/actors/" + segment }

// until waits for a condition that other processes bring about.
func (s *served) until(what string, cond func() bool) {
	s.t.Helper()
	for deadline := time.Now().Add(15 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if cond() {
			return
		}
	}
	s.t.Fatalf("not reached: %s\n%s", what, s.log)
}

// get reads a resource of the node directly, past any proxy before it.
func (s *served) get(path string, into any) int { return s.do(http.MethodGet, path, nil, into) }

// trigger gives a command.
func (s *served) trigger(segment, name string, params map[string]any) map[string]any {
	s.t.Helper()
	body, err := json.Marshal(params)
	if err != nil {
		s.t.Fatal(err)
	}
	var out map[string]any
	code := s.do(http.MethodPost, "/actors/"+segment+"/trigger/"+name+"?wait=2", body, &out)
	if code != http.StatusAccepted {
		s.t.Fatalf("%s: %d %v", name, code, out)
	}
	return out
}

func (s *served) do(method, path string, body []byte, into any) int {
	s.t.Helper()
	u, err := url.Parse(s.base)
	if err != nil {
		s.t.Fatal(err)
	}
	req, err := http.NewRequest(method, "http://"+s.listen+u.Path+path, bytes.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Host = u.Host
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, _ := io.ReadAll(resp.Body)
	if into != nil && json.Unmarshal(raw, into) != nil {
		s.t.Fatalf("%s %s: %d %s", method, path, resp.StatusCode, raw)
	}
	return resp.StatusCode
}

// dump is what the store holds, read by a process of its own.
func (s *served) dump(segment string) string {
	s.t.Helper()
	out, err := exec.Command(binary, "store", "dump", "--data", s.data, "--actor", s.actor(segment)).CombinedOutput()
	if err != nil {
		s.t.Fatalf("store dump: %v\n%s", err, out)
	}
	return string(out)
}

// events counts a case's ledger entries by event type.
func (s *served) events(segment, caseID string) map[string]int {
	s.t.Helper()
	var entries []struct{ EventType string }
	s.get("/actors/"+segment+"/cases/"+url.PathEscape(caseID)+"/ledger?limit=1000", &entries)
	counts := map[string]int{}
	for _, e := range entries {
		counts[e.EventType]++
	}
	return counts
}

func offerOf(t *testing.T, answer map[string]any) string {
	t.Helper()
	offer, _ := answer["offer"].(map[string]any)
	id, _ := offer["id"].(string)
	if id == "" {
		t.Fatalf("no offer in %v", answer)
	}
	return id
}

func contains(dump, word string) bool { return strings.Contains(dump, fmt.Sprintf("%q", word)) }
