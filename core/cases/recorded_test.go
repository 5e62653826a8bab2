package cases_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bateleur/adapters/wire/as2"
	"bateleur/core/cases"
	"bateleur/core/ledger"
	"bateleur/core/model"
)

// exchange is a recorded request with its answer.
type exchange struct {
	T         float64 `json:"t"`
	Request   string  `json:"request_body"`
	Status    int     `json:"status"`
	Response  string  `json:"response_body"`
	Truncated bool    `json:"response_truncated"`
}

func lines[T any](t *testing.T, file string) (out []T) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<24)
	for in.Scan() {
		var v T
		if err := json.Unmarshal(in.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// recording is one scenario of upstream's: the ledger of the case's manager, how
// the case was told first, and what its manager's server said of it last.
type recording struct {
	seed    *model.VulnerabilityCase
	entries []ledger.Entry
	world   string            // embargo and public knowledge
	parts   map[string]string // by actor: report management, fix, consent
}

func recorded(t *testing.T, dir string) recording {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "devlogs", "case-actor", "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	r := recording{entries: lines[ledger.Entry](t, files[0]), parts: map[string]string{}}
	servers, err := filepath.Glob(filepath.Join(dir, "*.http.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, server := range servers {
		r.listen(t, server)
	}
	return r
}

// listen takes from one server's traffic the Create of the case, and, where the
// case's manager lives there, what was answered last.
func (r *recording) listen(t *testing.T, file string) {
	t.Helper()
	traffic := lines[exchange](t, file)
	slices.SortStableFunc(traffic, func(a, b exchange) int {
		switch {
		case a.T < b.T:
			return -1
		case a.T > b.T:
			return 1
		}
		return 0
	})
	for _, x := range traffic {
		if a, err := (as2.Codec{}).Decode([]byte(x.Request)); err == nil && a.Type == model.Create {
			if vc, ok := model.InlineAs[*model.VulnerabilityCase](a.Object); ok {
				r.seed = vc
			}
		}
	}
	if !r.managedAt(filepath.Base(file)) {
		return
	}
	for _, x := range traffic {
		if x.Request == "" && x.Status == 200 && !x.Truncated {
			r.answer(x.Response)
		}
	}
}

// managedAt tells whether the case's manager lives on the server of this file.
func (r *recording) managedAt(file string) bool {
	var first struct{ Actor string }
	return json.Unmarshal(r.entries[0].Payload, &first) == nil &&
		strings.Contains(first.Actor, "//"+strings.TrimSuffix(file, ".http.jsonl")+":")
}

func (r *recording) answer(body string) {
	var o struct {
		Type                string
		AttributedTo        string
		EmbargoConsentState string
		ParticipantStatuses []struct{ RMState, VFDState string }
		CaseStatuses        []struct{ EMState, PXAState string }
	}
	if json.Unmarshal([]byte(body), &o) != nil {
		return
	}
	if n := len(o.ParticipantStatuses); o.Type == model.TypeParticipant && n > 0 {
		last := o.ParticipantStatuses[n-1]
		r.parts[o.AttributedTo] = last.RMState + " " + last.VFDState + " " + o.EmbargoConsentState
	}
	if n := len(o.CaseStatuses); o.Type == model.TypeCase && n > 0 {
		r.world = o.CaseStatuses[n-1].EMState + " " + o.CaseStatuses[n-1].PXAState
	}
}

// The ledgers of the recorded scenarios project, over the case as it was told, to
// what the manager's server itself showed at the end.
//
// Proves: SYNC-08-002, CLP-02-003, CLP-04-006
func TestRecordedLedgersProjectToTheRecordedEnd(t *testing.T) {
	data := os.Getenv("BATELEUR_TESTDATA")
	if data == "" {
		t.Skip("BATELEUR_TESTDATA is not set: no recorded ledgers to project")
	}
	for _, scenario := range []string{"fv", "fvv", "fcv", "fcv-reject", "fvcv-extension", "fccv-extension"} {
		t.Run(scenario, func(t *testing.T) {
			r := recorded(t, filepath.Join(data, "upstream-traffic", scenario))
			if r.seed == nil || len(r.parts) < 3 {
				t.Fatalf("seed %v, parts %v", r.seed, r.parts)
			}
			got, err := cases.Rebuild(r.seed, func(yield func(ledger.Entry, error) bool) {
				for _, e := range r.entries {
					if !yield(e, nil) {
						return
					}
				}
			}, func(e ledger.Entry) (*model.Activity, error) { return as2.Codec{}.Decode(e.Payload) })
			if err != nil {
				t.Fatal(err)
			}
			if world := string(got.EM) + " " + string(got.PXA); world != r.world || !got.Closed {
				t.Errorf("the case is %s, closed %v; recorded %s", world, got.Closed, r.world)
			}
			parts := map[string]string{}
			for _, p := range got.Participants {
				parts[p.Actor] = string(p.RM) + " " + string(p.VFD) + " " + string(p.PEC)
			}
			for actor := range parts {
				if _, asked := r.parts[actor]; !asked {
					delete(parts, actor)
				}
			}
			if diff := cmp.Diff(r.parts, parts); diff != "" {
				t.Error(diff)
			}
		})
	}
}
