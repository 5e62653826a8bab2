package node

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"bateleur/core/bridge"
	"bateleur/core/cases"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/scope"
)

// What goes in and out at a node's edge, which adapters know by the port's names.
type (
	// Receipt is what Receive answers.
	Receipt = ports.Receipt
	// CommandRequest is what Command takes.
	CommandRequest = ports.CommandRequest
	// CommandStatus is where a command stands.
	CommandStatus = ports.CommandStatus
)

// Receive appends a message to an actor's queue; when it returns, the message is
// durable. The sender is the authenticated one. A message without an id gets
// one that follows from its bytes, so that its repetition is known.
func (n *Node) Receive(ctx context.Context, to, sender model.ActorID, a *model.Activity, raw []byte) (Receipt, error) {
	host, err := n.actor(to)
	if err != nil {
		return Receipt{}, err
	}
	sum := sha256.Sum256(raw)
	receipt := Receipt{ActivityID: a.ID}
	if receipt.ActivityID == "" {
		receipt.ActivityID = "urn:sha256:" + hex.EncodeToString(sum[:])
	}
	item := ports.InboxItem{Class: ports.Message, Sender: sender.URI(), ActivityID: receipt.ActivityID,
		Digest: hex.EncodeToString(sum[:]), Body: raw, ReceivedAt: n.cfg.Clock.Now()}
	arrival := &arrival{item: item, read: a}
	err = host.await(ctx, job{arrival: arrival, done: make(chan error, 1)})
	receipt.Seq, receipt.Duplicate = arrival.seq, arrival.duplicate
	return receipt, err
}

// Command appends an owner's command to the actor's queue, like a message, and
// waits for its decision (TRIG-01). A delegated command goes to the queue of the
// case's manager, which this node must host. fault.NotFound for an unknown
// trigger, fault.Invalid for parameters that cannot be right.
func (n *Node) Command(ctx context.Context, actor model.ActorID, req CommandRequest) (CommandStatus, error) {
	t, ok := n.dispatcher.Trigger(req.Trigger)
	if !ok {
		return CommandStatus{}, fault.New("command", req.Trigger, fault.NotFound, "no such trigger")
	}
	if err := t.Check(req.Params); err != nil {
		return CommandStatus{}, err
	}
	executing := actor
	if t.Delegated {
		manager, err := n.managerOf(ctx, actor, t.CaseID(req.Params))
		if err != nil {
			return CommandStatus{}, err
		}
		executing = manager
	}
	host, err := n.actor(executing)
	if err != nil {
		return CommandStatus{}, err
	}
	return host.command(ctx, actor, n.newCommand(req), req.Wait)
}

func (n *Node) newCommand(req CommandRequest) scope.Command {
	id := req.Key
	if id == "" {
		id = n.cfg.IDs.New()
	}
	return scope.Command{ID: id, Trigger: req.Trigger, Params: req.Params}
}

// managerOf reads in the actor's own store who manages a case.
func (n *Node) managerOf(ctx context.Context, actor model.ActorID, caseID string) (id model.ActorID, err error) {
	err = n.View(ctx, actor, func(r ports.Reader) error {
		c, err := cases.Load[cases.Case](r, cases.KindCase, caseID)
		if err != nil {
			return err
		}
		id, err = model.ParseActorID(c.Value.Manager())
		return err
	})
	return id, err
}

func (a *actor) command(ctx context.Context, behalf model.ActorID, c scope.Command, wait time.Duration) (CommandStatus, error) {
	body, err := json.Marshal(c)
	if err != nil {
		return CommandStatus{}, fault.Wrap("command", c.Trigger, fault.Invalid, err)
	}
	// Its key alone tells a command: the same one given again with other
	// parameters is a mistake, not another command.
	item := ports.InboxItem{Class: ports.Command, Sender: behalf.URI(), ActivityID: c.ID,
		Digest: "command", Body: body, ReceivedAt: a.clock.Now()}
	arrival := &arrival{item: item, waiter: make(chan bridge.Result, 1)}
	if err := a.await(ctx, job{arrival: arrival, done: make(chan error, 1)}); err != nil {
		return CommandStatus{ID: c.ID, Actor: a.id}, err
	}
	status := CommandStatus{ID: c.ID, Seq: arrival.seq, Actor: a.id, State: arrival.before.State,
		Outcome: arrival.before.Outcome, Until: arrival.before.Until}
	if arrival.duplicate {
		return status, arrival.sameAs(body)
	}
	return awaitDecision(ctx, status, arrival.waiter, wait), nil
}

// awaitDecision waits for a command's decision, bounded by wait and ctx.
func awaitDecision(ctx context.Context, s CommandStatus, decided <-chan bridge.Result, wait time.Duration) CommandStatus {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case r := <-decided:
		s.State, s.Outcome, s.Until = r.State, r.Outcome, r.Until
	case <-timer.C:
	case <-ctx.Done():
	}
	return s
}

// CommandStatus reads how a command in an actor's queue stands.
func (n *Node) CommandStatus(ctx context.Context, actor model.ActorID, seq int64) (CommandStatus, error) {
	s := CommandStatus{Seq: seq, Actor: actor}
	err := n.View(ctx, actor, func(r ports.Reader) error {
		item, err := r.InboxItem(seq)
		if err != nil {
			return err
		}
		if item.Class != ports.Command {
			return fault.New("command.status", item.ActivityID, fault.NotFound, "not a command")
		}
		s.ID, s.State, s.Outcome, s.Until = item.ActivityID, item.State, item.Outcome, item.Until
		return nil
	})
	return s, err
}

// Retry lets a dead letter of an actor's queue run again.
func (n *Node) Retry(ctx context.Context, actor model.ActorID, seq int64) error {
	host, err := n.actor(actor)
	if err != nil {
		return err
	}
	return host.do(ctx, func(tx ports.Tx) error { return tx.InboxRequeue(seq) })
}

// RetryDelivery lets a given-up delivery be tried again, with a fresh budget.
func (n *Node) RetryDelivery(ctx context.Context, actor model.ActorID, recipient string, seq int64) error {
	host, err := n.actor(actor)
	if err != nil {
		return err
	}
	err = host.do(ctx, func(tx ports.Tx) error { return tx.DeliveryRequeue(recipient, seq) })
	if err == nil {
		host.sender.expect(recipient)
	}
	return err
}
