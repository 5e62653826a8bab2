package sqlite

import (
	"bateleur/core/fault"
	"bateleur/core/ledger"
	"bateleur/core/ports"
)

// headColumns ends before its WHERE. A ledger's last entry is the last one within
// its span of positions.
const headColumns = `
SELECT l.number, l.case_id, l.standing, l.genesis,
    coalesce(e.idx, -1) AS tail, coalesce(e.hash, l.genesis) AS tail_hash
FROM ledgers l LEFT JOIN entries e ON e.position = (
    SELECT max(t.position) FROM entries t
    WHERE t.position >= l.number << 40 AND t.position < (l.number + 1) << 40)`

const entryColumns = `
SELECT l.case_id, e.idx, e.disposition, e.term, e.object_id, e.event_type, e.prev_hash, e.hash,
    e.received_at, e.reason_code, e.reason_detail, e.published, e.updated, e.payload
FROM ledgers l JOIN entries e`

var (
	getHead      = define(headColumns + ` WHERE l.case_id = ?`)
	listHeads    = define(headColumns + ` ORDER BY l.number`)
	insertLedger = define(`INSERT INTO ledgers (case_id, standing, genesis) VALUES (?, ?, ?)`)

	listEntries = define(entryColumns + `
ON e.position >= (l.number << 40 | ?2) AND e.position < (l.number + 1) << 40
WHERE l.case_id = ?1 ORDER BY e.position LIMIT ?3 + 0`)
	entryBefore = define(entryColumns + `
ON e.position = (SELECT n.position - 1 FROM entries n WHERE n.ledger = l.number AND n.prev_hash = ?2 AND n.idx > 0)
WHERE l.case_id = ?1`)
	entryAt       = define(entryColumns + ` ON e.position = (l.number << 40 | ?2) WHERE l.case_id = ?1`)
	entryByObject = define(entryColumns + `
ON e.ledger = l.number AND e.about = ?2 AND e.event_type = ?3 AND e.object_id = ?4
WHERE l.case_id = ?1 ORDER BY e.idx LIMIT 1`)
	insertEntry = define(`
INSERT INTO entries (position, ledger, idx, disposition, term, about, object_id, event_type, prev_hash, hash,
    received_at, reason_code, reason_detail, published, updated, payload)
VALUES (?1 << 40 | ?2, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)`)
)

// maxIndex is the last index that has a position.
const maxIndex = 1<<40 - 1

type headRow struct {
	Number   int64  `db:"number"`
	CaseID   string `db:"case_id"`
	Standing string `db:"standing"`
	Genesis  string `db:"genesis"`
	Tail     int64  `db:"tail"`
	TailHash string `db:"tail_hash"`
}

func (r headRow) head() ports.LedgerHead {
	return ports.LedgerHead{
		CaseID: r.CaseID, Standing: ports.Standing(r.Standing), Genesis: r.Genesis,
		Tail: r.Tail, TailHash: r.TailHash,
	}
}

type entryRow struct {
	CaseID       string  `db:"case_id"`
	Index        int64   `db:"idx"`
	Disposition  string  `db:"disposition"`
	Term         *int64  `db:"term"`
	ObjectID     string  `db:"object_id"`
	EventType    string  `db:"event_type"`
	PrevHash     string  `db:"prev_hash"`
	Hash         string  `db:"hash"`
	ReceivedAt   string  `db:"received_at"`
	ReasonCode   *string `db:"reason_code"`
	ReasonDetail *string `db:"reason_detail"`
	Published    string  `db:"published"`
	Updated      string  `db:"updated"`
	Payload      []byte  `db:"payload"`
}

func (r entryRow) entry() ledger.Entry {
	return ledger.Entry{
		CaseID: r.CaseID, Index: r.Index, Disposition: r.Disposition, Term: r.Term,
		ObjectID: r.ObjectID, EventType: r.EventType, Payload: r.Payload,
		PrevHash: r.PrevHash, Hash: r.Hash, ReceivedAt: r.ReceivedAt,
		ReasonCode: r.ReasonCode, ReasonDetail: r.ReasonDetail,
		Published: r.Published, Updated: r.Updated,
	}
}

// head reads a ledger's state once a transaction; extend keeps it up to date.
func (r *reader) head(op, caseID string) (headRow, error) {
	if row, known := r.heads[caseID]; known {
		return row, r.alive(op, caseID)
	}
	var row headRow
	found, err := r.get(op, caseID, &row, getHead, caseID)
	if err == nil && !found {
		err = fault.New(op, caseID, fault.NotFound, "the case has no ledger here")
	}
	if err == nil {
		r.remember(row)
	}
	return row, err
}

