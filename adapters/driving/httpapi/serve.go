package httpapi

import (
	"context"
	"errors"
	"net"
	"net/http"
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
	graceTimeout  = 15 * time.Second
)

// Serve answers requests on ln until ctx ends. Then it takes no more, lets those
// at hand be answered, for 15 seconds at most, and returns: nil when all were,
// fault.Unavailable when some were cut off. The node is stopped after it, not
// before, so that what is accepted can be answered (BA-14-001).
func Serve(ctx context.Context, ln net.Listener, handler http.Handler) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout,
		WriteTimeout: writeTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
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
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), graceTimeout)
	defer cancel()
	err := server.Shutdown(grace)
	if err != nil {
		err = errors.Join(err, server.Close())
	}
	<-ended
	if err != nil {
		return fault.New("http.serve", ln.Addr().String(), fault.Unavailable, "some requests were cut off: "+err.Error())
	}
	return nil
}
