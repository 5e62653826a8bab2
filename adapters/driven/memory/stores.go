package memory

import (
	"context"
	"sync"

	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
)

var _ ports.Stores = (*Stores)(nil)

// Stores is a place for stores in memory. Safe for concurrent use.
type Stores struct {
	mu      sync.Mutex
	byOwner map[model.ActorID]*store
}

// New gives an empty place.
func New() *Stores {
	return &Stores{byOwner: map[model.ActorID]*store{}}
}

// Open implements ports.Stores.
func (s *Stores) Open(ctx context.Context, actor model.ActorID) (ports.DataLayer, error) {
	const op = "memory.open"
	if err := admit(ctx, op, actor); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	held, ok := s.byOwner[actor]
	if !ok {
		return nil, fault.New(op, actor.URI(), fault.NotFound, "the actor has no store")
	}
	return &handle{place: s, store: held}, nil
}

// Create implements ports.Stores.
func (s *Stores) Create(ctx context.Context, actor model.ActorID) (ports.DataLayer, error) {
	const op = "memory.create"
	if err := admit(ctx, op, actor); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, taken := s.byOwner[actor]; taken {
		return nil, fault.New(op, actor.URI(), fault.Conflict, "the actor has a store")
	}
	made := newStore(actor)
	s.byOwner[actor] = made
	return &handle{place: s, store: made}, nil
}

// admit refuses what no store may be opened for (DL-07-002).
func admit(ctx context.Context, op string, actor model.ActorID) error {
	if actor.IsZero() {
		return fault.Field(op, "", "actor", "a store belongs to an actor")
	}
	return fault.Wrap(op, actor.URI(), fault.Cancelled, ctx.Err())
}
