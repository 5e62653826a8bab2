package simnet

import (
	"context"
	"time"

	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/node"
)

// soon is within what time a delivery must be due to be waited for.
const soon = time.Minute

// Settle waits until no actor has anything to decide, nor anything to deliver
// soon to one that can be reached. It polls; every test ends up here, so no test
// needs to sleep.
func (n *Net) Settle() {
	n.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
		if n.quiet() {
			return
		}
		if time.Now().After(deadline) {
			n.t.Fatal("the network does not come to rest")
		}
	}
}

// Advance moves the clock ahead and lets every actor notice what it waits for to
// decide. What is put off to deliver is noticed when its node starts anew.
func (n *Net) Advance(d time.Duration) {
	n.t.Helper()
	n.Clock.advance(d)
	n.Settle()
}

// quiet reads every store once. A message that moves behind the reader's back,
// from a store not read yet to one read already, has passed the network
// meanwhile.
func (n *Net) quiet() bool {
	before := n.passes()
	for _, nd := range n.running() {
		for _, a := range nd.Hosted() {
			if id, err := model.ParseActorID(a.ID); err != nil || n.hasWork(nd, id) {
				return false
			}
		}
	}
	return n.passes() == before
}

func (n *Net) passes() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.passed
}

func (n *Net) hasWork(nd *node.Node, id model.ActorID) bool {
	pending, late, deliverable := false, false, false
	err := nd.View(context.Background(), id, func(r ports.Reader) error {
		counts, err := r.InboxCounts()
		if err != nil {
			return err
		}
		overdue, err := r.DeferredUntil(n.Clock.Now(), 1)
		if err != nil {
			return err
		}
		queues, err := r.Queues()
		for _, q := range queues {
			deliverable = deliverable || n.reachable(q.Recipient) && q.NotBefore.Before(n.Clock.Now().Add(soon))
		}
		pending, late = counts[ports.Pending] > 0, len(overdue) > 0
		return err
	})
	if err != nil {
		n.t.Error(err)
	}
	if late {
		n.nudge(nd, id)
	}
	return pending || late || deliverable
}

// nudge has an actor look at the clock, which the test moved. Nothing else is
// helped along: what a node leaves undone by itself must be seen.
func (n *Net) nudge(nd *node.Node, id model.ActorID) {
	_ = nd.Retry(context.Background(), id, -1) // no such item: a turn is all there is to it
}

func (n *Net) reachable(actor string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.nodes[hostOf(actor)] != nil && !n.down[hostOf(actor)]
}
