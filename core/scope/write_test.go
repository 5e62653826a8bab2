package scope_test

import (
	"testing"

	"bateleur/core/authority"
	"bateleur/core/bt"
	"bateleur/core/cases"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/scope"
	"bateleur/core/usecases/leaf"
	"bateleur/test/casework"
)

// try is a leaf that succeeds and keeps the error of what it tried.
func try(err *error, f func(*scope.Scope) error) leaf.Node {
	return leaf.Guard("try", func(s *scope.Scope) bt.Result {
		*err = f(s)
		return bt.Ok()
	})
}

var done = leaf.Guard("done", func(*scope.Scope) bt.Result { return bt.Ok() })

// places are where a leaf can stand: with what it may write there.
func places(probe leaf.Node, latch leaf.Node) map[string]struct {
	root  leaf.Node
	latch bool
} {
	type place = struct {
		root  leaf.Node
		latch bool
	}
	return map[string]place{
		"alone":                {bt.Sequence("root", probe), false},
		"below the gate":       {bt.Sequence("root", casework.InCase(), leaf.AsManager(probe)), false},
		"step of a latch-last": {bt.LatchLast("root", leaf.Latch("latch", func(*scope.Scope) error { return nil }), probe), false},
		"in a selector":        {bt.Selector("root", bt.Sequence("no", bt.Invert("not", done)), probe), false},
		"after a latch":        {bt.Sequence("root", bt.LatchLast("first", leaf.Latch("latch", func(*scope.Scope) error { return nil }), done), probe), false},
		"latch":                {bt.LatchLast("root", latch, done), true},
	}
}

// Wherever a leaf stands and whatever it declares, it writes latches from the
// last place of a latch-last only, and what follows from a ledger from nowhere.
//
// Proves: BA-03-005, ID-04-005, CLP-09-002, CM-02-002
func TestWhatALeafMayWrite(t *testing.T) {
	kinds := map[ports.Kind]string{
		cases.KindCase: "never", cases.KindParticipantStatus: "never", cases.KindCaseStatus: "never",
		cases.KindEmbargo: "never", cases.KindNote: "never", cases.KindSeed: "never",
		cases.KindReportStatus: "latch", cases.KindCaseLink: "latch", cases.KindProposal: "latch", cases.KindConsent: "latch",
		cases.KindReport: "always", cases.KindOffer: "always", cases.KindPending: "always", cases.KindInvite: "always",
	}
	for kind, when := range kinds {
		var put, deleted error
		write := func(s *scope.Scope) error {
			rev, err := s.Put(ports.Record{Kind: kind, ID: "urn:x"})
			put, deleted = err, s.Delete(kind, "urn:x", rev)
			return nil
		}
		var ignored error
		probe := try(&ignored, write)
		latch := leaf.Latch("latch", write)
		for name, place := range places(probe, latch) {
			t.Run(string(kind)+" "+name, func(t *testing.T) {
				d := casework.New(t, casework.Manager).Found()
				d.Want(d.Run(scope.Input{}, place.root))
				want := fault.Forbidden
				if when == "always" || when == "latch" && place.latch {
					want = ""
				}
				casework.Code(t, put, want)
				casework.Code(t, deleted, want)
			})
		}
	}
}

// An entry is stored from the latch position only, and its effects are projected
// only where it is the next one of a replica.
//
// Proves: BA-03-005, SYNC-12-001, CLP-10-014
func TestStoreEntryIsALatch(t *testing.T) {
	e := minted(t)[0]
	var err error
	store := func(s *scope.Scope) error { return s.StoreEntry(e) }
	latched := func(s *scope.Scope) error { err = store(s); return nil }
	for name, place := range places(try(&err, store), leaf.Latch("latch", latched)) {
		if name == "below the gate" {
			continue // a replica's actor does not manage
		}
		t.Run(name, func(t *testing.T) {
			d := casework.New(t, casework.Owner).Seed()
			d.Want(d.Run(scope.Input{}, place.root))
			if place.latch {
				casework.Code(t, err, "")
			} else {
				casework.Code(t, err, fault.Forbidden)
			}
		})
	}
}

