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

	"bateleur/core/ledger"
	"bateleur/core/usecases/query"
)

var client = &http.Client{Timeout: 30 * time.Second}

// get reads a resource into a value.
func get(ctx context.Context, address string, into any) error {
	return exchange(ctx, http.MethodGet, address, nil, into)
}

func exchange(ctx context.Context, method, address string, body, into any) error {
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

// do gives a command and reads its answer.
func (p *party) do(ctx context.Context, trigger string, params, into any) error {
	return exchange(ctx, http.MethodPost, p.id+"/trigger/"+trigger, params, into)
}

// show reads the case as the actor's own store has it.
func (p *party) show(ctx context.Context, caseID string) (query.Case, error) {
	var c query.Case
	return c, get(ctx, p.id+"/cases/"+url.PathEscape(caseID), &c)
}

func (p *party) ledger(ctx context.Context, caseID string) ([]ledger.Entry, error) {
	var entries []ledger.Entry
	return entries, get(ctx, p.id+"/cases/"+url.PathEscape(caseID)+"/ledger?limit=1000", &entries)
}

func (p *party) verify(ctx context.Context, caseID string) (query.Verification, error) {
	var v query.Verification
	return v, get(ctx, p.id+"/cases/"+url.PathEscape(caseID)+"/ledger/verify", &v)
}

// meet puts a peer into the address books of a node's actors.
func (c *child) meet(ctx context.Context, peer *party, typ, name string) error {
	return exchange(ctx, http.MethodPost, c.base+"/actors/",
		map[string]string{"id": peer.id, "actor_type": typ, "name": name}, nil)
}

// traffic is what reached a node's inboxes so far.
type traffic struct{ InboxPosts, InboxBytes int64 }

func (c *child) traffic(ctx context.Context) (traffic, error) {
	var t traffic
	return t, get(ctx, c.root+"/health/stats", &t)
}
