package scope_test

import (
	"encoding/json"
	"slices"
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

// noteFrom is a participant's note as a draft for the ledger.
func noteFrom(who model.ActorID, id string) scope.Draft {
	a := &model.Activity{ID: id, Type: model.Add, Actor: who.URI(), To: []string{casework.Manager.URI()},
		Object: model.Inline(&model.Note{ID: id + "/note", Type: model.TypeNote, Content: "x", AttributedTo: who.URI()}),
		Target: model.Inline(&model.VulnerabilityCase{ID: casework.CaseID, Type: model.TypeCase})}
	return scope.Draft{EventType: cases.EventAddNote, ObjectID: id, Activity: a}
}

// asManager runs a leaf below the open gate.
func asManager(d *casework.Desk, f func(*scope.Scope, authority.Case) error) bt.Outcome {
	d.Helper()
	return d.Run(scope.Input{}, bt.Sequence("root", casework.InCase(), leaf.AsManager(leaf.ForCase("act", f))))
}

// minted is the ledger of a case with two notes.
func minted(t *testing.T) []ledger.Entry {
	t.Helper()
	d := casework.New(t, casework.Manager).Found()
	d.Want(asManager(d, func(s *scope.Scope, auth authority.Case) error {
		for _, id := range []string{"urn:a:1", "urn:a:2"} {
			if _, err := s.Mint(auth, noteFrom(casework.Owner, id)); err != nil {
				return err
			}
		}
		return nil
	}))
	return d.Entries()
}

// An entry is minted with an open gate's authority, into a ledger of the store's
// own; the leaf that has none, declared or not, mints nothing.
//
// Proves: BA-03-002, CLP-09-001, CLP-09-002, CLP-10-014, CLP-01-003
func TestMintNeedsAuthorityAndAnOwnLedger(t *testing.T) {
	mint := func(s *scope.Scope) error {
		_, err := s.Mint(s.Authority(), noteFrom(casework.Owner, "urn:a"))
		return err
	}
	var got error
	tests := []struct {
		name string
		desk func() *casework.Desk
		root leaf.Node
		want fault.Code
	}{
		{"inside the gate", func() *casework.Desk { return casework.New(t, casework.Manager).Found() }, leaf.AsManager(try(&got, mint)), ""},
		{"outside the gate", func() *casework.Desk { return casework.New(t, casework.Manager).Found() }, try(&got, mint), fault.Forbidden},
		{"from a latch", func() *casework.Desk { return casework.New(t, casework.Manager).Found() },
			bt.LatchLast("latched", leaf.Latch("latch", func(s *scope.Scope) error { got = mint(s); return nil }), done), fault.Forbidden},
		{"after the gate", func() *casework.Desk { return casework.New(t, casework.Manager).Found() },
			bt.Sequence("both", leaf.AsManager(done), try(&got, mint)), fault.Forbidden},
		{"without the role", func() *casework.Desk { return casework.New(t, casework.Owner).Seed() }, try(&got, mint), fault.Forbidden},
		{"into a replica", func() *casework.Desk { return casework.New(t, casework.Manager).Seed() }, leaf.AsManager(try(&got, mint)), fault.Forbidden},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := test.desk()
			d.Want(d.Run(scope.Input{}, bt.Sequence("root", casework.InCase(), test.root)))
			casework.Code(t, got, test.want)
			if n := len(d.Entries()); (n == 1) != (test.want == "") {
				t.Errorf("%d entries", n)
			}
		})
	}
}

// A value kept from another run authorises nothing, and neither does one over
// another case.
//
// Proves: BA-03-001, PCR-04-001
func TestAuthorityIsOfOneRunAndOneCase(t *testing.T) {
	d := casework.New(t, casework.Manager).Found()
	var kept authority.Case
	d.Want(asManager(d, func(_ *scope.Scope, auth authority.Case) error { kept = auth; return nil }))
	var mint, emit, adopt, announce error
	d.Want(asManager(d, func(s *scope.Scope, _ authority.Case) error {
		_, mint = s.Mint(kept, noteFrom(casework.Owner, "urn:a"))
		emit = s.EmitForCase(kept, s.NewActivity(model.Announce, casework.Founded(), casework.Owner.URI()), ports.EmitOptions{})
		adopt, announce = s.AdoptEmbargo(kept, casework.Embargo()), s.AnnounceMinted(kept)
		casework.Code(t, s.SetCase("urn:uuid:another"), fault.Inconsistent)
		return nil
	}))
	for _, err := range []error{mint, emit, adopt, announce} {
		casework.Code(t, err, fault.Forbidden)
	}
}

