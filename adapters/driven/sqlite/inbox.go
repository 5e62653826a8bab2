package sqlite

import (
	"time"

	"bateleur/core/fault"
	"bateleur/core/ports"
)

const itemColumns = `
SELECT seq, class, sender, activity_id, digest, body, received_at, state, wake, until, attempts,
    outcome_code, outcome_text, outcome_path, outcome_result, outcome_at
FROM inbox`

var (
	getItem = define(itemColumns + ` WHERE seq = ?`)
	listDue = define(itemColumns + ` WHERE state = 'deferred' AND until <= ? ORDER BY until, seq LIMIT ? + 0`)
	nextDue = define(`SELECT until FROM inbox WHERE state = 'deferred' ORDER BY until LIMIT 1`)

	// What waits is few and its keys are near each other in the index; the order of
	// arrival is made of the found ones.
	listWaiting = define(itemColumns + ` WHERE state = 'deferred' AND wake >= ? AND wake < ? ORDER BY seq`)

	listTally = define(`SELECT state, count(*) AS items FROM inbox GROUP BY state`)
)

// listItems has a statement for each state: a parameter that a partial index's
// condition is compared with has SQLite plan the statement anew at each binding.
// The index leaves out what is done, which a statement must say in so many words to
// be served by it; nearly all items are, so that the table itself is their list.
var listItems = map[ports.InboxState]*query{
	ports.Pending:  define(itemColumns + ` WHERE state = 'pending' AND state <> 'done' AND seq > ? ORDER BY seq LIMIT ? + 0`),
	ports.Deferred: define(itemColumns + ` WHERE state = 'deferred' AND state <> 'done' AND seq > ? ORDER BY seq LIMIT ? + 0`),
	ports.Done:     define(itemColumns + ` WHERE state = 'done' AND seq > ? ORDER BY seq LIMIT ? + 0`),
	ports.Refused:  define(itemColumns + ` WHERE state = 'refused' AND state <> 'done' AND seq > ? ORDER BY seq LIMIT ? + 0`),
	ports.Ignored:  define(itemColumns + ` WHERE state = 'ignored' AND state <> 'done' AND seq > ? ORDER BY seq LIMIT ? + 0`),
	ports.Dead:     define(itemColumns + ` WHERE state = 'dead' AND state <> 'done' AND seq > ? ORDER BY seq LIMIT ? + 0`),
}

type itemRow struct {
	Seq           int64  `db:"seq"`
	Class         string `db:"class"`
	Sender        string `db:"sender"`
	ActivityID    string `db:"activity_id"`
	Digest        string `db:"digest"`
	Body          []byte `db:"body"`
	ReceivedAt    int64  `db:"received_at"`
	State         string `db:"state"`
	Wake          string `db:"wake"`
	Until         int64  `db:"until"`
	Attempts      int    `db:"attempts"`
	OutcomeCode   string `db:"outcome_code"`
	OutcomeText   string `db:"outcome_text"`
	OutcomePath   string `db:"outcome_path"`
	OutcomeResult []byte `db:"outcome_result"`
	OutcomeAt     int64  `db:"outcome_at"`
}

func (r itemRow) item() ports.InboxItem {
	return ports.InboxItem{
		Seq: r.Seq, Class: ports.Class(r.Class), Sender: r.Sender, ActivityID: r.ActivityID,
		Digest: r.Digest, Body: r.Body, ReceivedAt: instant(r.ReceivedAt),
		State: ports.InboxState(r.State), Wake: r.Wake, Until: instant(r.Until), Attempts: r.Attempts,
		Outcome: ports.Outcome{
			Code: r.OutcomeCode, Text: r.OutcomeText, Path: r.OutcomePath,
			Result: r.OutcomeResult, At: instant(r.OutcomeAt),
		},
	}
}

func (r *reader) items(op string, q *query, args ...any) ([]ports.InboxItem, error) {
	var rows []itemRow
	if err := r.list(op, "", &rows, q, args...); err != nil {
		return nil, err
	}
	items := make([]ports.InboxItem, 0, len(rows))
	for _, row := range rows {
		items = append(items, row.item())
	}
	return items, nil
}

// Inbox implements ports.InboxReader.
func (r *reader) Inbox(state ports.InboxState, after int64, limit int) ([]ports.InboxItem, error) {
	q, known := listItems[state]
	if !known {
		return nil, r.alive("sqlite.inbox", string(state))
	}
	return r.items("sqlite.inbox", q, after, bounded(limit))
}

// InboxItem implements ports.InboxReader.
func (r *reader) InboxItem(seq int64) (ports.InboxItem, error) {
	const op = "sqlite.inbox-item"
	var row itemRow
	found, err := r.get(op, "", &row, getItem, seq)
	if err == nil && !found {
		err = r.noItem(op)
	}
	if err != nil {
		return ports.InboxItem{}, err
	}
	return row.item(), nil
}

func (r *reader) noItem(op string) error {
	return fault.New(op, r.file.owner.URI(), fault.NotFound, "no such item")
}

// DeferredUntil implements ports.InboxReader.
func (r *reader) DeferredUntil(now time.Time, limit int) ([]ports.InboxItem, error) {
	return r.items("sqlite.deferred-until", listDue, cutoff(now), bounded(limit))
}

// NextDeferral implements ports.InboxReader.
func (r *reader) NextDeferral() (time.Time, error) {
	var until int64
	_, err := r.get("sqlite.next-deferral", "", &until, nextDue)
	return instant(until), err
}

// Waiting implements ports.InboxReader.
func (r *reader) Waiting(prefix string) ([]ports.InboxItem, error) {
	return r.items("sqlite.waiting", listWaiting, prefix, beyond(prefix))
}

// beyond is the least value above all texts that start with prefix. Where no text
// is, it is a blob, which SQLite sorts behind every text.
func beyond(prefix string) any {
	last := len(prefix) - 1
	for last >= 0 && prefix[last] == 0xff { // bytes, for a prefix need not be UTF-8
		last--
	}
	if last < 0 {
		return []byte{}
	}
	return prefix[:last] + string([]byte{prefix[last] + 1})
}

// InboxCounts implements ports.InboxReader.
func (r *reader) InboxCounts() (map[ports.InboxState]int64, error) {
	var rows []struct {
		State string `db:"state"`
		Items int64  `db:"items"`
	}
	if err := r.list("sqlite.inbox-counts", "", &rows, listTally); err != nil {
		return nil, err
	}
	counts := make(map[ports.InboxState]int64, len(rows))
	for _, row := range rows {
		counts[ports.InboxState(row.State)] = row.Items
	}
	return counts, nil
}
