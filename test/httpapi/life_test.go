package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"bateleur/adapters/driven/delivery"
	"bateleur/adapters/driven/memory"
	"bateleur/adapters/driving/httpapi"
	"bateleur/adapters/wire/as2"
	"bateleur/node"
)

// A node is alive as long as it answers, and ready while its stores are open.
// Before and after, what it is asked is to be asked again.
//
// Proves: OB-05-001, OB-05-002
func TestHealth(t *testing.T) {
	h := &host{t: t, stores: memory.New(), base: "http://node.example/api/v2"}
	n, err := node.New(h.config([]hosted{{"vendor", "Organization", ""}}))
	if err != nil {
		t.Fatal(err)
	}
	api := httpapi.New(httpapi.Config{Node: n, Wire: as2.Codec{}, Signer: delivery.Unsigned{}})
	ask := func(method, url, body string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		api.ServeHTTP(w, r)
		return w
	}
	expect := func(when string, ready int) {
		t.Helper()
		for _, root := range []string{"http://10.0.0.1:8080", h.base} { // probes know the process by its address
			for path, want := range map[string]int{"/health/live": http.StatusOK, "/health/ready": ready} {
				if w := ask(http.MethodGet, root+path, ""); w.Code != want {
					t.Errorf("%s: %s%s: %d %s", when, root, path, w.Code, w.Body)
				}
			}
		}
	}
	outOfService := func(when string) {
		t.Helper()
		expect(when, http.StatusServiceUnavailable)
		for path, body := range map[string]string{"/actors/vendor/inbox/": `{"type":"Like","actor":"https://a.example/b","id":"urn:x"}`,
			"/actors/vendor/trigger/engage-case": `{"case_id":"urn:x"}`} {
			w := ask(http.MethodPost, h.base+path, body)
			if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
				t.Errorf("%s: %s: %d %s", when, path, w.Code, w.Body)
			}
		}
	}
	outOfService("before the start")
	if err := n.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	expect("started", http.StatusOK)
	if err := n.Stop(); err != nil {
		t.Fatal(err)
	}
	outOfService("after the stop")
}

// What was answered with 202 is there after the next start.
func TestWhatIsAcceptedSurvivesAStop(t *testing.T) {
	h := serve(t, []hosted{{"vendor", "Organization", ""}})
	for _, id := range []string{"urn:x:1", "urn:x:2", "urn:x:3"} {
		if a := h.post("vendor", note(id, "")); a.status != http.StatusAccepted {
			t.Fatalf("%d %s", a.status, a.body)
		}
	}
	h.shutDown()
	n, err := node.New(h.config([]hosted{{"vendor", "Organization", ""}}))
	if err != nil {
		t.Fatal(err)
	}
	if err := n.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := n.Stop(); err != nil {
			t.Error(err)
		}
	}()
	h.node = n
	if items := h.inbox("vendor"); len(items) != 3 {
		t.Errorf("%d messages are kept", len(items))
	}
}
