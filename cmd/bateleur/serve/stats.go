package serve

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
)

// traffic counts what reached the node's inboxes.
type traffic struct {
	posts, bytes atomic.Int64
}

// counted serves handler and, at /health/stats, how many messages were posted to
// inboxes and how long they were together.
func counted(handler http.Handler) http.Handler {
	t := &traffic{}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodGet && r.URL.Path == "/health/stats":
			t.show(w)
			return
		case r.Method == http.MethodPost && strings.HasSuffix(strings.TrimSuffix(r.URL.Path, "/"), "/inbox"):
			t.posts.Add(1)
			r.Body = &counter{ReadCloser: r.Body, bytes: &t.bytes}
		}
		handler.ServeHTTP(w, r)
	})
}

func (t *traffic) show(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"inboxPosts":%d,"inboxBytes":%d}`+"\n", t.posts.Load(), t.bytes.Load())
}

type counter struct {
	io.ReadCloser
	bytes *atomic.Int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.bytes.Add(int64(n))
	return n, err
}
