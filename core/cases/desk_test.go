package cases_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"bateleur/core/cases"
	"bateleur/core/fault"
	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// The parties of the tests' case.
const (
	caseID   = "urn:uuid:case"
	manager  = "https://m.test/actors/m"
	owner    = "https://v.test/actors/v"
	reporter = "https://f.test/actors/f"
	stranger = "https://s.test/actors/s"
	embargo  = "urn:uuid:embargo"
)

var (
	begin = time.Date(2026, 9, 1, 8, 0, 0, 0, time.UTC)
	equal = cmpopts.EquateEmpty()
)

// shelf is a store in a slice. broken, when set, is what every call gives that it
// names.
type shelf struct {
	records []ports.Record
	broken  func(call string, kind ports.Kind) error
}

func (s *shelf) fail(call string, kind ports.Kind) error {
	if s.broken == nil {
		return nil
	}
	return s.broken(call, kind)
}

func (s *shelf) find(kind ports.Kind, id string) int {
	return slices.IndexFunc(s.records, func(r ports.Record) bool { return r.Kind == kind && r.ID == id })
}

func (s *shelf) Get(kind ports.Kind, id string) (ports.Record, error) {
	i := s.find(kind, id)
	if err := s.fail("get", kind); err != nil || i < 0 {
		return ports.Record{}, firstOf(err, fault.New("shelf", id, fault.NotFound, ""))
	}
	return s.records[i], nil
}

