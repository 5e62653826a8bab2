package httpapi

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"bateleur/core/fault"
)

// Bounds of a connection. An answer may take as long as a command is waited for.
const (
	headerTimeout = 10 * time.Second
	readTimeout   = 30 * time.Second
	writeTimeout  = longestWait + 30*time.Second
	idleTimeout   = 2 * time.Minute
	maxHeader     = 64 << 10
)

// How long those at hand are waited for: connections that have not said anything
// yet, and requests that are being answered.
const (
	silentGrace = 200 * time.Millisecond
	grace       = 15 * time.Second
)

// Serve answers requests on ln until ctx ends. Then it takes no more, lets those
// at hand be answered, for 15 seconds at most, and returns: nil when all were,
// fault.Unavailable when some were cut off. The node is stopped after it, not
// before, so that what is accepted can be answered (BA-14-001).
func Serve(ctx context.Context, ln net.Listener, handler http.Handler) error {
	silent := &silentConns{open: map[net.Conn]struct{}{}}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout,
		WriteTimeout: writeTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader, ConnState: silent.note,
		BaseContext: func(net.Listener) context.Context {
			return context.WithValue(context.WithoutCancel(ctx), stoppingKey{}, ctx)
		}}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ln) }()
	select {
	case err := <-ended:
		return fault.Wrap("http.serve", ln.Addr().String(), fault.Unavailable, err)
	case <-ctx.Done():
	}
	hush := time.AfterFunc(silentGrace, silent.close)
	defer hush.Stop()
	err := shutDown(context.WithoutCancel(ctx), server)
	<-ended //nolint:errcheck // http.ErrServerClosed, as asked for
	if err != nil {
		return fault.New("http.serve", ln.Addr().String(), fault.Unavailable, "some requests were cut off: "+err.Error())
	}
	return nil
}

func shutDown(ctx context.Context, server *http.Server) error {
	ctx, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	err := server.Shutdown(ctx)
	if err != nil {
		err = errors.Join(err, server.Close())
	}
	return err
}

// silentConns are the connections on which nothing was said yet. Clients keep
// such in reserve; the server's own shutdown waits five seconds for each.
type silentConns struct {
	mu   sync.Mutex
	open map[net.Conn]struct{}
}

func (s *silentConns) note(c net.Conn, state http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if state == http.StateNew {
		s.open[c] = struct{}{}
		return
	}
	delete(s.open, c)
}

func (s *silentConns) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.open {
		_ = c.Close()
	}
}
