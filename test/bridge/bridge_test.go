// Package bridge tests, over real stores, what the bridge and the scope let a
// tree do: whose store it gets, what it is bound to, and what no leaf can write.
package bridge

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bateleur/adapters/driven/memory"
	"bateleur/adapters/wire/as2"
	"bateleur/core/authority"
	"bateleur/core/bridge"
	"bateleur/core/bt"
	"bateleur/core/cases"
	"bateleur/core/fault"
	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/outbound"
	"bateleur/core/ports"
	"bateleur/core/scope"
	"bateleur/core/usecases/leaf"
	"bateleur/node"
)

func actor(segment string) model.ActorID {
	id, err := model.HostedActorID("http://n.test/api/v2", segment)
	if err != nil {
		panic(err)
	}
	return id
}

var owner, manager, stranger = actor("owner"), actor("some-organisation"), actor("case-actor")

// stage is a bridge over memory stores of the hosted actors.
type stage struct {
	t       *testing.T
	stores  *memory.Stores
	emitter *spyEmitter
	bridge  *bridge.Bridge
}

// spyEmitter notes to whom it was bound.
type spyEmitter struct {
	ports.Emitter
	bound []ports.Unit
}

func (s *spyEmitter) ForStore(u ports.Unit) ports.Emitter {
	s.bound = append(s.bound, u)
	return s.Emitter.ForStore(u)
}

func newStage(t *testing.T) *stage {
	st := &stage{t: t, stores: memory.New(),
		emitter: &spyEmitter{Emitter: outbound.New(as2.Codec{}, node.SystemClock{})}}
	hosted := map[model.ActorID]ports.Profile{owner: {}, manager: {ManagesCases: true}, stranger: {}}
	st.bridge = bridge.New(bridge.Config{Wire: as2.Codec{}, IDs: node.RandomIDs{}, Policy: ports.DefaultPolicy{},
		Clock: node.SystemClock{}, Emitter: st.emitter,
		Profile: func(a model.ActorID) (ports.Profile, bool) { p, ok := hosted[a]; return p, ok }})
	for a := range hosted {
		st.store(a)
	}
	return st
}

func (st *stage) store(a model.ActorID) ports.DataLayer {
	st.t.Helper()
	dl, err := st.stores.Open(context.Background(), a)
	if fault.CodeOf(err) == fault.NotFound {
		dl, err = st.stores.Create(context.Background(), a)
	}
	if err != nil {
		st.t.Fatal(err)
	}
	return dl
}

// cloneless is a store that must not be cloned.
type cloneless struct {
	ports.DataLayer
	t *testing.T
}

func (c cloneless) CloneForActor(context.Context, model.ActorID) (ports.DataLayer, error) {
	c.t.Error("a store that already is the actor's was cloned")
	return nil, errors.New("cloned")
}

func do(f func(*scope.Scope) bt.Result) *leaf.Tree { return leaf.Compile(bt.Leaf("leaf", f)) }

func (st *stage) run(dl ports.DataLayer, req bridge.Request) (bridge.Result, error) {
	return st.bridge.Run(context.Background(), dl, req)
}

// found makes a case that the manager manages and the owner owns.
func (st *stage) found() string {
	st.t.Helper()
	id := "urn:uuid:0b9d0e54-7a6d-4a86-9b52-0d6b3f7a1c11"
	_, err := st.run(st.store(manager), bridge.Request{Tree: do(func(s *scope.Scope) bt.Result {
		return leaf.Result(s.Found(&model.VulnerabilityCase{ID: id, Type: model.TypeCase, AttributedTo: manager.URI(),
			Published: s.Now(), CaseParticipants: []model.Item{
				model.Inline(&model.CaseParticipant{ID: id + "/m", AttributedTo: manager.URI(), CaseRoles: []model.Role{model.RoleCaseManager}}),
				model.Inline(&model.CaseParticipant{ID: id + "/o", AttributedTo: owner.URI(), CaseRoles: []model.Role{model.RoleVendor, model.RoleCaseOwner}}),
			}}))
	})})
	if err != nil {
		st.t.Fatal(err)
	}
	return id
}

