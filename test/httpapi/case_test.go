package httpapi_test

import (
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/usecases/query"
)

// story is a case between a finder's node and a vendor's node, which hosts the
// case's manager.
type story struct {
	finder, vendor *host
	offer, report  string
	caseID         string
}

func twoNodes(t *testing.T) (finder, vendor *host) {
	t.Helper()
	vendor = serve(t, []hosted{{"vendor", "Organization", "{base}/actors/case-actor"}, {"case-actor", "Service", ""}})
	finder = serve(t, []hosted{{"finder", "Person", ""}})
	return finder, vendor
}

// begin goes as far as both parties having the case.
func begin(t *testing.T) *story {
	t.Helper()
	s := &story{}
	s.finder, s.vendor = twoNodes(t)
	var told struct {
		Offer  struct{ ID string }
		Report string `json:"report_id"`
	}
	s.finder.done("finder", "submit-report", map[string]any{"report_name": "Overflow",
		"report_content": "A heap overflow.", "recipient_id": s.vendor.id("vendor")}, &told)
	s.offer, s.report = told.Offer.ID, told.Report
	for _, at := range []struct {
		h       *host
		segment string
	}{{s.vendor, "vendor"}, {s.finder, "finder"}} {
		at.h.until(at.segment+" has the case", func() bool {
			var list []query.Case
			at.h.get("/actors/"+at.segment+"/cases", &list)
			if len(list) > 0 {
				s.caseID = list[0].ID
			}
			return len(list) > 0
		})
	}
	return s
}

// settle waits until nothing is left to be decided or sent.
func (s *story) settle() {
	s.vendor.t.Helper()
	s.vendor.until("nothing is left to do", func() bool {
		for _, at := range []struct {
			h       *host
			segment string
		}{{s.finder, "finder"}, {s.vendor, "vendor"}, {s.vendor, "case-actor"}, {s.finder, "finder"}} {
			var q query.Queue
			at.h.get("/actors/"+at.segment+"/queue", &q)
			if len(q.Recipients) > 0 || q.Inbox[ports.Pending] > 0 {
				return false
			}
		}
		return true
	})
}

func (s *story) path(segment, more string) string {
	return "/actors/" + segment + "/cases/" + url.PathEscape(s.caseID) + more
}

func (s *story) caseAt(h *host, segment string) (c query.Case) {
	h.t.Helper()
	h.get(s.path(segment, ""), &c)
	return c
}

func (s *story) until(h *host, segment, what string, cond func(query.Case) bool) {
	h.t.Helper()
	h.until(what, func() bool { return cond(s.caseAt(h, segment)) })
}

func rm(c query.Case, actor string) model.RM {
	for _, p := range c.Participants {
		if p.Actor == actor {
			return p.RM
		}
	}
	return ""
}

// The whole case over HTTP, each state read from the node that holds it; at its
// end every ledger verifies and every stored case is what its ledger gives.
//
// Proves: OX-12-001, AKM-01-002, TRIG-09-002
func TestACaseFromReportToClosure(t *testing.T) {
	s := begin(t)
	vendor, finder := s.vendor.id("vendor"), s.finder.id("finder")
	inCase := map[string]any{"case_id": s.caseID}

	s.vendor.done("vendor", "validate-report", map[string]any{"offer_id": s.offer, "note": "it is real"}, nil)
	s.until(s.vendor, "vendor", "valid", func(c query.Case) bool { return rm(c, vendor) == model.RMValid })
	s.vendor.done("vendor", "engage-case", inCase, nil)
	s.until(s.finder, "finder", "accepted", func(c query.Case) bool { return rm(c, vendor) == model.RMAccepted })
	s.finder.done("finder", "add-note-to-case", map[string]any{"case_id": s.caseID, "note_content": "any news?"}, nil)
	s.vendor.done("vendor", "notify-fix-ready", inCase, nil)
	s.vendor.done("vendor", "notify-published", inCase, nil)
	s.until(s.finder, "finder", "embargo over", func(c query.Case) bool { return c.EM == model.EMExited && c.Embargo == nil })

	var notes []query.Note
	s.vendor.until("the note is with the vendor", func() bool {
		s.vendor.get(s.path("vendor", "/notes"), &notes)
		return len(notes) == 1
	})
	if notes[0].Content != "any news?" || notes[0].Author != finder {
		t.Errorf("the vendor reads the notes %+v", notes)
	}

	var left struct{ Activity struct{ ID string } }
	s.finder.done("finder", "close-case", inCase, &left)
	if err := s.finder.node.View(t.Context(), s.finder.actor("finder"), func(r ports.Reader) error {
		_, err := r.OutboxItem(left.Activity.ID)
		return err
	}); err != nil {
		t.Errorf("the activity that the answer names is not in the outbox: %v", err)
	}
	s.until(s.vendor, "case-actor", "finder left", func(c query.Case) bool { return rm(c, finder) == model.RMClosed })
	s.vendor.done("vendor", "close-case", inCase, nil)
	s.until(s.vendor, "case-actor", "closed", func(c query.Case) bool { return c.Closed })

	manager := s.caseAt(s.vendor, "case-actor")
	for _, at := range []struct {
		h       *host
		segment string
	}{{s.vendor, "case-actor"}, {s.vendor, "vendor"}, {s.finder, "finder"}} {
		var v query.Verification
		at.h.get(s.path(at.segment, "/ledger/verify"), &v)
		if !v.OK || v.Entries == 0 || v.Entries > manager.Ledger.Entries {
			t.Errorf("%s: %+v", at.segment, v)
		}
		var q query.Queue
		at.h.until(at.segment+" has nothing left to send", func() bool {
			at.h.get("/actors/"+at.segment+"/queue", &q)
			return len(q.Recipients) == 0
		})
		var dead query.DeadLetters
		at.h.get("/actors/"+at.segment+"/dead-letters", &dead)
		if diff := cmp.Diff(query.DeadLetters{Inbox: []query.DeadItem{}, Deliveries: []query.DeadDelivery{}}, dead); diff != "" {
			t.Errorf("%s has dead letters (-none +got):\n%s", at.segment, diff)
		}
	}
	if got := s.events("case-actor"); got[len(got)-1] != "case_fully_closed" {
		t.Errorf("the ledger reads %v", got)
	}
}

