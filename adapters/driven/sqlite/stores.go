package sqlite

import (
	"context"
	"crypto/rand"
	"errors"
	"sync"

	"github.com/jmoiron/sqlx"

	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
)

var _ ports.Stores = (*Stores)(nil)

// Stores is a place for stores in SQLite databases. Safe for concurrent use.
type Stores struct {
	template template
	readOnly bool
	bound    *bound
	unique   string // keeps the databases in memory of two Stores apart

	mu     sync.Mutex
	closed bool
	places map[model.ActorID]*place
	// inMemory holds, for each database in memory, the connection by which it
	// lives. It is the list of these stores.
	inMemory map[model.ActorID]*sqlx.DB
}

// place is where one actor's store is opened and closed.
type place struct {
	actor model.ActorID
	users int // handles, calls under way and callers of Open; under Stores.mu

	mu   sync.Mutex // held while the file is made, opened or closed
	file *file      // nil when not open
}

// Option changes how Stores work.
type Option func(*Stores)

// OpenFiles bounds how many databases are open at a time, at least one. Those
// used the longest ago are closed, whatever handles there are on them, and opened
// again when they are used; one in use is not closed. Unless it is given the bound
// is what the system's limit of open files allows at three a database.
func OpenFiles(n int) Option {
	return func(s *Stores) { s.bound = newBound(max(n, 1)) }
}

// Open reads a template URL (see the package comment); nothing is opened or made
// yet. fault.Invalid when it is malformed.
func Open(templateURL string, options ...Option) (*Stores, error) {
	t, err := parseTemplate(templateURL)
	if err != nil {
		return nil, err
	}
	s := &Stores{
		template: t, bound: newBound(openable()), unique: rand.Text(),
		places: map[model.ActorID]*place{}, inMemory: map[model.ActorID]*sqlx.DB{},
	}
	for _, change := range options {
		change(s)
	}
	return s, nil
}

// Location tells where the actor's store lies, whether or not there is one.
func (s *Stores) Location(actor model.ActorID) string { return s.template.path(actor) }

// Open implements ports.Stores.
func (s *Stores) Open(ctx context.Context, actor model.ActorID) (ports.DataLayer, error) {
	return s.at(ctx, "sqlite.open", actor, func(p *place) (err error) {
		switch {
		case p.file != nil:
		case s.readOnly:
			p.file, err = s.openToRead(ctx, actor)
		case s.template.inMemory():
			p.file, err = s.openInMemory(ctx, actor)
		default:
			p.file, err = s.openToWrite(ctx, actor)
		}
		return err
	})
}

// Create implements ports.Stores.
func (s *Stores) Create(ctx context.Context, actor model.ActorID) (ports.DataLayer, error) {
	const op = "sqlite.create"
	return s.at(ctx, op, actor, func(p *place) (err error) {
		switch {
		case p.file != nil:
			return fault.New(op, actor.URI(), fault.Conflict, "the actor has a store")
		case s.template.inMemory():
			p.file, err = s.createInMemory(ctx, actor)
		default:
			if err = create(ctx, s.template.path(actor), actor); err == nil {
				p.file, err = s.openToWrite(ctx, actor)
			}
		}
		return err
	})
}

// at runs open, which leaves an open file in the actor's place, and gives a
// handle on it. One call runs at a time for each actor.
func (s *Stores) at(
	ctx context.Context, op string, actor model.ActorID, open func(*place) error,
) (ports.DataLayer, error) {
	if err := named(op, actor); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, fault.Wrap(op, actor.URI(), fault.Cancelled, err)
	}
	p, err := s.visit(op, actor)
	if err != nil {
		return nil, err
	}
	f, err := p.opened(open)
	if err != nil {
		_ = s.release(p) // there is no file, or it is another handle's
		return nil, err
	}
	return &handle{stores: s, place: p, file: f}, nil
}

func (p *place) opened(open func(*place) error) (*file, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	err := open(p)
	return p.file, err
}

// visit gives the actor's place to one more user.
func (s *Stores) visit(op string, actor model.ActorID) (*place, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, fault.New(op, actor.URI(), fault.Closed, "the stores were closed")
	}
	p, ok := s.places[actor]
	if !ok {
		p = &place{actor: actor}
		s.places[actor] = p
	}
	p.users++
	return p, nil
}

func (s *Stores) retain(p *place) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p.users++
}

// release takes one user away. The last one closes the file.
func (s *Stores) release(p *place) error {
	s.mu.Lock()
	p.users--
	last := p.users == 0
	s.mu.Unlock()
	if !last {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return s.vacate(p)
}

// vacate closes the file of a place that nobody uses and forgets the place. The
// caller holds p.mu: who visits meanwhile waits, and opens the file again.
func (s *Stores) vacate(p *place) (err error) {
	s.mu.Lock()
	unused := p.users == 0
	s.mu.Unlock()
	if unused && p.file != nil {
		err = p.file.close()
		p.file = nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.users == 0 && s.places[p.actor] == p {
		delete(s.places, p.actor)
	}
	return err
}

// closers is how many files are closed at once: closing is mostly waiting for
// the disk.
const closers = 16

// Close closes every open file, each after the transaction that runs on it, and
// drops the databases in memory. Handles and later calls are then fault.Closed.
// Closing twice is harmless.
func (s *Stores) Close() error {
	s.mu.Lock()
	s.closed = true
	places, inMemory := s.places, s.inMemory
	s.inMemory = map[model.ActorID]*sqlx.DB{}
	all := make([]*place, 0, len(places))
	for _, p := range places {
		all = append(all, p)
	}
	s.mu.Unlock()
	errs := make([]error, len(all))
	slots := make(chan struct{}, closers)
	var running sync.WaitGroup
	for i, p := range all {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			errs[i] = p.shut()
		})
	}
	running.Wait()
	s.bound.stop()
	err := errors.Join(errs...)
	for _, db := range inMemory {
		err = errors.Join(err, db.Close())
	}
	return err
}

func (p *place) shut() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.file == nil {
		return nil
	}
	return p.file.close()
}
