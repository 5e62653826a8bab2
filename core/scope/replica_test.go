package scope_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bateleur/core/authority"
	"bateleur/core/bt"
	"bateleur/core/cases"
	"bateleur/core/fault"
	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/scope"
	"bateleur/core/usecases/leaf"
	"bateleur/test/casework"
)

// An entry's effects and the entry itself come together, clear what the actor had
// asserted, and let run what waited for the entry.
//
// Proves: SYNC-12-001, CLP-06-006, SYNC-14-003
func TestAnEntryIsAppliedWithItsEffects(t *testing.T) {
	entries := minted(t)
	d := casework.New(t, casework.Owner).Seed()
	pending := cases.Pending{CaseID: casework.CaseID, EventType: cases.EventAddNote, ObjectID: entries[0].ObjectID, At: casework.Begin}
	other := cases.Pending{CaseID: casework.CaseID, EventType: cases.EventAddNote, ObjectID: "urn:other", At: casework.Begin}
	d.Want(d.Run(scope.Input{}, leaf.Do("assert", func(s *scope.Scope) error {
		for _, p := range []cases.Pending{pending, other} {
			if err := cases.Create(s, cases.KindPending, cases.PendingID(p.CaseID, p.EventType, p.ObjectID), p); err != nil {
				return err
			}
		}
		return nil
	})))
	d.Update(func(tx ports.Tx) error {
		seq, _, err := tx.InboxAppend(ports.InboxItem{Class: ports.Message, Sender: "m", ActivityID: "a", Digest: "d"})
		if err != nil {
			return err
		}
		return tx.InboxSettle(ports.Settlement{Seq: seq, State: ports.Deferred, Wake: scope.WakeLedger(casework.CaseID, entries[0].Hash)})
	})
	d.Want(d.Apply(entries[0]))
	if diff := cmp.Diff(entries[:1], d.Entries()); diff != "" {
		t.Error(diff)
	}
	d.View(func(r ports.Reader) error {
		left, err := cases.All[cases.Pending](r, cases.KindPending, ports.Ref{})
		notes, err2 := r.List(ports.ListParams{Kind: cases.KindNote})
		awake, err3 := r.Inbox(ports.Pending, 0, 0)
		if diff := cmp.Diff([]cases.Pending{other}, left); diff != "" || len(notes) != 1 || len(awake) != 1 {
			t.Errorf("%d notes, %d awake, %v %v %v\n%s", len(notes), len(awake), err, err2, err3, diff)
		}
		return nil
	})
}

// An entry that is not the next, not this case's, not what was hashed, or for a
// ledger of the store's own, projects nothing.
//
// Proves: SYNC-03-003, SYNC-12-003, PCR-04-001, SYNC-01-003, CLP-10-014
func TestOnlyTheNextEntryIsProjected(t *testing.T) {
	entries := minted(t)
	altered := entries[0]
	altered.Payload = []byte(strings.Replace(string(altered.Payload), `"x"`, `"y"`, 1))
	foreign := entries[0]
	foreign.CaseID = "urn:uuid:another"
	relinked := entries[0]
	relinked.PrevHash = entries[1].Hash
	tests := []struct {
		name string
		desk func() *casework.Desk
		e    ledger.Entry
		want fault.Code
	}{
		{"next", func() *casework.Desk { return casework.New(t, casework.Owner).Seed() }, entries[0], ""},
		{"ahead", func() *casework.Desk { return casework.New(t, casework.Owner).Seed() }, entries[1], fault.Conflict},
		{"of another chain", func() *casework.Desk { return casework.New(t, casework.Owner).Seed() }, relinked, fault.Conflict},
		{"of another case", func() *casework.Desk { return casework.New(t, casework.Owner).Seed() }, foreign, fault.Conflict},
		{"altered", func() *casework.Desk { return casework.New(t, casework.Owner).Seed() }, altered, fault.Corrupt},
		{"known", func() *casework.Desk {
			d := casework.New(t, casework.Owner).Seed()
			d.Want(d.Apply(entries[0]))
			return d
		}, entries[0], fault.Conflict},
		{"into an own ledger", func() *casework.Desk { return casework.New(t, casework.Manager).Found() }, entries[0], fault.Forbidden},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := test.desk()
			before := d.Dump()
			out := d.Apply(test.e)
			casework.Code(t, out.Err, test.want)
			if same := before == d.Dump(); same != (test.want != "") {
				t.Errorf("the store is the same: %v", same)
			}
		})
	}
}

