package node

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"bateleur/core/bridge"
	"bateleur/core/dispatch"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/outbound"
	"bateleur/core/ports"
)

// Node hosts actors. Its methods but Start and Stop are safe for concurrent use
// at any time; what needs an actor's store is fault.Unavailable before Start and
// after Stop.
type Node struct {
	cfg        Config
	profiles   map[model.ActorID]ports.Profile
	dispatcher *dispatch.Dispatcher
	running    atomic.Pointer[map[model.ActorID]*actor] // nil when stopped

	stop func() // ends the loops and waits for them
}

// New checks the configuration and builds a node that does nothing yet;
// fault.Invalid names the field.
func New(cfg Config) (*Node, error) {
	cfg = cfg.withDefaults()
	if err := cfg.check(); err != nil {
		return nil, err
	}
	n := &Node{cfg: cfg, profiles: map[model.ActorID]ports.Profile{}}
	for _, p := range cfg.Actors {
		id, err := model.ParseActorID(p.Actor.ID)
		if err != nil {
			return nil, err
		}
		n.profiles[id] = p
	}
	b := bridge.New(bridge.Config{Profile: n.profile, Wire: cfg.Wire, IDs: cfg.IDs, Policy: cfg.Policy,
		Clock: cfg.Clock, Emitter: outbound.New(cfg.Wire, cfg.Clock)})
	dispatcher, err := dispatch.New(b, cfg.Wire)
	n.dispatcher = dispatcher
	return n, err
}

func (n *Node) profile(id model.ActorID) (ports.Profile, bool) {
	p, ok := n.profiles[id]
	return p, ok
}

// Start opens the hosted actors' stores, making those that do not exist, and
// begins to work on what lies in their queues. After an error nothing runs.
func (n *Node) Start(ctx context.Context) error {
	actors := map[model.ActorID]*actor{}
	for _, id := range n.hosted() {
		store, err := n.open(ctx, id)
		if err != nil {
			_ = closeStores(actors)
			return err
		}
		actors[id] = newActor(id, store, n.dispatcher, n.cfg)
	}
	n.run(context.WithoutCancel(ctx), actors)
	n.running.Store(&actors)
	return nil
}

// run starts the actors' loops. They outlive the senders, whose books they keep:
// what a peer answered is recorded and so not sent again (BA-08-002).
func (n *Node) run(ctx context.Context, actors map[model.ActorID]*actor) {
	deciding, stopLoops := context.WithCancel(ctx)
	sending, stopSenders := context.WithCancel(ctx)
	var loops, senders sync.WaitGroup
	for _, a := range actors {
		loops.Go(func() { a.loop(deciding) })
		senders.Go(func() { a.sender.loop(sending) })
	}
	n.stop = func() {
		stopSenders()
		senders.Wait()
		stopLoops()
		loops.Wait()
	}
}

func (n *Node) open(ctx context.Context, id model.ActorID) (ports.DataLayer, error) {
	store, err := n.cfg.Stores.Open(ctx, id)
	if fault.CodeOf(err) == fault.NotFound {
		return n.cfg.Stores.Create(ctx, id)
	}
	return store, err
}

// Stop ends the loops, lets running transactions finish and closes the stores.
// What was acknowledged is in them; what is unfinished goes on after the next
// Start. Calling it twice is harmless.
func (n *Node) Stop() error {
	if n.stop == nil {
		return nil
	}
	actors := n.running.Swap(nil)
	n.stop()
	n.stop = nil
	return closeStores(*actors)
}

func closeStores(actors map[model.ActorID]*actor) error {
	var errs []error
	for _, a := range actors {
		errs = append(errs, a.store.Close())
	}
	return errors.Join(errs...)
}

// hosted lists the hosted actors in the order of their ids.
func (n *Node) hosted() []model.ActorID {
	ids := make([]model.ActorID, 0, len(n.profiles))
	for id := range n.profiles {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b model.ActorID) int { return strings.Compare(a.URI(), b.URI()) })
	return ids
}

// Hosted describes the hosted actors, and no peer (DL-07-008).
func (n *Node) Hosted() []model.Actor {
	var out []model.Actor
	for _, id := range n.hosted() {
		a := n.profiles[id].Actor
		a.ID, a.Inbox, a.Outbox = id.URI(), id.Inbox(), strings.TrimSuffix(id.Inbox(), "inbox/")+"outbox/"
		out = append(out, a)
	}
	return out
}

// BaseURL is under which URL the node is reached, without a trailing slash.
func (n *Node) BaseURL() string { return strings.TrimSuffix(n.cfg.BaseURL, "/") }

// Resolve computes the actor that a path segment stands for and tells whether
// the node hosts it (DL-07-006).
func (n *Node) Resolve(segment string) (model.ActorID, bool) {
	id, err := model.HostedActorID(n.cfg.BaseURL, segment)
	if err != nil {
		return model.ActorID{}, false
	}
	_, ok := n.profiles[id]
	return id, ok
}

// actor gives a hosted actor's loop.
func (n *Node) actor(id model.ActorID) (*actor, error) {
	if _, ok := n.profiles[id]; !ok {
		return nil, fault.New("node.actor", id.URI(), fault.NotHosted, "this node does not host the actor")
	}
	actors := n.running.Load()
	if actors == nil {
		return nil, fault.New("node.actor", id.URI(), fault.Unavailable, "the node is not running")
	}
	return (*actors)[id], nil
}

// View reads a hosted actor's store.
func (n *Node) View(ctx context.Context, id model.ActorID, f func(ports.Reader) error) error {
	a, err := n.actor(id)
	if err != nil {
		return err
	}
	return a.store.View(ctx, f)
}

// Ready tells why the node cannot serve, nil when it can (OB-05-002).
func (n *Node) Ready(ctx context.Context) error {
	for _, id := range n.hosted() {
		if err := n.View(ctx, id, func(r ports.Reader) error { _, err := r.InboxCounts(); return err }); err != nil {
			return err
		}
	}
	return nil
}
