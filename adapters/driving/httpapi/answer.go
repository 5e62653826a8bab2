package httpapi

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"

	"bateleur/core/fault"
)

// Media types of answers.
const (
	typeJSON     = "application/json"
	typeActivity = "application/activity+json"
	typeProblem  = "application/problem+json"
)

// answer writes a JSON document as a whole, or a problem when there is none.
func (a *api) answer(w http.ResponseWriter, r *http.Request, status int, mediaType string, v any) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		a.fail(w, r, fault.Wrap("http.answer", r.URL.Path, fault.Internal, err))
		return
	}
	send(w, status, mediaType, buf.Bytes())
}

func send(w http.ResponseWriter, status int, mediaType string, body []byte) {
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // nobody is left to tell
}

// fail answers with what an error means. What only the node's people can mend is
// logged with its whole chain.
func (a *api) fail(w http.ResponseWriter, r *http.Request, err error) {
	p := problemOf(err)
	if kinds[p.Code].status >= http.StatusInternalServerError {
		a.Log.ErrorContext(r.Context(), "request failed", "method", r.Method, "path", r.URL.Path,
			"request_id", requestID(r.Context()), "code", p.Code, "error", err)
	}
	a.refuse(w, r, p)
}

// refuse answers with a problem document.
func (a *api) refuse(w http.ResponseWriter, r *http.Request, p problem) {
	k := kinds[p.Code]
	if p.Status == 0 {
		p.Status = k.status
	}
	p.Type, p.Title = "urn:bateleur:problem:"+p.Code, k.title
	if p.Title == "" {
		p.Title = http.StatusText(p.Status)
	}
	p.Instance = "urn:bateleur:request:" + requestID(r.Context())
	if p.Field != "" {
		p.Errors = []fieldError{{Field: p.Field, Message: p.Detail}}
	}
	switch p.Status {
	case http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "1")
	case http.StatusRequestEntityTooLarge:
		w.Header().Set("Connection", "close") // what is left of the body is not wanted
	}
	body, err := json.Marshal(p)
	if err != nil {
		a.Log.ErrorContext(r.Context(), "problem cannot be told", "code", p.Code, "error", err)
	}
	send(w, p.Status, typeProblem, body)
}
