package httpapi_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// statusOf is how a command stands with the fake node.
func statusOf(state ports.InboxState, o ports.Outcome) ports.CommandStatus {
	actor, _ := model.ParseActorID(vendor)
	s := ports.CommandStatus{ID: "urn:x:c", Seq: 7, Actor: actor, State: state, Outcome: o}
	if state == ports.Deferred {
		s.Until = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	}
	return s
}

// How each end of a command is answered.
//
// Proves: TRIG-01-002, TRIG-01-003
func TestAnswersToCommands(t *testing.T) {
	for _, tc := range []struct {
		name   string
		status ports.CommandStatus
		code   int
		want   string // JSON, of a 202
		told   string // code, of a problem
	}{
		{name: "done", code: 202, status: statusOf(ports.Done, ports.Outcome{Code: "ok", Result: []byte(`{"offer":{"id":"urn:o"},"report_id":"urn:r"}`)}),
			want: `{"offer":{"id":"urn:o"},"report_id":"urn:r","command":{"id":"urn:x:c","seq":7,"actor":"` + vendor + `","state":"done"}}`},
		{name: "done without a result", code: 202, status: statusOf(ports.Done, ports.Outcome{Code: "ok"}),
			want: `{"command":{"id":"urn:x:c","seq":7,"actor":"` + vendor + `","state":"done"}}`},
		{name: "done with a result that is no object", code: 202, status: statusOf(ports.Done, ports.Outcome{Code: "ok", Result: []byte(`[1]`)}),
			want: `{"command":{"id":"urn:x:c","seq":7,"actor":"` + vendor + `","state":"done"}}`},
		{name: "not decided yet", code: 202, status: statusOf(ports.Pending, ports.Outcome{}),
			want: `{"command":{"id":"urn:x:c","seq":7,"actor":"` + vendor + `","state":"pending"}}`},
		{name: "deferred", code: 202, status: statusOf(ports.Deferred, ports.Outcome{Code: "absent", Text: "not here", Path: "a/b"}),
			want: `{"command":{"id":"urn:x:c","seq":7,"actor":"` + vendor + `","state":"deferred","until":"2026-01-02T03:04:05Z",
				"reason":{"code":"absent","text":"not here","path":"a/b"}}}`},
		{name: "refused", code: 409, told: "not-allowed", status: statusOf(ports.Refused, ports.Outcome{Code: "not-allowed", Text: "no", Path: "a/b"})},
		{name: "refused as unknown", code: 404, told: "unknown", status: statusOf(ports.Refused, ports.Outcome{Code: "unknown", Text: "no", Path: "a/b"})},
		{name: "refused for a reason of a tree's own", code: 409, told: "too-early", status: statusOf(ports.Refused, ports.Outcome{Code: "too-early", Text: "no", Path: "a/b"})},
		{name: "not mine", code: 409, told: "not-mine", status: statusOf(ports.Ignored, ports.Outcome{Code: "not-mine", Text: "no", Path: "a/b"})},
		{name: "forbidden", code: 403, told: "forbidden", status: statusOf(ports.Dead, ports.Outcome{Code: "forbidden", Text: "no", Path: "a/b"})},
		{name: "not hosted", code: 409, told: "not-hosted", status: statusOf(ports.Dead, ports.Outcome{Code: "not-hosted", Text: "no", Path: "a/b"})},
		{name: "invalid after all", code: 422, told: "invalid-parameters", status: statusOf(ports.Dead, ports.Outcome{Code: "invalid", Text: "no", Path: "a/b"})},
		{name: "waited too long", code: 409, told: "waited-too-long", status: statusOf(ports.Dead, ports.Outcome{Code: "waited-too-long", Text: "no", Path: "a/b"})},
		{name: "panicked", code: 500, told: "panic", status: statusOf(ports.Dead, ports.Outcome{Code: "panic", Text: "secret\nstack.go:1", Path: "a/b"})},
		{name: "damaged", code: 500, told: "corrupt", status: statusOf(ports.Dead, ports.Outcome{Code: "corrupt", Text: "secret", Path: "a/b"})},
		{name: "dead for a reason nobody knows", code: 500, told: "odd", status: statusOf(ports.Dead, ports.Outcome{Code: "odd", Text: "secret", Path: "a/b"})},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := newEdge(t, &fakeNode{command: func(ports.CommandRequest) (ports.CommandStatus, error) { return tc.status, nil }}, nil)
			w := e.ask(http.MethodPost, "/actors/vendor/trigger/engage-case", `{"case_id":"urn:x"}`)
			if w.Code != tc.code {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			if tc.told == "" {
				if diff := cmp.Diff(parsed(t, tc.want), parsed(t, w.Body.String())); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				if got := w.Header().Get("Location"); got != vendor+"/commands/7" {
					t.Errorf("the command is said to be at %s", got)
				}
				return
			}
			p := problemIn(t, w)
			if p.Code != tc.told || p.Path != "a/b" || (p.Detail == "no") != (tc.code < 500) || strings.Contains(w.Body.String(), "secret") {
				t.Errorf("%s", w.Body)
			}
			var with struct{ Command struct{ Seq int64 } }
			if err := json.Unmarshal(w.Body.Bytes(), &with); err != nil || with.Command.Seq != 7 {
				t.Errorf("the problem names the command %+v: %v", with, err)
			}
		})
	}
}

