package sqlite

import (
	"bateleur/core/fault"
	"bateleur/core/ports"
)

const (
	activityColumns = `
SELECT o.seq, o.activity_id, o.attributed_to, o.body, o.recipients, o.per_recipient, o.about, o.created_at`
	deliveryColumns = activityColumns + `,
    d.recipient, d.dead, d.attempts, d.not_before, d.last_error
FROM deliveries d JOIN outbox o ON o.seq = d.seq`
)

var (
	getActivity    = define(activityColumns + ` FROM outbox o WHERE o.activity_id = ?`)
	listActivities = define(activityColumns + ` FROM outbox o WHERE o.seq > ? ORDER BY o.seq LIMIT ? + 0`)

	listDeliveries = define(deliveryColumns + `
WHERE d.recipient = ? AND d.dead = 0 AND d.seq > ? ORDER BY d.seq LIMIT ? + 0`)
	listDead = define(deliveryColumns + `
WHERE d.dead = 1 AND d.seq > ? ORDER BY d.seq, d.recipient LIMIT ? + 0`)
	listDeadOfItem = define(deliveryColumns + `
WHERE d.dead = 1 AND d.seq = ? AND d.recipient > ? ORDER BY d.recipient`)

	listQueues = define(`
SELECT q.recipient, q.pending, d.not_before
FROM (SELECT recipient, count(*) AS pending, min(seq) AS head FROM deliveries WHERE dead = 0 GROUP BY recipient) q
JOIN deliveries d ON d.recipient = q.recipient AND d.seq = q.head
ORDER BY q.recipient`)
)

type activityRow struct {
	Seq          int64  `db:"seq"`
	ActivityID   string `db:"activity_id"`
	AttributedTo string `db:"attributed_to"`
	Body         []byte `db:"body"`
	Recipients   []byte `db:"recipients"`
	PerRecipient bool   `db:"per_recipient"`
	About        string `db:"about"`
	CreatedAt    int64  `db:"created_at"`
}

type deliveryRow struct {
	activityRow
	Recipient string `db:"recipient"`
	Dead      bool   `db:"dead"`
	Attempts  int    `db:"attempts"`
	NotBefore int64  `db:"not_before"`
	LastError string `db:"last_error"`
}

// activity is the row as the owner's: a store holds no other actor's.
func (r *reader) activity(row activityRow) (ports.OutboxItem, error) {
	recipients, err := unpack("sqlite.outbox", row.ActivityID, row.Recipients)
	return ports.OutboxItem{
		Seq: row.Seq, ActivityID: row.ActivityID, Actor: r.file.owner, AttributedTo: row.AttributedTo,
		Body: row.Body, Recipients: recipients, PerRecipient: row.PerRecipient, About: row.About,
		CreatedAt: instant(row.CreatedAt),
	}, err
}

func (r *reader) delivery(row deliveryRow) (ports.Delivery, error) {
	item, err := r.activity(row.activityRow)
	d := ports.Delivery{
		Item: item, Recipient: row.Recipient, State: ports.DeliveryPending, Attempts: row.Attempts,
		NotBefore: instant(row.NotBefore), LastError: row.LastError,
	}
	if row.Dead {
		d.State = ports.DeliveryDead
	}
	return d, err
}

// Queues implements ports.OutboxReader.
func (r *reader) Queues() ([]ports.RecipientQueue, error) {
	var rows []struct {
		Recipient string `db:"recipient"`
		Pending   int    `db:"pending"`
		NotBefore int64  `db:"not_before"`
	}
	if err := r.list("sqlite.queues", "", &rows, listQueues); err != nil {
		return nil, err
	}
	queues := make([]ports.RecipientQueue, 0, len(rows))
	for _, row := range rows {
		queues = append(queues, ports.RecipientQueue{
			Recipient: row.Recipient, Pending: row.Pending, NotBefore: instant(row.NotBefore),
		})
	}
	return queues, nil
}

func (r *reader) deliveries(op, recipient string, q *query, args ...any) ([]ports.Delivery, error) {
	var rows []deliveryRow
	if err := r.list(op, recipient, &rows, q, args...); err != nil {
		return nil, err
	}
	return each(rows, r.delivery)
}

// Deliveries implements ports.OutboxReader.
func (r *reader) Deliveries(recipient string, after int64, limit int) ([]ports.Delivery, error) {
	return r.deliveries("sqlite.deliveries", recipient, listDeliveries, recipient, after, bounded(limit))
}

// DeadDeliveries implements ports.OutboxReader.
func (r *reader) DeadDeliveries(after int64, limit int) ([]ports.Delivery, error) {
	const op = "sqlite.dead-deliveries"
	page, err := r.deliveries(op, "", listDead, after, bounded(limit))
	if err != nil || limit <= 0 || len(page) < limit {
		return page, err
	}
	last := page[len(page)-1]
	rest, err := r.deliveries(op, "", listDeadOfItem, last.Item.Seq, last.Recipient)
	return append(page, rest...), err
}

// OutboxItems implements ports.OutboxReader.
func (r *reader) OutboxItems(after int64, limit int) ([]ports.OutboxItem, error) {
	var rows []activityRow
	if err := r.list("sqlite.outbox-items", "", &rows, listActivities, after, bounded(limit)); err != nil {
		return nil, err
	}
	return each(rows, r.activity)
}

// OutboxItem implements ports.OutboxReader.
func (r *reader) OutboxItem(activityID string) (ports.OutboxItem, error) {
	const op = "sqlite.outbox-item"
	var row activityRow
	found, err := r.get(op, activityID, &row, getActivity, activityID)
	if err == nil && !found {
		err = fault.New(op, activityID, fault.NotFound, "no such activity")
	}
	if err != nil {
		return ports.OutboxItem{}, err
	}
	return r.activity(row)
}