// Only what an actor may say for itself leaves it without the authority of a
// gate; what a case's manager alone says, and what claims to speak for somebody,
// does not, and nothing leaves in another's name.
//
// Proves: BA-03-002, PCR-08-015, RSH-04-001, CM-24-001, CM-24-002
func TestEmitWithoutAuthority(t *testing.T) {
	stub := &model.VulnerabilityCase{ID: casework.CaseID, Type: model.TypeCase}
	in := func(a *model.Activity) { a.Target = model.Inline(stub) }
	proposal := &model.CaseProposal{ID: "urn:p", Type: model.TypeProposal, Object: model.Inline(casework.Report())}
	tests := []struct {
		name   string
		typ    string
		object model.Object
		change func(*model.Activity)
		want   fault.Code
	}{
		{"own note", model.Create, &model.Note{ID: "urn:n", Type: model.TypeNote}, func(*model.Activity) {}, ""},
		{"own status", model.Add, &model.ParticipantStatus{ID: "urn:s", Type: model.TypeParticipantStatus}, func(a *model.Activity) { a.Target = model.Link("urn:p") }, ""},
		{"leave", model.Leave, stub, func(*model.Activity) {}, ""},
		{"refused entry", model.Reject, &model.LedgerEntry{Entry: minted(t)[0]}, func(*model.Activity) {}, ""},
		{"refused proposal", model.Reject, proposal, func(*model.Activity) {}, ""},
		{"accepted proposal", model.Accept, proposal, func(*model.Activity) {}, fault.Forbidden},
		{"case", model.Create, casework.Founded(), func(*model.Activity) {}, fault.Forbidden},
		{"case again", model.Announce, casework.Founded(), func(*model.Activity) {}, fault.Forbidden},
		{"entry", model.Announce, &model.LedgerEntry{Entry: minted(t)[0]}, func(*model.Activity) {}, fault.Forbidden},
		{"invitation", model.Invite, &model.Actor{ID: "https://x.test/actors/x", Type: "Person"}, in, fault.Forbidden},
		{"case status", model.Add, &model.CaseStatus{ID: "urn:w", Type: model.TypeCaseStatus}, in, fault.Forbidden},
		{"new case status", model.Create, &model.CaseStatus{ID: "urn:w", Type: model.TypeCaseStatus}, func(a *model.Activity) { a.Context = casework.CaseID }, fault.Forbidden},
		{"participant", model.Add, &model.CaseParticipant{ID: "urn:p", Type: model.TypeParticipant}, in, fault.Forbidden},
		{"embargo", model.Add, casework.Embargo(), in, fault.Forbidden},
		{"embargo told", model.Announce, casework.Embargo(), func(a *model.Activity) { a.Context = casework.CaseID }, fault.Forbidden},
		{"end of the embargo", model.Remove, casework.Embargo(), func(a *model.Activity) { a.Origin = model.Link(casework.CaseID) }, fault.Forbidden},
		{"on behalf of another", model.Create, &model.Note{ID: "urn:n", Type: model.TypeNote}, func(a *model.Activity) { a.AttributedTo = casework.Owner.URI() }, fault.Forbidden},
		{"another's", model.Create, &model.Note{ID: "urn:n", Type: model.TypeNote}, func(a *model.Activity) { a.Actor = casework.Owner.URI() }, fault.OwnerMismatch},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := casework.New(t, casework.Manager).Found()
			var got error
			d.Want(d.Run(scope.Input{}, bt.Sequence("root", casework.InCase(), try(&got, func(s *scope.Scope) error {
				a := s.NewActivity(test.typ, test.object, casework.Reporter.URI())
				test.change(a)
				return s.Emit(a, ports.EmitOptions{})
			}))))
			casework.Code(t, got, test.want)
			if sent := len(d.Sent()); (sent == 1) != (test.want == "") {
				t.Errorf("%d activities were queued", sent)
			}
		})
	}
}

// Below the open gate the manager says all that, for whom it says; but nothing as
// another actor.
//
// Proves: BA-03-002, CM-24-001, PCR-08-015
func TestEmitForTheCase(t *testing.T) {
	d := casework.New(t, casework.Manager).Found()
	var foreign, outside error
	announce := func(s *scope.Scope) *model.Activity {
		return s.NewActivity(model.Announce, casework.Founded(), casework.Reporter.URI())
	}
	d.Want(d.Run(scope.Input{}, bt.Sequence("root", casework.InCase(),
		leaf.Guard("outside", func(s *scope.Scope) bt.Result {
			outside = s.EmitForCase(s.Authority(), announce(s), ports.EmitOptions{})
			return bt.Ok()
		}),
		leaf.AsManager(leaf.ForCase("inside", func(s *scope.Scope, auth authority.Case) error {
			a := announce(s)
			a.Actor = casework.Owner.URI()
			foreign = s.EmitForCase(auth, a, ports.EmitOptions{})
			a = announce(s)
			a.AttributedTo = casework.Owner.URI()
			return s.EmitForCase(auth, a, ports.EmitOptions{})
		})))))
	casework.Code(t, outside, fault.Forbidden)
	casework.Code(t, foreign, fault.OwnerMismatch)
	if sent := d.Sent(); len(sent) != 1 || sent[0].Actor != casework.Manager.URI() || sent[0].AttributedTo != casework.Owner.URI() {
		t.Errorf("sent %+v", sent)
	}
}