func parsed(t *testing.T, s string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(s), &v); err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return v
}

// What is handed to the node: the parameters as they are, the key, and how long
// the caller waits.
func TestWhatIsCommanded(t *testing.T) {
	for _, tc := range []struct {
		name, query, key string
		wait             time.Duration
	}{
		{"neither", "", "", 10 * time.Second},
		{"a wait", "?wait=3", "", 3 * time.Second},
		{"no wait", "?wait=0", "", 0},
		{"a wait beyond the bound", "?wait=9223372036854775807", "", time.Minute},
		{"a key", "", "k1", 10 * time.Second},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got ports.CommandRequest
			e := newEdge(t, &fakeNode{command: func(r ports.CommandRequest) (ports.CommandStatus, error) {
				got = r
				return statusOf(ports.Done, ports.Outcome{}), nil
			}}, nil)
			var header []string
			if tc.key != "" {
				header = []string{"Idempotency-Key", tc.key}
			}
			w := e.ask(http.MethodPost, "/actors/vendor/trigger/engage-case"+tc.query, `{"case_id": "urn:x"}`, header...)
			want := ports.CommandRequest{Trigger: "engage-case", Params: json.RawMessage(`{"case_id": "urn:x"}`), Key: tc.key, Wait: tc.wait}
			if diff := cmp.Diff(want, got); diff != "" || w.Code != http.StatusAccepted {
				t.Errorf("%d (-want +got):\n%s", w.Code, diff)
			}
		})
	}
}

// A command that is looked up is told with what it answered.
func TestACommandLookedUp(t *testing.T) {
	e := newEdge(t, &fakeNode{status: statusOf(ports.Done, ports.Outcome{Code: "ok", Result: []byte(`{"offer":{"id":"urn:o"}}`)})}, nil)
	w := e.ask(http.MethodGet, "/actors/vendor/commands/7", "")
	want := `{"command":{"id":"urn:x:c","seq":7,"actor":"` + vendor + `","state":"done","result":{"offer":{"id":"urn:o"}}}}`
	if diff := cmp.Diff(parsed(t, want), parsed(t, w.Body.String())); diff != "" || w.Code != http.StatusOK {
		t.Errorf("%d (-want +got):\n%s", w.Code, diff)
	}
	for _, seq := range []string{"x", "-1", "99999999999999999999"} {
		if w := e.ask(http.MethodGet, "/actors/vendor/commands/"+seq, ""); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", seq, w.Code)
		}
	}
}

// Every resource below an actor that is not hosted is not found, and a store
// that cannot be read is not told apart by its inside.
//
// Proves: TRIG-01-001, IE-07-001
func TestResourcesBelowAnActor(t *testing.T) {
	get, post := http.MethodGet, http.MethodPost
	for _, tc := range []struct{ method, path string }{
		{get, ""}, {get, "/profile"}, {post, "/inbox"}, {post, "/inbox/"}, {post, "/trigger/engage-case"}, {get, "/commands/1"},
		{get, "/cases"}, {get, "/cases/urn%3Ax"}, {get, "/cases/urn%3Ax/notes"}, {get, "/cases/urn%3Ax/ledger"},
		{get, "/cases/urn%3Ax/ledger/verify"}, {get, "/reports"}, {get, "/offers"}, {get, "/invites"},
		{get, "/queue"}, {get, "/dead-letters"}, {post, "/dead-letters/1/retry"}, {post, "/dead-deliveries/retry"},
	} {
		e := newEdge(t, &fakeNode{view: fault.New("sqlite.view", "/var/lib/secret.sqlite", fault.Corrupt, "secret")}, nil)
		for _, segment := range []string{"nobody", ".", "vendor%00", "http%3A%2F%2Fnode.example%3A7001%2Fapi%2Fv2%2Factors%2Fvendor"} {
			if w := e.ask(tc.method, "/actors/"+segment+tc.path, message); w.Code != http.StatusNotFound {
				t.Errorf("%s %s of %s: %d %s", tc.method, tc.path, segment, w.Code, w.Body)
			}
		}
		reads := tc.method == get && tc.path != "" && tc.path != "/profile" && tc.path != "/commands/1"
		if w := e.ask(tc.method, "/actors/vendor"+tc.path, message); reads &&
			(w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String(), "secret")) {
			t.Errorf("%s: %d %s", tc.path, w.Code, w.Body)
		}
	}
}

// Pages are asked for by numbers.
func TestPages(t *testing.T) {
	e := newEdge(t, &fakeNode{}, nil)
	for _, path := range []string{"/cases?limit=x", "/offers?limit=-1", "/cases/urn%3Ax/ledger?from=x",
		"/cases/urn%3Ax/ledger?limit=1e3", "/dead-letters?limit=x"} {
		w := e.ask(http.MethodGet, "/actors/vendor"+path, "")
		if p := problemIn(t, w); w.Code != http.StatusBadRequest || p.Field != "limit" && p.Field != "from" {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}
