package serve

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestCountsWhatReachesInboxes(t *testing.T) {
	h := counted(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }))
	ask := func(method, path, body string) string {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, path, strings.NewReader(body)))
		return strings.TrimSpace(w.Body.String())
	}
	ask(http.MethodPost, "/v/actors/a/inbox/", "four")
	ask(http.MethodPost, "/v/actors/b/inbox", "more")
	ask(http.MethodPost, "/v/actors/b/trigger/x", "not counted")
	ask(http.MethodGet, "/v/actors/a/inbox/", "")
	if got := ask(http.MethodGet, "/health/stats", ""); got != `{"inboxPosts":2,"inboxBytes":8}` {
		t.Errorf("stats: %s", got)
	}
}
