package memory

import (
	"bateleur/core/fault"
	"bateleur/core/ports"
)

// OutboxAppend implements ports.OutboxWriter.
func (t *tx) OutboxAppend(item ports.OutboxItem) (int64, error) {
	const op = "memory.outbox-append"
	if err := t.use(op, item.ActivityID); err != nil {
		return 0, err
	}
	o := &t.state().outbox
	if err := item.Check(op, t.store.owner); err != nil {
		return 0, err
	}
	if _, taken := o.byActivity[item.ActivityID]; taken {
		return 0, fault.New(op, item.ActivityID, fault.Conflict, "the activity is in the outbox")
	}
	stored := cloneOutboxItem(&item)
	stored.Seq, stored.CreatedAt = int64(len(o.items))+1, instant(item.CreatedAt)
	o.items = append(o.items, &stored)
	o.byActivity[stored.ActivityID] = stored.Seq
	for _, recipient := range stored.Recipients {
		o.enqueue(deliveryKey{stored.Seq, recipient}, delivery{})
	}
	t.onRollback(func() {
		for _, recipient := range stored.Recipients {
			o.dequeue(deliveryKey{stored.Seq, recipient})
		}
		delete(o.byActivity, stored.ActivityID)
		o.items = o.items[:len(o.items)-1]
	})
	return stored.Seq, nil
}

// DeliverySettle implements ports.OutboxWriter.
func (t *tx) DeliverySettle(a ports.Attempt) error {
	const op = "memory.delivery-settle"
	if err := t.use(op, a.Recipient); err != nil {
		return err
	}
	if err := a.Check(op); err != nil {
		return err
	}
	o, key := &t.state().outbox, deliveryKey{a.Seq, a.Recipient}
	if !holds(o.queues[a.Recipient], key) {
		return fault.New(op, a.Recipient, fault.NotFound, "no such pending delivery")
	}
	before := o.deliveries[key]
	after := delivery{attempts: before.attempts + 1, notBefore: instant(a.NotBefore), lastError: a.Error}
	switch {
	case a.Delivered:
		o.dequeue(key)
		t.onRollback(func() { o.enqueue(key, before) })
	case a.Dead:
		o.dequeue(key)
		o.bury(key, after)
		t.onRollback(func() { o.exhume(key); o.enqueue(key, before) })
	default:
		o.deliveries[key] = after
		t.onRollback(func() { o.deliveries[key] = before })
	}
	return nil
}

// DeliveryRequeue implements ports.OutboxWriter.
func (t *tx) DeliveryRequeue(recipient string, seq int64) error {
	const op = "memory.delivery-requeue"
	if err := t.use(op, recipient); err != nil {
		return err
	}
	o, key := &t.state().outbox, deliveryKey{seq, recipient}
	if !holds(o.dead, key) {
		return fault.New(op, recipient, fault.NotFound, "no such dead delivery")
	}
	before := o.deliveries[key]
	o.exhume(key)
	o.enqueue(key, delivery{lastError: before.lastError})
	t.onRollback(func() { o.dequeue(key); o.bury(key, before) })
	return nil
}
