package httpapi_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

// BenchmarkInbox is a message's whole way into a store in memory, without a
// connection: limits, media type, reading, addressees, the actor's queue, and
// the tree that finds no meaning in it.
func BenchmarkInbox(b *testing.B) {
	h := serve(b, []hosted{{"vendor", "Organization", ""}})
	api := h.api()
	body := encoded(b, note("urn:x:ID", h.id("vendor")))
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for i := 0; pb.Next(); i++ {
			own := bytes.Replace(body, []byte("urn:x:ID"), fmt.Appendf(nil, "urn:x:%p-%d", pb, i), 1)
			w := httptest.NewRecorder()
			api.ServeHTTP(w, h.inboxRequest(bytes.NewReader(own)))
			if w.Code != http.StatusAccepted {
				b.Errorf("%d %s", w.Code, w.Body)
				return
			}
		}
	})
}
