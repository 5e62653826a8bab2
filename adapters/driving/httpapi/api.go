package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"bateleur/core/model"
	"bateleur/core/ports"
)

// Node is what this adapter needs of a node.
type Node interface {
	BaseURL() string
	Hosted() []model.Actor
	Resolve(segment string) (model.ActorID, bool)
	KnownActor(ctx context.Context, actor model.ActorID, uri string) (bool, error)
	Ready(ctx context.Context) error

	Receive(ctx context.Context, to, sender model.ActorID, a *model.Activity, raw []byte) (ports.Receipt, error)
	Command(ctx context.Context, actor model.ActorID, req ports.CommandRequest) (ports.CommandStatus, error)
	CommandStatus(ctx context.Context, actor model.ActorID, seq int64) (ports.CommandStatus, error)
	Retry(ctx context.Context, actor model.ActorID, seq int64) error
	RetryDelivery(ctx context.Context, actor model.ActorID, recipient string, seq int64) error
	View(ctx context.Context, actor model.ActorID, f func(ports.Reader) error) error
}

// Config is what the API is built of.
type Config struct {
	Node   Node
	Wire   ports.Wire
	Signer ports.Signer
	// MaxBody bounds a message's body, in bytes; default 1 MiB (HTTP-02-001).
	MaxBody int64
	// MaxCommand bounds a command's body, which may carry a long report; default
	// 4 MiB.
	MaxCommand int64
	Log        *slog.Logger // default: discards
}

// api serves one node. Safe for concurrent use.
type api struct {
	Config
	mux      *http.ServeMux
	base     *url.URL
	prefix   string // of all paths but the health resources at the root
	crossing *http.CrossOriginProtection
}

// New gives the handler. It panics when the node's base URL is none, which a
// node does not let happen.
func New(c Config) http.Handler {
	if c.MaxBody <= 0 {
		c.MaxBody = 1 << 20
	}
	if c.MaxCommand <= 0 {
		c.MaxCommand = 4 << 20
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	base, err := url.Parse(c.Node.BaseURL())
	if err != nil {
		panic(err)
	}
	a := &api{Config: c, base: base, prefix: strings.TrimRight(base.EscapedPath(), "/"),
		mux: http.NewServeMux(), crossing: http.NewCrossOriginProtection()}
	a.routes()
	return a.guarded()
}
