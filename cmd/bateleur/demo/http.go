package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// client is everything this program has to do with the nodes.
var client = &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 8}}

// party is an actor on one of the nodes, seen through HTTP.
type party struct {
	node    *node
	segment string
	id      string
}

func (n *node) party(segment string) *party {
	return &party{node: n, segment: segment, id: n.base + "actors/" + segment}
}

// get reads a resource of the actor's.
func get[T any](ctx context.Context, p *party, path string) (T, error) {
	var found T
	return found, exchange(ctx, http.MethodGet, p.id+path, nil, &found)
}

// order gives the actor a command and reads its answer, when into is not nil.
func (p *party) order(ctx context.Context, trigger string, params map[string]string, into any) error {
	return exchange(ctx, http.MethodPost, p.id+"/trigger/"+trigger, params, into)
}

// meet puts a peer into the address books of the node's actors.
func (n *node) meet(ctx context.Context, peer *party, typ, name string) error {
	return exchange(ctx, http.MethodPost, n.base+"actors/",
		map[string]string{"id": peer.id, "actor_type": typ, "name": name}, nil)
}

// traffic is what reached nodes' inboxes.
type traffic struct {
	Posts int64 `json:"inboxPosts"`
	Bytes int64 `json:"inboxBytes"`
}

func (n *node) traffic(ctx context.Context) (traffic, error) {
	var t traffic
	at, err := url.Parse(n.base)
	if err != nil {
		return t, err
	}
	at.Path = "/health/stats"
	return t, exchange(ctx, http.MethodGet, at.String(), nil, &t)
}

func exchange(ctx context.Context, method, address string, body map[string]string, into any) error {
	var sent io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return err
		}
		sent = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(ctx, method, address, sent)
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	switch {
	case err != nil:
		return err
	case resp.StatusCode/100 != 2:
		return fmt.Errorf("%s %s answered %s: %s", method, address, resp.Status, bytes.TrimSpace(raw))
	case into == nil:
		return nil
	}
	return json.Unmarshal(raw, into)
}
