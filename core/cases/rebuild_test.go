package cases_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bateleur/core/cases"
	"bateleur/core/fault"
	"bateleur/core/ledger"
	"bateleur/core/model"
)

var (
	someone  = rapid.SampledFrom([]string{manager, owner, reporter, newcomer, stranger, "https://other.test/actors/v"})
	someRM   = rapid.SampledFrom([]model.RM{model.RMStart, model.RMReceived, model.RMInvalid, model.RMValid, model.RMDeferred, model.RMAccepted, model.RMClosed, ""})
	someVFD  = rapid.SampledFrom([]model.VFD{model.VFDUnaware, model.VFDAware, model.VFDReady, model.VFDDeployed, "vFd", ""})
	somePXA  = rapid.SampledFrom([]model.PXA{"pxa", "Pxa", "pXa", "pxA", "PXa", "PXA", "xxx", ""})
	someStep = rapid.SampledFrom([]string{cases.EventValidateReport, cases.EventInvalidateReport, cases.EventCloseReport,
		cases.EventEngageCase, cases.EventDeferCase, cases.EventCloseCase, cases.EventCaseFullyClosed})
)

// anEvent is an entry as a manager might record it, sensible or not; but the
// manager itself closes with its case alone.
func anEvent(t *rapid.T, i int) event {
	e := drawn(t, i)
	st, _ := model.InlineAs[*model.ParticipantStatus](e.act.Object)
	leaves := e.name == cases.EventCloseCase || e.name == cases.EventCloseReport
	if leaves && e.act.Actor == manager || st != nil && st.AttributedTo == manager && st.RMState == model.RMClosed {
		return asserted(cases.EventCaseFullyClosed, manager, model.Leave, stub())
	}
	return e
}

func drawn(t *rapid.T, i int) event {
	who, id := someone.Draw(t, "who"), fmt.Sprintf("urn:x:%d", rapid.IntRange(0, i).Draw(t, "id"))
	switch rapid.IntRange(0, 7).Draw(t, "event") {
	case 0:
		st := status(id, who, someRM.Draw(t, "rm"), someVFD.Draw(t, "vfd"), somePXA.Draw(t, "seen"))
		return asserted(cases.EventAddParticipantStatus, someone.Draw(t, "by"), model.Add, st)
	case 1:
		return asserted(cases.EventAddCaseStatus, manager, model.Add, world(id, model.EMActive, somePXA.Draw(t, "pxa")))
	case 2:
		return asserted(cases.EventAddNote, who, model.Add, &model.Note{ID: id, Type: model.TypeNote, Content: id})
	case 3:
		return accepted(who, model.RoleVendor)
	case 4:
		p := part(who, nil, status(fmt.Sprintf("urn:p:%d", i), who, someRM.Draw(t, "rm"), "", ""))
		p.ID = "urn:part:" + who
		return asserted(cases.EventAddParticipant, manager, model.Add, p)
	case 5:
		return asserted(cases.EventRemoveEmbargo, manager, model.Remove, embargoEvent())
	case 6:
		return reportAdded()
	}
	return asserted(someStep.Draw(t, "step"), who, model.Join, stub())
}

// Whatever sequence of entries a case goes through: it goes forward only, and
// each state is one of the tables'; what is rebuilt from its seed and entries is
// the case that is stored; and a replica that is told it whole has the same.
//
// Proves: SYNC-08-002, CLP-02-003, CLP-04-006, RSH-05-007, CM-04-007, SM-10-001, SM-05-001, PCR-02-002, EMB-13-001
func TestAnySequenceOfEntries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, memo := seeded(t), cases.NewMemo()
		var log []event
		for i := range rapid.IntRange(0, 25).Draw(t, "entries") {
			before := stored(t, s)
			log = append(log, anEvent(t, i))
			if err := cases.Project(s, memo, entry(int64(i), log[i].name), log[i].act); err != nil {
				t.Fatal(err)
			}
			goesForward(t, before, stored(t, s))
		}
		want := stored(t, s)
		if diff := cmp.Diff(want, rebuilt(t, s, log), equal); diff != "" {
			t.Fatalf("rebuilt:\n%s", diff)
		}
		whole, err := cases.Whole(s, want)
		if err != nil {
			t.Fatal(err)
		}
		late := &shelf{}
		if _, err := cases.Seed(late, whole); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, stored(t, late), equal); diff != "" {
			t.Fatalf("told whole:\n%s", diff)
		}
	})
}

func goesForward(t *rapid.T, before, after *cases.Case) {
	t.Helper()
	if !before.PXA.AcceptsReported(after.PXA) || !after.EM.Known() || before.EM == model.EMExited && after.EM != model.EMExited ||
		before.Closed && !after.Closed || len(after.Participants) < len(before.Participants) {
		t.Fatalf("%+v became %+v", before, after)
	}
	for i, was := range before.Participants {
		is := after.Participants[i]
		if is.Actor != was.Actor || is.ID != was.ID || !was.RM.AcceptsReported(is.RM) || !was.VFD.AcceptsReported(is.VFD) ||
			was.Seen != "" && !was.Seen.AcceptsReported(is.Seen) || !is.PEC.Known() || !cmp.Equal(was.Roles, is.Roles) {
			t.Fatalf("%+v became %+v", was, is)
		}
	}
}

func TestRebuildGivesUpWithWhatFails(t *testing.T) {
	boom := errors.New("boom")
	one := func(yield func(ledger.Entry, error) bool) { yield(entry(0, cases.EventAddNote), nil) }
	tests := []struct {
		name    string
		seed    *model.VulnerabilityCase
		entries func(func(ledger.Entry, error) bool)
		read    func(ledger.Entry) (*model.Activity, error)
		want    fault.Code
	}{
		{"no seed", &model.VulnerabilityCase{}, one, nil, fault.Invalid},
		{"unreadable entries", told(), func(yield func(ledger.Entry, error) bool) { yield(ledger.Entry{}, boom) }, nil, fault.Internal},
		{"unreadable snapshot", told(), one, func(ledger.Entry) (*model.Activity, error) { return nil, boom }, fault.Internal},
		{"another case's entry", told(), func(yield func(ledger.Entry, error) bool) {
			e := entry(0, cases.EventEngageCase)
			e.CaseID = "urn:uuid:other"
			yield(e, nil)
		}, func(ledger.Entry) (*model.Activity, error) { return &model.Activity{}, nil }, fault.NotFound},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if c, err := cases.Rebuild(test.seed, test.entries, test.read); fault.CodeOf(err) != test.want {
				t.Errorf("got %+v, %v", c, err)
			}
		})
	}
}
