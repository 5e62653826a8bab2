package ports

import (
	"context"
	"net/url"
	"time"

	"bateleur/core/model"
)

// Clock tells the time. Implementations are safe for concurrent use.
type Clock interface {
	// Now is the present instant in UTC.
	Now() time.Time
}

// IDs makes ids. Implementations are safe for concurrent use.
type IDs interface {
	// New is a fresh "urn:uuid:" id with a random UUID (CLP-08-006).
	New() string
}

// Wire turns messages into bytes and back. It holds no store.
type Wire interface {
	Storeless
	// Decode reads an activity in any spelling peers use; fault.Invalid names the
	// member at fault, fault.TooLarge a bound.
	Decode(raw []byte) (*model.Activity, error)
	// Encode writes an activity as it goes to a peer, with its "@context".
	Encode(a *model.Activity) ([]byte, error)
	// Readdress gives an encoded activity another id and a single addressee.
	Readdress(raw []byte, id, recipient string) ([]byte, error)
}

// Transport carries a message to an inbox.
type Transport interface {
	// Deliver makes one attempt. The error is nil on any 2xx; otherwise a
	// *DeliveryError.
	Deliver(ctx context.Context, d Outgoing) error
}

// Outgoing is one message to one inbox.
type Outgoing struct {
	Sender model.ActorID
	Inbox  string
	Body   []byte
}

// DeliveryError says why an attempt failed and whether another may succeed.
type DeliveryError struct {
	Status     int           // HTTP status, 0 when there was no answer
	Terminal   bool          // the recipient will never take it
	RetryAfter time.Duration // asked for by the recipient, 0 when not
	Err        error
}

// Error is the cause's text.
func (e *DeliveryError) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *DeliveryError) Unwrap() error { return e.Err }

// Signer signs outgoing messages and authenticates incoming ones. The only
// implementation so far signs nothing; a node with it binds loopback only.
type Signer interface {
	// Sign adds to the headers what proves the sender.
	Sign(ctx context.Context, sender model.ActorID, target *url.URL, body []byte, header map[string][]string) error
	// Authenticate gives the sender that the headers and body prove; claimed is
	// the actor the body names. fault.Forbidden when the proof fails.
	Authenticate(ctx context.Context, claimed string, header map[string][]string, body []byte) (string, error)
	// Authenticates tells whether senders are proved at all.
	Authenticates() bool
}
