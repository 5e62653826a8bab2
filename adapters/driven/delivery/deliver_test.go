package delivery_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"bateleur/adapters/driven/delivery"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// transport gives a transport of the package's own client whose connections are
// closed with the test.
func transport(t *testing.T, o delivery.Options) *delivery.HTTP {
	t.Helper()
	d := delivery.New(o)
	t.Cleanup(d.CloseIdle)
	return d
}

func peer(t *testing.T, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

func outgoing(inbox string) ports.Outgoing {
	sender, _ := model.ParseActorID("http://127.0.0.1:1/actors/a")
	return ports.Outgoing{Sender: sender, Inbox: inbox, Body: []byte(`{"type":"Like"}`)}
}

// failure is what the tests look at in a DeliveryError.
type failure struct {
	Status     int
	Terminal   bool
	RetryAfter time.Duration
}

func failureOf(t *testing.T, err error) failure {
	t.Helper()
	var f *ports.DeliveryError
	if !errors.As(err, &f) {
		t.Fatalf("%v is no DeliveryError", err)
	}
	if f.Error() == "" {
		t.Error("the error says nothing")
	}
	return failure{f.Status, f.Terminal, f.RetryAfter}
}

// What answers mean: any 2xx is delivered, what will never be taken ends, and
// what may be taken later is told with its pause.
//
// Proves: OX-13-005
func TestAnswers(t *testing.T) {
	for _, tc := range []struct {
		name       string
		status     int
		retryAfter string
		body       string
		delivered  bool
		want       failure
	}{
		{name: "accepted", status: 202, delivered: true},
		{name: "a page", status: 200, body: "<html>welcome</html>", delivered: true},
		{name: "created", status: 201, delivered: true},
		{name: "no content", status: 204, delivered: true},
		{name: "moved", status: 301, want: failure{Status: 301, Terminal: true}},
		{name: "moved for now", status: 307, want: failure{Status: 307, Terminal: true}},
		{name: "bad request", status: 400, want: failure{Status: 400, Terminal: true}},
		{name: "unauthorised", status: 401, want: failure{Status: 401, Terminal: true}},
		{name: "forbidden", status: 403, want: failure{Status: 403, Terminal: true}},
		{name: "not found", status: 404, want: failure{Status: 404, Terminal: true}},
		{name: "gone", status: 410, want: failure{Status: 410, Terminal: true}},
		{name: "gone, with a pause", status: 410, retryAfter: "5", want: failure{Status: 410, Terminal: true}},
		{name: "request timeout", status: 408, want: failure{Status: 408}},
		{name: "too early", status: 425, want: failure{Status: 425}},
		{name: "too many", status: 429, retryAfter: "7", want: failure{Status: 429, RetryAfter: 7 * time.Second}},
		{name: "a pause without end", status: 503, retryAfter: "999999999", want: failure{Status: 503, RetryAfter: 24 * time.Hour}},
		{name: "a pause that is over", status: 503, retryAfter: "Mon, 02 Jan 2006 15:04:05 GMT", want: failure{Status: 503}},
		{name: "a pause that is none", status: 503, retryAfter: "soon", want: failure{Status: 503}},
		{name: "a pause below nothing", status: 503, retryAfter: "-3", want: failure{Status: 503}},
		{name: "broken", status: 500, body: "boom", want: failure{Status: 500}},
		{name: "bad gateway", status: 502, want: failure{Status: 502}},
		{name: "unknown class", status: 799, want: failure{Status: 799}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := peer(t, func(w http.ResponseWriter, _ *http.Request) {
				if tc.retryAfter != "" {
					w.Header().Set("Retry-After", tc.retryAfter)
				}
				w.Header().Set("Location", "http://127.0.0.1:1/elsewhere")
				w.WriteHeader(tc.status)
				_, _ = io.WriteString(w, tc.body)
			})
			err := transport(t, delivery.Options{}).Deliver(t.Context(), outgoing(p.URL+"/inbox/"))
			if tc.delivered {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if diff := cmp.Diff(tc.want, failureOf(t, err)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A pause is told as a date too.
func TestRetryAfterADate(t *testing.T) {
	p := peer(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", time.Now().Add(time.Hour).UTC().Format(http.TimeFormat))
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	got := failureOf(t, transport(t, delivery.Options{}).Deliver(t.Context(), outgoing(p.URL)))
	if got.RetryAfter < 59*time.Minute || got.RetryAfter > time.Hour || got.Terminal {
		t.Errorf("%+v", got)
	}
}

// What goes over the wire, and that it is not sent elsewhere when asked to.
func TestTheRequest(t *testing.T) {
	var got *http.Request
	var body []byte
	elsewhere := peer(t, func(http.ResponseWriter, *http.Request) { t.Error("a redirect was followed") })
	p := peer(t, func(w http.ResponseWriter, r *http.Request) {
		got = r
		body, _ = io.ReadAll(r.Body)
		http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
	})
	for _, o := range []delivery.Options{{UserAgent: "test/1"}, {UserAgent: "test/1", Client: p.Client()}} {
		err := transport(t, o).Deliver(t.Context(), outgoing(p.URL+"/actors/v/inbox/"))
		if f := failureOf(t, err); f.Status != http.StatusTemporaryRedirect || !strings.Contains(err.Error(), elsewhere.URL) {
			t.Errorf("%+v %v", f, err)
		}
		if got.Method != http.MethodPost || got.URL.Path != "/actors/v/inbox/" || string(body) != `{"type":"Like"}` ||
			got.Header.Get("Content-Type") != "application/activity+json" || got.Header.Get("User-Agent") != "test/1" ||
			got.Header.Get("Accept-Encoding") == "gzip" && o.Client == nil || got.Header.Get("Idempotency-Key") != "" {
			t.Errorf("%s %s %v %s", got.Method, got.URL, got.Header, body)
		}
	}
}

// A peer that hangs costs the attempt's time and no more; so does one that
// answers and never ends its body.
func TestAPeerThatHangs(t *testing.T) {
	release := make(chan struct{})
	for _, tc := range []struct {
		name      string
		answers   bool
		delivered bool
	}{{"before the answer", false, false}, {"within the answer", true, true}} {
		t.Run(tc.name, func(t *testing.T) {
			p := peer(t, func(w http.ResponseWriter, _ *http.Request) {
				if tc.answers {
					w.WriteHeader(http.StatusAccepted)
					_ = http.NewResponseController(w).Flush()
				}
				<-release
			})
			t.Cleanup(func() { release <- struct{}{} }) // runs before the peer's Close
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			err := transport(t, delivery.Options{}).Deliver(ctx, outgoing(p.URL))
			if tc.delivered {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if got := failureOf(t, err); got != (failure{}) {
				t.Errorf("%+v", got)
			}
			if fault.CodeOf(err) != fault.Cancelled {
				t.Errorf("%v", err)
			}
		})
	}
}

// However much a peer answers, a bounded part of it is read.
func TestAHugeAnswer(t *testing.T) {
	for _, status := range []int{http.StatusOK, http.StatusBadRequest} {
		sent := 0
		p := peer(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			chunk := bytes.Repeat([]byte("\x1b[31mx "), 8<<10)
			for range 4096 {
				n, err := w.Write(chunk)
				sent += n
				if err != nil {
					return
				}
			}
		})
		err := transport(t, delivery.Options{}).Deliver(t.Context(), outgoing(p.URL))
		p.Close()
		if (err == nil) != (status == http.StatusOK) {
			t.Errorf("%d: %v", status, err)
		}
		if err != nil && (len(err.Error()) > 400 || strings.Contains(err.Error(), "\x1b")) {
			t.Errorf("the reason is %q", err)
		}
		if sent > 64<<20 {
			t.Errorf("%d bytes were taken", sent)
		}
	}
}

// No answer is worth another attempt.
func TestNoAnswer(t *testing.T) {
	reset := peer(t, func(w http.ResponseWriter, _ *http.Request) {
		c, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_ = c.(*net.TCPConn).SetLinger(0)
		_ = c.Close()
	})
	refused := peer(t, nil)
	refused.Close()
	for name, at := range map[string]string{"reset": reset.URL, "refused": refused.URL} {
		if got := failureOf(t, transport(t, delivery.Options{}).Deliver(t.Context(), outgoing(at))); got != (failure{}) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// A refusal that comes before the body is read ends the message, however large
// that is: it is not taken for a broken connection and tried again.
func TestALargeMessageIsRefusedUnread(t *testing.T) {
	p := peer(t, func(w http.ResponseWriter, _ *http.Request) {
		c, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = io.WriteString(c, "HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
		_ = c.Close() // on what is unread the sender is told of a reset
	})
	d, out := transport(t, delivery.Options{}), outgoing(p.URL)
	out.Body = bytes.Repeat([]byte("x"), 8<<20)
	for range 20 {
		if f := failureOf(t, d.Deliver(t.Context(), out)); f != (failure{Status: 413, Terminal: true}) {
			t.Fatalf("%+v", f)
		}
	}
}

// Who takes a large message gets all of it, also who does not know the question
// whether it does.
func TestALargeMessageIsTaken(t *testing.T) {
	for _, knows := range []bool{true, false} {
		got := 0
		p := peer(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Expect") != "" && !knows {
				w.WriteHeader(http.StatusExpectationFailed)
				return
			}
			body, _ := io.ReadAll(r.Body)
			got = len(body)
			w.WriteHeader(http.StatusAccepted)
		})
		out := outgoing(p.URL)
		out.Body = bytes.Repeat([]byte("x"), 1<<20)
		if err := transport(t, delivery.Options{}).Deliver(t.Context(), out); err != nil || got != len(out.Body) {
			t.Errorf("knows %t: %v, %d bytes", knows, err, got)
		}
	}
}

// A kept connection that the peer has closed meanwhile costs no attempt.
func TestAClosedConnectionIsReplaced(t *testing.T) {
	conns := make(chan net.Conn, 8)
	posts := 0
	p := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		posts++
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusAccepted)
	}))
	p.Config.ConnState = func(c net.Conn, s http.ConnState) {
		if s == http.StateIdle {
			conns <- c
		}
	}
	p.Start()
	defer p.Close()
	d := transport(t, delivery.Options{})
	for i := range 20 {
		if err := d.Deliver(t.Context(), outgoing(p.URL)); err != nil {
			t.Fatalf("after %d: %v", i, err)
		}
		_ = (<-conns).Close()
	}
	if posts != 20 {
		t.Errorf("%d posts", posts)
	}
}

// Inboxes that are none, or not on this machine while nothing is signed, are
// given up at once.
func TestInboxesBeyondReach(t *testing.T) {
	for _, tc := range []struct{ name, inbox string }{
		{"another scheme", "ftp://127.0.0.1/inbox/"},
		{"a file", "file:///etc/passwd"},
		{"no host", "http:///inbox/"},
		{"no URL", "http://[::1"},
		{"a private network", "http://192.168.1.1/inbox/"},
		{"a link-local address", "http://169.254.169.254/latest/"},
		{"a public address", "http://93.184.216.34/inbox/"},
		{"an IPv4 address in IPv6 clothes", "http://[::ffff:10.0.0.1]/inbox/"},
		{"any address", "http://0.0.0.0:1/inbox/"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := failureOf(t, transport(t, delivery.Options{}).Deliver(t.Context(), outgoing(tc.inbox)))
			if got != (failure{Terminal: true}) {
				t.Errorf("%+v", got)
			}
		})
	}
}

// seal is a signer that proves with a header.
type seal struct{ refuse error }

func (s seal) Sign(_ context.Context, sender model.ActorID, target *url.URL, body []byte, header map[string][]string) error {
	header["X-Seal"] = []string{sender.URI() + " " + target.Path + " " + string(body)}
	return s.refuse
}

func (seal) Authenticate(context.Context, string, map[string][]string, []byte) (string, error) {
	return "", nil
}
func (seal) Authenticates() bool { return true }

// A signer signs what is sent, and without a signature nothing is.
func TestSigning(t *testing.T) {
	var sealed string
	p := peer(t, func(w http.ResponseWriter, r *http.Request) {
		sealed = r.Header.Get("X-Seal")
		w.WriteHeader(http.StatusAccepted)
	})
	if err := transport(t, delivery.Options{Signer: seal{}}).Deliver(t.Context(), outgoing(p.URL+"/i/")); err != nil {
		t.Fatal(err)
	}
	if want := `http://127.0.0.1:1/actors/a /i/ {"type":"Like"}`; sealed != want {
		t.Errorf("sealed %q", sealed)
	}
	sealed = ""
	err := transport(t, delivery.Options{Signer: seal{errors.New("no key")}}).Deliver(t.Context(), outgoing(p.URL+"/i/"))
	if got := failureOf(t, err); got != (failure{Terminal: true}) || sealed != "" {
		t.Errorf("%+v, sent %q", got, sealed)
	}
	// Who signs may reach beyond this machine, unless told to stay: the address
	// is of a block for documentation, and the attempt ends with its time.
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if got := failureOf(t, transport(t, delivery.Options{Signer: seal{}}).Deliver(ctx, outgoing("http://192.0.2.1/i/"))); got.Terminal {
		t.Errorf("beyond this machine: %+v", got)
	}
	if got := failureOf(t, transport(t, delivery.Options{Signer: seal{}, LoopbackOnly: true}).Deliver(t.Context(),
		outgoing("http://192.0.2.1/i/"))); !got.Terminal {
		t.Errorf("told to stay: %+v", got)
	}
}

// Unsigned takes everybody's word and says so.
func TestUnsigned(t *testing.T) {
	var s delivery.Unsigned
	header := http.Header{}
	if err := s.Sign(t.Context(), model.ActorID{}, nil, nil, header); err != nil || len(header) > 0 {
		t.Errorf("%v %v", err, header)
	}
	if who, err := s.Authenticate(t.Context(), "http://a.example/b", header, nil); err != nil || who != "http://a.example/b" {
		t.Errorf("%s %v", who, err)
	}
	if s.Authenticates() {
		t.Error("it authenticates")
	}
}
