package httpapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bateleur/core/ports"
	"bateleur/core/usecases/query"
	"bateleur/node"
)

// facts is what a store knows and has sent, without its queues: what a command
// that is refused must leave as it was.
func (h *host) facts(segment string) string {
	h.t.Helper()
	var kept []string
	for line := range strings.Lines(h.dump(segment)) {
		switch kind, _, _ := strings.Cut(line, " "); kind {
		case "record", "ledger", "entry", "activity":
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

type outcome struct {
	Command struct {
		ID, Actor, Until string
		Seq              int64
		State            ports.InboxState
		Reason           query.Reason
	}
}

// A command that has to wait is answered with how it can be asked for, and has
// written nothing meanwhile.
//
// Proves: TRIG-01-003
func TestACommandThatHasToWait(t *testing.T) {
	vendor := serve(t, []hosted{{"vendor", "Organization", "http://127.0.0.1:1/actors/case-actor"}})
	finder := serve(t, []hosted{{"finder", "Person", ""}})
	var offer struct{ Offer struct{ ID string } }
	finder.done("finder", "submit-report", map[string]any{"report_name": "x", "report_content": "y",
		"recipient_id": vendor.id("vendor")}, &offer)
	vendor.until("offered", func() bool {
		var offers []query.Offer
		vendor.get("/actors/vendor/offers", &offers)
		return len(offers) == 1
	})
	before := vendor.facts("vendor")
	a := vendor.trigger("vendor", "validate-report", map[string]any{"offer_id": offer.Offer.ID})
	var first, later outcome
	a.decode(t, &first)
	if a.status != http.StatusAccepted || first.Command.State != ports.Deferred || first.Command.Until == "" ||
		first.Command.Reason.Code != "absent" || first.Command.Reason.Path == "" {
		t.Fatalf("%d %s", a.status, a.body)
	}
	where := strings.TrimPrefix(a.header.Get("Location"), vendor.base)
	if want := fmt.Sprintf("/actors/vendor/commands/%d", first.Command.Seq); where != want {
		t.Fatalf("the command is said to be at %s, not %s", where, want)
	}
	vendor.get(where, &later)
	if diff := cmp.Diff(first, later); diff != "" {
		t.Errorf("read later (-told +read):\n%s", diff)
	}
	if diff := cmp.Diff(before, vendor.facts("vendor")); diff != "" {
		t.Errorf("the waiting command wrote (-before +after):\n%s", diff)
	}
}

// What the rules forbid is refused with the reason's code and the place in the
// tree, and changes nothing.
//
// Proves: TRIG-01-001, TRIG-01-002, TRIG-03-002
func TestCommandsThatAreRefused(t *testing.T) {
	s := begin(t)
	h := s.vendor
	s.finder.done("finder", "close-case", map[string]any{"case_id": s.caseID}, nil)
	s.until(s.finder, "finder", "left", func(c query.Case) bool { return rm(c, s.finder.id("finder")) == "CLOSED" })
	s.settle()
	inCase, report := map[string]any{"case_id": s.caseID}, map[string]any{"report_name": "x", "recipient_id": stranger}
	with := func(m map[string]any, name string, value any) map[string]any {
		out := map[string]any{name: value}
		for k, v := range m {
			if k != name {
				out[k] = v
			}
		}
		return out
	}
	for _, tc := range []struct {
		name             string
		h                *host
		segment, command string
		params           any
		contentType      string
		query            string
		header           []string
		status           int
		code, field      string
	}{
		{name: "actor that is not hosted", h: h, segment: "nobody", command: "engage-case", params: inCase, status: 404, code: "not-found"},
		{name: "no such command", h: h, segment: "vendor", command: "dance", params: inCase, status: 404, code: "not-found"},
		{name: "no such offer", h: h, segment: "vendor", command: "validate-report", params: map[string]any{"offer_id": "urn:x"}, status: 404, code: "unknown"},
		{name: "out of turn", h: h, segment: "vendor", command: "engage-case", params: inCase, status: 409, code: "not-allowed"},
		{name: "not the role's", h: h, segment: "vendor", command: "notify-fix-deployed", params: inCase, status: 409, code: "not-allowed"},
		{name: "after having left", h: s.finder, segment: "finder", command: "add-note-to-case", params: with(inCase, "note_content", "x"), status: 409, code: "not-allowed"},
		{name: "delegated to a manager elsewhere", h: s.finder, segment: "finder", command: "invite-actor-to-case", params: with(inCase, "invitee_id", stranger), status: 409, code: "not-hosted"},
		{name: "delegated in an unknown case", h: h, segment: "vendor", command: "invite-actor-to-case", params: map[string]any{"case_id": "urn:x", "invitee_id": stranger}, status: 404, code: "not-found"},
		{name: "a parameter is missing", h: h, segment: "vendor", command: "engage-case", params: map[string]any{}, status: 422, code: "invalid-parameters", field: "case_id"},
		{name: "a parameter of a wrong kind", h: h, segment: "vendor", command: "engage-case", params: map[string]any{"case_id": 1}, status: 422, code: "invalid-parameters", field: "case_id"},
		{name: "no parameter of the command", h: h, segment: "vendor", command: "engage-case", params: with(inCase, "force", true), status: 422, code: "invalid-parameters", field: "force"},
		{name: "a parameter in another letter case", h: h, segment: "vendor", command: "engage-case", params: map[string]any{"CASE_ID": s.caseID}, status: 422, code: "invalid-parameters", field: "CASE_ID"},
		{name: "a parameter twice", h: h, segment: "vendor", command: "engage-case", params: json.RawMessage(`{"case_id":"urn:x","case_id":"urn:y"}`), status: 422, code: "invalid-parameters", field: "case_id"},
		{name: "not UTF-8", h: h, segment: "vendor", command: "engage-case", params: json.RawMessage("{\"case_id\":\"\xff\"}"), status: 422, code: "invalid-parameters", field: "body"},
		{name: "no actor", h: h, segment: "vendor", command: "submit-report", params: with(report, "recipient_id", "urn:x"), status: 422, code: "invalid-parameters", field: "recipient_id"},
		{name: "a report that no message holds", h: h, segment: "vendor", command: "submit-report", params: with(map[string]any{"report_name": "x", "recipient_id": s.finder.id("finder")}, "report_content", strings.Repeat("x", 960<<10)), status: 422, code: "invalid-parameters", field: "report_content"},
		{name: "not an object", h: h, segment: "vendor", command: "engage-case", params: []int{1}, status: 422, code: "invalid-parameters"},
		{name: "a role that decides", h: h, segment: "vendor", command: "invite-actor-to-case", params: with(with(inCase, "invitee_id", stranger), "roles", []string{"case_owner"}), status: 422, code: "invalid-parameters"},
		{name: "not JSON", h: h, segment: "vendor", command: "engage-case", params: nil, status: 400, code: "invalid", field: "body"},
		{name: "another media type", h: h, segment: "vendor", command: "engage-case", params: inCase, contentType: "text/plain", status: 415, code: "media-type", field: "Content-Type"},
		{name: "waiting less than nothing", h: h, segment: "vendor", command: "engage-case", params: inCase, query: "?wait=-1", status: 400, code: "invalid", field: "wait"},
		{name: "a key that cannot be kept", h: h, segment: "vendor", command: "engage-case", params: inCase, header: []string{"Idempotency-Key", "a b"}, status: 400, code: "invalid", field: "Idempotency-Key"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			before := s.finder.facts("finder") + h.facts("vendor")
			body := []byte("{")
			if tc.params != nil {
				body = encoded(t, tc.params)
			}
			if tc.contentType == "" {
				tc.contentType = "application/json"
			}
			a := tc.h.do(http.MethodPost, "/actors/"+tc.segment+"/trigger/"+tc.command+tc.query, tc.contentType, body, tc.header...)
			var p problem
			a.decode(t, &p)
			if a.status != tc.status || p.Status != tc.status || p.Code != tc.code || tc.field != "" && p.Field != tc.field || p.Detail == "" {
				t.Errorf("%d %s", a.status, a.body)
			}
			var errs struct {
				Errors []struct{ Field, Message string }
			}
			a.decode(t, &errs)
			if p.Field != "" && (len(errs.Errors) != 1 || errs.Errors[0].Field != p.Field || errs.Errors[0].Message == "") {
				t.Errorf("the errors are %+v", errs.Errors)
			}
			if refusedByTree := tc.code == "not-allowed" || tc.code == "unknown"; refusedByTree && p.Path == "" {
				t.Errorf("no place in the tree: %s", a.body)
			}
			if diff := cmp.Diff(before, s.finder.facts("finder")+h.facts("vendor")); diff != "" {
				t.Errorf("it changed something (-before +after):\n%s", diff)
			}
		})
	}
}

// A key makes a command the same command: its repetition is told what came of
// the first one.
func TestACommandWithAKeyIsGivenOnce(t *testing.T) {
	h := serve(t, []hosted{{"finder", "Person", ""}})
	type answered struct {
		Command struct {
			ID    string
			Seq   int64
			State ports.InboxState
		}
		Offer struct{ ID string }
	}
	give := func() (out answered) {
		a := h.do(http.MethodPost, "/actors/finder/trigger/submit-report", "application/json",
			encoded(t, map[string]any{"report_name": "x", "recipient_id": stranger}), "Idempotency-Key", "once")
		a.decode(t, &out)
		return out
	}
	first, again := give(), give()
	if first.Command.ID != "once" || first.Command.State != ports.Done || first.Offer.ID == "" {
		t.Errorf("first: %+v", first)
	}
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("again (-first +again):\n%s", diff)
	}
	var offers []query.Offer
	h.get("/actors/finder/offers", &offers)
	if len(offers) != 1 {
		t.Errorf("%d offers are made", len(offers))
	}
}

// brittleIDs panics while it is armed.
type brittleIDs struct{ armed atomic.Bool }

func (b *brittleIDs) New() string {
	if b.armed.Load() {
		panic("out of ids")
	}
	return node.RandomIDs{}.New()
}

// journal is a log that a test reads.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// A panic in a leaf is a dead letter that can be run again. Its stack is in the
// log and nowhere else, and the actor's next command is decided.
//
// Proves: BA-10-005
func TestAPanicInALeaf(t *testing.T) {
	ids, log := &brittleIDs{}, &journal{}
	h := serve(t, []hosted{{"finder", "Person", ""}}, func(c *node.Config) {
		c.IDs, c.Log = ids, slog.New(slog.NewTextHandler(log, nil))
	})
	submit := func(key string) answer {
		return h.do(http.MethodPost, "/actors/finder/trigger/submit-report", "application/json",
			encoded(t, map[string]any{"report_name": "x", "recipient_id": stranger}), "Idempotency-Key", key)
	}
	before := h.facts("finder")
	ids.armed.Store(true)
	a := submit("first")
	ids.armed.Store(false)
	var p problem
	a.decode(t, &p)
	if a.status != http.StatusInternalServerError || p.Code != "panic" || p.Path == "" || bytes.Contains(a.body, []byte(".go")) ||
		bytes.Contains(a.body, []byte("out of ids")) {
		t.Errorf("%d %s", a.status, a.body)
	}
	if text := log.String(); !strings.Contains(text, "out of ids") || !strings.Contains(text, "brittleIDs") {
		t.Errorf("no stack in the log:\n%s", text)
	}
	if diff := cmp.Diff(before, h.facts("finder")); diff != "" {
		t.Errorf("the run left something (-before +after):\n%s", diff)
	}
	dead := h.do(http.MethodGet, "/actors/finder/dead-letters", "", nil)
	var letters query.DeadLetters
	dead.decode(t, &letters)
	if len(letters.Inbox) != 1 || letters.Inbox[0].Reason.Code != "panic" || letters.Inbox[0].Trigger != "submit-report" ||
		bytes.Contains(dead.body, []byte("goroutine")) {
		t.Fatalf("dead letters: %s", dead.body)
	}
	if a := submit("second"); a.status != http.StatusAccepted {
		t.Errorf("the next command: %d %s", a.status, a.body)
	}
	again := h.do(http.MethodPost, fmt.Sprintf("/actors/finder/dead-letters/%d/retry", letters.Inbox[0].Seq), "", nil)
	if again.status != http.StatusAccepted {
		t.Fatalf("retry: %d %s", again.status, again.body)
	}
	h.until("both are done", func() bool {
		var offers []query.Offer
		h.get("/actors/finder/offers", &offers)
		return len(offers) == 2
	})
	for _, wrong := range []struct {
		path   string
		status int
	}{{"77", 404}, {"x", 404}, {fmt.Sprint(letters.Inbox[0].Seq), 409}} {
		if a := h.do(http.MethodPost, "/actors/finder/dead-letters/"+wrong.path+"/retry", "", nil); a.status != wrong.status {
			t.Errorf("retry of %s: %d %s", wrong.path, a.status, a.body)
		}
	}
}

// A panic outside of any tree is answered too.
func TestAPanicInTheNode(t *testing.T) {
	ids := &brittleIDs{}
	h := serve(t, []hosted{{"finder", "Person", ""}}, func(c *node.Config) { c.IDs = ids })
	ids.armed.Store(true)
	a := h.trigger("finder", "submit-report", map[string]any{"report_name": "x", "recipient_id": stranger})
	ids.armed.Store(false)
	var p problem
	a.decode(t, &p)
	if a.status != http.StatusInternalServerError || p.Code != "panic" || p.Detail != "" {
		t.Errorf("%d %s", a.status, a.body)
	}
}

// A peer that says it will never take a message ends its delivery; the dead
// letter says who, why and after how many attempts, and can be sent again.
//
// Proves: OX-13-002, OX-13-005
func TestADeadDelivery(t *testing.T) {
	var gone atomic.Bool
	var posts atomic.Int32
	gone.Store(true)
	peer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		posts.Add(1)
		if gone.Load() {
			http.Error(w, "moved away", http.StatusGone)
			return
		}
		w.WriteHeader(http.StatusAccepted)
	}))
	defer peer.Close()
	h := serve(t, []hosted{{"finder", "Person", ""}})
	recipient := peer.URL + "/actors/vendor"
	h.done("finder", "submit-report", map[string]any{"report_name": "x", "recipient_id": recipient}, nil)
	var letters query.DeadLetters
	h.until("given up", func() bool {
		h.get("/actors/finder/dead-letters", &letters)
		return len(letters.Deliveries) == 1
	})
	d := letters.Deliveries[0]
	if d.Recipient != recipient || d.Attempts != 1 || d.Error != "410 Gone: moved away" || posts.Load() != 1 {
		t.Errorf("after %d posts: %+v", posts.Load(), d)
	}
	gone.Store(false)
	path, body := "/actors/finder/dead-deliveries/retry", map[string]any{"recipient": recipient, "seq": d.Seq}
	if a := h.do(http.MethodPost, path, "application/json", encoded(t, body)); a.status != http.StatusAccepted {
		t.Fatalf("retry: %d %s", a.status, a.body)
	}
	h.until("delivered", func() bool {
		var q query.Queue
		h.get("/actors/finder/dead-letters", &letters)
		h.get("/actors/finder/queue", &q)
		return len(letters.Deliveries) == 0 && len(q.Recipients) == 0
	})
	if posts.Load() != 2 {
		t.Errorf("%d posts", posts.Load())
	}
	for _, tc := range []struct {
		name   string
		body   any
		status int
	}{
		{"delivered before", body, http.StatusNotFound},
		{"unknown member", map[string]any{"to": recipient}, http.StatusBadRequest},
		{"of a wrong kind", map[string]any{"recipient": recipient, "seq": "1"}, http.StatusBadRequest},
	} {
		if a := h.do(http.MethodPost, path, "application/json", encoded(t, tc.body)); a.status != tc.status {
			t.Errorf("%s: %d %s", tc.name, a.status, a.body)
		}
	}
}

// A list that is longer than a page links to what follows, until nothing does.
func TestPagesLinkToWhatFollows(t *testing.T) {
	h := serve(t, []hosted{{"finder", "Person", ""}})
	for range 3 {
		h.done("finder", "submit-report", map[string]any{"report_name": "x", "recipient_id": stranger}, nil)
	}
	seen, pages := map[string]bool{}, 0
	for query := "?limit=2"; query != ""; pages++ {
		a := h.do(http.MethodGet, "/actors/finder/offers"+query, "", nil)
		var offers []struct{ ID string }
		a.decode(t, &offers)
		for _, offer := range offers {
			seen[offer.ID] = true
		}
		link, _, _ := strings.Cut(strings.TrimPrefix(a.header.Get("Link"), "<"), ">; rel=\"next\"")
		query = link
	}
	if len(seen) != 3 || pages != 2 {
		t.Errorf("%d offers on %d pages", len(seen), pages)
	}
}
