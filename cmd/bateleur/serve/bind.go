package serve

import (
	"net"
	"net/url"
	"strings"

	"bateleur/adapters/driven/delivery"
	"bateleur/adapters/driving/httpapi"
	"bateleur/core/fault"
)

// bind listens, and gives a base URL with port 0 the port that was free.
func (c *Command) bind() (net.Listener, error) {
	base, err := url.Parse(c.BaseURL)
	if err != nil {
		return nil, usage(fault.Field("serve", c.BaseURL, "base-url", "is not a URL"))
	}
	addr := c.Listen
	if addr == "" {
		addr = addressOf(base)
	}
	ln, err := httpapi.Listen(addr, delivery.Unsigned{})
	if err != nil {
		return nil, usage(err)
	}
	if base.Port() == "0" {
		if _, port, err := net.SplitHostPort(ln.Addr().String()); err == nil {
			base.Host = net.JoinHostPort(base.Hostname(), port)
		}
	}
	base.Path = strings.TrimSuffix(base.Path, "/") + "/"
	c.BaseURL = base.String()
	return ln, nil
}

// addressOf is where a URL points, with its scheme's own port when it names none.
func addressOf(u *url.URL) string {
	port := u.Port()
	switch {
	case port != "":
	case u.Scheme == "https":
		port = "443"
	default:
		port = "80"
	}
	return net.JoinHostPort(u.Hostname(), port)
}
