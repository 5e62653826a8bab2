package httpapi_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bateleur/core/ports"
)

// stranger is an actor that nobody knows.
const stranger = "https://peer.example/actors/stranger"

// note is a message whose meaning nothing here depends on.
func note(id, to string) map[string]any {
	m := map[string]any{"@context": "https://www.w3.org/ns/activitystreams", "id": id, "type": "Like",
		"actor": stranger, "object": map[string]any{"id": "urn:x:1", "type": "Note", "content": "hello"}}
	if to != "" {
		m["to"] = []string{to}
	}
	return m
}

// inbox lists what became of the messages in an actor's queue.
func (h *host) inbox(segment string) (items []ports.InboxItem) {
	h.t.Helper()
	err := h.node.View(h.t.Context(), h.actor(segment), func(r ports.Reader) error {
		for _, state := range []ports.InboxState{ports.Pending, ports.Deferred, ports.Done, ports.Refused, ports.Ignored, ports.Dead} {
			some, err := r.Inbox(state, 0, 0)
			if err != nil {
				return err
			}
			items = append(items, some...)
		}
		return nil
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return items
}

// Every refusal names what is wrong and leaves nothing in any store.
//
// Proves: IE-03-001, IE-07-001, IE-07-002, IE-11-001, IE-11-003
func TestWhatIsRefusedLeavesNothing(t *testing.T) {
	h := serve(t, []hosted{{"vendor", "Organization", ""}, {"other", "Organization", ""}})
	known := stranger + "-known"
	if a := h.do(http.MethodPost, "/actors/", "application/json", encoded(t, map[string]any{"id": known})); a.status != http.StatusCreated {
		t.Fatalf("register: %d %s", a.status, a.body)
	}
	good := encoded(t, note("urn:x:good", ""))
	before := h.dump("vendor") + h.dump("other")

	for _, tc := range []struct {
		name        string
		path        string
		contentType string
		header      []string
		body        []byte
		status      int
		code, field string
	}{
		{name: "unknown actor", path: "nobody", body: good, status: 404, code: "not-found"},
		{name: "an id for a segment", path: "http%3A%2F%2Fx%2Factors%2Fvendor", body: good, status: 404, code: "not-found"},
		{name: "no media type", contentType: "-", body: good, status: 415, code: "media-type", field: "Content-Type"},
		{name: "text", contentType: "text/plain", body: good, status: 415, code: "media-type", field: "Content-Type"},
		{name: "problem document", contentType: "application/problem+json", body: good, status: 415, code: "media-type", field: "Content-Type"},
		{name: "packed", header: []string{"Content-Encoding", "gzip"}, body: good, status: 415, code: "media-type", field: "Content-Encoding"},
		{name: "too long", body: bytes.Repeat([]byte(" "), 1<<20+1), status: 413, code: "too-large"},
		{name: "no body", body: nil, status: 400, code: "invalid", field: "body"},
		{name: "a byte order mark", body: append([]byte("\xef\xbb\xbf"), good...), status: 400, code: "invalid", field: "body"},
		{name: "no JSON", body: []byte(`{"type":`), status: 400, code: "invalid"},
		{name: "not UTF-8", body: []byte("{\"type\":\"Like\",\"name\":\"\xff\"}"), status: 400, code: "invalid", field: "name"},
		{name: "half a surrogate pair", body: []byte(`{"type":"Like","name":"\ud800"}`), status: 400, code: "invalid", field: "name"},
		{name: "a member twice", body: []byte(`{"type":"Like","type":"Like"}`), status: 400, code: "invalid", field: "type"},
		{name: "no number", body: []byte(`{"type":"Like","name":NaN}`), status: 400, code: "invalid", field: "name"},
		{name: "an array", body: []byte(`[]`), status: 400, code: "invalid", field: "type"},
		{name: "no type", body: []byte(`{"id":"urn:x","actor":"https://a.example/b"}`), status: 400, code: "invalid", field: "type"},
		{name: "type of a wrong kind", body: []byte(`{"type":{},"actor":"https://a.example/b"}`), status: 400, code: "invalid", field: "type"},
		{name: "no actor", body: []byte(`{"type":"Like","id":"urn:x"}`), status: 400, code: "invalid", field: "actor"},
		{name: "actor is no actor's id", body: []byte(`{"type":"Like","id":"urn:x","actor":"urn:x"}`), status: 400, code: "invalid", field: "actor"},
		{name: "an object and no activity", body: []byte(`{"type":"VulnerabilityReport","id":"urn:x","actor":"https://a.example/b"}`), status: 400, code: "invalid", field: "type"},
		{name: "an array deeper than any message", body: []byte(`{"type":"Like","object":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`), status: 413, code: "too-large"},
		{name: "to a neighbour", body: encoded(t, note("urn:x:1", h.id("other"))), status: 400, code: "addressed-to-others", field: "to"},
		{name: "to a peer in the address book", body: encoded(t, note("urn:x:2", known)), status: 400, code: "addressed-to-others", field: "to"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.path == "" {
				tc.path = "vendor"
			}
			switch tc.contentType {
			case "":
				tc.contentType = "application/activity+json"
			case "-":
				tc.contentType = ""
			}
			a := h.do(http.MethodPost, "/actors/"+tc.path+"/inbox/", tc.contentType, tc.body, tc.header...)
			var p problem
			a.decode(t, &p)
			want := problem{Type: "urn:bateleur:problem:" + tc.code, Status: tc.status, Code: tc.code, Field: tc.field,
				Title: p.Title, Detail: p.Detail}
			if tc.field == "" {
				want.Field = p.Field
			}
			if diff := cmp.Diff(want, p); diff != "" || a.status != tc.status || p.Title == "" {
				t.Errorf("%d (-want +got):\n%s", a.status, diff)
			}
			if p.Detail == "" || tc.status == http.StatusBadRequest && p.Field == "" {
				t.Errorf("nothing is said to be wrong: %s", a.body)
			}
			if got := a.header.Get("Content-Type"); got != "application/problem+json" {
				t.Errorf("the refusal is of type %s", got)
			}
		})
	}
	if diff := cmp.Diff(before, h.dump("vendor")+h.dump("other")); diff != "" {
		t.Errorf("something is stored (-before +after):\n%s", diff)
	}
}

// Every spelling of the media types is taken, and every address that is not
// wholly other known actors.
//
// Proves: IE-03-001, IE-11-002, IE-07-003
func TestWhatIsAccepted(t *testing.T) {
	h := serve(t, []hosted{{"vendor", "Organization", ""}, {"other", "Organization", ""}})
	for i, tc := range []struct {
		name        string
		contentType string
		path        string
		to          []string
	}{
		{name: "activity", contentType: "application/activity+json"},
		{name: "activity with a charset", contentType: "application/activity+json; charset=utf-8"},
		{name: "linked data with a profile", contentType: `application/ld+json; profile="https://www.w3.org/ns/activitystreams"`},
		{name: "a parameter without a value", contentType: "application/activity+json; profile"},
		{name: "linked data", contentType: "application/ld+json"},
		{name: "plain", contentType: "Application/JSON"},
		{name: "without a slash", contentType: "application/json", path: "/actors/vendor/inbox"},
		{name: "to me", to: []string{h.id("vendor")}},
		{name: "to me among known others", to: []string{h.id("other"), h.id("vendor")}},
		{name: "to me by the last part on this node", to: []string{h.base + "/people/vendor"}},
		{name: "to one that cannot be resolved", to: []string{h.id("other"), "urn:x:case/participants"}},
		{name: "to an unknown peer", to: []string{stranger}},
		{name: "to an unknown peer with my last part", to: []string{"https://peer.example/actors/vendor"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.contentType == "" {
				tc.contentType = "application/activity+json"
			}
			if tc.path == "" {
				tc.path = "/actors/vendor/inbox/"
			}
			id := fmt.Sprintf("urn:x:%d", i)
			m := note(id, "")
			m["to"] = tc.to
			a := h.do(http.MethodPost, tc.path, tc.contentType, encoded(t, m))
			var got map[string]string
			a.decode(t, &got)
			if a.status != http.StatusAccepted || got["status"] != "accepted" || got["activity_id"] != id || got["message"] == "" {
				t.Errorf("%d %s", a.status, a.body)
			}
		})
	}
	h.until("all are recorded as not understood", func() bool {
		n := 0
		for _, i := range h.inbox("vendor") {
			if i.State == ports.Ignored && i.Outcome.Code == "not-understood" {
				n++
			}
		}
		return n == 13
	})
}

// A type that nobody has heard of is taken and kept with its bytes.
//
// Proves: IE-07-003
func TestAnUnknownTypeIsKept(t *testing.T) {
	h := serve(t, []hosted{{"vendor", "Organization", ""}})
	m := note("urn:x:1", "")
	m["type"] = "Frobnicate"
	if a := h.post("vendor", m); a.status != http.StatusAccepted {
		t.Fatalf("%d %s", a.status, a.body)
	}
	h.until("recorded", func() bool { return h.inbox("vendor")[0].State == ports.Ignored })
	item := h.inbox("vendor")[0]
	if !bytes.Equal(item.Body, encoded(t, m)) || item.Outcome.Code != "not-understood" {
		t.Errorf("kept as %q for %q", item.Body, item.Outcome.Code)
	}
}

// A repetition gets the answer of the first one and has no effect. A known id
// from another sender, or with another body, is another message.
//
// Proves: ID-03-001, ID-02-001
func TestDuplicates(t *testing.T) {
	h := serve(t, []hosted{{"vendor", "Organization", ""}})
	first := h.post("vendor", note("urn:x:1", ""))
	again := h.post("vendor", note("urn:x:1", ""))
	if diff := cmp.Diff(string(first.body), string(again.body)); diff != "" || first.status != 202 || again.status != 202 {
		t.Errorf("%d, then %d (-first +again):\n%s", first.status, again.status, diff)
	}
	other := note("urn:x:1", "")
	other["actor"] = stranger + "-too"
	changed := note("urn:x:1", "")
	changed["content"] = "another body"
	for _, m := range []map[string]any{other, changed} {
		if a := h.post("vendor", m); a.status != http.StatusAccepted {
			t.Errorf("%d %s", a.status, a.body)
		}
	}
	if n := len(h.inbox("vendor")); n != 3 {
		t.Errorf("%d messages are kept, not 3", n)
	}
}

// Peers are written into the book of every hosted actor; nobody gets a store.
//
// Proves: DL-07-006, DL-07-008
func TestPeers(t *testing.T) {
	h := serve(t, []hosted{{"vendor", "Organization", ""}, {"case-actor", "Service", ""}})
	register := func(params map[string]any) answer {
		return h.do(http.MethodPost, "/actors/", "application/json", encoded(t, params))
	}
	var listed []map[string]any
	h.get("/actors/", &listed)

	a := register(map[string]any{"id": stranger, "actor_type": "Person", "name": "Alice"})
	var made map[string]any
	a.decode(t, &made)
	if a.status != http.StatusCreated || made["id"] != stranger || made["type"] != "Person" || made["inbox"] != stranger+"/inbox/" {
		t.Errorf("register: %d %s", a.status, a.body)
	}
	for _, segment := range []string{"vendor", "case-actor"} {
		known, err := h.node.KnownActor(t.Context(), h.actor(segment), stranger)
		if err != nil || !known {
			t.Errorf("%s does not know the peer: %v", segment, err)
		}
	}
	before := h.dump("vendor")
	if again := register(map[string]any{"id": stranger, "actor_type": "Person", "name": "Alice"}); again.status != http.StatusCreated {
		t.Errorf("registering again: %d %s", again.status, again.body)
	}
	if strings.Count(before, stranger+`"`) != strings.Count(h.dump("vendor"), stranger+`"`) {
		t.Error("registering again writes a second address")
	}

	for _, tc := range []struct {
		name   string
		params map[string]any
		status int
	}{
		{"a hosted actor", map[string]any{"id": h.id("vendor")}, http.StatusOK},
		{"an own authority that is not hosted", map[string]any{"id": h.id("newcomer"), "name": "x"}, http.StatusForbidden},
		{"no id", map[string]any{"name": "x", "actor_type": "Person"}, http.StatusForbidden},
		{"no actor's id", map[string]any{"id": "urn:x:1"}, http.StatusBadRequest},
		{"no type of actor", map[string]any{"id": stranger, "actor_type": "Dog"}, http.StatusBadRequest},
		{"an unknown member", map[string]any{"id": stranger, "password": "x"}, http.StatusBadRequest},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if a := register(tc.params); a.status != tc.status {
				t.Errorf("%d %s", a.status, a.body)
			}
		})
	}

	var after []map[string]any
	h.get("/actors/", &after)
	if diff := cmp.Diff(listed, after); diff != "" || len(after) != 2 {
		t.Errorf("the list of actors changed (-before +after):\n%s", diff)
	}
	for _, id := range []string{stranger, h.id("newcomer")} {
		if h.hasStore(id) {
			t.Errorf("%s has a store", id)
		}
	}
	var doc map[string]any
	h.get("/actors/case-actor", &doc)
	if doc["id"] != h.id("case-actor") || doc["inbox"] != h.id("case-actor")+"/inbox/" {
		t.Errorf("the case manager's document is %v", doc)
	}
}
