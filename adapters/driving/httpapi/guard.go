package httpapi

import (
	"context"
	"crypto/rand"
	"net/http"
	"runtime/debug"
	"strings"
)

// guarded is the whole handler: what holds for every request, then its route.
func (a *api) guarded() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := acceptedID(r.Header.Get("X-Request-Id"))
		r = r.WithContext(context.WithValue(r.Context(), requestKey{}, id))
		h := w.Header()
		h.Set("X-Request-Id", id)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-store") // what is under embargo stays out of caches
		watched := &watched{ResponseWriter: w}
		defer a.recovered(watched, r)
		switch {
		case !a.names(r):
			a.refuse(watched, r, problem{Code: codeMisdirected, Field: "Host", Detail: "this node answers for " + a.base.Host})
		case a.crossing.Check(r) != nil:
			a.refuse(watched, r, problem{Code: codeCrossOrigin, Field: "Origin", Detail: "a browser sends this from another site"})
		default:
			a.serve(watched, r)
		}
	})
}

// names tells whether a request names the node's own host: a page that a browser
// was led to by a name server names another. Probes of the process, which tell
// nothing, come by its address.
func (a *api) names(r *http.Request) bool {
	if strings.HasPrefix(r.URL.Path, "/health/") {
		return true
	}
	return hostOf(a.base.Scheme, r.Host) == hostOf(a.base.Scheme, a.base.Host)
}

// hostOf is an authority without letter case and its scheme's own port.
func hostOf(scheme, authority string) string {
	port := ":80"
	if scheme == "https" {
		port = ":443"
	}
	return strings.TrimSuffix(strings.ToLower(authority), port)
}

// recovered answers for a handler that panicked, and keeps the stack in the log.
func (a *api) recovered(w *watched, r *http.Request) {
	p := recover()
	if p == nil {
		return
	}
	if p == http.ErrAbortHandler { //nolint:errorlint // net/http compares it as it is
		panic(p)
	}
	a.Log.ErrorContext(r.Context(), "panic", "method", r.Method, "path", r.URL.Path,
		"request_id", requestID(r.Context()), "panic", p, "stack", string(debug.Stack()))
	if w.begun {
		panic(http.ErrAbortHandler) // half an answer is none
	}
	a.refuse(w, r, problem{Code: codePanic})
}

// watched knows whether an answer has begun.
type watched struct {
	http.ResponseWriter
	begun bool
}

func (w *watched) WriteHeader(status int) {
	w.begun = true
	w.ResponseWriter.WriteHeader(status)
}

func (w *watched) Write(b []byte) (int, error) {
	w.begun = true
	return w.ResponseWriter.Write(b)
}

// Unwrap is for http.ResponseController.
func (w *watched) Unwrap() http.ResponseWriter { return w.ResponseWriter }

type requestKey struct{}

func requestID(ctx context.Context) string {
	id, _ := ctx.Value(requestKey{}).(string)
	return id
}

// acceptedID takes over a caller's id of a request when it can be told back and
// logged as it is, and makes one otherwise.
func acceptedID(given string) string {
	if visible(given, 64) && !strings.ContainsAny(given, `"\<>`) {
		return given
	}
	return rand.Text()
}

// visible tells whether s is 1 to longest characters of visible ASCII.
func visible(s string, longest int) bool {
	return s != "" && len(s) <= longest && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
}
