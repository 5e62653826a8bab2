package cases_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bateleur/core/cases"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// Who has left hears of nothing more; under an embargo only its signatories do,
// and the manager tells itself nothing.
//
// Proves: CM-23-004, CLP-07-002, SYNC-02-002
func TestAudience(t *testing.T) {
	tests := []struct {
		name   string
		change func(*cases.Case)
		want   []string
	}{
		{"all consented", func(*cases.Case) {}, []string{owner, reporter}},
		{"one left", func(c *cases.Case) { c.Of(reporter).RM = model.RMClosed }, []string{owner}},
		{"one has not consented", func(c *cases.Case) { c.Of(owner).PEC = model.PECInvited }, []string{reporter}},
		{"while it is revised", func(c *cases.Case) { c.EM, c.Of(owner).PEC = model.EMRevise, model.PECLapsed }, []string{reporter}},
		{"no embargo any more", func(c *cases.Case) { c.EM, c.Of(owner).PEC = model.EMExited, model.PECNone }, []string{owner, reporter}},
		{"all left", func(c *cases.Case) { c.Of(owner).RM, c.Of(reporter).RM = model.RMClosed, model.RMClosed }, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := read()
			test.change(c)
			if diff := cmp.Diff(test.want, c.Audience()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWhoHoldsWhat(t *testing.T) {
	c := read()
	if c.Manager() != manager || c.Holder(model.RoleCaseOwner).Actor != owner || c.Holder(model.RoleObserver) != nil || c.Of(stranger) != nil {
		t.Errorf("got %+v", c)
	}
	c.Participants = c.Participants[1:]
	if c.Manager() != "" {
		t.Errorf("managed by %s", c.Manager())
	}
}

// An actor sees itself as its ledger says and, ahead of that, as it asserted
// within the window; the participant itself stays what the ledger says.
//
// Proves: CLP-06-006
func TestPendingAssertionsAreSeenAheadOfTheLedger(t *testing.T) {
	at := func(ago time.Duration) time.Time { return begin.Add(-ago) }
	tests := []struct {
		name    string
		pending []cases.Pending
		want    func(*cases.Participant)
	}{
		{"none", nil, func(*cases.Participant) {}},
		{"a step", []cases.Pending{{RM: model.RMValid, At: at(0)}}, func(p *cases.Participant) { p.RM = model.RMValid }},
		{"each dimension, the last counting", []cases.Pending{{RM: model.RMValid, At: at(9)}, {VFD: model.VFDReady, At: at(8)}, {RM: model.RMAccepted, PXA: "Pxa", At: at(7)}},
			func(p *cases.Participant) { p.RM, p.VFD, p.Seen = model.RMAccepted, model.VFDReady, "Pxa" }},
		{"just within the window", []cases.Pending{{RM: model.RMValid, At: at(cases.PendingWindow - 1)}}, func(p *cases.Participant) { p.RM = model.RMValid }},
		{"too old", []cases.Pending{{RM: model.RMValid, At: at(cases.PendingWindow)}}, func(*cases.Participant) {}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := read()
			got := c.Of(owner).With(test.pending, begin)
			want := *read().Of(owner)
			test.want(&want)
			if diff := cmp.Diff(want, *got, equal); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(read(), c, equal); diff != "" {
				t.Errorf("the case itself:\n%s", diff)
			}
		})
	}
}

func TestPendingIDTellsAssertionsApart(t *testing.T) {
	ids := map[string]bool{}
	for _, a := range []string{"urn:a", "urn:b"} {
		for _, b := range []string{"x", "y"} {
			for _, c := range []string{"urn:1", "urn:2"} {
				ids[cases.PendingID(a, b, c)] = true
			}
		}
	}
	if len(ids) != 8 {
		t.Errorf("got %v", ids)
	}
}

// What is evidence for guards is a latch, and what follows from a ledger a
// projection; nothing is both.
//
// Proves: BA-03-005
func TestKinds(t *testing.T) {
	got := map[ports.Kind]string{}
	for _, k := range []ports.Kind{cases.KindCase, cases.KindParticipantStatus, cases.KindCaseStatus, cases.KindEmbargo, cases.KindNote,
		cases.KindSeed, cases.KindReport, cases.KindOffer, cases.KindPending, cases.KindInvite, cases.KindReplication, cases.KindRejection,
		cases.KindAddress, cases.KindReportStatus, cases.KindCaseLink, cases.KindProposal, cases.KindConsent} {
		got[k] = fmt.Sprintf("%t, %t", cases.IsLatch(k), cases.IsProjection(k))
	}
	want := map[ports.Kind]string{"Case": "false, true", "ParticipantStatus": "false, true", "CaseStatus": "false, true", "EmbargoEvent": "false, true",
		"Note": "false, true", "CaseSeed": "false, true", "VulnerabilityReport": "false, false", "Offer": "false, false", "PendingAssertion": "false, false",
		"Invite": "false, false", "ReplicationState": "false, false", "ReplayRequest": "false, false", "AddressBook": "false, false",
		"ReportStatus": "true, false", "ReportCaseLink": "true, false", "CaseProposal": "true, false", "InviteAnswer": "true, false"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// An invitation's stub names the case and the embargo it asks consent to, and
// nothing else.
//
// Proves: CM-17-001
func TestInvitationStub(t *testing.T) {
	s := seeded(t)
	stub, err := cases.InvitationStub(s, read())
	want := &model.VulnerabilityCase{ID: caseID, Type: model.TypeCase, ActiveEmbargo: model.Inline(embargoEvent())}
	if diff := cmp.Diff(want, stub, cmp.AllowUnexported(model.Item{})); diff != "" || err != nil || !stub.IsStub() {
		t.Errorf("%v\n%s", err, diff)
	}
	c := read()
	c.Embargo = ""
	if stub, err = cases.InvitationStub(&shelf{}, c); err != nil || !stub.ActiveEmbargo.IsZero() {
		t.Errorf("without an embargo: %+v, %v", stub, err)
	}
	if _, err = cases.InvitationStub(&shelf{}, read()); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("an embargo that is lost: %v", err)
	}
}

// The case told whole has nothing by id alone.
//
// Proves: CBT-01-002, CP-09-003, CP-09-004, AKM-02-002
func TestWholeIsInline(t *testing.T) {
	s := seeded(t)
	project(t, s, 0, cases.EventAddNote, &model.Activity{Object: model.Inline(&model.Note{ID: "urn:note", Type: model.TypeNote})})
	vc, err := cases.Whole(s, stored(t, s))
	if err != nil {
		t.Fatal(err)
	}
	var links []string
	look := func(items ...model.Item) {
		for _, i := range items {
			if i.Object() == nil {
				links = append(links, i.ID())
			}
		}
	}
	look(vc.CaseParticipants...)
	look(vc.CaseStatuses...)
	look(vc.VulnerabilityReports...)
	look(vc.ActiveEmbargo)
	for _, item := range vc.CaseParticipants {
		p, _ := model.InlineAs[*model.CaseParticipant](item)
		look(p.ParticipantStatuses...)
		if vc.ActorParticipantIndex[p.AttributedTo] != p.ID {
			t.Errorf("the index has %s as %s", p.AttributedTo, vc.ActorParticipantIndex[p.AttributedTo])
		}
	}
	if len(links) > 0 || len(vc.CaseParticipants) != 3 {
		t.Errorf("by id alone: %v", links)
	}
	if diff := cmp.Diff([]string{"urn:note"}, vc.Notes); diff != "" {
		t.Error(diff)
	}
}

// A status is the participant's present state in the protocol's spelling.
func TestStatusAndWorld(t *testing.T) {
	c := read()
	got := cases.Status(c, c.Of(owner), "urn:s", begin)
	want := &model.ParticipantStatus{ID: "urn:s", Type: model.TypeParticipantStatus, Context: caseID, AttributedTo: owner,
		RMState: model.RMReceived, VFDState: model.VFDAware, EMConsentState: model.PECSignatory, EmbargoAdherence: true,
		CaseEngagement: true, CVDRole: []string{"VENDOR", "CASE_OWNER"}, Published: begin, Updated: begin}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(model.Item{})); diff != "" {
		t.Error(diff)
	}
	w := cases.World(c, manager, "urn:w", begin, model.EMExited, "Pxa")
	if diff := cmp.Diff(&model.CaseStatus{ID: "urn:w", Type: model.TypeCaseStatus, Context: caseID, AttributedTo: manager,
		EMState: model.EMExited, PXAState: "Pxa", Published: begin, Updated: begin}, w); diff != "" {
		t.Error(diff)
	}
	for told, seen := range map[model.Item]model.PXA{model.Inline(w): "Pxa", {}: "", model.Link("urn:w"): "",
		model.Inline(&model.CaseStatus{PXAState: "no"}): ""} {
		if got := cases.Seen(&model.ParticipantStatus{CaseStatus: told}); got != seen {
			t.Errorf("%+v says %q, want %q", told, got, seen)
		}
	}
}

// The entry by which a participant closed is known from its history.
//
// Proves: CM-23-004
func TestClosedBy(t *testing.T) {
	s := seeded(t)
	leave := asserted(cases.EventCloseCase, reporter, model.Leave, stub())
	project(t, s, 41, leave.name, leave.act)
	c := stored(t, s)
	if got, err := cases.ClosedBy(s, c, c.Of(reporter)); err != nil || got != 41 {
		t.Errorf("got %d, %v", got, err)
	}
	if _, err := cases.ClosedBy(s, c, c.Of(owner)); fault.CodeOf(err) != fault.Inconsistent {
		t.Errorf("one that has not closed: %v", err)
	}
}

// A record whose body is not what its kind says is damage, not an absence.
//
// Proves: BA-10-002
func TestDamagedRecords(t *testing.T) {
	s := &shelf{records: []ports.Record{{Kind: cases.KindCase, ID: caseID, Rev: 1, Body: []byte(`[]`)}}}
	_, loaded := cases.Load[cases.Case](s, cases.KindCase, caseID)
	_, _, found := cases.Find[cases.Case](s, cases.KindCase, caseID)
	_, all := cases.All[cases.Case](s, cases.KindCase, ports.Ref{})
	_, remembered := cases.NewMemo().Case(s, caseID)
	_, forgotten := (*cases.Memo)(nil).Case(s, caseID)
	for name, err := range map[string]error{"load": loaded, "find": found, "all": all, "memo": remembered, "no memo": forgotten} {
		if fault.CodeOf(err) != fault.Corrupt {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := cases.Create(s, "Odd", "x", func() {}); fault.CodeOf(err) != fault.Internal {
		t.Errorf("what is no JSON: %v", err)
	}
	if _, known, err := cases.Find[cases.Case](s, cases.KindCase, "urn:other"); known || err != nil {
		t.Errorf("what is not there: %v, %v", known, err)
	}
}

// A memo gives what was read from exactly the present bytes, however it is used,
// and forgets rather than grows.
func TestMemo(t *testing.T) {
	s, m := seeded(t), cases.NewMemo()
	first, err := m.Case(s, caseID)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := m.Case(s, caseID); again.Value != first.Value {
		t.Error("the same bytes were read twice")
	}
	before := *first.Value
	if err := cases.Project(s, m, entry(0, cases.EventEngageCase), asserted("", owner, model.Join, stub()).act); err != nil {
		t.Fatal(err)
	}
	now, err := m.Case(s, caseID)
	if err != nil || now.Value.Of(owner).RM != model.RMAccepted || now.Rev != first.Rev+1 {
		t.Errorf("got %+v, %v", now, err)
	}
	if diff := cmp.Diff(before, *first.Value); diff != "" || first.Value.Of(owner).RM != model.RMReceived {
		t.Errorf("what was handed out changed:\n%s", diff)
	}
	for i := range 600 {
		s.records[0].ID = fmt.Sprintf("urn:case:%d", i)
		if _, err := m.Case(s, s.records[0].ID); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := m.Case(s, caseID); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("a remembered case that is gone: %v", err)
	}
}