func (r *reader) remember(row headRow) {
	if r.heads == nil {
		r.heads = map[string]headRow{}
	}
	r.heads[row.CaseID] = row
}

// Ledger implements ports.LedgerReader.
func (r *reader) Ledger(caseID string) (ports.LedgerHead, error) {
	row, err := r.head("sqlite.ledger", caseID)
	if err != nil {
		return ports.LedgerHead{}, err
	}
	return row.head(), nil
}

// Ledgers implements ports.LedgerReader.
func (r *reader) Ledgers() ([]ports.LedgerHead, error) {
	var rows []headRow
	if err := r.list("sqlite.ledgers", "", &rows, listHeads); err != nil {
		return nil, err
	}
	heads := make([]ports.LedgerHead, 0, len(rows))
	for _, row := range rows {
		heads = append(heads, row.head())
	}
	return heads, nil
}

// Entries implements ports.LedgerReader.
func (r *reader) Entries(caseID string, from int64, limit int) ([]ledger.Entry, error) {
	from = min(max(from, 0), maxIndex)
	var rows []entryRow
	if err := r.list("sqlite.entries", caseID, &rows, listEntries, caseID, from, bounded(limit)); err != nil {
		return nil, err
	}
	entries := make([]ledger.Entry, 0, len(rows))
	for _, row := range rows {
		entries = append(entries, row.entry())
	}
	return entries, nil
}

// EntryByHash implements ports.LedgerReader. An entry's hash is its successor's
// previous one, or the ledger's tail.
func (r *reader) EntryByHash(caseID, hash string) (ledger.Entry, error) {
	const op = "sqlite.entry-by-hash"
	head, err := r.head(op, caseID)
	switch {
	case fault.CodeOf(err) == fault.NotFound:
		return ledger.Entry{}, noEntry(op, caseID)
	case err != nil:
		return ledger.Entry{}, err
	case head.Tail >= 0 && head.TailHash == hash:
		return r.entry(op, entryAt, caseID, head.Tail)
	}
	return r.entry(op, entryBefore, caseID, hash)
}

// EntryByObject implements ports.LedgerReader.
func (r *reader) EntryByObject(caseID, eventType, objectID string) (ledger.Entry, error) {
	return r.entry("sqlite.entry-by-object", entryByObject, caseID, digest(eventType, objectID), eventType, objectID)
}

func (r *reader) entry(op string, q *query, caseID string, key ...any) (ledger.Entry, error) {
	var row entryRow
	found, err := r.get(op, caseID, &row, q, append([]any{caseID}, key...)...)
	if err != nil {
		return ledger.Entry{}, err
	}
	if !found {
		return ledger.Entry{}, noEntry(op, caseID)
	}
	return row.entry(), nil
}

func noEntry(op, caseID string) error {
	return fault.New(op, caseID, fault.NotFound, "no such entry")
}

// OpenLedger implements ports.LedgerWriter.
func (t *tx) OpenLedger(caseID string, standing ports.Standing, genesis string) error {
	_, _, err := t.exec("sqlite.open-ledger", caseID, insertLedger, caseID, standing, genesis)
	return err
}

// Mint implements ports.LedgerWriter.
func (t *tx) Mint(e ledger.Entry) error { return t.extend("sqlite.mint", ports.Own, e) }

// Apply implements ports.LedgerWriter.
func (t *tx) Apply(e ledger.Entry) error { return t.extend("sqlite.apply", ports.Replica, e) }

func (t *tx) extend(op string, standing ports.Standing, e ledger.Entry) error {
	row, err := t.head(op, e.CaseID)
	switch {
	case err != nil:
		return err
	case row.Standing != string(standing):
		return fault.New(op, e.CaseID, fault.Forbidden, "the ledger here is "+row.Standing)
	case e.Index != row.Tail+1 || e.PrevHash != row.TailHash:
		return fault.New(op, e.CaseID, fault.Conflict, "the entry does not follow the tail")
	}
	_, _, err = t.exec(op, e.CaseID, insertEntry, row.Number, e.Index, e.Disposition, e.Term,
		digest(e.EventType, e.ObjectID), e.ObjectID, e.EventType, e.PrevHash, e.Hash, e.ReceivedAt, e.ReasonCode, e.ReasonDetail, e.Published, e.Updated,
		blob(e.Payload))
	if err == nil {
		row.Tail, row.TailHash = e.Index, e.Hash
		t.remember(row)
	}
	return err
}
