package httpapi_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"bateleur/adapters/driving/httpapi"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	base   = "http://node.example:7001/api/v2"
	vendor = base + "/actors/vendor"
	sender = "https://peer.example/actors/p"
)

// fakeNode hosts one actor and answers as it is told.
type fakeNode struct {
	known    map[string]bool
	ready    error
	received []string // activity ids
	receive  func() error
	command  func(ports.CommandRequest) (ports.CommandStatus, error)
	status   ports.CommandStatus
	view     error
}

func (*fakeNode) BaseURL() string { return base }

func (*fakeNode) Hosted() []model.Actor {
	return []model.Actor{{ID: vendor, Type: "Organization", Inbox: vendor + "/inbox/", Outbox: vendor + "/outbox/"}}
}

func (*fakeNode) Resolve(segment string) (model.ActorID, bool) {
	id, err := model.HostedActorID(base, segment)
	return id, err == nil && id.URI() == vendor
}

func (n *fakeNode) KnownActor(_ context.Context, _ model.ActorID, uri string) (bool, error) {
	return n.known[uri], nil
}

func (n *fakeNode) Ready(context.Context) error { return n.ready }

func (n *fakeNode) Receive(_ context.Context, _, _ model.ActorID, a *model.Activity, _ []byte) (ports.Receipt, error) {
	if n.receive != nil {
		if err := n.receive(); err != nil {
			return ports.Receipt{}, err
		}
	}
	n.received = append(n.received, a.ID)
	return ports.Receipt{ActivityID: a.ID, Seq: 1}, nil
}

func (n *fakeNode) Command(_ context.Context, _ model.ActorID, req ports.CommandRequest) (ports.CommandStatus, error) {
	return n.command(req)
}

func (n *fakeNode) CommandStatus(context.Context, model.ActorID, int64) (ports.CommandStatus, error) {
	return n.status, nil
}

func (n *fakeNode) Retry(context.Context, model.ActorID, int64) error { return n.view }

func (n *fakeNode) RetryDelivery(context.Context, model.ActorID, string, int64) error { return n.view }

func (n *fakeNode) View(context.Context, model.ActorID, func(ports.Reader) error) error {
	return n.view
}

// plainWire reads the few members that the edge looks at.
type plainWire struct{ ports.NoStore }

func (plainWire) Decode(raw []byte) (*model.Activity, error) {
	var a model.Activity
	if err := json.Unmarshal(raw, &a); err != nil {
		return nil, fault.Field("wire", "", "body", "not JSON")
	}
	return &a, nil
}

func (plainWire) Encode(*model.Activity) ([]byte, error) { return nil, nil }

func (plainWire) Readdress(raw []byte, _, _ string) ([]byte, error) { return raw, nil }

// fakeSigner proves a sender, or refuses.
type fakeSigner struct {
	proves        func(claimed string) (string, error)
	authenticates bool
}

func (fakeSigner) Sign(context.Context, model.ActorID, *url.URL, []byte, map[string][]string) error {
	return nil
}

func (s fakeSigner) Authenticate(_ context.Context, claimed string, _ map[string][]string, _ []byte) (string, error) {
	if s.proves == nil {
		return claimed, nil
	}
	return s.proves(claimed)
}

func (s fakeSigner) Authenticates() bool { return s.authenticates }

// journal is a log that a test reads.
type journal struct {
	mu   sync.Mutex
	text strings.Builder
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// edge is the handler over a fake node.
type edge struct {
	t    *testing.T
	node *fakeNode
	log  *journal
	http.Handler
}

func newEdge(t *testing.T, n *fakeNode, signer ports.Signer) *edge {
	t.Helper()
	if signer == nil {
		signer = fakeSigner{}
	}
	log := &journal{}
	return &edge{t: t, node: n, log: log, Handler: httpapi.New(httpapi.Config{Node: n, Wire: plainWire{}, Signer: signer,
		Log: slog.New(slog.NewTextHandler(log, nil))})}
}

// ask makes a request; header is name, value, name, value.
func (e *edge) ask(method, target, body string, header ...string) *httptest.ResponseRecorder {
	e.t.Helper()
	if !strings.HasPrefix(target, "http") {
		target = base + target
	}
	r := httptest.NewRequestWithContext(context.Background(), method, target, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	return w
}

// problem is what the tests look at in a problem document.
type problem struct {
	Type, Title, Detail, Instance, Code, Field, Path string
	Status                                           int
}

func problemIn(t *testing.T, w *httptest.ResponseRecorder) (p problem) {
	t.Helper()
	if got := w.Header().Get("Content-Type"); got != "application/problem+json" {
		t.Errorf("the answer is of type %s", got)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
		t.Fatalf("%d %s: %v", w.Code, w.Body, err)
	}
	if p.Status != w.Code || p.Type != "urn:bateleur:problem:"+p.Code || p.Title == "" || p.Instance == "" {
		t.Errorf("%d with the problem %+v", w.Code, p)
	}
	return p
}

const message = `{"id":"urn:x:1","type":"Like","actor":"` + sender + `"}`
