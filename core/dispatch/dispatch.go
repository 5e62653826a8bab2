// Package dispatch says which tree decides a message or command, and runs it.
package dispatch

import (
	"encoding/json"

	"bateleur/core/bridge"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/scope"
	"bateleur/core/semantics"
	"bateleur/core/usecases/leaf"
	"bateleur/core/usecases/received"
	"bateleur/core/usecases/trigger"
)

// Dispatcher decides queue items one at a time. Safe for concurrent use.
type Dispatcher struct {
	bridge   *bridge.Bridge
	wire     ports.Wire
	received map[semantics.Meaning]*leaf.Tree
	triggers map[string]trigger.Trigger
}

// New gives a dispatcher over all trees of this program. It refuses a
// registry of meanings whose order is wrong (SE-02-002).
func New(b *bridge.Bridge, wire ports.Wire) (*Dispatcher, error) {
	if err := semantics.Check(); err != nil {
		return nil, err
	}
	return &Dispatcher{bridge: b, wire: wire, received: received.Trees(), triggers: trigger.All()}, nil
}

// Trigger gives a command's definition by name.
func (d *Dispatcher) Trigger(name string) (trigger.Trigger, bool) {
	t, ok := d.triggers[name]
	return t, ok
}

// Decide runs an item of the owner's queue inside an open transaction of its
// store and says where the item goes; the caller settles it in the same
// transaction. read is the item's message when the caller has read it already,
// nil otherwise. The error is one after which the transaction must be rolled
// back.
func (d *Dispatcher) Decide(tx ports.Tx, owner model.ActorID, item ports.InboxItem, read *model.Activity) (bridge.Result, error) {
	if item.Class == ports.Command {
		return d.command(tx, owner, item)
	}
	return d.message(tx, owner, item, read)
}

func (d *Dispatcher) message(tx ports.Tx, owner model.ActorID, item ports.InboxItem, a *model.Activity) (bridge.Result, error) {
	if a == nil {
		var err error
		if a, err = d.wire.Decode(item.Body); err != nil {
			return without(ports.Dead, string(fault.CodeOf(err)), err.Error()), nil
		}
	}
	meaning := semantics.Classify(a)
	tree, known := d.received[meaning]
	switch {
	case known:
	case meaning == semantics.UnknownUnresolvableObject:
		return without(ports.Dead, string(meaning), "object "+a.Object.ID()+" is a bare id and not known here"), nil
	case meaning == semantics.Unknown:
		return without(ports.Ignored, "not-understood", a.Type+" of "+a.Object.Type()+" has no meaning here"), nil
	default:
		return without(ports.Ignored, string(fault.Unsupported), string(meaning)+" has no use case yet"), nil
	}
	sender, err := model.ParseActorID(item.Sender)
	if err != nil {
		return without(ports.Dead, string(fault.CodeOf(err)), err.Error()), nil
	}
	if a.Actor != sender.URI() {
		return without(ports.Refused, leaf.NotForSender, "an activity of "+a.Actor+" sent by "+sender.URI()), nil
	}
	return d.bridge.RunIn(tx, owner, bridge.Request{Tree: tree,
		Input: scope.Input{Message: a, Raw: item.Body, Sender: sender, ReceivedAt: item.ReceivedAt}})
}

func (d *Dispatcher) command(tx ports.Tx, owner model.ActorID, item ports.InboxItem) (bridge.Result, error) {
	var c scope.Command
	if err := json.Unmarshal(item.Body, &c); err != nil {
		return without(ports.Dead, string(fault.Invalid), err.Error()), nil
	}
	t, known := d.triggers[c.Trigger]
	if !known {
		return without(ports.Dead, string(fault.Unsupported), "no trigger "+c.Trigger), nil
	}
	behalf, err := model.ParseActorID(item.Sender)
	if err != nil {
		return without(ports.Dead, string(fault.CodeOf(err)), err.Error()), nil
	}
	if behalf != owner && !t.Delegated {
		return without(ports.Dead, string(fault.Forbidden), c.Trigger+" is not done on behalf of another"), nil
	}
	return d.bridge.RunIn(tx, owner, bridge.Request{Tree: t.Tree,
		Input: scope.Input{Command: c, Sender: behalf, ReceivedAt: item.ReceivedAt}})
}

// without is the result of an item that no tree decides.
func without(state ports.InboxState, code, text string) bridge.Result {
	return bridge.Result{State: state, Outcome: ports.Outcome{Code: code, Text: text}}
}
