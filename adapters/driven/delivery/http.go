package delivery

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"bateleur/core/ports"
)

// MediaType is how messages are sent.
const MediaType = "application/activity+json"

// maxAnswer bounds what is read of an answer.
const maxAnswer = 64 << 10

// askFirst is the size above which a recipient is asked whether it takes a
// message before it gets the body.
const askFirst = 64 << 10

// Options set a transport up. The zero value is usable.
type Options struct {
	// Signer proves the sender; default Unsigned. While it does not authenticate,
	// messages go to loopback addresses only.
	Signer ports.Signer
	// LoopbackOnly keeps messages on this machine whoever signs.
	LoopbackOnly bool
	// Client, when not nil, is used instead of a client of this package's own.
	// Redirects are not followed with it either; to whom it connects is its own
	// affair.
	Client    *http.Client
	UserAgent string // default "bateleur"
}

// HTTP is the ports.Transport over HTTP. Safe for concurrent use; its
// connections are shared and kept.
type HTTP struct {
	client    *http.Client
	signer    ports.Signer
	userAgent string
}

var _ ports.Transport = (*HTTP)(nil)

// New gives a transport.
func New(o Options) *HTTP {
	if o.Signer == nil {
		o.Signer = Unsigned{}
	}
	h := &HTTP{signer: o.Signer, userAgent: cmp.Or(o.UserAgent, "bateleur")}
	if o.Client != nil {
		own := *o.Client
		h.client = &own
	} else {
		h.client = newClient(o.LoopbackOnly || !o.Signer.Authenticates())
	}
	h.client.CheckRedirect = stayHere
	return h
}

// Deliver posts one message, bounded by ctx. Any 2xx is success, whatever its
// body says and however long that is. A *ports.DeliveryError otherwise: Terminal
// when the recipient will never take the message, which a redirect and a 4xx
// say, except 408, 425 and 429; no answer, a 5xx and those three are worth
// another attempt, not before RetryAfter (OX-13-005).
func (h *HTTP) Deliver(ctx context.Context, d ports.Outgoing) error {
	req, err := h.request(ctx, d)
	if err != nil {
		return &ports.DeliveryError{Terminal: true, Err: err}
	}
	resp, err := h.send(req)
	if err != nil {
		return &ports.DeliveryError{Terminal: errors.Is(err, errNotLoopback), Err: fmt.Errorf("no answer: %w", err)}
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxAnswer)) // read to its end a connection can be used again
	return judge(resp, body, time.Now())
}

// send posts a request, and once more without the question when a recipient does
// not know that.
func (h *HTTP) send(req *http.Request) (*http.Response, error) {
	resp, err := h.client.Do(req)
	if err != nil || resp.StatusCode != http.StatusExpectationFailed || req.Header.Get("Expect") == "" {
		return resp, err
	}
	_ = resp.Body.Close()
	if req.Body, err = req.GetBody(); err != nil {
		return nil, err
	}
	req.Header.Del("Expect")
	return h.client.Do(req)
}

func (h *HTTP) request(ctx context.Context, d ports.Outgoing) (*http.Request, error) {
	target, err := url.Parse(d.Inbox)
	if err != nil {
		return nil, fmt.Errorf("the inbox is no URL: %w", err)
	}
	if target.Scheme != "http" && target.Scheme != "https" || target.Host == "" {
		return nil, errors.New("the inbox is no http or https URL: " + d.Inbox)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, d.Inbox, bytes.NewReader(d.Body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", MediaType)
	req.Header.Set("Accept", MediaType+", application/problem+json, application/json")
	req.Header.Set("User-Agent", h.userAgent)
	// An inbox knows a message that it has. The empty list is not sent; it tells
	// net/http that it may send again on a new connection when a kept one turns
	// out to be closed.
	req.Header["Idempotency-Key"] = []string{}
	// Who refuses without reading closes the connection on a body that is under
	// way, and what it answered is lost; asked first, its answer is read.
	if len(d.Body) > askFirst {
		req.Header.Set("Expect", "100-continue")
	}
	if err := h.signer.Sign(ctx, d.Sender, target, d.Body, req.Header); err != nil {
		return nil, fmt.Errorf("cannot be signed: %w", err)
	}
	return req, nil
}

// CloseIdle closes the connections that are kept and not in use.
func (h *HTTP) CloseIdle() { h.client.CloseIdleConnections() }
