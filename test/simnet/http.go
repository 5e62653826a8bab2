package simnet

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync/atomic"

	"bateleur/adapters/driven/delivery"
	"bateleur/adapters/driving/httpapi"
	"bateleur/adapters/wire/as2"
	"bateleur/node"
)

// OverHTTP has every message carried by HTTP, by the adapters that a program has:
// each node gets a listener, and each delivery a connection of its own. It is
// called before the first node is started.
func (n *Net) OverHTTP() {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true,
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			host, _, _ := strings.Cut(addr, ":")
			n.mu.Lock()
			door := n.doors["http://"+host]
			n.mu.Unlock()
			if door == nil {
				return nil, fmt.Errorf("no host %s", host)
			}
			var d net.Dialer
			return d.DialContext(ctx, network, door.Addr().String())
		}}}
	n.doors, n.carry = map[string]*door{}, delivery.New(delivery.Options{Client: client})
}

// door is a host's listener, which counts who comes in.
type door struct {
	net.Listener
	accepted, posts atomic.Int64
}

// Accept counts the connection.
func (d *door) Accept() (net.Conn, error) {
	c, err := d.Listener.Accept()
	if err == nil {
		d.accepted.Add(1)
	}
	return c, err
}

// Visits tells how many connections a host's listener accepted, and how many
// messages came by them.
func (n *Net) Visits(host string) (connections, messages int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	d := n.doors[authority(Base(host))]
	return int(d.accepted.Load()), int(d.posts.Load())
}

func authority(base string) string { return strings.TrimSuffix(base, "/api/v2") }

// serve puts a node behind a listener until the test ends.
func (n *Net) serve(nd *node.Node) {
	n.t.Helper()
	ln, err := httpapi.Listen("127.0.0.1:0", delivery.Unsigned{})
	if err != nil {
		n.t.Fatal(err)
	}
	d := &door{Listener: ln}
	n.mu.Lock()
	n.doors[authority(nd.BaseURL())] = d
	n.mu.Unlock()
	api := httpapi.New(httpapi.Config{Node: nd, Wire: as2.Codec{}, Signer: delivery.Unsigned{}})
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() {
		served <- httpapi.Serve(ctx, d, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			d.posts.Add(1)
			api.ServeHTTP(w, r)
		}))
	}()
	n.t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			n.t.Error(err)
		}
	})
}
