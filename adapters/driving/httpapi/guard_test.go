package httpapi_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A request names the node's own host, and comes from no page of another site.
func TestWhoIsAsked(t *testing.T) {
	for _, tc := range []struct {
		name   string
		method string
		target string
		header []string
		status int
		code   string
	}{
		{name: "the node", method: "POST", target: vendor + "/inbox/", status: 202},
		{name: "the node in capitals", method: "POST", target: vendor + "/inbox/", header: []string{"Host", "NODE.example:7001"}, status: 202},
		{name: "another host", method: "POST", target: vendor + "/inbox/", header: []string{"Host", "rebound.example:7001"}, status: 421, code: "misdirected"},
		{name: "another port", method: "GET", target: base + "/actors/", header: []string{"Host", "node.example"}, status: 421, code: "misdirected"},
		{name: "no host", method: "GET", target: base + "/actors/", header: []string{"Host", ""}, status: 421, code: "misdirected"},
		{name: "health by another name", method: "GET", target: "http://10.1.2.3/health/live", status: 200},
		{name: "a page of another site", method: "POST", target: vendor + "/inbox/", header: []string{"Sec-Fetch-Site", "cross-site"}, status: 403, code: "cross-origin"},
		{name: "an old page of another site", method: "POST", target: vendor + "/inbox/", header: []string{"Origin", "https://evil.example"}, status: 403, code: "cross-origin"},
		{name: "a page of this node", method: "POST", target: vendor + "/inbox/", header: []string{"Sec-Fetch-Site", "same-origin"}, status: 202},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := newEdge(t, &fakeNode{}, nil)
			w := e.ask(tc.method, tc.target, message, tc.header...)
			if w.Code != tc.status {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			if tc.code == "" {
				return
			}
			if p := problemIn(t, w); p.Code != tc.code {
				t.Errorf("%+v", p)
			}
			if len(e.node.received) > 0 {
				t.Error("the message went in")
			}
		})
	}
}

// What is nowhere, and what cannot be done with what is somewhere.
func TestRoutes(t *testing.T) {
	for _, tc := range []struct {
		name, method, target string
		status               int
		allow                string
	}{
		{"nowhere", "GET", "/nowhere", 404, ""},
		{"the root", "GET", "http://node.example:7001/", 404, ""},
		{"outside of the base", "POST", "http://node.example:7001/actors/vendor/inbox/", 404, ""},
		{"an empty part", "POST", "//actors/vendor/inbox/", 404, ""},
		{"a way up", "GET", "/actors/x/../vendor", 404, ""},
		{"below an inbox", "POST", "/actors/vendor/inbox/more", 404, ""},
		{"an actor with a slash behind", "GET", "/actors/vendor/", 404, ""},
		{"reading an inbox", "GET", "/actors/vendor/inbox/", 405, "POST"},
		{"reading an inbox without a slash", "GET", "/actors/vendor/inbox", 405, "POST"},
		{"deleting an actor", "DELETE", "/actors/vendor", 405, "GET, HEAD"},
		{"putting actors", "PUT", "/actors/", 405, "GET, HEAD, POST"},
		{"reading a command's door", "GET", "/actors/vendor/trigger/engage-case", 405, "POST"},
		{"posting to a health resource", "POST", "/health/live", 405, "GET, HEAD"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newEdge(t, &fakeNode{}, nil).ask(tc.method, tc.target, "")
			p := problemIn(t, w)
			if w.Code != tc.status || w.Header().Get("Allow") != tc.allow || p.Detail == "" {
				t.Errorf("%d allowing %q: %s", w.Code, w.Header().Get("Allow"), w.Body)
			}
		})
	}
}

// Every answer can be told apart, and stays out of caches.
func TestHeadersOfAnAnswer(t *testing.T) {
	e := newEdge(t, &fakeNode{}, nil)
	for _, tc := range []struct {
		name, given string
		kept        bool
	}{
		{"none", "", false},
		{"an id", "a1-b2.C_3", true},
		{"a long one", strings.Repeat("x", 65), false},
		{"with a blank", "a b", false},
		{"with markup", "<script>", false},
		{"with a quote", `a"b`, false},
		{"with a control character", "a\x1b[31m", false},
		{"beyond ASCII", "ä", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := e.ask(http.MethodGet, "/nowhere", "", "X-Request-Id", tc.given)
			got := w.Header().Get("X-Request-Id")
			if got == "" || (got == tc.given) != tc.kept {
				t.Errorf("%q became %q", tc.given, got)
			}
			if p := problemIn(t, w); p.Instance != "urn:bateleur:request:"+got {
				t.Errorf("the problem is of request %s", p.Instance)
			}
			want := [2]string{"nosniff", "no-store"}
			if diff := cmp.Diff(want, [2]string{w.Header().Get("X-Content-Type-Options"), w.Header().Get("Cache-Control")}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A handler that panics is answered for; the stack is in the log alone.
func TestAPanicIsAnswered(t *testing.T) {
	e := newEdge(t, &fakeNode{receive: func() error { panic("secret") }}, nil)
	w := e.ask(http.MethodPost, "/actors/vendor/inbox/", message, "X-Request-Id", "r1")
	if p := problemIn(t, w); w.Code != http.StatusInternalServerError || p.Code != "panic" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if strings.Contains(w.Body.String(), "secret") || strings.Contains(w.Body.String(), ".go") {
		t.Errorf("the answer tells %s", w.Body)
	}
	if text := e.log.String(); !strings.Contains(text, "secret") || !strings.Contains(text, "request_id=r1") || !strings.Contains(text, "guard_test.go") {
		t.Errorf("the log tells %s", text)
	}
	e.node.receive = func() error { panic(http.ErrAbortHandler) }
	func() {
		defer func() {
			if err, _ := recover().(error); !errors.Is(err, http.ErrAbortHandler) {
				t.Error("an abort was swallowed")
			}
		}()
		e.ask(http.MethodPost, "/actors/vendor/inbox/", message)
	}()
}
