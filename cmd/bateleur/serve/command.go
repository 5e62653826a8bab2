// Package serve is the command that runs a node.
package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"

	"bateleur/adapters/driven/delivery"
	"bateleur/adapters/driving/httpapi"
	"bateleur/adapters/wire/as2"
	"bateleur/cmd/bateleur/exit"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/node"
)

// Command are the flags of serve.
type Command struct {
	Config string `help:"Read settings from a YAML file, under the flags' names." placeholder:"FILE" env:"BATELEUR_CONFIG" type:"path"`

	Settings `embed:""`

	ExitWithStdin bool `hidden:"" help:"End when standard input ends."`
}

// Run serves until ctx ends; then what is at hand is answered, the node stopped
// and its stores closed (BA-14-001). When the node is ready, out is told in one
// line of JSON.
func (c *Command) Run(ctx context.Context, out io.Writer) error {
	if err := c.check(); err != nil {
		return exit.Error{Code: exit.Usage, Err: err}
	}
	if c.ExitWithStdin {
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		go func() { _, _ = io.Copy(io.Discard, os.Stdin); cancel() }()
	}
	ln, err := c.bind()
	if err != nil {
		return err
	}
	defer ln.Close()
	unlock, err := c.lock()
	if err != nil {
		return err
	}
	defer unlock()
	return c.serve(ctx, ln, out)
}

func (c *Command) serve(ctx context.Context, ln net.Listener, out io.Writer) (err error) {
	log := c.logger(os.Stderr)
	profiles, err := c.profiles()
	if err != nil {
		return err
	}
	stores, err := c.openStores(log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stores.Close()) }()
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
	log.Info("listening", "base_url", c.BaseURL, "address", ln.Addr().String(), "stores", c.storeURL(), "actors", len(profiles))
	if err = announce(out, c.BaseURL, n.Hosted()); err == nil {
		err = httpapi.Serve(ctx, ln, handler)
	}
	err = errors.Join(err, n.Stop())
	log.Info("stopped")
	return err
}

// announce tells whoever started the node where it listens and whom it hosts.
func announce(out io.Writer, base string, hosted []model.Actor) error {
	ids := make([]string, len(hosted))
	for i, a := range hosted {
		ids[i] = a.ID
	}
	line, err := json.Marshal(Listening{Event: "listening", BaseURL: base, Actors: ids})
	if err == nil {
		_, err = fmt.Fprintf(out, "%s\n", line)
	}
	return err
}

// Listening is the line that a node prints when it is ready.
type Listening struct {
	Event   string   `json:"event"` // "listening"
	BaseURL string   `json:"baseUrl"`
	Actors  []string `json:"actors"` // ids
}

func (c *Command) logger(w io.Writer) *slog.Logger {
	opts := &slog.HandlerOptions{Level: c.LogLevel}
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, opts))
	}
	return slog.New(slog.NewTextHandler(w, opts))
}

// usage gives an error that the settings are to blame for the exit code of usage.
func usage(err error) error {
	switch fault.CodeOf(err) {
	case fault.Forbidden, fault.Invalid:
		return exit.Error{Code: exit.Usage, Err: err}
	}
	return err
}
