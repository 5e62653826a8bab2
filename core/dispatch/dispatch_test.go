package dispatch_test

import (
	"encoding/json"
	"slices"
	"testing"

	"bateleur/core/bridge"
	"bateleur/core/dispatch"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/scope"
	"bateleur/core/semantics"
	"bateleur/core/usecases/received"
	"bateleur/core/usecases/trigger"
	"bateleur/test/casework"
)

func decide(t *testing.T, d *casework.Desk, item ports.InboxItem, read *model.Activity) (r bridge.Result) {
	t.Helper()
	dispatcher, err := dispatch.New(d.Bridge(), d.Tools.Wire)
	if err != nil {
		t.Fatal(err)
	}
	d.Update(func(tx ports.Tx) (err error) {
		r, err = dispatcher.Decide(tx, d.Actor, item, read)
		return err
	})
	return r
}

// What no tree decides goes where its item belongs, with the reason, and is kept.
//
// Proves: SE-04-002, CLP-03-002, CLP-10-009
func TestWhatNoTreeDecides(t *testing.T) {
	me, peer := casework.Owner.URI(), casework.Reporter.URI()
	command := func(name string) string {
		raw, err := json.Marshal(scope.Command{ID: "urn:c", Trigger: name, Params: json.RawMessage(`{"id":"https://p.test/actors/p"}`)})
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	tests := []struct {
		name, sender, body string
		class              ports.Class
		state              ports.InboxState
		code               string
	}{
		{"no JSON", peer, `{`, ports.Message, ports.Dead, "invalid"},
		{"no meaning", peer, `{"id":"urn:a","type":"Travel","actor":"` + peer + `"}`, ports.Message, ports.Ignored, "not-understood"},
		{"about what was not sent along", peer, `{"id":"urn:a","type":"Accept","actor":"` + peer + `","object":"urn:x"}`, ports.Message, ports.Dead, string(semantics.UnknownUnresolvableObject)},
		{"no use case", peer, `{"id":"urn:a","type":"Update","actor":"` + peer + `","object":{"type":"VulnerabilityCase","id":"urn:c"}}`, ports.Message, ports.Ignored, "unsupported"},
		{"another's", peer, `{"id":"urn:a","type":"Join","actor":"` + me + `","object":{"type":"VulnerabilityCase","id":"urn:c"}}`, ports.Message, ports.Refused, "not-for-sender"},
		{"of nobody", "peer", `{"id":"urn:a","type":"Join","actor":"` + peer + `","object":{"type":"VulnerabilityCase","id":"urn:c"}}`, ports.Message, ports.Dead, "invalid"},
		{"no command", me, `{`, ports.Command, ports.Dead, "invalid"},
		{"unknown command", me, command("dance"), ports.Command, ports.Dead, "unsupported"},
		{"command of nobody", "me", command("register-peer"), ports.Command, ports.Dead, "invalid"},
		{"on behalf of another", peer, command("register-peer"), ports.Command, ports.Dead, "forbidden"},
		{"command", me, command("register-peer"), ports.Command, ports.Done, "ok"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := casework.New(t, casework.Owner)
			dump := d.Dump()
			r := decide(t, d, ports.InboxItem{Class: test.class, Sender: test.sender, Body: []byte(test.body)}, nil)
			if r.State != test.state || r.Outcome.Code != test.code || r.Outcome.Text == "" && test.state != ports.Done {
				t.Errorf("%s, %+v", r.State, r.Outcome)
			}
			if same := d.Dump() == dump; same == (test.state == ports.Done) {
				t.Errorf("the store is the same: %v", same)
			}
		})
	}
}

// A tree runs as the actor that received the message, and on behalf of the sender
// that was proved.
//
// Proves: BT-17-006
func TestAMessageIsDecidedAsItsReceiver(t *testing.T) {
	for _, withRead := range []bool{false, true} {
		d := casework.New(t, casework.Owner)
		in := d.Heard(casework.Reporter, casework.Offer())
		read := in.Message
		if !withRead {
			read = nil
		}
		r := decide(t, d, ports.InboxItem{Class: ports.Message, Sender: casework.Reporter.URI(), Body: in.Raw}, read)
		if sent := d.Sent(); r.State != ports.Done || len(sent) != 1 || sent[0].Actor != casework.Owner.URI() {
			t.Errorf("%s, %+v: sent %+v", r.State, r.Outcome, sent)
		}
	}
}

// Every meaning that the registry knows has a tree, or is answered as one that has
// none yet, which its item shows.
//
// Proves: DR-02-002
func TestEveryMeaningIsDecidedSomehow(t *testing.T) {
	trees := received.Trees()
	for _, p := range semantics.Registry() {
		t.Run(string(p.Meaning), func(t *testing.T) {
			d := casework.New(t, casework.Owner)
			a := example(p.Shape)
			a.Actor = casework.Reporter.URI()
			if got := semantics.Classify(a); got != p.Meaning {
				t.Fatalf("the example means %s", got)
			}
			r := decide(t, d, ports.InboxItem{Class: ports.Message, Sender: casework.Reporter.URI(), Body: []byte(`{}`)}, a)
			unsupported := r.State == ports.Ignored && r.Outcome.Code == "unsupported"
			if _, has := trees[p.Meaning]; has == unsupported || r.State == ports.Dead {
				t.Errorf("has a tree: %v, but is %s, %+v", has, r.State, r.Outcome)
			}
		})
	}
	for meaning := range trees {
		if !slices.ContainsFunc(semantics.Registry(), func(p semantics.Pattern) bool { return p.Meaning == meaning }) {
			t.Errorf("the tree of %s is of no meaning", meaning)
		}
	}
}

// example is an activity of a shape, without anything else in it.
func example(s semantics.Shape) *model.Activity {
	object := func(typ string) model.Item {
		if typ == "" {
			return model.Item{}
		}
		if typ == semantics.AnyActor {
			typ = "Person"
		}
		o := model.NewObject(typ)
		if g, ok := o.(*model.Actor); ok {
			g.Type = typ
		}
		return model.Inline(o)
	}
	a := &model.Activity{ID: "urn:uuid:example", Type: s.Activity, Object: object(s.Object), Target: object(s.Target)}
	if s.Inner != nil {
		a.Object = model.Inline(example(*s.Inner))
	}
	if s.Context != "" {
		a.Context = casework.CaseID
	}
	return a
}

func TestTrigger(t *testing.T) {
	d, err := dispatch.New(casework.New(t, casework.Owner).Bridge(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for name := range trigger.All() {
		if got, known := d.Trigger(name); !known || got.Name != name {
			t.Errorf("%s is known: %v", name, known)
		}
	}
	if _, known := d.Trigger("dance"); known {
		t.Error("dance is known")
	}
}