func (s *story) events(segment string) (types []string) {
	var entries []struct{ EventType string }
	s.vendor.get(s.path(segment, "/ledger"), &entries)
	for _, e := range entries {
		types = append(types, e.EventType)
	}
	return types
}

// What an owner reads of a case as it begins.
func TestWhatAnOwnerReads(t *testing.T) {
	s := begin(t)
	t.Run("case", func(t *testing.T) {
		c := s.caseAt(s.vendor, "vendor")
		if c.Manager != s.vendor.id("case-actor") || c.Owner != s.vendor.id("vendor") || c.EM != model.EMActive ||
			c.Embargo == nil || c.Embargo.End.IsZero() || c.Closed || len(c.Reports) != 1 {
			t.Errorf("the vendor reads %+v", c)
		}
		i := slices.IndexFunc(c.Participants, func(p query.Participant) bool { return p.Me })
		if i < 0 || c.Participants[i].Actor != s.vendor.id("vendor") {
			t.Errorf("the vendor does not find itself in %+v", c.Participants)
		}
		if c.Ledger == nil || c.Ledger.Standing != ports.Replica {
			t.Errorf("the vendor's ledger is %+v", c.Ledger)
		}
	})
	t.Run("offers", func(t *testing.T) {
		var offers []query.Offer
		s.vendor.get("/actors/vendor/offers", &offers)
		want := []query.Offer{{ID: s.offer, Actor: s.finder.id("finder"), Target: s.vendor.id("vendor"),
			Report: s.report, ReportName: "Overflow", Status: model.RMReceived, Case: s.caseID, Manager: s.vendor.id("case-actor")}}
		if diff := cmp.Diff(want, offers); diff != "" {
			t.Errorf("offers (-want +got):\n%s", diff)
		}
	})
	t.Run("reports", func(t *testing.T) {
		var reports []query.Report
		s.finder.get("/actors/finder/reports", &reports)
		if len(reports) != 1 || reports[0].Status != model.RMAccepted || reports[0].Case != s.caseID {
			t.Errorf("the finder reads the reports %+v", reports)
		}
	})
	t.Run("ledger in pages", func(t *testing.T) {
		var all, page []struct{ LogIndex int64 }
		s.vendor.until("three entries", func() bool {
			s.vendor.get(s.path("case-actor", "/ledger"), &all)
			return len(all) >= 3
		})
		s.vendor.get(s.path("case-actor", "/ledger?from=1&limit=2"), &page)
		if len(page) != 2 || page[0].LogIndex != 1 || page[1].LogIndex != 2 {
			t.Errorf("the page from 1 is %+v", page)
		}
	})
	t.Run("one answer for what is not here", func(t *testing.T) {
		elsewhere := s.finder.do(http.MethodGet, s.path("finder", ""), "", nil)
		if elsewhere.status != http.StatusOK {
			t.Fatalf("the finder's own case: %d", elsewhere.status)
		}
		for _, path := range []string{"", "/notes", "/ledger", "/ledger/verify"} {
			nowhere := s.vendor.do(http.MethodGet, "/actors/case-actor/cases/urn%3Ax"+path, "", nil)
			var p problem
			nowhere.decode(t, &p)
			if nowhere.status != http.StatusNotFound || p.Code != "not-found" || p.Detail != "no such case" {
				t.Errorf("%s: %d %s", path, nowhere.status, nowhere.body)
			}
		}
	})
}

// An actor that was invited sees the invitation and what it answered.
func TestInvitations(t *testing.T) {
	s := begin(t)
	guest := serve(t, []hosted{{"guest", "Organization", ""}})
	s.vendor.done("vendor", "invite-actor-to-case", map[string]any{"case_id": s.caseID,
		"invitee_id": guest.id("guest"), "roles": []string{"coordinator"}}, nil)
	var invites []query.Invite
	guest.until("invited", func() bool {
		guest.get("/actors/guest/invites", &invites)
		return len(invites) == 1
	})
	if invites[0].Answer != "" || invites[0].Case != s.caseID {
		t.Errorf("before the answer: %+v", invites)
	}
	guest.done("guest", "accept-case-invite", map[string]any{"invite_id": invites[0].ID}, nil)
	guest.get("/actors/guest/invites", &invites)
	if invites[0].Answer != "accepted" {
		t.Errorf("after the answer: %+v", invites)
	}
	guest.until("has the case", func() bool {
		return guest.do(http.MethodGet, s.path("guest", ""), "", nil).status == http.StatusOK
	})
}
