package memory

import (
	"context"
	"sync"
)

// gate lets in many readers or one writer. Unlike sync.RWMutex it lets a caller
// whose context ends go. A waiting writer keeps new readers out, so that readers
// cannot starve it. The zero gate is open.
type gate struct {
	mu      sync.Mutex
	readers int
	writing bool
	waiting int           // writers
	changed chan struct{} // closed when someone leaves; nil when nobody waits
}

// enter waits for its turn or for ctx, whose error it then gives.
func (g *gate) enter(ctx context.Context, write bool) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if write {
		g.waiting++
		defer func() { g.waiting-- }()
	}
	for ctx.Err() == nil {
		if g.admit(write) {
			return nil
		}
		if g.changed == nil {
			g.changed = make(chan struct{})
		}
		g.await(ctx, g.changed)
	}
	if write { // readers may have waited for this writer alone
		g.wake()
	}
	return ctx.Err()
}

func (g *gate) admit(write bool) bool {
	switch {
	case g.writing, write && g.readers > 0, !write && g.waiting > 0:
		return false
	case write:
		g.writing = true
	default:
		g.readers++
	}
	return true
}

func (g *gate) await(ctx context.Context, changed <-chan struct{}) {
	g.mu.Unlock()
	defer g.mu.Lock()
	select {
	case <-changed:
	case <-ctx.Done():
	}
}

// leave ends what enter began.
func (g *gate) leave(write bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if write {
		g.writing = false
	} else {
		g.readers--
	}
	g.wake()
}

func (g *gate) wake() {
	if g.changed != nil {
		close(g.changed)
		g.changed = nil
	}
}
