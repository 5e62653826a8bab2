package httpapi

import (
	"net/http"
	"path"
	"strings"

	"bateleur/core/model"
)

// routes mounts every resource.
func (a *api) routes() {
	for _, at := range a.healthPaths() {
		a.mux.HandleFunc("GET "+at+"/live", a.live)
		a.mux.HandleFunc("GET "+at+"/ready", a.ready)
	}
	a.handle("GET", "/actors/{$}", a.listActors)
	a.handle("POST", "/actors/{$}", a.registerPeer)

	a.ofActor("GET", "", a.showActor)
	a.ofActor("GET", "/profile", a.showActor)
	a.ofActor("POST", "/inbox", a.receive)
	a.ofActor("POST", "/inbox/{$}", a.receive)
	a.ofActor("POST", "/trigger/{name}", a.command)
	a.ofActor("GET", "/commands/{seq}", a.showCommand)

	a.ofActor("GET", "/cases", a.listCases)
	a.ofActor("GET", "/cases/{case}", a.showCase)
	a.ofActor("GET", "/cases/{case}/notes", a.listNotes)
	a.ofActor("GET", "/cases/{case}/ledger", a.showLedger)
	a.ofActor("GET", "/cases/{case}/ledger/verify", a.verifyLedger)
	a.ofActor("GET", "/reports", a.listReports)
	a.ofActor("GET", "/offers", a.listOffers)
	a.ofActor("GET", "/invites", a.listInvites)

	a.ofActor("GET", "/queue", a.showQueue)
	a.ofActor("GET", "/dead-letters", a.listDead)
	a.ofActor("POST", "/dead-letters/{seq}/retry", a.retry)
	a.ofActor("POST", "/dead-deliveries/retry", a.retryDelivery)
}

func (a *api) healthPaths() []string {
	if a.prefix == "" {
		return []string{"/health"}
	}
	return []string{"/health", a.prefix + "/health"}
}

func (a *api) handle(method, at string, h http.HandlerFunc) {
	a.mux.HandleFunc(method+" "+a.prefix+at, h)
}

// ofActor mounts a resource below a hosted actor; of an actor that is not hosted
// nothing is found (IE-07-001, TRIG-01-001).
func (a *api) ofActor(method, at string, h func(http.ResponseWriter, *http.Request, model.ActorID)) {
	a.handle(method, "/actors/{actor}"+at, func(w http.ResponseWriter, r *http.Request) {
		id, hosted := a.Node.Resolve(r.PathValue("actor"))
		if !hosted {
			a.refuse(w, r, absent("no such actor here"))
			return
		}
		h(w, r, id)
	})
}

// serve routes a request. What no route takes is answered with a problem
// document too, a wrong method with the methods that there are.
func (a *api) serve(w http.ResponseWriter, r *http.Request) {
	if !clean(r.URL.EscapedPath()) {
		a.refuse(w, r, absent("no such resource")) // rather than leading to where it might have been meant
		return
	}
	other, pattern := a.mux.Handler(r)
	if pattern != "" {
		a.mux.ServeHTTP(w, r)
		return
	}
	says := &head{header: http.Header{}}
	other.ServeHTTP(says, r)
	if says.status != http.StatusMethodNotAllowed {
		a.refuse(w, r, absent("no such resource"))
		return
	}
	allowed := says.header.Get("Allow")
	w.Header().Set("Allow", allowed)
	a.refuse(w, r, problem{Code: codeMethod, Detail: "the resource takes " + allowed})
}

// clean tells whether a path has no empty part and none that leads up or nowhere.
func clean(escaped string) bool {
	return path.Clean("/"+escaped) == "/"+strings.Trim(escaped, "/") && !strings.Contains(escaped, "//")
}

// head takes the head of an answer and drops its body.
type head struct {
	header http.Header
	status int
}

func (h *head) Header() http.Header         { return h.header }
func (h *head) WriteHeader(status int)      { h.status = status }
func (h *head) Write(b []byte) (int, error) { return len(b), nil }
