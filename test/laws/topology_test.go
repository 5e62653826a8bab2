package laws

import (
	"strings"
	"testing"

	"bateleur/test/simnet"
)

// Where the manager lives makes no difference: on a node of its own, on the
// vendor's, or on one node with everybody, the same case gives the same ledgers,
// the same messages in the same order for each pair of parties, and the same
// stores, ids and times aside.
//
// Proves: BA-06-001, PCR-01-003, AKM-01-001
func TestTopologyDoesNotMatter(t *testing.T) {
	t.Parallel()
	for _, a := range adapters {
		t.Run(a.name, func(t *testing.T) {
			var first []string
			for _, s := range topologies {
				t.Run(s.name, func(t *testing.T) {
					s.stores = a.open
					g := set(t, s)
					g.story()
					got := strings.Split(everything(g), "\n")
					if first == nil {
						first = got
					}
					if d := diff(first, got); d != "" {
						t.Errorf("differs from %q:\n%s", topologies[0].name, d)
					}
				})
			}
		})
	}
}

// The same over HTTP, by the adapters that a program has: between actors of one
// node too every message is a connection that the node's listener accepted, and
// the case is the one of the network in memory, byte for byte.
//
// Proves: BA-06-001, BA-06-002, AKM-01-002, OX-12-001
func TestTopologyDoesNotMatterOverHTTP(t *testing.T) {
	t.Parallel()
	g := set(t, topologies[0])
	g.story()
	want := strings.Split(everything(g), "\n")
	for _, s := range topologies {
		t.Run(s.name, func(t *testing.T) {
			s.http = true
			g := set(t, s)
			g.story()
			if d := diff(want, strings.Split(everything(g), "\n")); d != "" {
				t.Error(d)
			}
			sent := map[string]int{}
			for _, m := range g.net.Sent() {
				for _, host := range []string{s.manage, s.vendor, s.finder} {
					if strings.HasPrefix(m.Inbox, simnet.Base(host)+"/") {
						sent[host]++
						break
					}
				}
			}
			total := 0
			for host, n := range sent {
				connections, messages := g.net.Visits(host)
				if connections != n || messages != n {
					t.Errorf("host %s accepted %d connections with %d messages, was sent %d", host, connections, messages, n)
				}
				total += connections
			}
			if total != 57 {
				t.Errorf("%d connections, want 57", total)
			}
		})
	}
}

// The hosts are named so that the order of the actors' ids is one and the same.
var topologies = []setting{
	{name: "manager on its own node", manage: "a", vendor: "v", finder: "z"},
	{name: "manager on the vendor's node", manage: "v", vendor: "v", finder: "z"},
	{name: "all on one node", manage: "v", vendor: "v", finder: "v"},
}

// everything is all that can be seen of a case: who told whom what, byte for
// byte, and each party's store.
func everything(g *stage) string {
	n := newNormal(g)
	var b strings.Builder
	for _, from := range []simnet.Party{g.M, g.V, g.F} {
		for _, to := range []simnet.Party{g.M, g.V, g.F} {
			for _, m := range conversation(g.net.Sent(), from.URI(), to.URI()) {
				b.WriteString(n.text(m.From + " " + string(m.Body) + "\n"))
			}
		}
	}
	for _, p := range []simnet.Party{g.M, g.V, g.F} {
		b.WriteString(n.text(p.Dump()))
	}
	return b.String()
}
