package node

import (
	"log/slog"
	"strings"
	"time"

	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// Config is what a node is built of. The zero value of an optional field has
// the documented default.
type Config struct {
	// BaseURL is under which URL the node is reached; hosted actors' ids begin
	// with it (DL-07-006).
	BaseURL string
	// Actors are hosted: each has a store of its own, made when it has none.
	Actors []ports.Profile
	Stores ports.Stores

	Wire      ports.Wire
	Transport ports.Transport
	IDs       ports.IDs
	Clock     ports.Clock
	Policy    ports.Policy // default: ports.DefaultPolicy
	Log       *slog.Logger // default: discards

	Delivery DeliveryConfig
	// Batch bounds the items that share one transaction; default 64, 1 for a
	// transaction each.
	Batch int
}

// DeliveryConfig bounds how hard the node tries.
type DeliveryConfig struct {
	// Budget is how many attempts a delivery gets in all, restarts included;
	// default 12 (OX-13-001).
	Budget int
	// First is the pause after the first failed attempt, doubled for each one
	// more; default 500 ms.
	First time.Duration
	// Longest bounds the pause; default one hour.
	Longest time.Duration
	// Timeout bounds one attempt; default 30 s (SYNC-05-004).
	Timeout time.Duration
	// Parallel bounds the recipients served at once by one actor; default 32.
	Parallel int
}

func (c Config) withDefaults() Config {
	if c.Policy == nil {
		c.Policy = ports.DefaultPolicy{}
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	c.Batch = orElse(c.Batch, 64)
	c.Delivery.Budget = orElse(c.Delivery.Budget, 12)
	c.Delivery.First = orElse(c.Delivery.First, 500*time.Millisecond)
	c.Delivery.Longest = orElse(c.Delivery.Longest, time.Hour)
	c.Delivery.Timeout = orElse(c.Delivery.Timeout, 30*time.Second)
	c.Delivery.Parallel = orElse(c.Delivery.Parallel, 32)
	return c
}

func orElse[T int | time.Duration](v, fallback T) T {
	if v <= 0 {
		return fallback
	}
	return v
}

// check refuses what cannot work; the error names the field.
func (c Config) check() error {
	bad := func(field, why string) error { return fault.Field("node.new", c.BaseURL, field, why) }
	base := strings.TrimSuffix(c.BaseURL, "/")
	switch {
	case !strings.HasPrefix(base, "http://") && !strings.HasPrefix(base, "https://"):
		return bad("BaseURL", "must be an http or https URL")
	case c.Stores == nil || c.Wire == nil || c.Transport == nil || c.IDs == nil || c.Clock == nil:
		return bad("ports", "Stores, Wire, Transport, IDs and Clock are needed")
	case len(c.Actors) == 0:
		return bad("Actors", "a node hosts at least one actor")
	}
	seen := map[model.ActorID]bool{}
	for _, p := range c.Actors {
		id, err := model.ParseActorID(p.Actor.ID)
		switch {
		case err != nil:
			return err
		case !strings.HasPrefix(id.URI(), base+"/actors/"):
			return bad("Actors", id.URI()+" is not under "+base+"/actors/")
		case seen[id]:
			return bad("Actors", id.URI()+" is given twice")
		case !model.IsActorType(p.Actor.Type):
			return bad("Actors", p.Actor.Type+" is not a type of actor")
		}
		seen[id] = true
	}
	return nil
}
