package sqlite

import (
	"bateleur/core/fault"
	"bateleur/core/ports"
)

var (
	insertActivity = define(`
INSERT INTO outbox (activity_id, attributed_to, recipients, per_recipient, about, created_at, body)
VALUES (?, ?, ?, ?, ?, ?, ?)`)
	insertDelivery = define(`INSERT INTO deliveries (recipient, seq) VALUES (?, ?)`)
	deliveryMade   = define(`DELETE FROM deliveries WHERE recipient = ? AND seq = ? AND dead = 0`)
	deliveryFailed = define(`
UPDATE deliveries SET dead = ?, attempts = attempts + 1, not_before = ?, last_error = ?
WHERE recipient = ? AND seq = ? AND dead = 0`)
	requeueDelivery = define(`
UPDATE deliveries SET dead = 0, attempts = 0, not_before = 0 WHERE recipient = ? AND seq = ? AND dead = 1`)
)

// OutboxAppend implements ports.OutboxWriter.
func (t *tx) OutboxAppend(item ports.OutboxItem) (int64, error) {
	const op = "sqlite.outbox-append"
	if err := t.alive(op, item.ActivityID); err != nil {
		return 0, err
	}
	if err := item.Check(op, t.file.owner); err != nil {
		return 0, err
	}
	created, err := stamp(op, item.ActivityID, "createdAt", item.CreatedAt)
	if err != nil {
		return 0, err
	}
	_, seq, err := t.exec(op, item.ActivityID, insertActivity, item.ActivityID, item.AttributedTo,
		pack(item.Recipients), item.PerRecipient, item.About, created, blob(item.Body))
	if err != nil {
		return 0, err
	}
	for _, recipient := range item.Recipients {
		if _, _, err := t.exec(op, item.ActivityID, insertDelivery, recipient, seq); err != nil {
			return 0, err
		}
	}
	return seq, nil
}

// DeliverySettle implements ports.OutboxWriter.
func (t *tx) DeliverySettle(a ports.Attempt) error {
	const op = "sqlite.delivery-settle"
	if err := a.Check(op); err != nil {
		return err
	}
	notBefore, err := stamp(op, a.Recipient, "notBefore", a.NotBefore)
	if err != nil {
		return err
	}
	var changed int64
	if a.Delivered {
		changed, _, err = t.exec(op, a.Recipient, deliveryMade, a.Recipient, a.Seq)
	} else {
		changed, _, err = t.exec(op, a.Recipient, deliveryFailed, a.Dead, notBefore, a.Error, a.Recipient, a.Seq)
	}
	if err == nil && changed == 0 {
		return fault.New(op, a.Recipient, fault.NotFound, "no such pending delivery")
	}
	return err
}

// DeliveryRequeue implements ports.OutboxWriter.
func (t *tx) DeliveryRequeue(recipient string, seq int64) error {
	const op = "sqlite.delivery-requeue"
	changed, _, err := t.exec(op, recipient, requeueDelivery, recipient, seq)
	if err == nil && changed == 0 {
		return fault.New(op, recipient, fault.NotFound, "no such dead delivery")
	}
	return err
}
