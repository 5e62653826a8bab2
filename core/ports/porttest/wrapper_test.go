package porttest_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"bateleur/adapters/driven/memory"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/ports/porttest"
)

// defect is what a wrapped store does wrong; a nil function does what it should.
type defect struct {
	open   func(ctx context.Context, s ports.Stores, a model.ActorID) (ports.DataLayer, error)
	create func(ctx context.Context, s ports.Stores, a model.ActorID) (ports.DataLayer, error)
	update func(ctx context.Context, l *layer, f func(ports.Tx) error) error
	view   func(ctx context.Context, l *layer, f func(ports.Reader) error) error
	close  func(l *layer) error
	reader func(r ports.Reader) ports.Reader
	tx     func(tx ports.Tx) ports.Tx
}

// harness wraps stores in memory and lets their commits fail on demand.
func (d defect) harness() porttest.Harness {
	return porttest.Harness{
		Open:           func(testing.TB) ports.Stores { return &place{Stores: memory.New(), defect: d} },
		Reopen:         func(_ testing.TB, s ports.Stores) ports.Stores { return s },
		FailNextCommit: func(_ testing.TB, l ports.DataLayer) { l.(*layer).failNext.Store(true) },
	}
}

type place struct {
	ports.Stores
	defect defect
}

func (p *place) Open(ctx context.Context, a model.ActorID) (ports.DataLayer, error) {
	if p.defect.open != nil {
		return p.wrap(p.defect.open(ctx, p.Stores, a))
	}
	return p.wrap(p.Stores.Open(ctx, a))
}

func (p *place) Create(ctx context.Context, a model.ActorID) (ports.DataLayer, error) {
	if p.defect.create != nil {
		return p.wrap(p.defect.create(ctx, p.Stores, a))
	}
	return p.wrap(p.Stores.Create(ctx, a))
}

func (p *place) wrap(inner ports.DataLayer, err error) (ports.DataLayer, error) {
	if err != nil {
		return nil, err
	}
	return &layer{DataLayer: inner, place: p}, nil
}

type layer struct {
	ports.DataLayer
	place    *place
	failNext atomic.Bool
}

var errCommit = errors.New("the disk is full")

func (l *layer) Update(ctx context.Context, f func(ports.Tx) error) error {
	if tx := l.place.defect.tx; tx != nil {
		inner := f
		f = func(t ports.Tx) error { return inner(tx(t)) }
	}
	if update := l.place.defect.update; update != nil {
		return update(ctx, l, f)
	}
	return l.honestUpdate(ctx, f)
}

// honestUpdate fails a commit as a store should.
func (l *layer) honestUpdate(ctx context.Context, f func(ports.Tx) error) error {
	return l.DataLayer.Update(ctx, func(tx ports.Tx) error {
		if err := f(tx); err != nil {
			return err
		}
		if l.failNext.Swap(false) {
			return errCommit
		}
		return nil
	})
}

func (l *layer) View(ctx context.Context, f func(ports.Reader) error) error {
	if reader := l.place.defect.reader; reader != nil {
		inner := f
		f = func(r ports.Reader) error { return inner(reader(r)) }
	}
	if view := l.place.defect.view; view != nil {
		return view(ctx, l, f)
	}
	return l.DataLayer.View(ctx, f)
}

func (l *layer) CloneForActor(ctx context.Context, a model.ActorID) (ports.DataLayer, error) {
	if _, err := l.DataLayer.CloneForActor(ctx, a); err != nil && l.place.defect.open == nil {
		return nil, err
	}
	return l.place.Open(ctx, a)
}

func (l *layer) Close() error {
	if l.place.defect.close != nil {
		return l.place.defect.close(l)
	}
	return l.DataLayer.Close()
}
