package httpapi_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"bateleur/core/fault"
)

// What the node answers is told by its code, and nothing of its inside.
func TestWhatTheNodeSays(t *testing.T) {
	inside := errors.New("open /var/lib/secret.sqlite: disk full")
	for _, tc := range []struct {
		name   string
		err    error
		status int
		retry  bool
	}{
		{"stopping", fault.New("node.do", "x", fault.Unavailable, "the node is stopping"), 503, true},
		{"cut off", fault.Wrap("node.do", "x", fault.Internal, context.Canceled), 503, true},
		{"closed", fault.New("memory.update", "x", fault.Closed, "closed"), 503, true},
		{"damaged", fault.Wrap("sqlite.put", "/var/lib/secret.sqlite", fault.Corrupt, inside), 500, false},
		{"of a newer program", fault.New("sqlite.open", "/var/lib/secret.sqlite", fault.Schema, "/var/lib/secret.sqlite is newer"), 500, false},
		{"a defect", inside, 500, false},
		{"a conflict", fault.Wrap("sqlite.put", "/var/lib/secret.sqlite", fault.Conflict, inside), 409, false},
		{"not hosted any more", fault.New("node.actor", "x", fault.NotHosted, "not here"), 409, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := newEdge(t, &fakeNode{receive: func() error { return tc.err }}, nil)
			w := e.ask(http.MethodPost, "/actors/vendor/inbox/", message)
			p := problemIn(t, w)
			if w.Code != tc.status || p.Code != string(fault.CodeOf(tc.err)) || (w.Header().Get("Retry-After") != "") != tc.retry {
				t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
			}
			if strings.Contains(w.Body.String(), "secret") {
				t.Errorf("the answer tells %s", w.Body)
			}
			if logged := e.log.String(); tc.status == 500 && !strings.Contains(logged, "secret") {
				t.Errorf("the log tells %q", logged)
			}
		})
	}
}

// A message is taken from the sender that is proved, and from nobody else.
func TestSenders(t *testing.T) {
	refuse := func(string) (string, error) {
		return "", fault.New("signer", "x", fault.Forbidden, "the signature does not hold")
	}
	for _, tc := range []struct {
		name   string
		proves func(string) (string, error)
		header []string
		status int
		code   string
	}{
		{"proved", func(claimed string) (string, error) { return claimed, nil }, nil, 202, ""},
		{"not signed", refuse, nil, 401, "unproved-sender"},
		{"signed wrongly", refuse, []string{"Signature", "x"}, 403, "forbidden"},
		{"signed by another", func(string) (string, error) { return sender + "-other", nil }, nil, 403, "forbidden"},
		{"proved as no actor", func(string) (string, error) { return "urn:x", nil }, nil, 400, "invalid"},
		{"keys cannot be had", func(string) (string, error) {
			return "", fault.New("signer", "x", fault.Unavailable, "no key")
		}, nil, 503, "unavailable"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := newEdge(t, &fakeNode{}, fakeSigner{proves: tc.proves, authenticates: true})
			w := e.ask(http.MethodPost, "/actors/vendor/inbox/", message, tc.header...)
			if w.Code != tc.status {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			if tc.code != "" && problemIn(t, w).Code != tc.code {
				t.Errorf("%s", w.Body)
			}
			if taken := len(e.node.received) > 0; taken != (tc.status == 202) {
				t.Errorf("taken: %t", taken)
			}
		})
	}
}

// The rule of four steps, by its table.
//
// Proves: IE-11-001, IE-11-002
func TestAddressees(t *testing.T) {
	known := sender + "-known"
	for _, tc := range []struct {
		name    string
		members string
		taken   bool
	}{
		{"nobody", ``, true},
		{"empty lists", `,"to":[],"cc":[]`, true},
		{"me", `,"to":["` + vendor + `"]`, true},
		{"me in a blind copy", `,"to":["` + known + `"],"bcc":["` + vendor + `"]`, true},
		{"me by the last part on this node", `,"to":["` + base + `/users/vendor"]`, true},
		{"my last part on this node's host, outside of its base", `,"to":["http://node.example:7001/vendor"]`, true},
		{"my last part elsewhere, unknown", `,"to":["https://peer.example/vendor"]`, true},
		{"my last part elsewhere, known", `,"to":["` + known + `/vendor"]`, false},
		{"a collection", `,"to":["urn:case/participants"]`, true},
		{"a known other", `,"to":["` + known + `"]`, false},
		{"known others in all four", `,"to":["` + known + `"],"cc":["` + known + `2"],"bto":["` + known + `"],"bcc":["` + known + `"]`, false},
		{"a known other and an unknown", `,"to":["` + known + `"],"cc":["` + sender + `"]`, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := newEdge(t, &fakeNode{known: map[string]bool{known: true, known + "2": true, known + "/vendor": true}}, nil)
			w := e.ask(http.MethodPost, "/actors/vendor/inbox/", strings.TrimSuffix(message, "}")+tc.members+"}")
			if taken := len(e.node.received) > 0; taken != tc.taken || (w.Code == http.StatusAccepted) != tc.taken {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			if !tc.taken {
				if p := problemIn(t, w); p.Code != "addressed-to-others" || w.Code != http.StatusBadRequest {
					t.Errorf("%d %+v", w.Code, p)
				}
			}
		})
	}
}
