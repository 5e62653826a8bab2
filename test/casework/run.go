package casework

import (
	"encoding/json"

	"bateleur/core/authority"
	"bateleur/core/bridge"
	"bateleur/core/bt"
	"bateleur/core/cases"
	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/outbound"
	"bateleur/core/ports"
	"bateleur/core/scope"
	"bateleur/core/usecases/leaf"
)

// OfferID is in which offer the report came.
const OfferID = "urn:uuid:44444444-4444-4444-8444-444444444444"

// Offer is the offer of the report to the owner.
func Offer() *model.Activity {
	return &model.Activity{ID: OfferID, Type: model.Offer, Actor: Reporter.URI(), To: []string{Owner.URI()},
		Object: model.Inline(Report()), Target: model.Link(Owner.URI())}
}

// Bridge runs trees as the desk's actor, which alone is hosted.
func (d *Desk) Bridge() *bridge.Bridge {
	return bridge.New(bridge.Config{Wire: d.Tools.Wire, IDs: d.Tools.IDs, Policy: d.Tools.Policy, Clock: Clock{d.Now},
		Emitter: outbound.New(d.Tools.Wire, Clock{d.Now}),
		Profile: func(a model.ActorID) (ports.Profile, bool) { return d.Tools.Profile, a == d.Actor }})
}

// Decide runs a tree and keeps what stands.
func (d *Desk) Decide(tree *leaf.Tree, in scope.Input) bridge.Result {
	d.Helper()
	r, err := d.Bridge().Run(d.Context(), d.Store, bridge.Request{Tree: tree, Input: in})
	if err != nil {
		d.Fatal(err)
	}
	return r
}

// Heard is a message as it comes from its actor.
func (d *Desk) Heard(from model.ActorID, a *model.Activity) scope.Input {
	d.Helper()
	a.Actor = from.URI()
	raw, err := d.Tools.Wire.Encode(a)
	if err != nil {
		d.Fatal(err)
	}
	read, err := d.Tools.Wire.Decode(raw)
	if err != nil {
		d.Fatal(err)
	}
	return scope.Input{Message: read, Raw: raw, Sender: from, ReceivedAt: d.Now}
}

// Given is a command as the owner of an actor gives it.
func (d *Desk) Given(by model.ActorID, trigger string, params any) scope.Input {
	d.Helper()
	body, err := json.Marshal(params)
	if err != nil {
		d.Fatal(err)
	}
	return scope.Input{Sender: by, Command: scope.Command{ID: "urn:uuid:command", Trigger: trigger, Params: body}, ReceivedAt: d.Now}
}

// linked links the report to the case, as whoever has the case does last.
func linked(name string, steps ...leaf.Node) leaf.Node {
	return bt.LatchLast(name, leaf.Latch("link", func(s *scope.Scope) error {
		return cases.Create(s, cases.KindCaseLink, Report().ID,
			cases.CaseLink{ReportID: Report().ID, CaseID: CaseID, Manager: Manager.URI()})
	}), steps...)
}

// Begun founds the case with the entry about its report.
func (d *Desk) Begun() *Desk {
	d.Helper()
	d.Found()
	a := &model.Activity{ID: "urn:uuid:begun", Type: model.Add, Actor: d.Actor.URI(), Object: model.Inline(Report()),
		Target: model.Inline(&model.VulnerabilityCase{ID: CaseID, Type: model.TypeCase}), OfferID: OfferID, OfferActorID: Reporter.URI()}
	d.Want(d.Run(scope.Input{}, linked("begun", InCase(), leaf.AsManager(leaf.ForCase("ledger the report",
		func(s *scope.Scope, auth authority.Case) error {
			_, err := s.Mint(auth, scope.Draft{EventType: cases.EventAddReport, ObjectID: Report().ID, Activity: a})
			return err
		})))))
	return d
}

// ReplicaOf takes the case over from its manager, entries included.
func (d *Desk) ReplicaOf(m *Desk) *Desk {
	d.Helper()
	var whole *model.VulnerabilityCase
	m.Want(m.Run(scope.Input{}, bt.Sequence("whole", InCase(), leaf.Do("tell", func(s *scope.Scope) (err error) {
		whole, err = s.WholeCase()
		return err
	}))))
	d.Want(d.Run(scope.Input{}, linked("replica", leaf.Do("seed", func(s *scope.Scope) error { return s.SeedReplica(whole) }))))
	for _, e := range m.Entries() {
		d.Want(d.Apply(e))
	}
	return d
}

// Apply projects and stores an entry as the tree of an announcement does.
func (d *Desk) Apply(e ledger.Entry) bt.Outcome {
	d.Helper()
	return d.Run(scope.Input{}, bt.LatchLast("apply",
		leaf.Latch("store", func(s *scope.Scope) error { return s.StoreEntry(e) }),
		InCase(),
		leaf.Do("project", func(s *scope.Scope) error { return s.ProjectEntry(e) })))
}

// Case is the case as the store has it.
func (d *Desk) Case() *cases.Case {
	d.Helper()
	var c cases.Stored[cases.Case]
	d.View(func(r ports.Reader) (err error) {
		c, err = cases.Load[cases.Case](r, cases.KindCase, CaseID)
		return err
	})
	return &c.Value
}
