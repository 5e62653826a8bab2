package sqlite

import (
	"container/list"
	"sync"
)

// filesEach is how many descriptors an open database takes: itself, its log and
// the log's index.
const filesEach = 3

// spare is how many descriptors are left to the rest of the process.
const spare = 256

// defaultBound is for systems that do not tell their limit.
const defaultBound = 256

// bound keeps the number of databases that are open at a time near a limit. The
// one that was used the longest ago is put to rest when another is opened: its
// handles stay, its next transaction opens it again. Closing waits for the disk
// and is done aside; what is in use is left open. A nil bound has no limit.
type bound struct {
	limit int

	mu      sync.Mutex
	order   *list.List // of *file, the last used first
	at      map[*file]*list.Element
	stopped bool
	resting sync.WaitGroup
}

func newBound(limit int) *bound {
	return &bound{limit: limit, order: list.New(), at: map[*file]*list.Element{}}
}

// used notes that a file is open and has just been used.
func (b *bound) used(f *file) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.first(f)
	for b.order.Len() > b.limit && !b.stopped {
		oldest := b.order.Remove(b.order.Back()).(*file)
		delete(b.at, oldest)
		b.resting.Go(func() {
			if !oldest.rest() {
				b.mu.Lock()
				defer b.mu.Unlock()
				b.first(oldest)
			}
		})
	}
}

// first puts a file before the others.
func (b *bound) first(f *file) {
	if e, known := b.at[f]; known {
		b.order.MoveToFront(e)
		return
	}
	b.at[f] = b.order.PushFront(f)
}

// forget is for a file that was closed.
func (b *bound) forget(f *file) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if e, known := b.at[f]; known {
		b.order.Remove(e)
		delete(b.at, f)
	}
}

// stop waits for the files that are being closed.
func (b *bound) stop() {
	if b == nil {
		return
	}
	b.mu.Lock()
	b.stopped = true
	b.mu.Unlock()
	b.resting.Wait()
}
