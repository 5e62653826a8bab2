package delivery

import (
	"context"
	"net/url"

	"bateleur/core/model"
	"bateleur/core/ports"
)

// Unsigned is the ports.Signer that proves nothing: it takes a sender to be whom
// the message names. A node with it binds loopback alone (BA-04-001), and
// delivers to loopback alone. Safe for concurrent use.
type Unsigned struct{}

var _ ports.Signer = Unsigned{}

// Sign adds nothing.
func (Unsigned) Sign(context.Context, model.ActorID, *url.URL, []byte, map[string][]string) error {
	return nil
}

// Authenticate gives the actor that the message claims.
func (Unsigned) Authenticate(_ context.Context, claimed string, _ map[string][]string, _ []byte) (string, error) {
	return claimed, nil
}

// Authenticates is false.
func (Unsigned) Authenticates() bool { return false }
