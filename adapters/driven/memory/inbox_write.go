package memory

import (
	"slices"
	"time"

	"bateleur/core/fault"
	"bateleur/core/ports"
)

// InboxAppend implements ports.InboxWriter.
func (t *tx) InboxAppend(item ports.InboxItem) (int64, bool, error) {
	if err := t.use("memory.inbox-append", item.ActivityID); err != nil {
		return 0, false, err
	}
	b := &t.state().inbox
	if seq, known := b.known[messageKey{item.Sender, item.ActivityID, item.Digest}]; known {
		return seq, true, nil
	}
	seq := int64(len(b.items)) + 1
	b.append(ports.InboxItem{
		Seq: seq, Class: item.Class, Sender: item.Sender, ActivityID: item.ActivityID,
		Digest: item.Digest, Body: slices.Clone(item.Body), ReceivedAt: instant(item.ReceivedAt),
		State: ports.Pending,
	})
	t.onRollback(b.removeLast)
	return seq, false, nil
}

// InboxSettle implements ports.InboxWriter.
func (t *tx) InboxSettle(s ports.Settlement) error {
	item, err := t.inboxItem("memory.inbox-settle", s.Seq)
	if err != nil {
		return err
	}
	content := *item
	content.State, content.Wake, content.Until = s.State, "", time.Time{}
	if s.State == ports.Deferred {
		content.Wake, content.Until = s.Wake, instant(s.Until)
	}
	content.Attempts++
	content.Outcome = s.Outcome
	content.Outcome.Result, content.Outcome.At = slices.Clone(s.Outcome.Result), instant(s.Outcome.At)
	t.setItem(item, content)
	return nil
}

// InboxRequeue implements ports.InboxWriter.
func (t *tx) InboxRequeue(seq int64) error {
	const op = "memory.inbox-requeue"
	item, err := t.inboxItem(op, seq)
	if err != nil {
		return err
	}
	if item.State != ports.Dead && item.State != ports.Deferred {
		return fault.New(op, item.ActivityID, fault.Conflict, "the item is "+string(item.State))
	}
	t.makePending(item)
	return nil
}

// InboxWake implements ports.InboxWriter.
func (t *tx) InboxWake(key string) (int, error) {
	if err := t.use("memory.inbox-wake", key); err != nil {
		return 0, err
	}
	b := &t.state().inbox
	woken := b.deferred(func(i *ports.InboxItem) bool { return i.Wake == key })
	for _, item := range woken {
		t.makePending(b.item(item.Seq))
	}
	return len(woken), nil
}

func (t *tx) makePending(item *ports.InboxItem) {
	content := *item
	content.State, content.Wake, content.Until = ports.Pending, "", time.Time{}
	t.setItem(item, content)
}

func (t *tx) setItem(item *ports.InboxItem, content ports.InboxItem) {
	b, before := &t.state().inbox, *item
	b.set(item, content)
	t.onRollback(func() { b.set(item, before) })
}