// Proves: BT-05-005, BT-17-006, DL-07-007
func TestTheStoreFollowsTheExecutingActor(t *testing.T) {
	st := newStage(t)
	var seen []model.ActorID
	note := do(func(s *scope.Scope) bt.Result {
		seen = append(seen, s.Executing(), s.Receiving(), s.Owner())
		return leaf.Result(cases.Create(s, cases.KindAddress, "x", model.Actor{ID: "x"}))
	})
	right := cloneless{st.store(owner), t}
	if r, err := st.run(right, bridge.Request{Tree: note}); err != nil || r.State != ports.Done {
		t.Fatalf("no receiver named: %+v, %v", r, err)
	}
	if r, err := st.run(st.store(owner), bridge.Request{Tree: note, Executing: manager}); err != nil || r.State != ports.Done {
		t.Fatalf("another executes: %+v, %v", r, err)
	}
	want := []model.ActorID{owner, owner, owner, manager, manager, manager}
	if diff := cmp.Diff(want, seen, cmp.Comparer(func(a, b model.ActorID) bool { return a == b })); diff != "" {
		t.Error(diff)
	}
	for _, a := range []model.ActorID{owner, manager} {
		err := st.store(a).View(context.Background(), func(r ports.Reader) error { _, err := r.Get(cases.KindAddress, "x"); return err })
		if err != nil {
			t.Errorf("%s's own store: %v", a, err)
		}
	}
}

// Proves: BT-05-005, CM-24-004
func TestANodeRunsTreesOfItsOwnActorsOnly(t *testing.T) {
	st := newStage(t)
	elsewhere, _ := model.ParseActorID("http://elsewhere.test/actors/x")
	_, err := st.run(st.store(owner), bridge.Request{Tree: do(func(*scope.Scope) bt.Result { t.Error("ran"); return bt.Ok() }), Executing: elsewhere})
	if fault.CodeOf(err) != fault.NotHosted {
		t.Errorf("got %v", err)
	}
	err = st.store(owner).Update(context.Background(), func(tx ports.Tx) error {
		_, err := st.bridge.RunIn(tx, owner, bridge.Request{Tree: do(func(*scope.Scope) bt.Result { t.Error("ran"); return bt.Ok() }), Executing: manager})
		return err
	})
	if fault.CodeOf(err) != fault.Inconsistent {
		t.Errorf("a tree of one in the transaction of another: %v", err)
	}
}

// A gate in a run whose receiver is not its executing actor raises.
//
// Proves: BT-05-006
func TestReceiverAndExecutingActorThatDifferRaise(t *testing.T) {
	st := newStage(t)
	id := st.found()
	gated := leaf.Compile(bt.Sequence("root",
		leaf.Do("case", func(s *scope.Scope) error { return s.SetCase(id) }),
		leaf.WhenManager(leaf.ForCase("act", func(*scope.Scope, authority.Case) error { t.Error("ran"); return nil }))))
	r, err := st.run(st.store(manager), bridge.Request{Tree: gated, Receiving: owner})
	if fault.CodeOf(err) != fault.Inconsistent {
		t.Errorf("got %+v, %v", r, err)
	}
}

// What holds a store is bound to the open unit of each run; what holds none is
// the same instance in all of them.
//
// Proves: DL-07-009
func TestCollaboratorsFollowTheRun(t *testing.T) {
	st := newStage(t)
	tree := do(func(*scope.Scope) bt.Result { return bt.Ok() })
	for _, a := range []model.ActorID{owner, manager, owner} {
		if _, err := st.run(st.store(a), bridge.Request{Tree: tree}); err != nil {
			t.Fatal(err)
		}
	}
	var owners []string
	for i, u := range st.emitter.bound {
		owners = append(owners, u.Actor().Segment())
		for _, earlier := range st.emitter.bound[:i] {
			if earlier == u {
				t.Error("two runs were bound to one unit")
			}
		}
	}
	if diff := cmp.Diff([]string{"owner", "some-organisation", "owner"}, owners); diff != "" {
		t.Error(diff)
	}
	unbound := outbound.New(as2.Codec{}, node.SystemClock{})
	if err := unbound.Emit(offer(owner), ports.EmitOptions{}); fault.CodeOf(err) != fault.Internal {
		t.Errorf("an emitter that is bound to nothing: %v", err)
	}
}

