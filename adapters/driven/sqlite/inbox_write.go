package sqlite

import (
	"time"

	"bateleur/core/fault"
	"bateleur/core/ports"
)

var (
	insertItem = define(`
INSERT INTO inbox (class, sender, activity_id, digest, received_at, state, body, identity)
VALUES (?, ?, ?, ?, ?, 'pending', ?, ?) ON CONFLICT (identity) DO NOTHING`)
	findItem   = define(`SELECT seq FROM inbox WHERE identity = ?`)
	settleItem = define(`
UPDATE inbox SET state = ?, wake = ?, until = ?, attempts = attempts + 1, outcome_code = ?, outcome_text = ?,
    outcome_path = ?, outcome_result = ?, outcome_at = ?
WHERE seq = ?`)
	requeueItem = define(`
UPDATE inbox SET state = 'pending', wake = '', until = 0 WHERE seq = ? AND state IN ('dead', 'deferred')`)
	wakeItems = define(`
UPDATE inbox SET state = 'pending', wake = '', until = 0 WHERE state = 'deferred' AND wake = ?`)
)

// InboxAppend implements ports.InboxWriter.
func (t *tx) InboxAppend(item ports.InboxItem) (int64, bool, error) {
	const op = "sqlite.inbox-append"
	received, err := stamp(op, item.ActivityID, "receivedAt", item.ReceivedAt)
	if err != nil {
		return 0, false, err
	}
	identity := digest(item.Sender, item.ActivityID, item.Digest)
	added, seq, err := t.exec(op, item.ActivityID, insertItem,
		item.Class, item.Sender, item.ActivityID, item.Digest, received, blob(item.Body), identity)
	if err != nil || added > 0 {
		return seq, false, err
	}
	_, err = t.get(op, item.ActivityID, &seq, findItem, identity)
	return seq, err == nil, err
}

// InboxSettle implements ports.InboxWriter.
func (t *tx) InboxSettle(s ports.Settlement) error {
	const op = "sqlite.inbox-settle"
	if s.State != ports.Deferred {
		s.Wake, s.Until = "", time.Time{}
	}
	until, err := stamp(op, "", "until", s.Until)
	if err != nil {
		return err
	}
	at, err := stamp(op, "", "at", s.Outcome.At)
	if err != nil {
		return err
	}
	changed, _, err := t.exec(op, "", settleItem, s.State, s.Wake, until,
		s.Outcome.Code, s.Outcome.Text, s.Outcome.Path, blob(s.Outcome.Result), at, s.Seq)
	if err == nil && changed == 0 {
		return t.noItem(op)
	}
	return err
}

// InboxRequeue implements ports.InboxWriter.
func (t *tx) InboxRequeue(seq int64) error {
	const op = "sqlite.inbox-requeue"
	changed, _, err := t.exec(op, "", requeueItem, seq)
	if err != nil || changed > 0 {
		return err
	}
	item, err := t.InboxItem(seq)
	if err != nil {
		return err
	}
	return fault.New(op, item.ActivityID, fault.Conflict, "the item is "+string(item.State))
}

// InboxWake implements ports.InboxWriter.
func (t *tx) InboxWake(key string) (int, error) {
	woken, _, err := t.exec("sqlite.inbox-wake", key, wakeItems, key)
	return int(woken), err
}
