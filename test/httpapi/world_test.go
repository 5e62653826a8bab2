package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"bateleur/adapters/driven/delivery"
	"bateleur/adapters/driven/memory"
	"bateleur/adapters/driving/httpapi"
	"bateleur/adapters/wire/as2"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/ports/porttest"
	"bateleur/node"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// host is a node behind a listener of its own.
type host struct {
	t      testing.TB
	node   *node.Node
	stores *memory.Stores
	base   string // without a trailing slash
	client *http.Client
	close  context.CancelFunc
	served chan error
}

// hosted is an actor to be hosted. Its manager is an id, "{base}" standing for
// the node's own base URL.
type hosted struct{ segment, typ, manager string }

// serve runs a node on memory stores over real connections; changes are made to
// its configuration before it is built.
func serve(t testing.TB, actors []hosted, changes ...func(*node.Config)) *host {
	t.Helper()
	ln, err := httpapi.Listen("127.0.0.1:0", delivery.Unsigned{})
	if err != nil {
		t.Fatal(err)
	}
	h := &host{t: t, stores: memory.New(), base: "http://" + ln.Addr().String() + "/api/v2",
		client: newClient(t), served: make(chan error, 1)}
	cfg := h.config(actors)
	for _, change := range changes {
		change(&cfg)
	}
	if h.node, err = node.New(cfg); err != nil {
		t.Fatal(err)
	}
	if err := h.node.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	h.close = stop
	api := httpapi.New(httpapi.Config{Node: h.node, Wire: cfg.Wire, Signer: delivery.Unsigned{}})
	go func() { h.served <- httpapi.Serve(ctx, ln, api) }()
	t.Cleanup(func() { h.shutDown() })
	return h
}

func newClient(t testing.TB) *http.Client {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func (h *host) config(actors []hosted) node.Config {
	cfg := node.Config{BaseURL: h.base + "/", Stores: h.stores, Wire: as2.Codec{}, IDs: node.RandomIDs{},
		Clock: node.SystemClock{}, Transport: delivery.New(delivery.Options{Client: newClient(h.t)}),
		Delivery: node.DeliveryConfig{First: time.Millisecond, Longest: 20 * time.Millisecond, Budget: 200}}
	for _, a := range actors {
		manager, _ := model.ParseActorID(strings.Replace(a.manager, "{base}", h.base, 1))
		cfg.Actors = append(cfg.Actors, ports.Profile{Manager: manager, ManagesCases: a.typ == "Service",
			Actor: model.Actor{ID: h.id(a.segment), Type: a.typ, Name: a.segment}})
	}
	return cfg
}

// shutDown stops serving, then the node; a second time does nothing.
func (h *host) shutDown() {
	h.close()
	if err, open := <-h.served; open {
		close(h.served)
		if err != nil {
			h.t.Errorf("Serve: %v", err)
		}
	}
	if err := h.node.Stop(); err != nil {
		h.t.Errorf("Stop: %v", err)
	}
}

func (h *host) id(segment string) string { return h.base + "/actors/" + segment }

func (h *host) actor(segment string) model.ActorID {
	id, ok := h.node.Resolve(segment)
	if !ok {
		h.t.Fatalf("%s is not hosted", segment)
	}
	return id
}

// answer is an answer, read whole.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func (a answer) decode(t testing.TB, into any) {
	t.Helper()
	if err := json.Unmarshal(a.body, into); err != nil {
		t.Fatalf("%d %s: %v", a.status, a.body, err)
	}
}

// problem is what the tests look at in a problem document.
type problem struct {
	Type, Title, Code, Field, Path, Detail string
	Status                                 int
}

func (h *host) do(method, path, contentType string, body []byte, header ...string) answer {
	h.t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, h.base+path, bytes.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := h.client.Do(req)
	if err != nil {
		h.t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return answer{resp.StatusCode, resp.Header, raw}
}

func (h *host) get(path string, into any) {
	h.t.Helper()
	a := h.do(http.MethodGet, path, "", nil)
	if a.status != http.StatusOK {
		h.t.Fatalf("GET %s: %d %s", path, a.status, a.body)
	}
	a.decode(h.t, into)
}

func (h *host) post(segment string, activity map[string]any) answer {
	h.t.Helper()
	return h.do(http.MethodPost, "/actors/"+segment+"/inbox/", "application/activity+json", encoded(h.t, activity))
}

func (h *host) trigger(segment, name string, params map[string]any) answer {
	h.t.Helper()
	return h.do(http.MethodPost, "/actors/"+segment+"/trigger/"+name, "application/json", encoded(h.t, params))
}

// done gives a command that must be done, and reads what it answers.
func (h *host) done(segment, name string, params map[string]any, into any) {
	h.t.Helper()
	a := h.trigger(segment, name, params)
	var told struct {
		Command struct{ State ports.InboxState }
	}
	a.decode(h.t, &told)
	if a.status != http.StatusAccepted || told.Command.State != ports.Done {
		h.t.Fatalf("%s: %d %s", name, a.status, a.body)
	}
	if into != nil {
		a.decode(h.t, into)
	}
}

// dump is everything in an actor's store.
func (h *host) dump(segment string) (text string) {
	h.t.Helper()
	err := h.node.View(context.Background(), h.actor(segment), func(r ports.Reader) (err error) {
		text, err = porttest.Dump(r)
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return text
}

// until waits for what other loops bring about.
func (h *host) until(what string, cond func() bool) {
	h.t.Helper()
	deadline := time.After(10 * time.Second)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for !cond() {
		select {
		case <-deadline:
			h.t.Fatalf("not reached: %s", what)
		case <-tick.C:
		}
	}
}

func encoded(t testing.TB, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// hasStore tells whether anybody made a store for an actor.
func (h *host) hasStore(id string) bool {
	h.t.Helper()
	actor, err := model.ParseActorID(id)
	if err != nil {
		h.t.Fatal(err)
	}
	store, err := h.stores.Open(context.Background(), actor)
	if err == nil {
		_ = store.Close()
	}
	return fault.CodeOf(err) != fault.NotFound
}
