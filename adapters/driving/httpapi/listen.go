package httpapi

import (
	"context"
	"net"
	"net/netip"
	"slices"

	"bateleur/core/fault"
	"bateleur/core/ports"
)

// Listen opens a listener for Serve. While the signer does not authenticate
// senders only loopback is listened on: any other address, and a name that leads
// to one, is fault.Forbidden and names it (BA-04-001). There is no way around it.
func Listen(addr string, signer ports.Signer) (net.Listener, error) {
	ctx := context.Background()
	if !signer.Authenticates() {
		local, err := loopback(ctx, addr)
		if err != nil {
			return nil, err
		}
		addr = local // the address that was looked at, not the name once more
	}
	var config net.ListenConfig
	ln, err := config.Listen(ctx, "tcp", addr)
	return ln, fault.Wrap("http.listen", addr, fault.Unavailable, err)
}

// loopback gives the address to listen on for host:port.
func loopback(ctx context.Context, addr string) (string, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "", fault.Field("http.listen", addr, "listen", "must be host:port")
	}
	if host == "" {
		return "", beyond(addr, "every address of this machine")
	}
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return "", fault.Wrap("http.listen", addr, fault.Invalid, err)
	}
	for _, ip := range found {
		if !ip.IsLoopback() {
			return "", beyond(addr, ip.String())
		}
	}
	slices.SortFunc(found, func(a, b netip.Addr) int { return a.Compare(b) }) // IPv4 first
	return net.JoinHostPort(found[0].String(), port), nil
}

func beyond(addr, where string) error {
	return fault.New("http.listen", addr, fault.Forbidden,
		"senders are not authenticated yet, so a node listens on loopback only, and not on "+where)
}
