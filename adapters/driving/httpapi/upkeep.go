package httpapi

import (
	"context"
	"net/http"

	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/usecases/query"
)

// state is the answer of a health resource and of what was set going again.
type state struct {
	Status string `json:"status"`
}

// live answers as long as the process can (OB-05-001).
func (a *api) live(w http.ResponseWriter, r *http.Request) {
	a.answer(w, r, http.StatusOK, typeJSON, state{"ok"})
}

// ready answers 200 while every hosted actor's store is open and the server is
// not stopping (OB-05-002).
func (a *api) ready(w http.ResponseWriter, r *http.Request) {
	err := a.Node.Ready(r.Context())
	if err == nil && stopping(r.Context()) {
		err = fault.New("http.ready", a.Node.BaseURL(), fault.Unavailable, "the node is stopping")
	}
	if err != nil {
		a.refuse(w, r, problem{Code: string(fault.Unavailable), Detail: textOf(err)})
		return
	}
	a.live(w, r)
}

type stoppingKey struct{}

// stopping tells whether the server that serves a request has been told to stop.
func stopping(ctx context.Context) bool {
	served, ok := ctx.Value(stoppingKey{}).(context.Context)
	return ok && served.Err() != nil
}

func (a *api) showQueue(w http.ResponseWriter, r *http.Request, actor model.ActorID) {
	show(a, w, r, actor, query.Queued)
}

func (a *api) listDead(w http.ResponseWriter, r *http.Request, actor model.ActorID) {
	limit, bad := optional(r, "limit")
	if bad != nil {
		a.refuse(w, r, *bad)
		return
	}
	show(a, w, r, actor, func(reader ports.Reader) (query.DeadLetters, error) {
		return query.Dead(reader, int(limit))
	})
}

// retry lets a dead item of the queue run again.
func (a *api) retry(w http.ResponseWriter, r *http.Request, actor model.ActorID) {
	seq, bad := number("seq", r.PathValue("seq"))
	if bad != nil {
		a.refuse(w, r, absent("no such dead letter"))
		return
	}
	a.again(w, r, a.Node.Retry(r.Context(), actor, seq))
}

// retryDelivery lets a given-up delivery be tried again, with a fresh budget
// (OX-13-002).
func (a *api) retryDelivery(w http.ResponseWriter, r *http.Request, actor model.ActorID) {
	var given struct {
		Recipient string `json:"recipient"`
		Seq       int64  `json:"seq"`
	}
	body, bad := read(w, r, a.MaxCommand, typeJSON)
	if bad == nil {
		bad = decode(body, &given)
	}
	if bad != nil {
		a.refuse(w, r, *bad)
		return
	}
	a.again(w, r, a.Node.RetryDelivery(r.Context(), actor, given.Recipient, given.Seq))
}

func (a *api) again(w http.ResponseWriter, r *http.Request, err error) {
	if err != nil {
		a.fail(w, r, err)
		return
	}
	a.answer(w, r, http.StatusAccepted, typeJSON, state{"queued"})
}
