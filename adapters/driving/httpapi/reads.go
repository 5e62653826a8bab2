package httpapi

import (
	"net/http"
	"net/url"
	"strconv"

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

// paged is show for a list, in pages: ?after=ID&limit=N. A full page links to
// the one behind it, which may be empty.
func paged[T any](a *api, w http.ResponseWriter, r *http.Request, actor model.ActorID,
	read func(ports.Reader, query.Page) ([]T, error), idOf func(T) string) {
	page := query.Page{After: r.URL.Query().Get("after")}
	limit, bad := optional(r, "limit")
	if bad != nil {
		a.refuse(w, r, *bad)
		return
	}
	page.Limit = int(limit)
	show(a, w, r, actor, func(reader ports.Reader) ([]T, error) {
		found, err := read(reader, page)
		if full := pageSize(page); err == nil && len(found) == full {
			w.Header().Set("Link", next(idOf(found[full-1]), full))
		}
		return found, err
	})
}

// pageSize is how many a page holds at most.
func pageSize(p query.Page) int {
	if p.Limit <= 0 {
		return query.MaxPage
	}
	return min(p.Limit, query.MaxPage)
}

// next links to the page behind an id, relative to the page itself (RFC 8288).
func next(after string, limit int) string {
	return "<?" + url.Values{"after": {after}, "limit": {strconv.Itoa(limit)}}.Encode() + `>; rel="next"`
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
	}, func(c query.Case) string { return c.ID })
}

func (a *api) showCase(w http.ResponseWriter, r *http.Request, actor model.ActorID) {
	show(a, w, r, actor, func(reader ports.Reader) (query.Case, error) {
		return query.FindCase(reader, r.PathValue("case"), actor)
	})
}

func (a *api) listNotes(w http.ResponseWriter, r *http.Request, actor model.ActorID) {
	paged(a, w, r, actor, func(reader ports.Reader, p query.Page) ([]query.Note, error) {
		return query.Notes(reader, r.PathValue("case"), p)
	}, func(n query.Note) string { return n.ID })
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
	paged(a, w, r, actor, query.Reports, func(found query.Report) string { return found.ID })
}

func (a *api) listOffers(w http.ResponseWriter, r *http.Request, actor model.ActorID) {
	paged(a, w, r, actor, query.Offers, func(found query.Offer) string { return found.ID })
}

func (a *api) listInvites(w http.ResponseWriter, r *http.Request, actor model.ActorID) {
	paged(a, w, r, actor, query.Invites, func(found query.Invite) string { return found.ID })
}
