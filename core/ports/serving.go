package ports

import (
	"encoding/json"
	"time"

	"bateleur/core/model"
)

// Receipt tells a peer what became of its message.
type Receipt struct {
	ActivityID string
	Seq        int64
	Duplicate  bool
}

// CommandRequest is what an actor's owner wants done.
type CommandRequest struct {
	Trigger string
	Params  json.RawMessage
	// Key makes the command the same command when it is given again; "" makes
	// each one new.
	Key string
	// Wait bounds how long the caller waits for the decision; the command goes on
	// without it.
	Wait time.Duration
}

// CommandStatus is how a command stands.
type CommandStatus struct {
	ID      string
	Seq     int64
	Actor   model.ActorID // in whose queue it stands: the manager's for a delegated one
	State   InboxState
	Outcome Outcome
	Until   time.Time // Deferred: when waiting ends
}
