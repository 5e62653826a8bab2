package laws

import (
	"encoding/json"
	"time"

	"bateleur/node"
	"bateleur/test/simnet"
)

// neighbour restarts the manager's node with one more actor on it.
func (g *stage) neighbour(segment string) simnet.Party {
	g.t.Helper()
	id := simnet.Actor(g.set.manage, segment)
	cfg := g.net.Configured(g.set.manage)
	cfg.Actors = append(cfg.Actors, simnet.Profile(id, "Organization", g.M.ID))
	g.net.Stop(g.set.manage)
	g.net.Run(cfg)
	return g.net.Party(id)
}

// command asks a node for a command, as an adapter does.
func command(trigger string, body json.RawMessage) node.CommandRequest {
	return node.CommandRequest{Trigger: trigger, Params: body, Wait: 10 * time.Second}
}
