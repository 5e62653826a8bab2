package sqlite

import (
	"context"

	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// OpenReadOnly opens an actor's file under a template URL to look at it, with the
// checks and errors of ports.Stores.Open. Update is fault.Forbidden. Nothing is
// written: a store that was closed is left with the bytes and the neighbours it
// had. Beside one that is open elsewhere, or whose program crashed, SQLite may
// leave the index of its log (-shm). A closed store must not be opened elsewhere
// for writing while it is looked at.
//
// fault.Schema also when an older program wrote the store, since bringing it up
// to date would change it, and fault.Unsupported for a template in memory.
func OpenReadOnly(ctx context.Context, templateURL string, actor model.ActorID) (ports.DataLayer, error) {
	s, err := Open(templateURL)
	if err != nil {
		return nil, err
	}
	if s.template.inMemory() {
		return nil, fault.New("sqlite.open", templateURL, fault.Unsupported, "nothing to look at in memory")
	}
	s.readOnly = true
	return s.Open(ctx, actor)
}

func (s *Stores) openToRead(ctx context.Context, actor model.ActorID) (*file, error) {
	const op = "sqlite.open"
	path := s.template.path(actor)
	f, known, err := openReading(ctx, op, path, actor)
	if err != nil {
		return nil, err
	}
	if known.version < newest {
		_ = f.close()
		return nil, fault.New(op, path, fault.Schema, "an older program wrote the store")
	}
	return f, nil
}
