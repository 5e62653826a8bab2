package ports

import "time"

// Class says how an item came into an actor's queue.
type Class string

const (
	// Message came from a peer.
	Message Class = "message"
	// Command came from an actor's owner.
	Command Class = "command"
)

// InboxState is where an item stands.
type InboxState string

// The states of an inbox item. Only Pending and Deferred items will run again
// by themselves.
const (
	Pending  InboxState = "pending"  // waits for its turn
	Deferred InboxState = "deferred" // waits for its wake key, until a bound
	Done     InboxState = "done"     // its effects are committed
	Refused  InboxState = "refused"  // decided against; its answer, if any, is committed
	Ignored  InboxState = "ignored"  // understood as nothing for this actor, or not understood
	Dead     InboxState = "dead"     // could not be decided; may be run again by hand
)

// InboxItem is one message or command of an actor, and what became of it.
type InboxItem struct {
	Seq        int64
	Class      Class
	Sender     string // the authenticated sender; for a command, on whose behalf
	ActivityID string
	Digest     string // of the body
	Body       []byte // as received
	ReceivedAt time.Time
	State      InboxState
	Wake       string    // Deferred: the key that wakes it
	Until      time.Time // Deferred: when waiting ends
	Attempts   int       // how often it ran
	Outcome    Outcome
}

// Outcome is why an item stands where it stands.
type Outcome struct {
	Code   string // a failure's or error's code, or "ok"
	Text   string
	Path   string // of the tree's node that decided
	Result []byte // what a command answers with, JSON
	At     time.Time
}

// Settlement moves an item to a state.
type Settlement struct {
	Seq     int64
	State   InboxState
	Wake    string
	Until   time.Time
	Outcome Outcome
}

// InboxReader reads an actor's queue.
type InboxReader interface {
	// Inbox gives up to limit items of a state in the order of arrival, those
	// with a Seq above after; limit 0 means no bound.
	Inbox(state InboxState, after int64, limit int) ([]InboxItem, error)
	// InboxItem gives one item, or fault.NotFound.
	InboxItem(seq int64) (InboxItem, error)
	// DeferredUntil gives the Deferred items whose Until is not after now, the
	// earliest first, up to limit.
	DeferredUntil(now time.Time, limit int) ([]InboxItem, error)
	// NextDeferral is the earliest Until of all Deferred items, the zero time
	// when there is none.
	NextDeferral() (time.Time, error)
	// Waiting gives the Deferred items whose wake key starts with prefix, in the
	// order of arrival.
	Waiting(prefix string) ([]InboxItem, error)
	// InboxCounts counts items by state.
	InboxCounts() (map[InboxState]int64, error)
}

// InboxWriter writes an actor's queue.
type InboxWriter interface {
	// InboxAppend stores a new Pending item and gives its Seq; later items have a
	// higher one. An item with the same Sender, ActivityID and Digest is not
	// stored twice: its Seq is given with duplicate true (ID-02-001), whoever else
	// may have used the same activity id.
	InboxAppend(item InboxItem) (seq int64, duplicate bool, err error)
	// InboxSettle moves an item and counts one attempt; fault.NotFound when there
	// is none. Wake and Until are kept for a Deferred item only.
	InboxSettle(s Settlement) error
	// InboxRequeue makes a Dead or Deferred item Pending again; fault.Conflict in
	// another state, fault.NotFound when there is none.
	InboxRequeue(seq int64) error
	// InboxWake makes every Deferred item with this wake key Pending and tells
	// how many there were.
	InboxWake(key string) (int, error)
}
