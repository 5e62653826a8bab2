package delivery

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// errNotLoopback is what a connection beyond this machine fails with.
var errNotLoopback = errors.New("messages are not signed yet, so they go to loopback addresses only")

// newClient gives the keep-alive client that all of a node's deliveries share.
// It asks no proxy and unpacks nothing: what an inbox answers is short.
func newClient(loopbackOnly bool) *http.Client {
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	if loopbackOnly {
		dialer.Control = refuseBeyondLoopback
	}
	return &http.Client{Transport: &http.Transport{
		DialContext:            dialer.DialContext,
		DisableCompression:     true,
		MaxIdleConns:           256,
		MaxIdleConnsPerHost:    32,
		IdleConnTimeout:        90 * time.Second,
		TLSHandshakeTimeout:    10 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
		ExpectContinueTimeout:  time.Second,
	}}
}

// refuseBeyondLoopback looks at the address that a name came out as, at the last
// moment before the connection, so that no name server can lead beyond.
func refuseBeyondLoopback(_, address string, _ syscall.RawConn) error {
	addr, err := netip.ParseAddrPort(address)
	if err != nil || !addr.Addr().Unmap().IsLoopback() {
		return errNotLoopback
	}
	return nil
}

// stayHere gives a 3xx to the caller: an inbox that moves could lead anywhere.
func stayHere(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
