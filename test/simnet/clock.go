package simnet

import (
	"sync"
	"time"
)

// Clock is the machine's clock, moved ahead by what the test adds. Safe for
// concurrent use.
type Clock struct {
	mu    sync.Mutex
	ahead time.Duration
}

// Now implements ports.Clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().UTC().Add(c.ahead)
}

func (c *Clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += d
}
