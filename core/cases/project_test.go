package cases_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"bateleur/core/cases"
	"bateleur/core/fault"
	"bateleur/core/model"
)

const newcomer = "https://n.test/actors/n"

// event is one entry of a log: what was asserted under which name.
type event struct {
	name string
	act  *model.Activity
}

func asserted(name, by, typ string, object model.Object) event {
	return event{name, &model.Activity{ID: "urn:a:" + name, Type: typ, Actor: by, Object: model.Inline(object)}}
}

func accepted(who string, roles ...model.Role) event {
	invite := &model.Activity{ID: "urn:invite", Type: model.Invite, Actor: manager, AttributedTo: owner, Roles: roles,
		Object: model.Inline(&model.Actor{ID: who, Type: "Organization"})}
	return asserted(cases.EventAcceptInvite, who, model.Accept, invite)
}

func world(id string, em model.EM, pxa model.PXA) *model.CaseStatus {
	return &model.CaseStatus{ID: id, Type: model.TypeCaseStatus, Context: caseID, EMState: em, PXAState: pxa}
}

func stub() *model.VulnerabilityCase {
	return &model.VulnerabilityCase{ID: caseID, Type: model.TypeCase}
}

func reportAdded() event {
	e := asserted(cases.EventAddReport, manager, model.Add, &model.Report{ID: "urn:second", Type: model.TypeReport})
	e.act.OfferID, e.act.OfferActorID = "urn:offer", reporter
	return e
}

// everyEvent has an entry of each type that does something.
func everyEvent() []event {
	return []event{
		reportAdded(),
		asserted(cases.EventAddParticipantStatus, owner, model.Add, status("urn:s:new", owner, model.RMAccepted, model.VFDReady, "Pxa")),
		asserted(cases.EventAddCaseStatus, manager, model.Add, world("urn:w2", model.EMActive, "Pxa")),
		asserted(cases.EventValidateReport, owner, model.Accept, &model.Activity{ID: "urn:offer", Type: model.Offer}),
		asserted(cases.EventInvalidateReport, owner, model.TentativeReject, &model.Activity{ID: "urn:offer", Type: model.Offer}),
		asserted(cases.EventCloseReport, owner, model.Reject, &model.Activity{ID: "urn:offer", Type: model.Offer}),
		asserted(cases.EventEngageCase, owner, model.Join, stub()),
		asserted(cases.EventDeferCase, owner, model.Ignore, stub()),
		asserted(cases.EventCloseCase, reporter, model.Leave, stub()),
		asserted(cases.EventAddNote, reporter, model.Add, &model.Note{ID: "urn:note", Type: model.TypeNote}),
		accepted(newcomer, model.RoleVendor),
		asserted(cases.EventAddParticipant, manager, model.Add, part(newcomer, []model.Role{model.RoleCoordinator}, status("urn:s:n", newcomer, model.RMReceived, "", ""))),
		asserted(cases.EventRemoveEmbargo, manager, model.Remove, embargoEvent()),
		asserted(cases.EventCaseFullyClosed, manager, model.Leave, stub()),
	}
}

func of(c *cases.Case, actor string) *cases.Participant { return c.Of(actor) }

