package sqlite

import (
	"context"
	"errors"

	"bateleur/core/fault"
	"bateleur/core/model"
)

// createInMemory makes a database that lives until the Stores are closed.
func (s *Stores) createInMemory(ctx context.Context, actor model.ActorID) (*file, error) {
	const op = "sqlite.create"
	s.mu.Lock()
	_, taken := s.inMemory[actor]
	s.mu.Unlock()
	if taken {
		return nil, fault.New(op, actor.URI(), fault.Conflict, "the actor has a store")
	}
	f, err := openFile(ctx, op, actor, "", s.memoryDSN(actor), nil)
	if err != nil {
		return nil, err
	}
	if err := migrate(ctx, f.session.conn, emptyFor(actor)); err != nil {
		return nil, errors.Join(failed(ctx, op, actor.URI(), err), f.close())
	}
	// The one connection of this pool stays idle, so that nothing can cost it.
	anchor, err := openDB(s.memoryDSN(actor))
	if err == nil {
		err = anchor.PingContext(ctx)
	}
	if err != nil {
		return nil, errors.Join(failed(ctx, op, actor.URI(), err), f.close())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inMemory[actor] = anchor
	return f, nil
}

func (s *Stores) openInMemory(ctx context.Context, actor model.ActorID) (*file, error) {
	const op = "sqlite.open"
	s.mu.Lock()
	_, exists := s.inMemory[actor]
	s.mu.Unlock()
	if !exists {
		return nil, fault.New(op, actor.URI(), fault.NotFound, "the actor has no store")
	}
	return openFile(ctx, op, actor, "", s.memoryDSN(actor), nil)
}

func (s *Stores) memoryDSN(actor model.ActorID) string {
	return memoryDSN(s.unique + "-" + slug(actor))
}