// The same assertion has one entry, however often it is minted; the entry is
// stamped with the manager's clock and links to the one before.
//
// Proves: CLP-07-001, CM-02-009, CLP-13-001, SYNC-01-002, SYNC-01-003
func TestTheSameAssertionIsMintedOnce(t *testing.T) {
	d := casework.New(t, casework.Manager).Found()
	d.Now = casework.Begin.Add(90*time.Minute + 300*time.Millisecond)
	for range 2 {
		d.Want(asManager(d, func(s *scope.Scope, auth authority.Case) error {
			for _, id := range []string{"urn:a:1", "urn:a:1", "urn:a:2"} {
				draft := noteFrom(casework.Owner, id)
				draft.Activity.Published = casework.Begin.AddDate(50, 0, 0)
				if e, err := s.Mint(auth, draft); err != nil || e.ObjectID != id {
					t.Errorf("got %+v, %v", e, err)
				}
			}
			return nil
		}))
	}
	entries := d.Entries()
	if len(entries) != 2 {
		t.Fatalf("%d entries", len(entries))
	}
	if err := ledger.VerifyChain(ledger.Genesis(casework.CaseID, casework.Begin, casework.Manager.URI()), entries, ledger.Strict); err != nil {
		t.Error(err)
	}
	for _, e := range entries {
		if e.ReceivedAt != "2026-09-01T09:30:00Z" || e.Disposition != ledger.Recorded {
			t.Errorf("stamped %s, %s", e.ReceivedAt, e.Disposition)
		}
	}
}

// What a failed branch minted, answered, refused and announced is gone with it,
// and what stood before it stands again.
//
// Proves: BA-02-003
func TestAFailureTakesBackMintedNewsAnswersAndVerdicts(t *testing.T) {
	d := casework.New(t, casework.Manager).Found()
	var verdict scope.Verdict
	mint := func(id string) leaf.Node {
		return leaf.ForCase("mint "+id[len(id)-1:], func(s *scope.Scope, auth authority.Case) error {
			_, err := s.Mint(auth, noteFrom(casework.Owner, id))
			return err
		})
	}
	no := leaf.Guard("no", func(*scope.Scope) bt.Result { return bt.Fail("no", "") })
	answer := func(what string) leaf.Node {
		return leaf.Do("answer", func(s *scope.Scope) error { return s.Answer(what) })
	}
	d.Want(d.Run(scope.Input{}, bt.Sequence("root", casework.InCase(), leaf.AsManager(bt.Sequence("all",
		mint("urn:a:1"), answer("stands"),
		leaf.Do("defer", func(s *scope.Scope) error { s.Defer("key", casework.Begin, "absent", "first"); return nil }),
		bt.Selector("or",
			bt.Sequence("fails", mint("urn:a:2"), answer("falls"), leaf.Do("refuse", func(s *scope.Scope) error { s.Refuse("x", "y"); return nil }),
				leaf.ForCase("announce", (*scope.Scope).AnnounceMinted), no),
			mint("urn:a:3")),
		leaf.ForCase("announce", (*scope.Scope).AnnounceMinted),
		leaf.Guard("look", func(s *scope.Scope) bt.Result { verdict = s.Verdict(); return bt.Ok() }))))))
	want := scope.Verdict{Kind: scope.VerdictDeferred, Reason: bt.Reason{Code: "absent", Text: "first"}, Wake: "key",
		Until: casework.Begin, Result: json.RawMessage(`"stands"`)}
	if diff := cmp.Diff(want, verdict); diff != "" {
		t.Error(diff)
	}
	var ledgered, told []string
	for _, e := range d.Entries() {
		ledgered = append(ledgered, e.ObjectID)
	}
	for _, a := range d.Sent() {
		e, _ := model.InlineAs[*model.LedgerEntry](a.Object)
		told = append(told, e.Entry.ObjectID)
	}
	if diff := cmp.Diff([][]string{{"urn:a:1", "urn:a:3"}, {"urn:a:1", "urn:a:3"}}, [][]string{ledgered, told}); diff != "" {
		t.Error(diff)
	}
}

// Entries are announced once to who is to hear of them, each recipient by a
// message of its own: who leaves hears of its leaving and of nothing after it,
// who has not consented to the embargo and the manager itself hear nothing.
//
// Proves: SYNC-02-002, CLP-07-002, CM-23-004
func TestWhoHearsOfEntries(t *testing.T) {
	d := casework.New(t, casework.Manager).Found()
	leave := scope.Draft{EventType: cases.EventCloseCase, ObjectID: "urn:leave", Activity: &model.Activity{ID: "urn:leave", Type: model.Leave,
		Actor: casework.Reporter.URI(), Object: model.Inline(&model.VulnerabilityCase{ID: casework.CaseID, Type: model.TypeCase})}}
	for _, draft := range []scope.Draft{noteFrom(casework.Owner, "urn:a:1"), leave, noteFrom(casework.Owner, "urn:a:2")} {
		d.Want(asManager(d, func(s *scope.Scope, auth authority.Case) error {
			if _, err := s.Mint(auth, draft); err != nil {
				return err
			}
			if err := s.AnnounceMinted(auth); err != nil {
				return err
			}
			return s.AnnounceMinted(auth)
		}))
	}
	var told [][]string
	for _, a := range d.Sent() {
		told = append(told, a.BTo)
		if len(a.To)+len(a.CC) > 0 {
			t.Errorf("each is told who else is: %v", a.To)
		}
	}
	both := []string{casework.Owner.URI(), casework.Reporter.URI()}
	if diff := cmp.Diff([][]string{both, both, both[:1]}, told); diff != "" {
		t.Error(diff)
	}
	first := d.Entries()[0]
	d.Want(asManager(d, func(s *scope.Scope, auth authority.Case) error { return s.AnnounceEntry(auth, first) }))
	if n := len(d.Sent()); n != 3 {
		t.Errorf("an entry that nobody is to hear of was sent: %d", n)
	}
}