// Each type of entry does what it says to the case and to what is kept beside it,
// and doing it again does nothing.
//
// Proves: CLP-04-006, SYNC-08-002, SYNC-12-003, SM-05-001, CM-11-001, EMB-13-001, CM-23-005, CM-04-001, CP-01-007
func TestProjection(t *testing.T) {
	joined := func(c *cases.Case, pec model.PEC, accepted []string, roles ...model.Role) {
		c.Participants = append(c.Participants, cases.Participant{ID: caseID + "/participants/n", Actor: newcomer, Name: newcomer,
			Roles: roles, RM: model.RMReceived, VFD: model.VFDUnaware, PEC: pec, Accepted: accepted})
	}
	tests := []struct {
		name string
		event
		change func(*cases.Case)
		kept   []string // beside the case
	}{
		{"report", reportAdded(), func(c *cases.Case) { c.Reports = append(c.Reports, "urn:second") },
			[]string{"VulnerabilityReport urn:second", "Offer urn:offer"}},
		{"report that is there", asserted(cases.EventAddReport, manager, model.Add, &model.Report{ID: "urn:report"}), func(*cases.Case) {}, nil},
		{"status of all dimensions", asserted(cases.EventAddParticipantStatus, owner, model.Add, status("urn:s:new", owner, model.RMAccepted, model.VFDReady, "Pxa")),
			func(c *cases.Case) {
				of(c, owner).RM, of(c, owner).VFD, of(c, owner).Seen = model.RMAccepted, model.VFDReady, "Pxa"
			}, []string{"ParticipantStatus urn:s:new"}},
		{"status that goes back", asserted(cases.EventAddParticipantStatus, owner, model.Add, status("urn:s:new", owner, model.RMStart, model.VFDUnaware, "")),
			func(*cases.Case) {}, []string{"ParticipantStatus urn:s:new"}},
		{"status that is known", asserted(cases.EventAddParticipantStatus, owner, model.Add, status("urn:s:v", owner, model.RMClosed, model.VFDDeployed, "PXA")), func(*cases.Case) {}, nil},
		{"status of the manager's telling", asserted(cases.EventAddParticipantStatus, manager, model.Add, status("urn:s:new", owner, model.RMValid, "", "")),
			func(c *cases.Case) { of(c, owner).RM = model.RMValid }, []string{"ParticipantStatus urn:s:new"}},
		{"status of a stranger", asserted(cases.EventAddParticipantStatus, manager, model.Add, status("urn:s:new", stranger, model.RMValid, "", "")), func(*cases.Case) {}, nil},
		{"world", asserted(cases.EventAddCaseStatus, manager, model.Add, world("urn:w2", model.EMExited, "pXa")),
			func(c *cases.Case) { c.PXA = "PXa" }, []string{"CaseStatus urn:w2"}},
		{"world without a word of it", asserted(cases.EventAddCaseStatus, manager, model.Add, world("urn:w2", "", "")),
			func(*cases.Case) {}, []string{"CaseStatus urn:w2"}},
		{"validated", asserted(cases.EventValidateReport, owner, model.Accept, stub()),
			func(c *cases.Case) { of(c, owner).RM = model.RMValid }, []string{"ParticipantStatus " + caseID + "/log/7#v"}},
		{"invalidated", asserted(cases.EventInvalidateReport, owner, model.TentativeReject, stub()),
			func(c *cases.Case) { of(c, owner).RM = model.RMInvalid }, []string{"ParticipantStatus " + caseID + "/log/7#v"}},
		{"validated from beyond", asserted(cases.EventValidateReport, reporter, model.Accept, stub()), func(*cases.Case) {}, nil},
		{"engaged", asserted(cases.EventEngageCase, owner, model.Join, stub()),
			func(c *cases.Case) { of(c, owner).RM = model.RMAccepted }, []string{"ParticipantStatus " + caseID + "/log/7#v"}},
		{"deferred", asserted(cases.EventDeferCase, reporter, model.Ignore, stub()),
			func(c *cases.Case) { of(c, reporter).RM = model.RMDeferred }, []string{"ParticipantStatus " + caseID + "/log/7#f"}},
		{"report closed", asserted(cases.EventCloseReport, owner, model.Reject, stub()),
			func(c *cases.Case) { of(c, owner).RM = model.RMClosed }, []string{"ParticipantStatus " + caseID + "/log/7#v"}},
		{"left", asserted(cases.EventCloseCase, reporter, model.Leave, stub()),
			func(c *cases.Case) { of(c, reporter).RM = model.RMClosed }, []string{"ParticipantStatus " + caseID + "/log/7#f"}},
		{"a stranger's step", asserted(cases.EventEngageCase, stranger, model.Join, stub()), func(*cases.Case) {}, nil},
		{"note", asserted(cases.EventAddNote, reporter, model.Add, &model.Note{ID: "urn:note"}), func(*cases.Case) {}, []string{"Note urn:note"}},
		{"joined", accepted(newcomer, model.RoleVendor),
			func(c *cases.Case) { joined(c, model.PECSignatory, []string{embargo}, model.RoleVendor) },
			[]string{"ParticipantStatus " + caseID + "/log/7#n"}},
		{"joined without a role", accepted(newcomer),
			func(c *cases.Case) { joined(c, model.PECSignatory, []string{embargo}, model.RoleObserver) },
			[]string{"ParticipantStatus " + caseID + "/log/7#n"}},
		{"joined who is there", accepted(owner, model.RoleVendor), func(*cases.Case) {}, nil},
		{"joined without an invitation", asserted(cases.EventAcceptInvite, newcomer, model.Accept, &model.Note{}), func(*cases.Case) {}, nil},
		{"participant told", asserted(cases.EventAddParticipant, manager, model.Add,
			part(newcomer, []model.Role{model.RoleVendor}, status("urn:s:n", newcomer, model.RMReceived, "", ""))),
			func(c *cases.Case) { joined(c, model.PECSignatory, []string{embargo}, model.RoleVendor) }, []string{"ParticipantStatus urn:s:n"}},
		{"participant that is there told", asserted(cases.EventAddParticipant, manager, model.Add, part(owner, nil, status("urn:s:n", owner, model.RMClosed, "", ""))),
			func(*cases.Case) {}, []string{"ParticipantStatus urn:s:n"}},
		{"participant without an actor", asserted(cases.EventAddParticipant, manager, model.Add, &model.CaseParticipant{ID: "urn:p"}), func(*cases.Case) {}, nil},
		{"embargo ended", asserted(cases.EventRemoveEmbargo, manager, model.Remove, embargoEvent()), func(c *cases.Case) {
			c.EM, c.Embargo = model.EMExited, ""
			for i := range c.Participants {
				c.Participants[i].PEC = model.PECNone
			}
		}, nil},
		{"another embargo ended", asserted(cases.EventRemoveEmbargo, manager, model.Remove, &model.EmbargoEvent{ID: "urn:e2"}), func(*cases.Case) {}, nil},
		{"closed", asserted(cases.EventCaseFullyClosed, manager, model.Leave, stub()), func(c *cases.Case) {
			c.Closed = true
			for i := range c.Participants {
				c.Participants[i].RM = model.RMClosed
			}
		}, []string{"ParticipantStatus " + caseID + "/log/7#f", "ParticipantStatus " + caseID + "/log/7#m", "ParticipantStatus " + caseID + "/log/7#v"}},
		{"unknown type", asserted("somebody_sneezed", owner, model.Add, &model.Note{ID: "urn:note"}), func(*cases.Case) {}, nil},
		{"recorded only", asserted(cases.EventInviteActor, manager, model.Invite, &model.Actor{ID: newcomer}), func(*cases.Case) {}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := seeded(t)
			before := s.content()
			project(t, s, 7, test.event.name, test.act)
			want := read()
			test.change(want)
			if diff := cmp.Diff(want, stored(t, s), equal); diff != "" {
				t.Error(diff)
			}
			after := s.content()
			kept := map[string]string{}
			for key, record := range after {
				if _, there := before[key]; !there {
					kept[key] = record
				}
			}
			if diff := cmp.Diff(test.kept, sortedKeys(kept), equal, cmpopts.SortSlices(func(a, b string) bool { return a < b })); diff != "" {
				t.Errorf("kept beside the case:\n%s", diff)
			}
			project(t, s, 7, test.event.name, test.act)
			if diff := cmp.Diff(after, s.content()); diff != "" {
				t.Errorf("the second time:\n%s", diff)
			}
		})
	}
}

