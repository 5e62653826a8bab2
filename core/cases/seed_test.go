package cases_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bateleur/core/cases"
	"bateleur/core/fault"
	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// A case that is told whole is stored as told: its present state, every status,
// the report, the embargo, and what was told itself.
//
// Proves: CM-03-001, CM-03-002, CLP-08-003, CP-09-001
func TestSeed(t *testing.T) {
	s := &shelf{}
	got, err := cases.Seed(s, told())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(read(), got, equal); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(read(), stored(t, s), equal); diff != "" {
		t.Errorf("stored:\n%s", diff)
	}
	var kept []string
	for _, r := range s.records {
		kept = append(kept, string(r.Kind)+" "+r.ID)
	}
	want := []string{"Case " + caseID, "CaseSeed " + caseID, "ParticipantStatus urn:s:m1", "ParticipantStatus urn:s:m2",
		"ParticipantStatus urn:s:v", "ParticipantStatus urn:s:f", "CaseStatus urn:w", "EmbargoEvent " + embargo, "VulnerabilityReport urn:report"}
	if diff := cmp.Diff(want, kept); diff != "" {
		t.Error(diff)
	}
}

// What does not hang together seeds nothing, and the error names the member.
//
// Proves: CBT-01-002, CLP-08-003, CLP-08-004, SM-10-001, CM-02-001, PCR-01-002, PCR-01-001
func TestSeedRefuses(t *testing.T) {
	participant := func(vc *model.VulnerabilityCase, i int) *model.CaseParticipant {
		p, _ := model.InlineAs[*model.CaseParticipant](vc.CaseParticipants[i])
		return p
	}
	last := func(vc *model.VulnerabilityCase, i int) *model.ParticipantStatus {
		items := participant(vc, i).ParticipantStatuses
		st, _ := model.InlineAs[*model.ParticipantStatus](items[len(items)-1])
		return st
	}
	world := func(vc *model.VulnerabilityCase) *model.CaseStatus {
		st, _ := model.InlineAs[*model.CaseStatus](vc.CaseStatuses[0])
		return st
	}
	tests := []struct {
		name   string
		change func(*model.VulnerabilityCase)
		field  string
	}{
		{"no id", func(vc *model.VulnerabilityCase) { vc.ID = "" }, "object.id"},
		{"no manager", func(vc *model.VulnerabilityCase) { vc.AttributedTo = "" }, "object.attributedTo"},
		{"no time of creation", func(vc *model.VulnerabilityCase) { vc.Published = time.Time{} }, "object.published"},
		{"another's genesis", func(vc *model.VulnerabilityCase) { vc.GenesisHash = strings.Repeat("0", 64) }, "object.genesisHash"},
		{"moved in time", func(vc *model.VulnerabilityCase) { vc.Published = begin.Add(time.Microsecond) }, "object.genesisHash"},
		{"participant by id", func(vc *model.VulnerabilityCase) { vc.CaseParticipants[1] = model.Link("urn:p") }, "object.caseParticipants"},
		{"something else as participant", func(vc *model.VulnerabilityCase) { vc.CaseParticipants[1] = model.Inline(&model.Note{}) }, "object.caseParticipants"},
		{"participant without actor", func(vc *model.VulnerabilityCase) { participant(vc, 1).AttributedTo = "" }, "object.caseParticipants"},
		{"actor twice", func(vc *model.VulnerabilityCase) { participant(vc, 1).AttributedTo = reporter }, "object.caseParticipants"},
		{"two managers", func(vc *model.VulnerabilityCase) { participant(vc, 2).CaseRoles = []model.Role{model.RoleCaseManager} }, "object.caseParticipants"},
		{"report management", func(vc *model.VulnerabilityCase) { last(vc, 1).RMState = "DONE" }, "object.caseParticipants"},
		{"fix before awareness", func(vc *model.VulnerabilityCase) { last(vc, 1).VFDState = "vFd" }, "object.caseParticipants"},
		{"consent", func(vc *model.VulnerabilityCase) { participant(vc, 1).EmbargoConsentState = "MAYBE" }, "object.caseParticipants"},
		{"embargo's state", func(vc *model.VulnerabilityCase) { world(vc).EMState = "NO_EMBARGO" }, "object.caseStatuses"},
		{"world's state", func(vc *model.VulnerabilityCase) { world(vc).PXAState = "PPP" }, "object.caseStatuses"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, vc := &shelf{}, told()
			test.change(vc)
			_, err := cases.Seed(s, vc)
			wantField(t, err, test.field)
			if len(s.records) > 0 {
				t.Errorf("left %v", s.content())
			}
		})
	}
}

