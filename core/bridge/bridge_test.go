package bridge_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bateleur/adapters/driven/memory"
	"bateleur/adapters/wire/as2"
	"bateleur/core/bridge"
	"bateleur/core/bt"
	"bateleur/core/cases"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/scope"
	"bateleur/core/usecases/leaf"
	"bateleur/test/casework"
)

// spy is a store that tells how it is used.
type spy struct {
	ports.DataLayer
	clones, updates, closed int
	cloned                  *spy
}

func (s *spy) CloneForActor(ctx context.Context, a model.ActorID) (ports.DataLayer, error) {
	s.clones++
	other, err := s.DataLayer.CloneForActor(ctx, a)
	s.cloned = &spy{DataLayer: other}
	return s.cloned, err
}

func (s *spy) Update(ctx context.Context, f func(ports.Tx) error) error {
	s.updates++
	return s.DataLayer.Update(ctx, f)
}

func (s *spy) Close() error { s.closed++; return s.DataLayer.Close() }

// policy and emitter are collaborators that can be told apart.
type policy struct {
	ports.DefaultPolicy
	name string
}

type emitter struct {
	bound *[]ports.Unit
	unit  ports.Unit
	sent  int
}

func (e *emitter) ForStore(u ports.Unit) ports.Emitter {
	*e.bound = append(*e.bound, u)
	return &emitter{bound: e.bound, unit: u}
}

func (e *emitter) Emit(*model.Activity, ports.EmitOptions) error {
	e.sent++
	return nil
}

type house struct {
	t       *testing.T
	bridge  *bridge.Bridge
	policy  *policy
	emitter *emitter
	bound   []ports.Unit
	owner   *spy // the owner's store
}

// newHouse hosts owner and manager, and not the reporter.
func newHouse(t *testing.T) *house {
	t.Helper()
	stores := memory.New()
	h := &house{t: t, policy: &policy{name: "the one"}}
	h.emitter = &emitter{bound: &h.bound}
	for _, a := range []model.ActorID{casework.Manager, casework.Owner, casework.Reporter} {
		store, err := stores.Create(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		if a == casework.Owner {
			h.owner = &spy{DataLayer: store}
		}
	}
	h.bridge = bridge.New(bridge.Config{Wire: as2.Codec{}, IDs: &casework.IDs{}, Policy: h.policy, Clock: casework.Clock{At: casework.Begin}, Emitter: h.emitter,
		Profile: func(a model.ActorID) (ports.Profile, bool) {
			return ports.Profile{Actor: model.Actor{ID: a.URI()}, Manager: casework.Manager, ManagesCases: a == casework.Manager}, a != casework.Reporter
		}})
	return h
}

func (h *house) run(req bridge.Request, root leaf.Node) (bridge.Result, error) {
	h.t.Helper()
	req.Tree = leaf.Compile(root)
	return h.bridge.Run(h.t.Context(), h.owner, req)
}

func keep(id string) leaf.Node {
	return leaf.Do("keep "+id, func(s *scope.Scope) error {
		_, err := s.Put(ports.Record{Kind: cases.KindReport, ID: id, Body: []byte(s.Owner().URI())})
		return err
	})
}

// kept are the ids of the reports in an actor's store, each with whose it says it
// is.
func (h *house) kept(a model.ActorID) (out []string) {
	h.t.Helper()
	store, err := h.owner.DataLayer.CloneForActor(h.t.Context(), a)
	if err != nil {
		h.t.Fatal(err)
	}
	if err := store.View(h.t.Context(), func(r ports.Reader) error {
		records, err := r.List(ports.ListParams{Kind: cases.KindReport})
		for _, rec := range records {
			out = append(out, rec.ID+" "+string(rec.Body))
		}
		return err
	}); err != nil {
		h.t.Fatal(err)
	}
	return out
}

// A tree runs over the store of the actor that it executes as: one that is that
// actor's already is used as it is, another one exchanged, and where none is named
// the store's owner executes.
//
// Proves: BT-05-005, BT-17-006, DL-07-007
func TestTheStoreFollowsTheExecutingActor(t *testing.T) {
	tests := []struct {
		name   string
		req    bridge.Request
		who    model.ActorID
		cloned bool
		want   fault.Code
	}{
		{"nobody named", bridge.Request{}, casework.Owner, false, ""},
		{"the owner", bridge.Request{Executing: casework.Owner}, casework.Owner, false, ""},
		{"received by the owner", bridge.Request{Receiving: casework.Owner}, casework.Owner, false, ""},
		{"another", bridge.Request{Executing: casework.Manager}, casework.Manager, true, ""},
		{"another that received", bridge.Request{Executing: casework.Manager, Receiving: casework.Manager}, casework.Manager, true, ""},
		{"received by another", bridge.Request{Receiving: casework.Manager}, model.ActorID{}, false, fault.Inconsistent},
		{"another executes than received", bridge.Request{Executing: casework.Manager, Receiving: casework.Owner}, model.ActorID{}, true, fault.Inconsistent},
		{"not hosted", bridge.Request{Executing: casework.Reporter}, model.ActorID{}, false, fault.NotHosted},
		{"hosted without a store", bridge.Request{Executing: casework.Stranger}, model.ActorID{}, true, fault.NotFound},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h := newHouse(t)
			var as []model.ActorID
			r, err := h.run(test.req, bt.Sequence("root", keep("urn:r"), leaf.Guard("look", func(s *scope.Scope) bt.Result {
				as = []model.ActorID{s.Executing(), s.Receiving(), s.Owner()}
				return bt.Ok()
			})))
			casework.Code(t, err, test.want)
			if test.cloned != (h.owner.clones > 0) || test.want == "" && test.cloned == (h.owner.updates > 0) {
				t.Errorf("cloned %d times, the store handed in was written %d times", h.owner.clones, h.owner.updates)
			}
			if test.cloned && test.want == "" && h.owner.cloned.closed != 1 || h.owner.closed != 0 {
				t.Errorf("closed: the store handed in %d times", h.owner.closed)
			}
			for _, a := range []model.ActorID{casework.Owner, casework.Manager, casework.Reporter} {
				var want []string
				if a == test.who {
					want = []string{"urn:r " + a.URI()}
				}
				if diff := cmp.Diff(want, h.kept(a)); diff != "" {
					t.Errorf("%s:\n%s", a, diff)
				}
			}
			if test.want == "" && (r.State != ports.Done || as[0] != test.who || as[1] != test.who || as[2] != test.who) {
				t.Errorf("%s as %v", r.State, as)
			}
		})
	}
}

