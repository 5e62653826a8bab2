package httpapi_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"bateleur/adapters/driving/httpapi"
	"bateleur/core/fault"
)

// While senders are not authenticated only loopback is listened on, whatever it
// is called.
//
// Proves: BA-04-001
func TestListen(t *testing.T) {
	for _, tc := range []struct {
		name, addr string
		code       fault.Code
	}{
		{"loopback", "127.0.0.1:0", ""},
		{"elsewhere in loopback", "127.8.9.10:0", ""},
		{"loopback by name", "localhost:0", ""},
		{"every address", ":0", fault.Forbidden},
		{"every IPv4 address", "0.0.0.0:0", fault.Forbidden},
		{"every IPv6 address", "[::]:0", fault.Forbidden},
		{"a private address", "192.168.1.1:0", fault.Forbidden},
		{"a public address", "93.184.216.34:0", fault.Forbidden},
		{"a private address in IPv6 clothes", "[::ffff:10.0.0.1]:0", fault.Forbidden},
		{"no port", "127.0.0.1", fault.Invalid},
		{"no host", "no such host.invalid:0", fault.Invalid},
		{"no such port", "127.0.0.1:port-of-nothing", fault.Unavailable},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ln, err := httpapi.Listen(tc.addr, fakeSigner{})
			if fault.CodeOf(err) != tc.code {
				t.Fatalf("%v", err)
			}
			if err != nil {
				if tc.code == fault.Forbidden && !strings.Contains(err.Error(), tc.addr) {
					t.Errorf("the address is not named: %v", err)
				}
				return
			}
			defer ln.Close()
			if !ln.Addr().(*net.TCPAddr).IP.IsLoopback() {
				t.Errorf("it listens on %s", ln.Addr())
			}
		})
	}
	t.Run("with authentication", func(t *testing.T) {
		ln, err := httpapi.Listen(":0", fakeSigner{authenticates: true})
		if err != nil {
			t.Fatal(err)
		}
		defer ln.Close()
		if !ln.Addr().(*net.TCPAddr).IP.IsUnspecified() {
			t.Errorf("it listens on %s", ln.Addr())
		}
	})
	t.Run("taken", func(t *testing.T) {
		ln, err := httpapi.Listen("127.0.0.1:0", fakeSigner{})
		if err != nil {
			t.Fatal(err)
		}
		defer ln.Close()
		if _, err := httpapi.Listen(ln.Addr().String(), fakeSigner{}); fault.CodeOf(err) != fault.Unavailable {
			t.Errorf("%v", err)
		}
	})
}

// A server that is told to stop answers what is at hand, says that it is not
// ready any more, and waits for no connection on which nothing was said.
//
// Proves: OB-05-002
func TestStopping(t *testing.T) {
	entered, release := make(chan struct{}), make(chan struct{})
	node := &fakeNode{receive: func() error {
		close(entered)
		<-release
		return nil
	}}
	api := newEdge(t, node, nil)
	ready := make(chan int, 1)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Host = "node.example:7001"
		api.ServeHTTP(w, r)
		if r.URL.Path != "/health/ready" { // ask once more, on the server's own behalf
			probe := r.Clone(r.Context())
			probe.Method, probe.URL.Path, probe.Body = http.MethodGet, "/health/ready", http.NoBody
			probe.URL.RawPath = ""
			status := &statusOnly{header: http.Header{}}
			api.ServeHTTP(status, probe)
			ready <- status.code
		}
	})
	ln, err := httpapi.Listen("127.0.0.1:0", fakeSigner{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- httpapi.Serve(ctx, ln, handler) }()

	silent, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	answered := make(chan int, 1)
	go func() {
		resp, err := client.Post("http://"+ln.Addr().String()+"/api/v2/actors/vendor/inbox/", "application/json", strings.NewReader(message))
		if err != nil {
			answered <- 0
			return
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		answered <- resp.StatusCode
	}()
	<-entered
	began := time.Now()
	stop()
	close(release)
	if got := <-answered; got != http.StatusAccepted {
		t.Errorf("the request at hand was answered with %d", got)
	}
	if got := <-ready; got != http.StatusServiceUnavailable {
		t.Errorf("stopping, it is ready with %d", got)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("it took %s", took)
	}
	if _, err := net.Dial("tcp", ln.Addr().String()); err == nil {
		t.Error("it still listens")
	}
}

// statusOnly is an answer of which the status is looked at.
type statusOnly struct {
	header http.Header
	code   int
}

func (s *statusOnly) Header() http.Header         { return s.header }
func (s *statusOnly) WriteHeader(code int)        { s.code = code }
func (s *statusOnly) Write(b []byte) (int, error) { return len(b), nil }

// A listener that breaks ends the serving with an error.
func TestABrokenListener(t *testing.T) {
	ln, err := httpapi.Listen("127.0.0.1:0", fakeSigner{})
	if err != nil {
		t.Fatal(err)
	}
	ln.Close()
	if err := httpapi.Serve(t.Context(), ln, http.NotFoundHandler()); fault.CodeOf(err) != fault.Unavailable {
		t.Errorf("%v", err)
	}
}