// A snapshot is what its asserter sent, to the byte, but for the case as context,
// the target inline, and, where the manager took over a part, the object; whom it
// was blindly sent to is nobody's business.
//
// Proves: CLP-07-003, CLP-07-006, CLP-07-007, CLP-07-009, RSH-05-002, CM-24-002
func TestSnapshot(t *testing.T) {
	const raw = `{"type": "Add","id":"urn:a","actor":"https://node.test/actors/vendor","object":{"type":"Note","id":"urn:n","x":1.50},` +
		`"target":"urn:uuid:11111111-1111-4111-8111-111111111111", "odd":{"a":[1,2.00]},"published":"2026-09-01T07:00:00+00:00"}`
	tests := []struct {
		name   string
		change func(*scope.Draft)
		want   []string // parts
		never  []string
	}{
		{"as sent", func(*scope.Draft) {}, []string{`{"type": "Add","id":"urn:a",`, `"object":{"type":"Note","id":"urn:n","x":1.50}`, `"odd":{"a":[1,2.00]}`,
			`"target":{"id":"` + casework.CaseID + `","type":"VulnerabilityCase"}`, `"context":"` + casework.CaseID + `"`, `"published":"2026-09-01T07:00:00+00:00"`}, nil},
		{"taken over in part", func(d *scope.Draft) { d.Altered = true },
			[]string{`"object":{"id":"urn:a/note","type":"Note","content":"x"`, `"odd":{"a":[1,2.00]}`}, []string{"1.50"}},
		{"blind copies", func(d *scope.Draft) { d.Activity.BCC, d.Activity.BTo = []string{"urn:secret"}, []string{"urn:hidden"} },
			[]string{`"type":"Add"`}, []string{"secret", "hidden", "bcc", "bto"}},
		{"the manager's own", func(d *scope.Draft) { d.Raw = nil; d.Activity.Content = "<b>&" }, []string{`"content":"<b>&"`, `"context":"` + casework.CaseID + `"`}, []string{"odd"}},
		{"on behalf", func(d *scope.Draft) { d.Raw = nil; d.Activity.AttributedTo = casework.Reporter.URI() },
			[]string{`"actor":"https://node.test/actors/vendor"`, `"attributedTo":"` + casework.Reporter.URI() + `"`}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := casework.New(t, casework.Manager).Found()
			d.Want(asManager(d, func(s *scope.Scope, auth authority.Case) error {
				draft := noteFrom(casework.Owner, "urn:a")
				draft.Raw = []byte(raw)
				test.change(&draft)
				_, err := s.Mint(auth, draft)
				return err
			}))
			got := string(d.Entries()[0].Payload)
			for _, part := range test.want {
				if !strings.Contains(got, part) {
					t.Errorf("%s\nlacks %s", got, part)
				}
			}
			if i := slices.IndexFunc(test.never, func(part string) bool { return strings.Contains(got, part) }); i >= 0 {
				t.Errorf("%s\nholds %s", got, test.never[i])
			}
		})
	}
}

// What may not stand in a ledger is an error, and nothing of it is left.
//
// Proves: CLP-07-004, CLP-10-009
func TestWhatIsNotRecordedIsNotMinted(t *testing.T) {
	tests := []struct {
		name   string
		change func(*scope.Draft)
	}{
		{"object by id", func(d *scope.Draft) { d.Activity.Object = model.Link("urn:n") }},
		{"another case's note", func(d *scope.Draft) {
			d.Activity.Object = model.Inline(&model.Note{ID: "urn:n", Type: model.TypeNote, Context: "urn:uuid:another"})
		}},
		{"a pair that is not recorded", func(d *scope.Draft) { d.Activity.Type = model.Create }},
		{"no actor", func(d *scope.Draft) { d.Activity.Actor = "" }},
		{"what it does not parse", func(d *scope.Draft) { d.Raw = []byte(`{`) }},
		{"what has an object twice", func(d *scope.Draft) { d.Raw = []byte(`{"object":1,"object":2}`) }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := casework.New(t, casework.Manager).Found()
			before := d.Dump()
			out := asManager(d, func(s *scope.Scope, auth authority.Case) error {
				draft := noteFrom(casework.Owner, "urn:a")
				test.change(&draft)
				_, err := s.Mint(auth, draft)
				return err
			})
			casework.Code(t, out.Err, fault.Invalid)
			if diff := cmp.Diff(before, d.Dump()); diff != "" {
				t.Error(diff)
			}
		})
	}
}
