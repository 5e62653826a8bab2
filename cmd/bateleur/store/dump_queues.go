package store

import (
	"encoding/json"
	"time"

	"bateleur/core/ports"
)

type inboxRecord struct {
	Record     string           `json:"record"`
	Seq        int64            `json:"seq"`
	Class      ports.Class      `json:"class"`
	Sender     string           `json:"sender"`
	ActivityID string           `json:"activityId"`
	State      ports.InboxState `json:"state"`
	Attempts   int              `json:"attempts"`
	ReceivedAt *time.Time       `json:"receivedAt,omitempty"`
	Wake       string           `json:"wake,omitempty"`
	Until      *time.Time       `json:"until,omitempty"`
	Code       string           `json:"code,omitempty"`
	Text       string           `json:"text,omitempty"`
	Path       string           `json:"path,omitempty"`
	Result     json.RawMessage  `json:"result,omitempty"`
	Body       json.RawMessage  `json:"body"`
}

func inbox(p *printer, r ports.Reader) error {
	for _, state := range []ports.InboxState{ports.Pending, ports.Deferred, ports.Done, ports.Refused, ports.Ignored, ports.Dead} {
		after := int64(0)
		err := paged(p, func() ([]ports.InboxItem, error) { return r.Inbox(state, after, page) }, func(i ports.InboxItem) {
			rec := inboxRecord{"inbox", i.Seq, i.Class, i.Sender, i.ActivityID, i.State, i.Attempts, when(i.ReceivedAt),
				i.Wake, when(i.Until), i.Outcome.Code, i.Outcome.Text, i.Outcome.Path, nil, shown(i.Body)}
			if len(i.Outcome.Result) > 0 {
				rec.Result = shown(i.Outcome.Result)
			}
			p.print(rec)
			after = i.Seq
		})
		if err != nil {
			return err
		}
	}
	return nil
}

type outboxRecord struct {
	Record       string          `json:"record"`
	Seq          int64           `json:"seq"`
	ActivityID   string          `json:"activityId"`
	AttributedTo string          `json:"attributedTo,omitempty"`
	Recipients   []string        `json:"recipients"`
	PerRecipient bool            `json:"perRecipient,omitempty"`
	About        string          `json:"about,omitempty"`
	CreatedAt    *time.Time      `json:"createdAt,omitempty"`
	Body         json.RawMessage `json:"body"`
}

func outbox(p *printer, r ports.Reader) error {
	after := int64(0)
	return paged(p, func() ([]ports.OutboxItem, error) { return r.OutboxItems(after, page) }, func(i ports.OutboxItem) {
		p.print(outboxRecord{"outbox", i.Seq, i.ActivityID, i.AttributedTo, i.Recipients, i.PerRecipient, i.About,
			when(i.CreatedAt), shown(i.Body)})
		after = i.Seq
	})
}

type deliveryRecord struct {
	Record     string              `json:"record"`
	Recipient  string              `json:"recipient"`
	Seq        int64               `json:"seq"`
	ActivityID string              `json:"activityId"`
	State      ports.DeliveryState `json:"state"`
	Attempts   int                 `json:"attempts"`
	NotBefore  *time.Time          `json:"notBefore,omitempty"`
	LastError  string              `json:"lastError,omitempty"`
}

func pending(p *printer, r ports.Reader) error {
	queues, err := r.Queues()
	if err != nil {
		return err
	}
	for _, q := range queues {
		deliveries, err := r.Deliveries(q.Recipient, 0, q.Pending)
		if err != nil {
			return err
		}
		for _, d := range deliveries {
			p.print(recordOf(d))
		}
	}
	return nil
}

func dead(p *printer, r ports.Reader) error {
	after := int64(0)
	return paged(p, func() ([]ports.Delivery, error) { return r.DeadDeliveries(after, page) }, func(d ports.Delivery) {
		p.print(recordOf(d))
		after = d.Item.Seq
	})
}

func recordOf(d ports.Delivery) deliveryRecord {
	return deliveryRecord{"delivery", d.Recipient, d.Item.Seq, d.Item.ActivityID, d.State, d.Attempts, when(d.NotBefore), d.LastError}
}
