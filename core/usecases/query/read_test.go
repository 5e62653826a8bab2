package query_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bateleur/core/cases"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/usecases/query"
)

// A case is shown as the ledger has it; what its actor asserted stands beside
// it.
func TestACase(t *testing.T) {
	store := replica(t, 1)
	pending := cases.Pending{CaseID: caseID, EventType: cases.EventDeferCase, ObjectID: "urn:uuid:p", RM: model.RMDeferred, At: began}
	update(t, store, func(tx ports.Tx) error {
		return cases.Create(tx, cases.KindPending, "p", pending, ports.Ref{Name: cases.RefCase, Target: caseID})
	})
	view(t, store, func(r ports.Reader) error {
		head, err := r.Ledger(caseID)
		if err != nil {
			return err
		}
		got, err := query.FindCase(r, caseID, store.Actor())
		want := query.Case{ID: caseID, Name: "Overflow", Published: began, Manager: manager, Owner: owner,
			EM: model.EMActive, PXA: model.PXANone, Reports: []string{}, Pending: []cases.Pending{pending},
			Embargo: &query.Embargo{ID: "urn:uuid:embargo", Start: began, End: began.Add(24 * time.Hour)},
			Participants: []query.Participant{
				{ID: caseID + "/participants/manager", Actor: manager, Name: "manager", Roles: []model.Role{model.RoleCaseManager},
					RM: model.RMStart, VFD: model.VFDUnaware, PEC: model.PECSignatory},
				{ID: caseID + "/participants/owner", Actor: owner, Name: "owner", Me: true, Roles: []model.Role{model.RoleCaseOwner},
					RM: model.RMAccepted, VFD: model.VFDUnaware, PEC: model.PECSignatory}},
			Ledger: &query.LedgerHead{Standing: ports.Replica, Genesis: head.Genesis, Entries: 1, TailHash: head.TailHash}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if zone, _ := got.Embargo.End.Zone(); zone != "UTC" {
			t.Errorf("the embargo ends in the zone %s", zone)
		}
		all, listErr := query.Cases(r, store.Actor(), query.Page{})
		if diff := cmp.Diff([]query.Case{want}, all); diff != "" || listErr != nil {
			t.Errorf("%v (-want +got):\n%s", listErr, diff)
		}
		return err
	})
}

// What is not here is answered alike, whoever asks for what.
func TestWhatIsNotHere(t *testing.T) {
	store := replica(t, 0)
	view(t, store, func(r ports.Reader) error {
		_, one := query.FindCase(r, "urn:x", store.Actor())
		_, notes := query.Notes(r, "urn:x", query.Page{})
		_, entries := query.Ledger(r, "urn:x", 0, 0)
		_, verified := query.VerifyLedger(r, "urn:x", decode)
		for i, err := range []error{one, notes, entries, verified} {
			if fault.CodeOf(err) != fault.NotFound || err.Error() != one.Error() {
				t.Errorf("%d: %v", i, err)
			}
		}
		if _, err := query.Cases(r, store.Actor(), query.Page{After: "urn:x"}); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("a page after nothing: %v", err)
		}
		return nil
	})
}

