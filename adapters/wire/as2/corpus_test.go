package as2_test

import (
	"bufio"
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// corpus is the folder of public test data.
func corpus(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("BATELEUR_TESTDATA")
	if dir == "" {
		t.Skip("BATELEUR_TESTDATA is not set: no recorded traffic or published examples to read")
	}
	return dir
}

func glob(t testing.TB, elements ...string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(append([]string{corpus(t)}, elements...)...))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files %v: %v", elements, err)
	}
	return files
}

func read(t testing.TB, file string) []byte {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// recorded are the bodies that were posted to inboxes in the recorded scenarios.
func recorded(t testing.TB) [][]byte {
	t.Helper()
	var out [][]byte
	for _, file := range glob(t, "upstream-traffic", "*", "*.http.jsonl") {
		eachLine(t, file, func(line []byte) {
			var record struct {
				Method, Path string
				Body         string `json:"request_body"`
			}
			if err := json.Unmarshal(line, &record); err != nil {
				t.Fatal(err)
			}
			if record.Method == http.MethodPost && strings.HasSuffix(record.Path, "/inbox/") {
				out = append(out, []byte(record.Body))
			}
		})
	}
	return out
}

// snapshots are what the entries of the recorded ledgers hold.
func snapshots(t testing.TB) [][]byte {
	t.Helper()
	var out [][]byte
	for _, file := range glob(t, "upstream-traffic", "*", "devlogs", "*", "*-case-ledger.jsonl") {
		eachLine(t, file, func(line []byte) {
			var entry struct{ PayloadSnapshot json.RawMessage }
			if err := json.Unmarshal(line, &entry); err != nil {
				t.Fatal(err)
			}
			out = append(out, entry.PayloadSnapshot)
		})
	}
	return out
}

func eachLine(t testing.TB, file string, f func([]byte)) {
	t.Helper()
	h, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	lines := bufio.NewScanner(h)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		f(lines.Bytes())
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// golden compares text with a file under testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(read(t, file)), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}