func offer(by model.ActorID) *model.Activity {
	return &model.Activity{ID: "urn:uuid:offer", Type: model.Offer, Actor: by.URI(), To: []string{manager.URI()},
		Object: model.Inline(&model.Report{ID: "urn:uuid:r", Name: "R"})}
}

// A leaf outside a gate, whatever it declares, can neither mint, nor speak as the
// manager or for another, nor write an embargo, a case or a latch.
//
// Proves: BA-03-002, BA-03-005, CM-24-005, MV-09-002
func TestWhatNoLeafOutsideAGateCanDo(t *testing.T) {
	st := newStage(t)
	id := st.found()
	as := func(typ string, o model.Object) *model.Activity {
		return &model.Activity{ID: "urn:uuid:1", Type: typ, Actor: manager.URI(), To: []string{owner.URI()}, Object: model.Inline(o)}
	}
	wholeCase := &model.VulnerabilityCase{ID: id, AttributedTo: manager.URI()}
	embargo := &model.EmbargoEvent{ID: "urn:uuid:e", Type: model.TypeEmbargo}
	add := as(model.Add, &model.CaseStatus{ID: "urn:uuid:s", Context: id})
	add.Target = model.Link(id)
	invite := as(model.Invite, &model.Actor{ID: owner.URI(), Type: "Person"})
	invite.Target = model.Link(id)
	behalf := offer(manager)
	behalf.AttributedTo = owner.URI()
	foreign := offer(owner)
	bare := offer(manager)
	bare.Object = model.Link("urn:uuid:r")
	put := func(kind ports.Kind) func(*scope.Scope) error {
		return func(s *scope.Scope) error {
			_, err := s.Put(ports.Record{Kind: kind, ID: "x", Body: []byte("{}")})
			return err
		}
	}
	emit := func(a *model.Activity) func(*scope.Scope) error {
		return func(s *scope.Scope) error { return s.Emit(a, ports.EmitOptions{}) }
	}
	attempts := map[string]struct {
		try  func(*scope.Scope) error
		want fault.Code
	}{
		"mint": {func(s *scope.Scope) error {
			_, err := s.Mint(s.Authority(), scope.Draft{EventType: cases.EventCreateCase, ObjectID: id, Activity: as(model.Create, wholeCase)})
			return err
		}, fault.Forbidden},
		"adopt an embargo":        {func(s *scope.Scope) error { return s.AdoptEmbargo(s.Authority(), embargo) }, fault.Forbidden},
		"announce":                {func(s *scope.Scope) error { return s.AnnounceEntry(s.Authority(), ledger.Entry{CaseID: id}) }, fault.Forbidden},
		"emit for the case":       {func(s *scope.Scope) error { return s.EmitForCase(s.Authority(), offer(manager), ports.EmitOptions{}) }, fault.Forbidden},
		"create the case":         {emit(as(model.Create, wholeCase)), fault.Forbidden},
		"announce the case":       {emit(as(model.Announce, wholeCase)), fault.Forbidden},
		"announce an entry":       {emit(as(model.Announce, &model.LedgerEntry{Entry: ledger.Entry{CaseID: id}})), fault.Forbidden},
		"invite":                  {emit(invite), fault.Forbidden},
		"remove an embargo":       {emit(as(model.Remove, embargo)), fault.Forbidden},
		"say how the case stands": {emit(add), fault.Forbidden},
		"speak for another":       {emit(behalf), fault.Forbidden},
		"speak as another":        {emit(foreign), fault.OwnerMismatch},
		"send a bare id":          {emit(bare), fault.Invalid},
		"write the case":          {put(cases.KindCase), fault.Forbidden},
		"write a status":          {put(cases.KindParticipantStatus), fault.Forbidden},
		"write an embargo":        {put(cases.KindEmbargo), fault.Forbidden},
		"latch a report's state":  {put(cases.KindReportStatus), fault.Forbidden},
		"latch a report's case":   {put(cases.KindCaseLink), fault.Forbidden},
		"latch a consent":         {put(cases.KindConsent), fault.Forbidden},
		"store a replica's entry": {func(s *scope.Scope) error { return s.StoreEntry(ledger.Entry{CaseID: id}) }, fault.Forbidden},
		"enter the gate by the back": {func(s *scope.Scope) error {
			authority.Gate[*scope.Scope](model.RoleCaseOwner).Enter(s)
			return s.Authority().Check(s.Executing(), id)
		}, fault.Forbidden},
	}
	for name, a := range attempts {
		t.Run(name, func(t *testing.T) {
			r, err := st.run(st.store(manager), bridge.Request{Tree: do(func(s *scope.Scope) bt.Result {
				if err := s.SetCase(id); err != nil {
					return bt.Abort(err)
				}
				return leaf.Result(a.try(s))
			})})
			if err != nil || r.State != ports.Dead || r.Outcome.Code != string(a.want) {
				t.Errorf("got %+v, %v", r, err)
			}
		})
	}
}

