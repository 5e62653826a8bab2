package simnet

import (
	"context"
	"errors"
	"slices"
	"strings"

	"bateleur/adapters/wire/as2"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/node"
)

// Message is one delivery.
type Message struct {
	From, Inbox string
	Body        []byte
	Activity    *model.Activity

	serial int
}

// To is the id of the actor to whose inbox the message goes.
func (m Message) To() string { return strings.TrimSuffix(m.Inbox, "/inbox/") }

// Deliver implements ports.Transport.
func (n *Net) Deliver(ctx context.Context, d ports.Outgoing) error {
	a, err := as2.Codec{}.Decode(d.Body)
	if err != nil {
		return &ports.DeliveryError{Status: 400, Terminal: true, Err: err}
	}
	m := Message{From: d.Sender.URI(), Inbox: d.Inbox, Body: d.Body, Activity: a}
	if err := n.broken(m); err != nil {
		return err
	}
	if m.serial = n.depart(m); m.serial == 0 {
		return &ports.DeliveryError{Err: errors.New("host is down")}
	}
	defer n.pass()
	if n.keep(m) {
		return nil
	}
	if n.carry != nil {
		err = n.carry.Deliver(ctx, d)
	} else {
		_, err = n.arrive(ctx, m)
	}
	if err != nil {
		n.comeBack(m)
	}
	return err
}

func (n *Net) broken(m Message) error {
	n.mu.Lock()
	f := n.fail
	n.mu.Unlock()
	if f == nil {
		return nil
	}
	return f(m)
}

// depart notes a message as sent and numbers it; 0 when its host is down.
func (n *Net) depart(m Message) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.down[hostOf(m.Inbox)] || n.nodes[hostOf(m.Inbox)] == nil {
		return 0
	}
	n.serial++
	m.serial = n.serial
	n.sent = append(n.sent, m)
	return m.serial
}

// comeBack takes back that a message was sent: its recipient has not got it.
func (n *Net) comeBack(m Message) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.sent = slices.DeleteFunc(n.sent, func(s Message) bool { return s.serial == m.serial })
}

func (n *Net) pass() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.passed++
}

func (n *Net) keep(m Message) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.hold == nil || !n.hold(m) {
		return false
	}
	n.held = append(n.held, m)
	return true
}

func (n *Net) arrive(ctx context.Context, m Message) (node.Receipt, error) {
	from, err := model.ParseActorID(m.From)
	if err != nil {
		return node.Receipt{}, &ports.DeliveryError{Terminal: true, Err: err}
	}
	to, err := model.ParseActorID(m.To())
	if err != nil {
		return node.Receipt{}, &ports.DeliveryError{Terminal: true, Err: err}
	}
	nd := n.node(to)
	if nd == nil {
		return node.Receipt{}, &ports.DeliveryError{Err: errors.New("no such host")}
	}
	receipt, err := nd.Receive(ctx, to, from, m.Activity, m.Body)
	if err != nil {
		return receipt, &ports.DeliveryError{Err: err}
	}
	return receipt, nil
}

// Down makes a host unreachable, or reachable again.
func (n *Net) Down(host string, down bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.down[Base(host)] = down
}

// Break asks f about each attempt to deliver: an error is how the attempt fails.
// nil breaks none from now on. f may look at the network.
func (n *Net) Break(f func(Message) error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.fail = f
}

// Hold keeps back the messages that f picks, as if they were still on their way;
// nil holds none from now on. What is held stays held.
func (n *Net) Hold(f func(Message) bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.hold = f
}

// Held gives the messages on their way.
func (n *Net) Held() []Message {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.held)
}

// Lose drops the messages on their way and holds nothing any more.
func (n *Net) Lose() []Message {
	n.mu.Lock()
	defer n.mu.Unlock()
	lost := n.held
	n.held, n.hold = nil, nil
	return lost
}

// Release holds nothing any more and lets arrive what was held, in the order of
// sending.
func (n *Net) Release() {
	n.t.Helper()
	n.Arrive(n.Lose()...)
}

// Arrive lets messages arrive one after another, whether or not they were sent
// before.
func (n *Net) Arrive(messages ...Message) {
	n.t.Helper()
	for _, m := range messages {
		if _, err := n.arrive(context.Background(), m); err != nil {
			n.t.Fatal(err)
		}
	}
}

// Inject lets an activity arrive that no node sent, from the sender whom the
// recipient takes it to be from.
func (n *Net) Inject(from, to model.ActorID, a *model.Activity) node.Receipt {
	n.t.Helper()
	body, err := as2.Codec{}.Encode(a)
	if err != nil {
		n.t.Fatal(err)
	}
	return n.InjectBody(from, to, body)
}

// InjectBody is Inject for a message as bytes.
func (n *Net) InjectBody(from, to model.ActorID, body []byte) node.Receipt {
	n.t.Helper()
	a, err := as2.Codec{}.Decode(body)
	if err != nil {
		n.t.Fatal(err)
	}
	receipt, err := n.arrive(context.Background(), Message{From: from.URI(), Inbox: to.Inbox(), Body: body, Activity: a})
	if err != nil {
		n.t.Fatal(err)
	}
	return receipt
}

// Sent gives the messages that were taken so far, held ones included, in the
// order in which they left.
func (n *Net) Sent() []Message {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.sent)
}
