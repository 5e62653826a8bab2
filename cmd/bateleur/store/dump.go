package store

import (
	"context"
	"encoding/json"
	"io"

	"bateleur/core/ledger"
	"bateleur/core/ports"
)

// Dump prints a store.
type Dump struct{ place }

// document is everything in a store. Bodies that are JSON are shown as such.
type document struct {
	Actor      string                    `json:"actor"`
	Objects    map[ports.Kind][]object   `json:"objects"`
	Ledgers    map[string][]ledger.Entry `json:"ledgers"`
	Inbox      []item                    `json:"inbox"`
	Outbox     []activity                `json:"outbox"`
	Deliveries []ports.RecipientQueue    `json:"deliveries"`
	Dead       []string                  `json:"deadDeliveries"`
}

type object struct {
	ID   string          `json:"id"`
	Rev  int64           `json:"rev"`
	Refs []ports.Ref     `json:"refs,omitempty"`
	Body json.RawMessage `json:"body"`
}

type item struct {
	Seq        int64            `json:"seq"`
	Class      ports.Class      `json:"class"`
	Sender     string           `json:"sender"`
	ActivityID string           `json:"activityId"`
	State      ports.InboxState `json:"state"`
	Wake       string           `json:"wake,omitempty"`
	Code       string           `json:"code,omitempty"`
	Text       string           `json:"text,omitempty"`
	Path       string           `json:"path,omitempty"`
	Body       json.RawMessage  `json:"body"`
}

type activity struct {
	Seq          int64           `json:"seq"`
	AttributedTo string          `json:"attributedTo,omitempty"`
	Recipients   []string        `json:"recipients"`
	About        string          `json:"about,omitempty"`
	Body         json.RawMessage `json:"body"`
}

// Run prints one JSON document in a fixed order.
func (d *Dump) Run(ctx context.Context, out io.Writer) error {
	doc := document{Actor: d.Actor, Objects: map[ports.Kind][]object{}, Ledgers: map[string][]ledger.Entry{}}
	err := d.view(ctx, func(r ports.Reader) error {
		for _, part := range []func(ports.Reader) error{doc.objects, doc.ledgers, doc.queue, doc.sent} {
			if err := part(r); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(doc)
}

func (d *document) objects(r ports.Reader) error {
	kinds, err := r.Kinds()
	if err != nil {
		return err
	}
	for _, k := range kinds {
		records, err := r.List(ports.ListParams{Kind: k})
		if err != nil {
			return err
		}
		for _, rec := range records {
			d.Objects[k] = append(d.Objects[k], object{ID: rec.ID, Rev: rec.Rev, Refs: rec.Refs, Body: shown(rec.Body)})
		}
	}
	return nil
}

func (d *document) ledgers(r ports.Reader) error {
	heads, err := r.Ledgers()
	if err != nil {
		return err
	}
	for _, h := range heads {
		if d.Ledgers[h.CaseID], err = r.Entries(h.CaseID, 0, 0); err != nil {
			return err
		}
	}
	return nil
}

func (d *document) queue(r ports.Reader) error {
	for _, state := range []ports.InboxState{ports.Pending, ports.Deferred, ports.Done, ports.Refused, ports.Ignored, ports.Dead} {
		items, err := r.Inbox(state, 0, 0)
		if err != nil {
			return err
		}
		for _, i := range items {
			d.Inbox = append(d.Inbox, item{Seq: i.Seq, Class: i.Class, Sender: i.Sender, ActivityID: i.ActivityID,
				State: i.State, Wake: i.Wake, Code: i.Outcome.Code, Text: i.Outcome.Text, Path: i.Outcome.Path,
				Body: shown(i.Body)})
		}
	}
	return nil
}

func (d *document) sent(r ports.Reader) error {
	items, err := r.OutboxItems(0, 0)
	if err != nil {
		return err
	}
	for _, i := range items {
		d.Outbox = append(d.Outbox, activity{Seq: i.Seq, AttributedTo: i.AttributedTo, Recipients: i.Recipients,
			About: i.About, Body: shown(i.Body)})
	}
	if d.Deliveries, err = r.Queues(); err != nil {
		return err
	}
	dead, err := r.DeadDeliveries(0, 0)
	for _, x := range dead {
		d.Dead = append(d.Dead, x.Recipient+" "+x.Item.ActivityID+": "+x.LastError)
	}
	return err
}

// shown gives a body that is JSON as it is, any other as a JSON string.
func shown(body []byte) json.RawMessage {
	if json.Valid(body) {
		return body
	}
	text, _ := json.Marshal(string(body))
	return text
}
