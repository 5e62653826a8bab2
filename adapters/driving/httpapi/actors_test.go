package httpapi_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bateleur/core/ports"
)

// A peer is known when every hosted actor has it in its book; what came of the
// command that could not be done is told.
func TestRegisteringAPeer(t *testing.T) {
	for _, tc := range []struct {
		name   string
		state  ports.InboxState
		status int
	}{
		{"written", ports.Done, http.StatusCreated},
		{"not written yet", ports.Pending, http.StatusAccepted},
		{"refused", ports.Refused, http.StatusConflict},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got ports.CommandRequest
			e := newEdge(t, &fakeNode{command: func(r ports.CommandRequest) (ports.CommandStatus, error) {
				got = r
				return statusOf(tc.state, ports.Outcome{Code: "any", Result: []byte(`{"actor":{"id":"` + sender + `","type":"Person"}}`)}), nil
			}}, nil)
			w := e.ask(http.MethodPost, "/actors/", `{"id":"`+sender+`","actor_type":"Person","name":"P"}`)
			if w.Code != tc.status {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			want := map[string]string{"id": sender, "type": "Person", "name": "P"}
			var params map[string]string
			if err := json.Unmarshal(got.Params, &params); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, params); diff != "" || got.Trigger != "register-peer" {
				t.Errorf("%s (-want +got):\n%s", got.Trigger, diff)
			}
		})
	}
}

// An actor's document is told under its id and as its profile.
//
// Proves: DL-07-006
func TestAnActorsDocument(t *testing.T) {
	e := newEdge(t, &fakeNode{}, nil)
	want := `{"@context":"https://www.w3.org/ns/activitystreams","id":"` + vendor + `","type":"Organization",
		"inbox":"` + vendor + `/inbox/","outbox":"` + vendor + `/outbox/"}`
	for _, path := range []string{"/actors/vendor", "/actors/vendor/profile"} {
		w := e.ask(http.MethodGet, path, "")
		if diff := cmp.Diff(parsed(t, want), parsed(t, w.Body.String())); diff != "" || w.Code != http.StatusOK ||
			w.Header().Get("Content-Type") != "application/activity+json" {
			t.Errorf("%s: %d %v (-want +got):\n%s", path, w.Code, w.Header(), diff)
		}
	}
	if w := e.ask(http.MethodHead, "/actors/vendor", ""); w.Code != http.StatusOK {
		t.Errorf("HEAD: %d", w.Code)
	}
}

// The address book is written through POST /actors/ and its guard alone: as a
// command there is none of that name.
func TestRegisteringAPeerIsNoCommand(t *testing.T) {
	e := newEdge(t, &fakeNode{command: func(r ports.CommandRequest) (ports.CommandStatus, error) {
		t.Errorf("%s is given", r.Trigger)
		return statusOf(ports.Done, ports.Outcome{}), nil
	}}, nil)
	w := e.ask(http.MethodPost, "/actors/vendor/trigger/register-peer", `{"id":"`+base+`/actors/ghost"}`)
	if p := problemIn(t, w); w.Code != http.StatusNotFound || p.Code != "not-found" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
