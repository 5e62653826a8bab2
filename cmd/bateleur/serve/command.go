// Package serve is the command that runs a node.
package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/gofrs/flock"

	"bateleur/adapters/driven/delivery"
	"bateleur/adapters/driving/httpapi"
	"bateleur/adapters/wire/as2"
	"bateleur/cmd/bateleur/exit"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/node"
)

// Command are the flags of serve. Each can be given in the environment, as
// BATELEUR_ and its name, and in a configuration file, under its name; a flag
// wins over the environment, the environment over the file.
type Command struct {
	Config           kong.ConfigFlag `help:"Read settings from a YAML file." placeholder:"FILE" env:"BATELEUR_CONFIG"`
	BaseURL          string          `help:"Under which URL others reach the node; port 0 takes a free one." default:"http://127.0.0.1:7999/api/v2/" env:"BATELEUR_BASE_URL" validate:"required,url"`
	Listen           string          `help:"Where to listen, host:port; by default where the base URL points." env:"BATELEUR_LISTEN" validate:"omitempty,hostname_port"`
	Data             string          `help:"Folder of the stores." default:"bateleur-data" env:"BATELEUR_DATA" validate:"required" type:"path"`
	Store            string          `help:"Where the stores lie, instead of the data folder: sqlite:///... or memory:." placeholder:"URL" env:"BATELEUR_STORE" validate:"omitempty,startswith=sqlite:|eq=memory:"`
	Actor            []string        `help:"Host an actor: SEGMENT[,type=TYPE][,name=NAME][,roles=ROLE+ROLE][,manager=URI][,manages-cases][,keep-reports]. Repeatable." sep:"none" env:"BATELEUR_ACTOR" placeholder:"ACTOR"`
	CaseManager      string          `help:"Segment of the node's case manager." default:"case-actor" env:"BATELEUR_CASE_MANAGER"`
	NoCaseManager    bool            `help:"Host no case manager." env:"BATELEUR_NO_CASE_MANAGER"`
	DeliveryAttempts int             `help:"How often a delivery is tried before it is given up." default:"12" env:"BATELEUR_DELIVERY_ATTEMPTS" validate:"min=1,max=1000"`
	LogLevel         slog.Level      `help:"debug, info, warn or error." default:"info" env:"BATELEUR_LOG_LEVEL"`
	LogFormat        string          `help:"text or json." default:"text" enum:"text,json" env:"BATELEUR_LOG_FORMAT"`
	ExitWithStdin    bool            `hidden:"" help:"End when standard input ends."`
}

// Run serves until ctx ends, then lets what is at hand be answered, stops the
// node and closes its stores.
func (c *Command) Run(ctx context.Context, out io.Writer) error {
	if err := c.check(); err != nil {
		return exit.Error{Code: exit.Usage, Err: err}
	}
	if c.ExitWithStdin {
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		go func() { _, _ = io.Copy(io.Discard, os.Stdin); cancel() }()
	}
	unlock, err := c.lock()
	if err != nil {
		return err
	}
	defer unlock()
	ln, err := c.bind()
	if err != nil {
		return err
	}
	return c.serve(ctx, ln, out)
}

func (c *Command) serve(ctx context.Context, ln net.Listener, out io.Writer) error {
	log := c.logger(os.Stderr)
	profiles, err := c.profiles()
	if err != nil {
		return exit.Error{Code: exit.Usage, Err: err}
	}
	stores, err := openStores(c.storeURL())
	if err != nil {
		return err
	}
	defer stores.Close()
	n, err := node.New(node.Config{BaseURL: c.BaseURL, Actors: profiles, Stores: stores, Wire: as2.Codec{},
		Transport: delivery.New(delivery.Options{}), IDs: node.RandomIDs{}, Clock: node.SystemClock{}, Log: log,
		Delivery: node.DeliveryConfig{Budget: c.DeliveryAttempts}})
	if err != nil {
		return err
	}
	if err := n.Start(ctx); err != nil {
		return err
	}
	handler := counted(httpapi.New(httpapi.Config{Node: n, Wire: as2.Codec{}, Signer: delivery.Unsigned{}, Log: log}))
	c.announce(out, n.Hosted())
	err = httpapi.Serve(ctx, ln, handler)
	if stopped := n.Stop(); err == nil {
		err = stopped
	}
	return err
}

// announce tells whoever started the node that it is ready, in one line of JSON.
func (c *Command) announce(out io.Writer, hosted []model.Actor) {
	ids := make([]string, len(hosted))
	for i, a := range hosted {
		ids[i] = a.ID
	}
	line, _ := json.Marshal(map[string]any{"event": "listening", "baseUrl": c.BaseURL, "actors": ids})
	fmt.Fprintln(out, string(line))
}

// bind listens; a base URL with port 0 gets the port that was free.
func (c *Command) bind() (net.Listener, error) {
	base, err := url.Parse(c.BaseURL)
	if err != nil {
		return nil, exit.Error{Code: exit.Usage, Err: fault.Field("serve", c.BaseURL, "base-url", "not a URL")}
	}
	addr := c.Listen
	if addr == "" {
		addr = base.Host
		if base.Port() == "" {
			addr = net.JoinHostPort(base.Hostname(), map[string]string{"http": "80", "https": "443"}[base.Scheme])
		}
	}
	ln, err := httpapi.Listen(addr, delivery.Unsigned{})
	if err != nil {
		return nil, err
	}
	if base.Port() == "0" {
		_, port, _ := net.SplitHostPort(ln.Addr().String())
		base.Host = net.JoinHostPort(base.Hostname(), port)
	}
	base.Path = strings.TrimSuffix(base.Path, "/") + "/"
	c.BaseURL = base.String()
	return ln, nil
}

// lock keeps a second server from the same data folder.
func (c *Command) lock() (unlock func(), err error) {
	if c.Store != "" {
		return func() {}, nil
	}
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return nil, fault.Wrap("serve.lock", c.Data, fault.Unavailable, err)
	}
	l := flock.New(filepath.Join(c.Data, "bateleur.lock"))
	held, err := l.TryLock()
	switch {
	case err != nil:
		return nil, fault.Wrap("serve.lock", c.Data, fault.Unavailable, err)
	case !held:
		return nil, fault.New("serve.lock", c.Data, fault.Conflict, "another server uses this data folder")
	}
	return func() { _ = l.Unlock() }, nil
}

func (c *Command) storeURL() string {
	if c.Store != "" {
		return c.Store
	}
	return DataURL(c.Data)
}

func (c *Command) logger(w io.Writer) *slog.Logger {
	opts := &slog.HandlerOptions{Level: c.LogLevel}
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, opts))
	}
	return slog.New(slog.NewTextHandler(w, opts))
}