// An entry without what its type is about changes nothing; one of a case that is
// not here is an error.
func TestProjectionOfWhatIsIncomplete(t *testing.T) {
	for _, e := range everyEvent() {
		t.Run(e.name, func(t *testing.T) {
			s := seeded(t)
			before := s.content()
			project(t, s, 7, e.name, &model.Activity{ID: "urn:a", Object: model.Link("urn:o")})
			if e.name != cases.EventCaseFullyClosed {
				if diff := cmp.Diff(before, s.content()); diff != "" {
					t.Error(diff)
				}
			}
			unknown := entry(0, e.name)
			unknown.CaseID = "urn:uuid:other"
			if err := cases.Project(s, nil, unknown, e.act); fault.CodeOf(err) != fault.NotFound {
				t.Errorf("a case that is not here: %v", err)
			}
		})
	}
}

// The end of an embargo comes once: removing it again, or after it has ended,
// changes nothing.
//
// Proves: EMB-13-001
func TestTheEmbargoEndsOnce(t *testing.T) {
	s := seeded(t)
	remove := asserted(cases.EventRemoveEmbargo, manager, model.Remove, embargoEvent())
	project(t, s, 0, remove.name, remove.act)
	ended := s.content()
	project(t, s, 1, remove.name, remove.act)
	project(t, s, 2, remove.name, &model.Activity{ID: "urn:a", Type: model.Remove, Actor: manager})
	if diff := cmp.Diff(ended, s.content()); diff != "" {
		t.Error(diff)
	}
}

// What the ledger says of a report's offer is recorded with the owner as the one
// it was made to, and never over what the actor knows of its own.
//
// Proves: CP-01-007
func TestTheOfferIsLearnedFromTheLedger(t *testing.T) {
	s := seeded(t)
	e := reportAdded()
	project(t, s, 1, e.name, e.act)
	got, err := cases.Load[cases.OfferRecord](s, cases.KindOffer, "urn:offer")
	if err != nil {
		t.Fatal(err)
	}
	want := cases.OfferRecord{ID: "urn:offer", Actor: reporter, To: owner, ReportID: "urn:second"}
	if diff := cmp.Diff(want, got.Value); diff != "" {
		t.Error(diff)
	}
	own := seeded(t)
	mine := cases.OfferRecord{ID: "urn:offer", Actor: reporter, To: owner, ReportID: "urn:second", Manager: manager}
	if err := cases.Create(own, cases.KindOffer, mine.ID, mine); err != nil {
		t.Fatal(err)
	}
	project(t, own, 1, e.name, e.act)
	if got, err = cases.Load[cases.OfferRecord](own, cases.KindOffer, "urn:offer"); err != nil || cmp.Diff(mine, got.Value) != "" {
		t.Errorf("got %+v, %v", got, err)
	}
}

// Actors whose ids end alike are two participants with two ids, and whoever joins
// twice is one.
//
// Proves: PCR-01-001
func TestParticipantsOfOneSegmentStayApart(t *testing.T) {
	s := seeded(t)
	for i, who := range []string{"https://a.test/actors/v", "https://b.test/actors/v", "https://a.test/actors/v"} {
		e := accepted(who, model.RoleVendor)
		project(t, s, int64(i), e.name, e.act)
	}
	ids := map[string]bool{}
	c := stored(t, s)
	for _, p := range c.Participants {
		ids[p.ID] = true
	}
	if len(c.Participants) != 5 || len(ids) != 5 {
		t.Errorf("participants %+v", c.Participants)
	}
}

func sortedKeys(m map[string]string) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	return out
}
