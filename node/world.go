package node

import (
	"time"

	"github.com/google/uuid"
)

// SystemClock is the machine's clock in UTC.
type SystemClock struct{}

// Now implements ports.Clock.
func (SystemClock) Now() time.Time { return time.Now().UTC() }

// RandomIDs makes ids with random UUIDs.
type RandomIDs struct{}

// New implements ports.IDs.
func (RandomIDs) New() string { return "urn:uuid:" + uuid.NewString() }