// A case is founded by who executes, under no embargo yet; the embargo comes with
// authority and before the first entry. Neither a case nor a replica is seeded
// over another.
//
// Proves: CM-22-001, BA-03-002, BA-13-001, EP-04-002, CP-09-001
func TestFoundingAndSeeding(t *testing.T) {
	d := casework.New(t, casework.Manager)
	var notMine, embargoed, adopted error
	d.Want(d.Run(scope.Input{}, bt.Sequence("root",
		leaf.Guard("try", func(s *scope.Scope) bt.Result {
			vc := casework.Founded()
			vc.AttributedTo = casework.Owner.URI()
			notMine = s.Found(vc)
			vc = casework.Founded()
			vc.ActiveEmbargo = model.Inline(casework.Embargo())
			embargoed = s.Found(vc)
			return bt.Ok()
		}),
		leaf.Do("found", func(s *scope.Scope) error { return s.Found(casework.Founded()) }),
		leaf.Guard("without authority", func(s *scope.Scope) bt.Result {
			adopted = s.AdoptEmbargo(s.Authority(), casework.Embargo())
			return bt.Ok()
		}))))
	casework.Code(t, notMine, fault.Inconsistent)
	casework.Code(t, embargoed, fault.Inconsistent)
	casework.Code(t, adopted, fault.Forbidden)
	d.View(func(r ports.Reader) error {
		head, err := r.Ledger(casework.CaseID)
		want := ports.LedgerHead{CaseID: casework.CaseID, Standing: ports.Own, Tail: -1,
			Genesis: ledger.Genesis(casework.CaseID, casework.Begin, casework.Manager.URI()), TailHash: head.Genesis}
		if diff := cmp.Diff(want, head); diff != "" {
			t.Error(diff)
		}
		return err
	})
	for name, again := range map[string]func(*scope.Scope) error{
		"found":  func(s *scope.Scope) error { return s.Found(casework.Founded()) },
		"seeded": func(s *scope.Scope) error { return s.SeedReplica(casework.Founded()) },
	} {
		before := d.Dump()
		casework.Code(t, d.Run(scope.Input{}, leaf.Do(name, again)).Err, fault.Conflict)
		if diff := cmp.Diff(before, d.Dump()); diff != "" {
			t.Errorf("%s again:\n%s", name, diff)
		}
	}
	out := asManager(d, func(s *scope.Scope, auth authority.Case) error {
		if _, err := s.Mint(auth, noteFrom(casework.Owner, "urn:a")); err != nil {
			return err
		}
		return s.AdoptEmbargo(auth, casework.Embargo())
	})
	casework.Code(t, out.Err, fault.Inconsistent)
}

func TestWhatARunSees(t *testing.T) {
	d := casework.New(t, casework.Owner).Seed()
	d.Now = casework.Begin.Add(1500 * time.Millisecond)
	in := scope.Input{Message: &model.Activity{ID: "urn:m"}, Raw: []byte("raw"), Sender: casework.Reporter}
	d.Want(d.Run(in, leaf.Guard("look", func(s *scope.Scope) bt.Result {
		if s.CaseID() != "" || s.Executing() != casework.Owner || s.Receiving() != casework.Owner || s.Owner() != casework.Owner ||
			s.Sender() != casework.Reporter || s.Message().ID != "urn:m" || string(s.Raw()) != "raw" || s.Profile().Manager != casework.Manager ||
			!s.Now().Equal(casework.Begin.Add(time.Second)) || !s.Instant().Equal(d.Now) {
			t.Errorf("sees %+v", s)
		}
		here, err := s.HasCase(casework.CaseID)
		elsewhere, err2 := s.HasCase("urn:uuid:another")
		if !here || elsewhere || err != nil || err2 != nil {
			t.Errorf("here %v %v, elsewhere %v %v", here, err, elsewhere, err2)
		}
		if _, err := s.RolesOf(casework.Owner); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("roles in no case: %v", err)
		}
		if err := s.SetCase(casework.CaseID); err != nil {
			t.Error(err)
		}
		roles, err := s.RolesOf(casework.Owner)
		none, err2 := s.RolesOf(casework.Stranger)
		if len(roles) != 2 || len(none) != 0 || err != nil || err2 != nil {
			t.Errorf("roles %v %v, of a stranger %v %v", roles, err, none, err2)
		}
		s.Await("key", casework.Begin)
		if wake, until := s.Awaited(); wake != "key" || !until.Equal(casework.Begin) {
			t.Errorf("awaits %s, %v", wake, until)
		}
		return bt.Ok()
	})))
}

func TestDecodeParams(t *testing.T) {
	type params struct {
		CaseID string `json:"case_id"`
	}
	tests := []struct {
		name, in string
		want     fault.Code
	}{
		{"right", `{"case_id":"urn:c"}`, ""},
		{"with a newline", "{\"case_id\":\"urn:c\"}\n", ""},
		{"unknown member", `{"case":"urn:c"}`, fault.Invalid},
		{"wrong type", `{"case_id":1}`, fault.Invalid},
		{"no JSON", `{`, fault.Invalid},
		{"nothing", ``, fault.Invalid},
		{"a second value", `{"case_id":"urn:c"} {}`, fault.Invalid},
		{"rubbish behind", `{"case_id":"urn:c"}}`, fault.Invalid},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := scope.DecodeParams[params](scope.Command{Trigger: "x", Params: []byte(test.in)})
			casework.Code(t, err, test.want)
			if test.want == "" && got.CaseID != "urn:c" {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestWakeKeysOfOneCaseBeginAlike(t *testing.T) {
	keys := map[string]bool{scope.WakeCase("urn:c"): true, scope.WakeReport("urn:c"): true,
		scope.WakeLedger("urn:c", "h"): true, scope.WakeLedger("urn:c", "g"): true, scope.WakeLedger("urn:c2", "h"): true}
	if len(keys) != 5 || !strings.HasPrefix(scope.WakeLedger("urn:c", "h"), scope.WakeLedgerOf("urn:c")) ||
		strings.HasPrefix(scope.WakeLedger("urn:c2", "h"), scope.WakeLedgerOf("urn:c")) {
		t.Errorf("keys %v", keys)
	}
}
