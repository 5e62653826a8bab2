package httpapi

import (
	"net/http"

	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/usecases/query"
)

// show answers with what a query reads in the actor's own store.
func show[T any](a *api, w http.ResponseWriter, r *http.Request, actor model.ActorID, read func(ports.Reader) (T, error)) {
	var found T
	err := a.Node.View(r.Context(), actor, func(reader ports.Reader) (err error) {
		found, err = read(reader)
		return err
	})
	if err != nil {
		a.fail(w, r, err)
		return
	}
	a.answer(w, r, http.StatusOK, typeJSON, found)
}

// paged is show for a list, in pages: ?after=ID&limit=N.
func paged[T any](a *api, w http.ResponseWriter, r *http.Request, actor model.ActorID,
	read func(ports.Reader, query.Page) (T, error)) {
	page := query.Page{After: r.URL.Query().Get("after")}
	limit, bad := optional(r, "limit")
	if bad != nil {
		a.refuse(w, r, *bad)
		return
	}
	page.Limit = int(limit)
	show(a, w, r, actor, func(reader ports.Reader) (T, error) { return read(reader, page) })
}

// optional reads a number of the query, 0 when it is not given.
func optional(r *http.Request, name string) (int64, *problem) {
	given := r.URL.Query().Get(name)
	if given == "" {
		return 0, nil
	}
	return number(name, given)
}

func (a *api) listCases(w http.ResponseWriter, r *http.Request, actor model.ActorID) {
	paged(a, w, r, actor, func(reader ports.Reader, p query.Page) ([]query.Case, error) {
		return query.Cases(reader, actor, p)
	})
}

func (a *api) showCase(w http.ResponseWriter, r *http.Request, actor model.ActorID) {
	show(a, w, r, actor, func(reader ports.Reader) (query.Case, error) {
		return query.FindCase(reader, r.PathValue("case"), actor)
	})
}

func (a *api) listNotes(w http.ResponseWriter, r *http.Request, actor model.ActorID) {
	paged(a, w, r, actor, func(reader ports.Reader, p query.Page) ([]query.Note, error) {
		return query.Notes(reader, r.PathValue("case"), p)
	})
}

// showLedger gives entries as they go over the wire: ?from=INDEX&limit=N.
func (a *api) showLedger(w http.ResponseWriter, r *http.Request, actor model.ActorID) {
	from, bad := optional(r, "from")
	limit, wrong := optional(r, "limit")
	if bad == nil {
		bad = wrong
	}
	if bad != nil {
		a.refuse(w, r, *bad)
		return
	}
	show(a, w, r, actor, func(reader ports.Reader) (any, error) {
		return query.Ledger(reader, r.PathValue("case"), from, int(limit))
	})
}

func (a *api) verifyLedger(w http.ResponseWriter, r *http.Request, actor model.ActorID) {
	show(a, w, r, actor, func(reader ports.Reader) (query.Verification, error) {
		return query.VerifyLedger(reader, r.PathValue("case"), a.Wire.Decode)
	})
}

func (a *api) listReports(w http.ResponseWriter, r *http.Request, actor model.ActorID) {
	paged(a, w, r, actor, query.Reports)
}

func (a *api) listOffers(w http.ResponseWriter, r *http.Request, actor model.ActorID) {
	paged(a, w, r, actor, query.Offers)
}

func (a *api) listInvites(w http.ResponseWriter, r *http.Request, actor model.ActorID) {
	paged(a, w, r, actor, query.Invites)
}
