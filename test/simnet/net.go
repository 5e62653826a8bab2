package simnet

import (
	"context"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"bateleur/adapters/driven/delivery"
	"bateleur/adapters/driven/memory"
	"bateleur/adapters/wire/as2"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/node"
)

// Net is the network. Its methods may be called from any goroutine.
type Net struct {
	t     testing.TB
	Clock *Clock

	mu     sync.Mutex
	nodes  map[string]*node.Node  // running ones, by base URL
	config map[string]node.Config // of every node that was ever started
	sent   []Message
	serial int // of the last message
	hold   func(Message) bool
	fail   func(Message) error
	held   []Message
	down   map[string]bool
	passed int // deliveries that have ended

	doors map[string]*door // by scheme and host
	carry *delivery.HTTP   // nil when messages are handed over
}

// New gives an empty network.
func New(t testing.TB) *Net {
	return &Net{t: t, Clock: &Clock{}, nodes: map[string]*node.Node{},
		config: map[string]node.Config{}, down: map[string]bool{}}
}

// Config is a node's configuration on this network. A nil stores is a fresh
// memory place.
func (n *Net) Config(host string, stores ports.Stores, profiles ...ports.Profile) node.Config {
	if stores == nil {
		stores = memory.New()
	}
	return node.Config{BaseURL: Base(host), Actors: profiles, Stores: stores, Wire: as2.Codec{},
		Transport: n, IDs: node.RandomIDs{}, Clock: n.Clock,
		Delivery: node.DeliveryConfig{First: time.Millisecond, Longest: 5 * time.Millisecond, Budget: 1000}}
}

// Host starts a node on stores; the test's end stops it.
func (n *Net) Host(host string, stores ports.Stores, profiles ...ports.Profile) *node.Node {
	n.t.Helper()
	return n.Run(n.Config(host, stores, profiles...))
}

// Run starts a node with a configuration that the test changed.
func (n *Net) Run(cfg node.Config) *node.Node {
	n.t.Helper()
	nd, err := node.New(cfg)
	if err != nil {
		n.t.Fatal(err)
	}
	if err := nd.Start(context.Background()); err != nil {
		n.t.Fatal(err)
	}
	base := nd.BaseURL()
	n.mu.Lock()
	n.nodes[base], n.config[base] = nd, cfg
	n.mu.Unlock()
	n.t.Cleanup(func() { _ = nd.Stop() })
	if n.carry != nil {
		n.serve(nd)
	}
	return nd
}

// Stop ends a host's node; what it acknowledged lies in its stores.
func (n *Net) Stop(host string) {
	n.t.Helper()
	n.mu.Lock()
	nd := n.nodes[Base(host)]
	delete(n.nodes, Base(host))
	n.mu.Unlock()
	if nd == nil {
		n.t.Fatalf("host %s does not run", host)
	}
	if err := nd.Stop(); err != nil {
		n.t.Fatal(err)
	}
}

// Start runs a new node on the stores and the configuration of the one that was
// stopped.
func (n *Net) Start(host string) *node.Node {
	n.t.Helper()
	n.mu.Lock()
	cfg, known := n.config[Base(host)]
	n.mu.Unlock()
	if !known {
		n.t.Fatalf("host %s never ran", host)
	}
	return n.Run(cfg)
}

// Restart is Stop and Start.
func (n *Net) Restart(host string) *node.Node {
	n.t.Helper()
	n.Stop(host)
	return n.Start(host)
}

// Stores are the stores of a host, running or not.
func (n *Net) Stores(host string) ports.Stores {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.config[Base(host)].Stores
}

func (n *Net) node(id model.ActorID) *node.Node {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.nodes[hostOf(id.URI())]
}

func (n *Net) running() []*node.Node {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Collect(maps.Values(n.nodes))
}

// Configured is the configuration of a host's node, running or not.
func (n *Net) Configured(host string) node.Config {
	n.mu.Lock()
	defer n.mu.Unlock()
	cfg := n.config[Base(host)]
	cfg.Actors = slices.Clone(cfg.Actors)
	return cfg
}

// Close stops every node, before the test ends.
func (n *Net) Close() {
	for _, nd := range n.running() {
		_ = nd.Stop()
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	clear(n.nodes)
}