// Lists are read in pages that show each once, in their order.
func TestPages(t *testing.T) {
	const notes = 7
	store := replica(t, 3*notes)
	view(t, store, func(r ports.Reader) error {
		var got []string
		for page := (query.Page{Limit: 3}); ; {
			some, err := query.Notes(r, caseID, page)
			if err != nil {
				return err
			}
			for _, n := range some {
				got, page.After = append(got, n.Content), n.ID
			}
			if len(some) < page.Limit {
				break
			}
		}
		var want []string
		for i := range notes {
			want = append(want, fmt.Sprintf("note %d", 3*i+1))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		for _, tc := range []struct {
			from        int64
			limit, want int
		}{{0, 0, 3 * notes}, {0, 2, 2}, {-5, 1, 1}, {3*notes - 1, 10, 1}, {1000, 10, 0}, {0, -1, 3 * notes}} {
			entries, err := query.Ledger(r, caseID, tc.from, tc.limit)
			if err != nil || len(entries) != tc.want || entries == nil {
				t.Errorf("%+v: %d entries, %v", tc, len(entries), err)
			}
		}
		return nil
	})
}

// A report, its offer and an invitation are shown with what the actor knows of
// them besides.
func TestWhatAnActorWasSent(t *testing.T) {
	store := open(t)
	update(t, store, func(tx ports.Tx) error {
		for _, err := range []error{
			cases.KeepReport(tx, &model.Report{ID: "urn:r1", Name: "one", Content: "text", AttributedTo: manager}),
			cases.KeepReport(tx, &model.Report{ID: "urn:r2", Name: "two"}),
			cases.Create(tx, cases.KindReportStatus, "urn:r1", cases.ReportStatus{ReportID: "urn:r1", RM: model.RMValid}),
			cases.Create(tx, cases.KindCaseLink, "urn:r1", cases.CaseLink{ReportID: "urn:r1", CaseID: caseID, Manager: manager}),
			cases.Create(tx, cases.KindOffer, "urn:o1", cases.OfferRecord{ID: "urn:o1", Actor: manager, To: owner, ReportID: "urn:r1"}),
			cases.Create(tx, cases.KindOffer, "urn:o2", cases.OfferRecord{ID: "urn:o2", Actor: manager, To: owner, ReportID: "urn:r2", Manager: "http://127.0.0.1:1/m"}),
			cases.Create(tx, cases.KindInvite, "urn:i1", cases.Invite{ID: "urn:i1", CaseID: caseID, Manager: manager, Activity: []byte(`{}`)}),
			cases.Create(tx, cases.KindInvite, "urn:i2", cases.Invite{ID: "urn:i2", CaseID: caseID, Manager: manager, Activity: []byte(`{}`)}),
			cases.Create(tx, cases.KindConsent, caseID, cases.Answer{InviteID: "urn:i2", CaseID: caseID}),
		} {
			if err != nil {
				return err
			}
		}
		return nil
	})
	view(t, store, func(r ports.Reader) error {
		reports, err := query.Reports(r, query.Page{})
		if diff := cmp.Diff([]query.Report{{ID: "urn:r1", Name: "one", Content: "text", Author: manager, Status: model.RMValid, Case: caseID},
			{ID: "urn:r2", Name: "two"}}, reports); diff != "" || err != nil {
			t.Errorf("reports: %v (-want +got):\n%s", err, diff)
		}
		offers, err := query.Offers(r, query.Page{})
		if diff := cmp.Diff([]query.Offer{
			{ID: "urn:o1", Actor: manager, Target: owner, Report: "urn:r1", ReportName: "one", Status: model.RMValid, Case: caseID, Manager: manager},
			{ID: "urn:o2", Actor: manager, Target: owner, Report: "urn:r2", ReportName: "two", Manager: "http://127.0.0.1:1/m"}},
			offers); diff != "" || err != nil {
			t.Errorf("offers: %v (-want +got):\n%s", err, diff)
		}
		invites, err := query.Invites(r, query.Page{})
		if diff := cmp.Diff([]query.Invite{{ID: "urn:i1", Case: caseID, Manager: manager, Roles: []model.Role{}},
			{ID: "urn:i2", Case: caseID, Manager: manager, Roles: []model.Role{}, Answer: "rejected"}}, invites); diff != "" || err != nil {
			t.Errorf("invites: %v (-want +got):\n%s", err, diff)
		}
		return nil
	})
}

// What is given up, and what is left to do.
func TestQueues(t *testing.T) {
	store := open(t)
	peers := []string{"http://127.0.0.1:1/actors/p1", "http://127.0.0.1:1/actors/p2"}
	later := began.Add(time.Hour)
	var command, sent int64
	update(t, store, func(tx ports.Tx) (err error) {
		item := ports.InboxItem{Class: ports.Command, Sender: owner, ActivityID: "urn:c", Digest: "d",
			Body: []byte(`{"id":"urn:c","trigger":"engage-case"}`), ReceivedAt: began}
		if command, _, err = tx.InboxAppend(item); err != nil {
			return err
		}
		if err := tx.InboxSettle(ports.Settlement{Seq: command, State: ports.Dead,
			Outcome: ports.Outcome{Code: "panic", Text: "boom\ngoroutine 1", Path: "a/b", At: later}}); err != nil {
			return err
		}
		if _, _, err := tx.InboxAppend(ports.InboxItem{Class: ports.Message, Sender: manager, ActivityID: "urn:m", Digest: "d",
			Body: []byte(`{}`), ReceivedAt: began}); err != nil {
			return err
		}
		sent, err = tx.OutboxAppend(ports.OutboxItem{ActivityID: "urn:a", Actor: store.Actor(), Body: []byte(`{}`),
			Recipients: peers, About: caseID, CreatedAt: began})
		if err != nil {
			return err
		}
		if err := tx.DeliverySettle(ports.Attempt{Recipient: peers[0], Seq: sent, Dead: true, Error: "410 Gone"}); err != nil {
			return err
		}
		return tx.DeliverySettle(ports.Attempt{Recipient: peers[1], Seq: sent, NotBefore: later, Error: "no answer"})
	})
	view(t, store, func(r ports.Reader) error {
		dead, err := query.Dead(r, 0)
		want := query.DeadLetters{
			Inbox: []query.DeadItem{{Seq: command, Class: ports.Command, Sender: owner, ActivityID: "urn:c", Trigger: "engage-case",
				Reason: query.Reason{Code: "panic", Text: "boom", Path: "a/b"}, Attempts: 1, ReceivedAt: began, At: later}},
			Deliveries: []query.DeadDelivery{{Seq: sent, Recipient: peers[0], ActivityID: "urn:a", About: caseID, Attempts: 1,
				Error: "410 Gone", CreatedAt: began}}}
		if diff := cmp.Diff(want, dead); diff != "" || err != nil {
			t.Errorf("dead: %v (-want +got):\n%s", err, diff)
		}
		queue, err := query.Queued(r)
		if diff := cmp.Diff(query.Queue{
			Inbox:      map[ports.InboxState]int64{ports.Pending: 1, ports.Deferred: 0, ports.Done: 0, ports.Refused: 0, ports.Ignored: 0, ports.Dead: 1},
			Recipients: []query.Recipient{{Recipient: peers[1], Pending: 1, NextAttempt: later, Attempts: 1, LastError: "no answer"}}},
			queue); diff != "" || err != nil {
			t.Errorf("queue: %v (-want +got):\n%s", err, diff)
		}
		return nil
	})
}