// Declaring the need of authority does not compile outside a gate.
//
// Proves: BA-03-002
func TestALeafThatNeedsAuthorityDoesNotCompileOutsideAGate(t *testing.T) {
	_, err := scope.Compile(bt.Sequence("root", leaf.ForCase("act", func(*scope.Scope, authority.Case) error { return nil })))
	if err == nil {
		t.Error("compiled")
	}
	_, err = scope.Compile(bt.Sequence("root", leaf.Latch("latch", func(*scope.Scope) error { return nil })))
	if err == nil {
		t.Error("a latch outside the last place compiled")
	}
}

// How a run ends decides what becomes of it; what did not succeed leaves nothing.
//
// Proves: BT-13-001, BT-14-001
func TestOutcomes(t *testing.T) {
	boom := errors.New("boom")
	cases := []struct {
		name  string
		leaf  func(*scope.Scope) bt.Result
		state ports.InboxState
		code  string
		err   fault.Code
	}{
		{"done", func(*scope.Scope) bt.Result { return bt.Ok() }, ports.Done, "ok", ""},
		{"failed", func(*scope.Scope) bt.Result { return bt.Fail("no-way", "because") }, ports.Refused, "no-way", ""},
		{"refused with an answer", func(s *scope.Scope) bt.Result { s.Refuse("no-way", "because"); return bt.Ok() }, ports.Refused, "no-way", ""},
		{"absent", func(s *scope.Scope) bt.Result { s.Await("k", s.Now()); return bt.Fail(leaf.Absent, "not here") }, ports.Deferred, leaf.Absent, ""},
		{"absent without a key", func(*scope.Scope) bt.Result { return bt.Fail(leaf.Absent, "not here") }, ports.Refused, leaf.Absent, ""},
		{"error", func(*scope.Scope) bt.Result { return bt.Abort(boom) }, ports.Dead, string(fault.Internal), ""},
		{"error that will pass", func(*scope.Scope) bt.Result {
			return bt.Abort(fault.New("x", "y", fault.Unavailable, ""))
		}, "", "", fault.Unavailable},
		{"panic", func(*scope.Scope) bt.Result { panic(boom) }, ports.Dead, "panic", ""},
		{"an outbox that refuses", func(s *scope.Scope) bt.Result {
			a := offer(owner)
			a.To = nil
			return leaf.Result(s.Emit(a, ports.EmitOptions{}))
		}, ports.Dead, string(fault.Invalid), ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			st := newStage(t)
			tree := leaf.Compile(bt.Sequence("root",
				leaf.Do("write", writeNote),
				bt.Leaf("decide", c.leaf)))
			r, err := st.run(st.store(owner), bridge.Request{Tree: tree})
			if fault.CodeOf(err) != c.err || r.State != c.state || r.Outcome.Code != c.code {
				t.Fatalf("got %+v, %v", r, err)
			}
			if c.state == ports.Refused && c.name == "failed" && r.Outcome.Path != "root/decide" {
				t.Errorf("path %q", r.Outcome.Path)
			}
			if c.code == "panic" && !strings.Contains(string(r.Stack), "bridge_test.go") {
				t.Errorf("no stack of the leaf: %s", r.Stack)
			}
			kept := false
			_ = st.store(owner).View(context.Background(), func(rd ports.Reader) error {
				_, err := rd.Get("AddressBook", "x")
				kept = err == nil
				return nil
			})
			if want := c.name == "done" || c.name == "refused with an answer"; kept != want {
				t.Errorf("what the run wrote is kept: %v", kept)
			}
		})
	}
}

func writeNote(s *scope.Scope) error {
	return cases.Create(s, cases.KindAddress, "x", model.Actor{ID: "x"})
}
