package query

import (
	"encoding/json"
	"strings"
	"time"

	"bateleur/core/ports"
	"bateleur/core/scope"
)

// DeadLetters is what an actor's node gave up, for a person to look at.
type DeadLetters struct {
	Inbox      []DeadItem     `json:"inbox"`
	Deliveries []DeadDelivery `json:"deliveries"`
}

// DeadItem is a message or command that could not be decided.
type DeadItem struct {
	Seq        int64       `json:"seq"`
	Class      ports.Class `json:"class"`
	Sender     string      `json:"sender"` // of a command, on whose behalf
	ActivityID string      `json:"activityId"`
	Trigger    string      `json:"trigger,omitempty"` // of a command
	Reason     Reason      `json:"reason"`
	Attempts   int         `json:"attempts"`
	ReceivedAt time.Time   `json:"receivedAt"`
	At         time.Time   `json:"at,omitzero"` // when it was given up
}

// DeadDelivery is a message that a recipient was not brought to take.
type DeadDelivery struct {
	Seq        int64     `json:"seq"`
	Recipient  string    `json:"recipient"`
	ActivityID string    `json:"activityId"`
	About      string    `json:"about,omitempty"`
	Attempts   int       `json:"attempts"`
	Error      string    `json:"error"`
	CreatedAt  time.Time `json:"createdAt"`
}

// Reason is why an item stands where it stands.
type Reason struct {
	Code string `json:"code"`
	Text string `json:"text,omitempty"` // one line for people
	Path string `json:"path,omitempty"` // of the tree's node that decided
}

// ReasonOf shows an outcome's reason. What stands below its first line, such as
// the stack of a panic, belongs to the log.
func ReasonOf(o ports.Outcome) Reason {
	line, _, _ := strings.Cut(o.Text, "\n")
	return Reason{Code: o.Code, Text: line, Path: o.Path}
}

// Dead lists up to limit dead items of the queue and as many given-up
// deliveries; both can be run again (OX-13-002).
func Dead(r ports.Reader, limit int) (DeadLetters, error) {
	out := DeadLetters{Inbox: []DeadItem{}, Deliveries: []DeadDelivery{}}
	items, err := r.Inbox(ports.Dead, 0, bounded(limit))
	if err != nil {
		return out, err
	}
	for _, i := range items {
		out.Inbox = append(out.Inbox, DeadItem{Seq: i.Seq, Class: i.Class, Sender: i.Sender, ActivityID: i.ActivityID,
			Trigger: trigger(i), Reason: ReasonOf(i.Outcome), Attempts: i.Attempts, ReceivedAt: i.ReceivedAt, At: i.Outcome.At})
	}
	deliveries, err := r.DeadDeliveries(0, bounded(limit))
	for _, d := range deliveries {
		out.Deliveries = append(out.Deliveries, DeadDelivery{Seq: d.Item.Seq, Recipient: d.Recipient,
			ActivityID: d.Item.ActivityID, About: d.Item.About, Attempts: d.Attempts, Error: d.LastError,
			CreatedAt: d.Item.CreatedAt})
	}
	return out, err
}

func trigger(i ports.InboxItem) string {
	var c scope.Command
	if i.Class == ports.Command {
		_ = json.Unmarshal(i.Body, &c) // what cannot be read has no name
	}
	return c.Trigger
}

// Queue is how much an actor has before it.
type Queue struct {
	Inbox      map[ports.InboxState]int64 `json:"inbox"` // items by state
	Recipients []Recipient                `json:"recipients"`
}

// Recipient is what waits for one recipient.
type Recipient struct {
	Recipient   string    `json:"recipient"`
	Pending     int       `json:"pending"`
	NextAttempt time.Time `json:"nextAttempt,omitzero"` // absent: at once
	Attempts    int       `json:"attempts"`             // of the first one that waits
	LastError   string    `json:"lastError,omitempty"`
}

// Queued counts an actor's queue and shows each recipient that waits for
// something.
func Queued(r ports.Reader) (Queue, error) {
	counts, err := r.InboxCounts()
	if err != nil {
		return Queue{}, err
	}
	out := Queue{Inbox: map[ports.InboxState]int64{}, Recipients: []Recipient{}}
	for _, s := range []ports.InboxState{ports.Pending, ports.Deferred, ports.Done, ports.Refused, ports.Ignored, ports.Dead} {
		out.Inbox[s] = counts[s]
	}
	queues, err := r.Queues()
	if err != nil {
		return Queue{}, err
	}
	for _, q := range queues {
		first, err := r.Deliveries(q.Recipient, 0, 1)
		if err != nil {
			return Queue{}, err
		}
		shown := Recipient{Recipient: q.Recipient, Pending: q.Pending, NextAttempt: q.NotBefore}
		if len(first) > 0 {
			shown.Attempts, shown.LastError = first[0].Attempts, first[0].LastError
		}
		out.Recipients = append(out.Recipients, shown)
	}
	return out, nil
}
