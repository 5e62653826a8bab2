package httpapi_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"bateleur/adapters/driven/delivery"
	"bateleur/adapters/driving/httpapi"
	"bateleur/adapters/wire/as2"
	"bateleur/core/ports"
)

// endless is a body of n bytes that counts what is taken of it.
type endless struct {
	n     int64
	taken atomic.Int64
}

func (e *endless) Read(p []byte) (int, error) {
	left := e.n - e.taken.Load()
	if left <= 0 {
		return 0, io.EOF
	}
	p = p[:min(int64(len(p)), left)]
	for i := range p {
		p[i] = ' '
	}
	e.taken.Add(int64(len(p)))
	return len(p), nil
}

func (h *host) api() http.Handler {
	return httpapi.New(httpapi.Config{Node: h.node, Wire: as2.Codec{}, Signer: delivery.Unsigned{}})
}

// inboxRequest is a message to the vendor that comes by no connection.
func (h *host) inboxRequest(body io.Reader) *http.Request {
	r := httptest.NewRequestWithContext(context.Background(), http.MethodPost, h.id("vendor")+"/inbox/", body)
	r.Header.Set("Content-Type", "application/activity+json")
	return r
}

// What is longer than the limit is read no further than the limit, whether its
// length is declared or not.
//
// Proves: IE-04-001
func TestABodyOverTheLimitIsNotReadToItsEnd(t *testing.T) {
	h := serve(t, []hosted{{"vendor", "Organization", ""}})
	const huge = 200 << 20
	for _, tc := range []struct {
		name     string
		declared int64
		most     int64
	}{
		{"declared", huge, 0},
		{"streamed", -1, 1<<20 + 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			body := &endless{n: huge}
			r := h.inboxRequest(body)
			r.ContentLength = tc.declared
			w := httptest.NewRecorder()
			h.api().ServeHTTP(w, r)
			if w.Code != http.StatusRequestEntityTooLarge || body.taken.Load() > tc.most {
				t.Errorf("%d after %d bytes", w.Code, body.taken.Load())
			}
		})
	}
	t.Run("over a connection", func(t *testing.T) {
		body := &endless{n: huge}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.id("vendor")+"/inbox/", io.NopCloser(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/activity+json")
		resp, err := h.client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusRequestEntityTooLarge || body.taken.Load() > 32<<20 {
			t.Errorf("%d after %d bytes", resp.StatusCode, body.taken.Load())
		}
	})
	if n := len(h.inbox("vendor")); n != 0 {
		t.Errorf("%d messages are kept", n)
	}
}

// What is built to be costly is refused for little more memory than its own
// bytes take.
//
// Proves: IE-04-002
func TestCostlyBodiesCostLittle(t *testing.T) {
	h := serve(t, []hosted{{"vendor", "Organization", ""}})
	const size = 1 << 20
	fill := func(prefix, part, suffix string) string {
		return prefix + strings.Repeat(part, (size-len(prefix)-len(suffix))/len(part)) + suffix
	}
	for _, tc := range []struct{ name, body string }{
		{"open brackets", fill("", "[", "")},
		{"open braces", fill(`{"type":"Like","object":`, `{"object":`, "")},
		{"a huge array", fill(`{"type":"Like","actor":"https://a.example/b","to":[`, `"",`, `""]}`)},
		{"a huge array of numbers", fill(`{"type":"Like","actor":"https://a.example/b","x":[`, `1,`, `1]}`)},
		{"many members", fill(`{"type":"Like","actor":"https://a.example/b"`, `,"a":1`, `}`)},
		{"one huge number", fill(`{"type":"Like","actor":"https://a.example/b","x":`, `1`, `}`)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			api, w := h.api(), httptest.NewRecorder()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			api.ServeHTTP(w, h.inboxRequest(strings.NewReader(tc.body)))
			runtime.ReadMemStats(&after)
			if cost := after.TotalAlloc - before.TotalAlloc; cost > 8*size {
				t.Errorf("%d bytes cost %d", size, cost)
			}
			if w.Code >= http.StatusInternalServerError {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			t.Logf("%d for %.1f MiB", w.Code, float64(after.TotalAlloc-before.TotalAlloc)/size)
		})
	}
}

// Many senders at once: each message is kept once, and each answer is a 202.
func TestManySendersAtOnce(t *testing.T) {
	h := serve(t, []hosted{{"vendor", "Organization", ""}, {"other", "Organization", ""}})
	const senders, each = 16, 25
	var wait sync.WaitGroup
	for s := range senders {
		wait.Go(func() {
			for i := range each {
				m := note(fmt.Sprintf("urn:x:%d", i%20), "") // five of each sender's are repetitions
				m["actor"] = fmt.Sprintf("%s-%d", stranger, s)
				segment := []string{"vendor", "other"}[s%2]
				if a := h.post(segment, m); a.status != http.StatusAccepted {
					t.Errorf("%d %s", a.status, a.body)
				}
			}
		})
	}
	wait.Wait()
	for _, segment := range []string{"vendor", "other"} {
		if n := len(h.inbox(segment)); n != senders/2*20 {
			t.Errorf("%s keeps %d messages", segment, n)
		}
	}
}

// FuzzInbox: no bytes whatever make the edge fail or answer without meaning.
//
// Proves: MV-01-005
func FuzzInbox(f *testing.F) {
	h := serve(f, []hosted{{"vendor", "Organization", ""}, {"case-actor", "Service", ""}})
	api, vendor, seen := h.api(), h.actor("vendor"), int64(0)
	for _, seed := range []string{``, `{}`, `[`, `null`, `"x"`, `{"type":"Like","actor":"https://a.example/b"}`,
		`{"type":["Create"],"actor":[{"id":"https://a.example/b"}],"object":{"type":"VulnerabilityCase","id":"urn:uuid:x"}}`,
		`{"type":"Announce","actor":"https://a.example/b","object":{"type":"CaseLedgerEntry","caseId":"x","logIndex":-1}}`,
		`{"type":"Offer","actor":"https://a.example/b","to":"","object":{"type":"VulnerabilityReport"}}`,
		"{\"type\":\"Like\",\"actor\":\"https://a.example/b\xff\"}", `{"type":"Like","actor":"https://a.example/b","id":""}`} {
		f.Add([]byte(seed), "application/activity+json")
	}
	f.Add([]byte(`{}`), "application/ld+json; profile=\"")
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		r := h.inboxRequest(bytes.NewReader(body))
		r.Header.Set("Content-Type", contentType)
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		if w.Code != http.StatusAccepted && (w.Code < 400 || w.Code >= 500) {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		err := h.node.View(context.Background(), vendor, func(r ports.Reader) error {
			dead, err := r.Inbox(ports.Dead, seen, 0)
			for _, item := range dead {
				seen = item.Seq
				if item.Outcome.Code == "panic" {
					t.Errorf("a tree panicked over %q: %s", item.Body, item.Outcome.Text)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