// What is told without a genesis hash, states or an embargo's status is completed
// from what it says.
//
// Proves: CLP-08-002
func TestSeedCompletes(t *testing.T) {
	vc := told()
	vc.GenesisHash, vc.CaseStatuses = "", nil
	got, err := cases.Seed(&shelf{}, vc)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(read(), got, equal); diff != "" {
		t.Error(diff)
	}
	vc = told()
	vc.CaseStatuses, vc.ActiveEmbargo, vc.CaseParticipants = nil, model.Item{}, []model.Item{model.Inline(&model.CaseParticipant{AttributedTo: owner})}
	got, err = cases.Seed(&shelf{}, vc)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]any{model.EMNone, model.RMStart, model.VFDUnaware, model.PECNone, ""},
		[]any{got.EM, got.Participants[0].RM, got.Participants[0].VFD, got.Participants[0].PEC, got.Manager()}); diff != "" {
		t.Error(diff)
	}
}

// A case or a seed that is there already is a conflict, never "already there".
//
// Proves: BA-13-001
func TestSeedingTwiceIsAConflict(t *testing.T) {
	s := seeded(t)
	if _, err := cases.Seed(s, told()); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("a second seed: %v", err)
	}
	if err := s.Delete(cases.KindCase, caseID, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := cases.Seed(s, told()); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("half a seed: %v", err)
	}
}

// An embargo that is adopted before anybody was told is in force with everybody's
// consent at once, and what is told and rebuilt begins with it.
//
// Proves: EP-04-001, EP-04-002, CM-14-005, CM-22-004
func TestAdoptEmbargo(t *testing.T) {
	vc := told()
	vc.ActiveEmbargo, vc.ProposedEmbargoes, vc.CaseStatuses = model.Item{}, nil, nil
	for _, item := range vc.CaseParticipants {
		p, _ := model.InlineAs[*model.CaseParticipant](item)
		p.EmbargoConsentState, p.AcceptedEmbargoIDs = "", nil
	}
	s := &shelf{}
	if c, err := cases.Seed(s, vc); err != nil || c.EM != model.EMNone || c.Participants[1].PEC != model.PECNone {
		t.Fatalf("begins as %+v, %v", c, err)
	}
	if err := cases.AdoptEmbargo(s, caseID, embargoEvent()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(read(), stored(t, s), equal); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(read(), rebuilt(t, s, nil), equal); diff != "" {
		t.Errorf("rebuilt:\n%s", diff)
	}
	seed, err := cases.Load[*model.VulnerabilityCase](s, cases.KindSeed, caseID)
	if _, inline := model.InlineAs[*model.EmbargoEvent](seed.Value.ActiveEmbargo); err != nil || !inline {
		t.Errorf("the seed has the embargo as %+v, %v", seed.Value.ActiveEmbargo, err)
	}
	if err := cases.AdoptEmbargo(s, "urn:other", embargoEvent()); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("an unknown case: %v", err)
	}
}

func rebuilt(t tb, s cases.Source, log []event) *cases.Case {
	t.Helper()
	seed, err := cases.Load[*model.VulnerabilityCase](s, cases.KindSeed, caseID)
	if err != nil {
		t.Fatal(err)
	}
	c, err := cases.Rebuild(seed.Value, func(yield func(ledger.Entry, error) bool) {
		for i, e := range log {
			if !yield(entry(int64(i), e.name), nil) {
				return
			}
		}
	}, func(e ledger.Entry) (*model.Activity, error) { return log[e.Index].act, nil })
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Whatever cannot be read or written while a case is seeded, projected or told is
// an error that comes through, never an absence.
//
// Proves: BA-10-002, SYNC-12-001
func TestErrorsOfTheStoreComeThrough(t *testing.T) {
	tests := map[string]func(*shelf) error{
		"seed":  func(s *shelf) error { s.records = nil; _, err := cases.Seed(s, told()); return err },
		"adopt": func(s *shelf) error { return cases.AdoptEmbargo(s, caseID, embargoEvent()) },
		"whole": func(s *shelf) error { _, err := cases.Whole(s, read()); return err },
		"stub":  func(s *shelf) error { _, err := cases.InvitationStub(s, read()); return err },
		"closed by": func(s *shelf) error {
			_, err := cases.ClosedBy(s, read(), &read().Participants[0])
			return err
		},
	}
	for _, e := range everyEvent() {
		tests["project "+e.name] = func(s *shelf) error { return cases.Project(s, nil, entry(1, e.name), e.act) }
	}
	for name, call := range tests {
		t.Run(name, func(t *testing.T) {
			for n := 1; ; n++ {
				made := 0
				s := seeded(t)
				s.broken = func(string, ports.Kind) error {
					if made++; made == n {
						return fault.New("test", "", fault.Unavailable, "")
					}
					return nil
				}
				err := call(s)
				if made < n {
					break
				}
				if fault.CodeOf(err) != fault.Unavailable {
					t.Errorf("the %d. call failed: got %v", n, err)
				}
			}
		})
	}
}