func firstOf(err error, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

func (s *shelf) Put(r ports.Record) (int64, error) {
	if err := s.fail("put", r.Kind); err != nil {
		return 0, err
	}
	i := s.find(r.Kind, r.ID)
	if i < 0 && r.Rev != 0 || i >= 0 && s.records[i].Rev != r.Rev {
		return 0, fault.New("shelf", r.ID, fault.Conflict, "")
	}
	r.Rev++
	if i < 0 {
		s.records = append(s.records, r)
	} else {
		s.records[i] = r
	}
	return r.Rev, nil
}

func (s *shelf) Delete(kind ports.Kind, id string, _ int64) error {
	s.records = slices.Delete(s.records, s.find(kind, id), s.find(kind, id)+1)
	return nil
}

func (s *shelf) List(p ports.ListParams) (out []ports.Record, err error) {
	for _, r := range s.records {
		if r.Kind == p.Kind && (p.Ref.Name == "" || slices.Contains(r.Refs, p.Ref)) {
			out = append(out, r)
		}
	}
	return out, s.fail("list", p.Kind)
}

// content is what the shelf holds, without revisions.
func (s *shelf) content() map[string]string {
	out := map[string]string{}
	for _, r := range s.records {
		out[string(r.Kind)+" "+r.ID] = fmt.Sprint(string(r.Body), r.Refs)
	}
	return out
}

// status is a participant's status as a peer tells it.
func status(id, who string, rm model.RM, vfd model.VFD, world model.PXA) *model.ParticipantStatus {
	st := &model.ParticipantStatus{ID: id, Type: model.TypeParticipantStatus, Context: caseID, AttributedTo: who,
		RMState: rm, VFDState: vfd, Published: begin}
	if world != "" {
		st.CaseStatus = model.Inline(&model.CaseStatus{ID: id + "/w", Type: model.TypeCaseStatus, PXAState: world})
	}
	return st
}

func part(who string, roles []model.Role, statuses ...*model.ParticipantStatus) *model.CaseParticipant {
	p := &model.CaseParticipant{ID: caseID + "/participants/" + model.LastSegment(who), Type: model.TypeParticipant,
		Name: who, AttributedTo: who, Context: caseID, CaseRoles: roles, EmbargoConsentState: model.PECSignatory,
		AcceptedEmbargoIDs: []string{embargo}, Published: begin}
	for _, st := range statuses {
		p.ParticipantStatuses = append(p.ParticipantStatuses, model.Inline(st))
	}
	return p
}

func embargoEvent() *model.EmbargoEvent {
	return &model.EmbargoEvent{ID: embargo, Type: model.TypeEmbargo, Context: caseID, StartTime: begin, EndTime: begin.AddDate(0, 3, 0)}
}

// told is the case whole, as its manager tells it.
func told() *model.VulnerabilityCase {
	return &model.VulnerabilityCase{ID: caseID, Type: model.TypeCase, Name: "Overflow", AttributedTo: manager, Published: begin,
		CaseParticipants: []model.Item{
			model.Inline(part(manager, []model.Role{model.RoleCoordinator, model.RoleCaseManager},
				status("urn:s:m1", manager, model.RMReceived, "", ""), status("urn:s:m2", manager, model.RMAccepted, model.VFDUnaware, ""))),
			model.Inline(part(owner, []model.Role{model.RoleVendor, model.RoleCaseOwner}, status("urn:s:v", owner, model.RMReceived, model.VFDAware, "pxa"))),
			model.Inline(part(reporter, []model.Role{model.RoleReporter}, status("urn:s:f", reporter, model.RMAccepted, "", ""))),
		},
		VulnerabilityReports: []model.Item{model.Inline(&model.Report{ID: "urn:report", Type: model.TypeReport, Name: "Overflow", AttributedTo: reporter})},
		CaseStatuses: []model.Item{model.Inline(&model.CaseStatus{ID: "urn:w", Type: model.TypeCaseStatus, Context: caseID,
			EMState: model.EMActive, PXAState: model.PXANone})},
		GenesisHash: ledger.Genesis(caseID, begin, manager), ActiveEmbargo: model.Inline(embargoEvent()), ProposedEmbargoes: []string{embargo}}
}

// read is the case that told seeds.
func read() *cases.Case {
	who := func(actor string, rm model.RM, vfd model.VFD, seen model.PXA, roles ...model.Role) cases.Participant {
		return cases.Participant{ID: caseID + "/participants/" + model.LastSegment(actor), Actor: actor, Name: actor, Roles: roles,
			RM: rm, VFD: vfd, PEC: model.PECSignatory, Seen: seen, Accepted: []string{embargo}}
	}
	return &cases.Case{ID: caseID, Name: "Overflow", Founder: manager, Published: begin, Genesis: ledger.Genesis(caseID, begin, manager),
		Reports: []string{"urn:report"}, EM: model.EMActive, PXA: model.PXANone, Embargo: embargo, Proposed: []string{embargo},
		Participants: []cases.Participant{
			who(manager, model.RMAccepted, model.VFDUnaware, "", model.RoleCoordinator, model.RoleCaseManager),
			who(owner, model.RMReceived, model.VFDAware, "pxa", model.RoleVendor, model.RoleCaseOwner),
			who(reporter, model.RMAccepted, model.VFDUnaware, "", model.RoleReporter),
		}}
}

type tb interface {
	Helper()
	Fatal(...any)
}

func seeded(t tb) *shelf {
	t.Helper()
	s := &shelf{}
	if _, err := cases.Seed(s, told()); err != nil {
		t.Fatal(err)
	}
	return s
}

func stored(t tb, s cases.Source) *cases.Case {
	t.Helper()
	c, err := cases.Load[cases.Case](s, cases.KindCase, caseID)
	if err != nil {
		t.Fatal(err)
	}
	return &c.Value
}

func entry(index int64, event string) ledger.Entry {
	return ledger.Entry{CaseID: caseID, Index: index, EventType: event, ReceivedAt: "2026-09-01T09:00:00Z"}
}

func project(t tb, s cases.Store, index int64, event string, a *model.Activity) {
	t.Helper()
	if err := cases.Project(s, nil, entry(index, event), a); err != nil {
		t.Fatal(err)
	}
}

func wantField(t *testing.T, err error, field string) {
	t.Helper()
	if diff := cmp.Diff([]string{string(fault.Invalid), field}, []string{string(fault.CodeOf(err)), fault.FieldOf(err)}); diff != "" {
		t.Errorf("%v:\n%s", err, diff)
	}
}
