package porttest

import (
	"fmt"
	"strings"
	"time"

	"bateleur/core/ports"
)

// Dump writes everything that a store holds as text, in the store's own order:
// two stores with the same dump cannot be told apart through the port.
func Dump(r ports.Reader) (string, error) {
	d := dumper{r: r}
	for _, part := range []func() error{d.objects, d.ledgers, d.inbox, d.outbox, d.deliveries} {
		if err := part(); err != nil {
			return "", err
		}
	}
	return d.text.String(), nil
}

type dumper struct {
	r    ports.Reader
	text strings.Builder
}

func (d *dumper) linef(format string, args ...any) { fmt.Fprintf(&d.text, format+"\n", args...) }

// stamp keeps every nanosecond and the zero time apart.
func stamp(t time.Time) string { return t.Format(time.RFC3339Nano) }

func (d *dumper) objects() error {
	kinds, err := d.r.Kinds()
	if err != nil {
		return err
	}
	for _, kind := range kinds {
		records, err := d.r.List(ports.ListParams{Kind: kind})
		if err != nil {
			return err
		}
		for _, r := range records {
			d.linef("record %q %q rev %d refs %q body %q", r.Kind, r.ID, r.Rev, r.Refs, r.Body)
		}
	}
	return nil
}

func (d *dumper) ledgers() error {
	heads, err := d.r.Ledgers()
	if err != nil {
		return err
	}
	for _, h := range heads {
		d.linef("ledger %+q", h)
		entries, err := d.r.Entries(h.CaseID, 0, 0)
		if err != nil {
			return err
		}
		for _, e := range entries {
			d.linef("entry %d %q term %s %q %q payload %q prev %q hash %q at %q reason %s %s published %q updated %q",
				e.Index, e.Disposition, pointed(e.Term), e.ObjectID, e.EventType, e.Payload, e.PrevHash, e.Hash,
				e.ReceivedAt, pointed(e.ReasonCode), pointed(e.ReasonDetail), e.Published, e.Updated)
		}
	}
	return nil
}

func pointed[T any](p *T) string {
	if p == nil {
		return "none"
	}
	return fmt.Sprintf("%#v", *p)
}

func (d *dumper) inbox() error {
	for _, state := range inboxStates {
		items, err := d.r.Inbox(state, 0, 0)
		if err != nil {
			return err
		}
		for _, i := range items {
			d.linef("item %d %q from %q id %q digest %q body %q at %s %s wake %q until %s attempts %d "+
				"outcome %q %q %q result %q at %s", i.Seq, i.Class, i.Sender, i.ActivityID, i.Digest, i.Body,
				stamp(i.ReceivedAt), i.State, i.Wake, stamp(i.Until), i.Attempts, i.Outcome.Code,
				i.Outcome.Text, i.Outcome.Path, i.Outcome.Result, stamp(i.Outcome.At))
		}
	}
	counts, err := d.r.InboxCounts()
	if err != nil {
		return err
	}
	next, err := d.r.NextDeferral()
	if err != nil {
		return err
	}
	due, err := d.r.DeferredUntil(endOfTime, 0)
	d.linef("counts %v next deferral %s due %v", counts, stamp(next), seqs(due))
	return err
}

// endOfTime is behind every bound that is set.
var endOfTime = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

var inboxStates = []ports.InboxState{
	ports.Pending, ports.Deferred, ports.Done, ports.Refused, ports.Ignored, ports.Dead,
}

func (d *dumper) outbox() error {
	items, err := d.r.OutboxItems(0, 0)
	for _, i := range items {
		d.linef("activity %d %q of %q for %q body %q to %q each %t about %q at %s", i.Seq, i.ActivityID,
			i.Actor, i.AttributedTo, i.Body, i.Recipients, i.PerRecipient, i.About, stamp(i.CreatedAt))
	}
	return err
}

func (d *dumper) deliveries() error {
	queues, err := d.r.Queues()
	if err != nil {
		return err
	}
	for _, q := range queues {
		d.linef("queue %q pending %d from %s", q.Recipient, q.Pending, stamp(q.NotBefore))
		pending, err := d.r.Deliveries(q.Recipient, 0, 0)
		if err != nil {
			return err
		}
		d.each(pending)
	}
	dead, err := d.r.DeadDeliveries(0, 0)
	d.each(dead)
	return err
}

func (d *dumper) each(deliveries []ports.Delivery) {
	for _, v := range deliveries {
		d.linef("delivery %d to %q %s attempts %d from %s error %q", v.Item.Seq, v.Recipient, v.State,
			v.Attempts, stamp(v.NotBefore), v.LastError)
	}
}