// A transaction of another's store is refused, whoever asks.
//
// Proves: BT-05-005, BT-05-006
func TestRunInRefusesAnothersTransaction(t *testing.T) {
	h := newHouse(t)
	tree := leaf.Compile(keep("urn:r"))
	for _, req := range []bridge.Request{{Tree: tree, Executing: casework.Manager}, {Tree: tree, Receiving: casework.Manager}} {
		if err := h.owner.Update(t.Context(), func(tx ports.Tx) error {
			_, err := h.bridge.RunIn(tx, casework.Owner, req)
			casework.Code(t, err, fault.Inconsistent)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if got := h.kept(casework.Owner); got != nil {
		t.Errorf("kept %v", got)
	}
}

// What holds a store is bound to the run's unit of work, anew for every run;
// what holds none is the very instance that was given.
//
// Proves: DL-07-009
func TestCollaboratorsAreBoundToTheRunsStore(t *testing.T) {
	h := newHouse(t)
	send := bt.Sequence("root", keep("urn:r"), leaf.Do("send", func(s *scope.Scope) error {
		if s.Policy() != ports.Policy(h.policy) {
			t.Errorf("the policy is %+v", s.Policy())
		}
		note := &model.Note{ID: s.NewID(), Type: model.TypeNote}
		return s.Emit(s.NewActivity(model.Create, note, casework.Manager.URI()), ports.EmitOptions{})
	}))
	for _, as := range []model.ActorID{casework.Owner, casework.Manager} {
		h.bound = nil
		if _, err := h.run(bridge.Request{Executing: as}, send); err != nil {
			t.Fatal(err)
		}
		if len(h.bound) != 1 || h.bound[0].Actor() != as {
			t.Fatalf("as %s: bound to %d units", as, len(h.bound))
		}
		if rec, err := h.bound[0].Get(cases.KindReport, "urn:r"); err != nil || string(rec.Body) != as.URI() {
			t.Errorf("as %s: the unit holds %s, %v", as, rec.Body, err)
		}
	}
	if h.emitter.sent != 0 {
		t.Error("the emitter that is bound to nothing was used")
	}
}

func found() leaf.Node {
	return leaf.Do("found", func(s *scope.Scope) error {
		vc := casework.Founded()
		vc.AttributedTo, vc.GenesisHash = s.Executing().URI(), ""
		return s.Found(vc)
	})
}

func doing(f func(s *scope.Scope) bt.Result) leaf.Node { return leaf.Guard("act", f) }

// What a run came to becomes where its item goes; what is left of it is what
// belongs to that: all of a done one, the answer of a refused or waiting one,
// nothing of one that failed or died.
//
// Proves: BA-10-001, BA-10-002, BA-10-003, BT-13-001, BT-14-001, BA-10-005, CLP-10-009
func TestWhatARunComesTo(t *testing.T) {
	deferred := casework.Begin.Add(time.Hour)
	tests := []struct {
		name  string
		root  leaf.Node
		state ports.InboxState
		out   ports.Outcome
		wake  string
		kept  bool
		err   fault.Code
	}{
		{"done", bt.Sequence("t", keep("urn:r"), doing(func(*scope.Scope) bt.Result { return bt.Ok() })),
			ports.Done, ports.Outcome{Code: "ok"}, "", true, ""},
		{"done with an answer", bt.Sequence("t", keep("urn:r"), leaf.Do("answer", func(s *scope.Scope) error { return s.Answer("x") })),
			ports.Done, ports.Outcome{Code: "ok", Result: []byte(`"x"`)}, "", true, ""},
		{"refused with an answer", bt.Sequence("t", keep("urn:r"), leaf.Do("refuse", func(s *scope.Scope) error { s.Refuse("bad", "very"); return nil })),
			ports.Refused, ports.Outcome{Code: "bad", Text: "very"}, "", true, ""},
		{"deferred", bt.Sequence("t", keep("urn:r"), leaf.Do("defer", func(s *scope.Scope) error { s.Defer("key", deferred, "absent", "yet"); return nil })),
			ports.Deferred, ports.Outcome{Code: "absent", Text: "yet"}, "key", true, ""},
		{"failed", bt.Sequence("t", keep("urn:r"), doing(func(*scope.Scope) bt.Result { return bt.Fail(leaf.NotAllowed, "so it is") })),
			ports.Refused, ports.Outcome{Code: leaf.NotAllowed, Text: "so it is", Path: "t/act"}, "", false, ""},
		{"failed for what is absent", bt.Sequence("t", keep("urn:r"), doing(func(s *scope.Scope) bt.Result {
			s.Await("case x", deferred)
			return bt.Fail(leaf.Absent, "not here")
		})), ports.Deferred, ports.Outcome{Code: leaf.Absent, Text: "not here", Path: "t/act"}, "case x", false, ""},
		{"absent, but nothing is awaited", bt.Sequence("t", doing(func(*scope.Scope) bt.Result { return bt.Fail(leaf.Absent, "not here") })),
			ports.Refused, ports.Outcome{Code: leaf.Absent, Text: "not here", Path: "t/act"}, "", false, ""},
		{"awaited, but failed otherwise", bt.Sequence("t", doing(func(s *scope.Scope) bt.Result {
			s.Await("case x", deferred)
			return bt.Fail(leaf.Unknown, "wrong")
		})), ports.Refused, ports.Outcome{Code: leaf.Unknown, Text: "wrong", Path: "t/act"}, "", false, ""},
		{"the deepest of a selector", bt.Sequence("t", bt.Selector("or",
			bt.Sequence("a", doing(func(*scope.Scope) bt.Result { return bt.Fail("first", "") })),
			bt.Sequence("b", doing(func(*scope.Scope) bt.Result { return bt.Fail("last", "why") })))),
			ports.Refused, ports.Outcome{Code: "last", Text: "why", Path: "t/or/b/act"}, "", false, ""},
		{"not mine", bt.Sequence("t", seedReplica(), leaf.WhenManager(keep("urn:r"))),
			ports.Ignored, ports.Outcome{Code: "not-mine", Path: "t/keep urn:r@case_manager"}, "", false, ""},
		{"refused although not mine", bt.Sequence("t", seedReplica(), leaf.Do("refuse", func(s *scope.Scope) error { s.Refuse("bad", ""); return nil }), leaf.WhenManager(keep("urn:r"))),
			ports.Refused, ports.Outcome{Code: "bad"}, "", false, ""},
		{"a closed gate", bt.Sequence("t", seedReplica(), leaf.AsManager(keep("urn:r"))),
			ports.Dead, ports.Outcome{Code: "forbidden", Path: "t/keep urn:r@case_manager"}, "", false, ""},
		{"a gate about no case", bt.Sequence("t", leaf.WhenManager(keep("urn:r"))),
			ports.Dead, ports.Outcome{Code: "not-found", Path: "t/keep urn:r@case_manager"}, "", false, ""},
		{"an error", bt.Sequence("t", keep("urn:r"), leaf.Do("err", func(*scope.Scope) error { return fault.New("x", "y", fault.Conflict, "z") })),
			ports.Dead, ports.Outcome{Code: "conflict", Path: "t/err"}, "", false, ""},
		{"an unknown error", bt.Sequence("t", keep("urn:r"), leaf.Do("err", func(*scope.Scope) error { return errors.New("odd") })),
			ports.Dead, ports.Outcome{Code: "internal", Path: "t/err"}, "", false, ""},
		{"a panic", bt.Sequence("t", keep("urn:r"), doing(func(*scope.Scope) bt.Result { panic("ouch") })),
			ports.Dead, ports.Outcome{Code: "panic", Path: "t/act"}, "", false, ""},
		{"what may pass by itself", bt.Sequence("t", keep("urn:r"), leaf.Do("err", func(*scope.Scope) error { return fault.New("x", "y", fault.Unavailable, "") })),
			"", ports.Outcome{}, "", false, fault.Unavailable},
		{"an ended context", bt.Sequence("t", keep("urn:r"), leaf.Do("err", func(*scope.Scope) error { return context.Canceled })),
			"", ports.Outcome{}, "", false, fault.Cancelled},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h := newHouse(t)
			r, err := h.run(bridge.Request{}, test.root)
			casework.Code(t, err, test.err)
			if test.err == "" {
				test.out.At = casework.Begin
			}
			if test.state == ports.Dead || test.state == ports.Ignored { // the text is the error's
				r.Outcome.Text = ""
			}
			if diff := cmp.Diff(test.out, r.Outcome); diff != "" {
				t.Error(diff)
			}
			if r.State != test.state || r.Wake != test.wake || !r.Until.IsZero() != (test.wake != "") {
				t.Errorf("%s until %v for %q", r.State, r.Until, r.Wake)
			}
			if (r.Err != nil) != (test.state == ports.Dead) || (r.Stack != nil) != (test.out.Code == "panic") {
				t.Errorf("err %v, stack %d bytes", r.Err, len(r.Stack))
			}
			if got := slices.Contains(h.kept(casework.Owner), "urn:r "+casework.Owner.URI()); got != test.kept {
				t.Errorf("the run's write is there: %v", got)
			}
			settled := ports.Settlement{Seq: 7, State: r.State, Wake: r.Wake, Until: r.Until, Outcome: r.Outcome}
			if diff := cmp.Diff(settled, r.Settlement(7)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func seedReplica() leaf.Node {
	return leaf.Do("seed", func(s *scope.Scope) error { return s.SeedReplica(casework.Founded()) })
}

// The stack of a panic names the leaf's own file.
//
// Proves: BA-10-005
func TestAPanicsStackLeadsToTheLeaf(t *testing.T) {
	r, err := newHouse(t).run(bridge.Request{}, doing(func(*scope.Scope) bt.Result { panic("ouch") }))
	if err != nil || !strings.Contains(string(r.Stack), "bridge_test.go") {
		t.Errorf("%v\n%s", err, r.Stack)
	}
}

// What a run writes for the outbox and cannot be kept is an error for whoever
// wanted it, and nothing of the run is kept.
//
// Proves: BT-14-001, BA-09-003
func TestACommitThatFailsKeepsNothing(t *testing.T) {
	h := newHouse(t)
	broken := &failing{DataLayer: h.owner.DataLayer}
	_, err := h.bridge.Run(t.Context(), broken, bridge.Request{Tree: leaf.Compile(bt.Sequence("root", keep("urn:r"), found()))})
	casework.Code(t, err, fault.Unavailable)
	if got := h.kept(casework.Owner); got != nil {
		t.Errorf("kept %v", got)
	}
}

// failing is a store that opens no ledger.
type failing struct{ ports.DataLayer }

func (f *failing) Update(ctx context.Context, do func(ports.Tx) error) error {
	return f.DataLayer.Update(ctx, func(tx ports.Tx) error { return do(failingTx{tx}) })
}

type failingTx struct{ ports.Tx }

func (failingTx) OpenLedger(string, ports.Standing, string) error {
	return fault.New("test", "", fault.Unavailable, "no ledger")
}

// Whom a run sends to and whether it woke anybody is told, and a trace shows
// every leaf that ran.
//
// Proves: BT-06-001
func TestWhatElseIsTold(t *testing.T) {
	h := newHouse(t)
	trace := bt.NewTrace(0, nil)
	r, err := h.run(bridge.Request{Trace: trace}, bt.Sequence("root", keep("urn:r"),
		leaf.Do("wake", func(s *scope.Scope) error { s.Wake("key"); return nil })))
	if err != nil || !r.Woke || len(r.Sent) != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if diff := cmp.Diff([]string{"root", "root/keep urn:r", "root/wake"}, trace.Paths()); diff != "" {
		t.Error(diff)
	}
}
