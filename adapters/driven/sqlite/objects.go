package sqlite

import (
	"bateleur/core/fault"
	"bateleur/core/ports"
)

var (
	getObject     = define(`SELECT kind, id, rev, refs, body FROM objects WHERE kind = ? AND id = ?`)
	findObject    = define(`SELECT position, rev, refs FROM objects WHERE kind = ? AND id = ?`)
	findPosition  = define(`SELECT position FROM objects WHERE kind = ? AND id = ?`)
	insertObject  = define(`INSERT INTO objects (kind, id, rev, refs, body) VALUES (?, ?, 1, ?, ?)`)
	replaceObject = define(`UPDATE objects SET rev = ?, refs = ?, body = ? WHERE position = ?`)
	deleteObject  = define(`DELETE FROM objects WHERE position = ?`)
	insertRef     = define(`INSERT INTO refs (kind, name, target, position) VALUES (?, ?, ?, ?)`)
	deleteRef     = define(`DELETE FROM refs WHERE kind = ? AND name = ? AND target = ? AND position = ?`)

	listObjects = define(`
SELECT kind, id, rev, refs, body FROM objects
WHERE kind = ? AND position > ? ORDER BY position LIMIT ? + 0`)
	listReferring = define(`
SELECT o.kind, o.id, o.rev, o.refs, o.body FROM refs r JOIN objects o ON o.position = r.position
WHERE r.kind = ? AND r.name = ? AND r.target = ? AND r.position > ? ORDER BY r.position LIMIT ? + 0`)

	// Steps from kind to kind along the index instead of reading every row of it.
	listKinds = define(`
WITH RECURSIVE step (kind) AS (
    SELECT min(kind) FROM objects
    UNION ALL
    SELECT (SELECT min(o.kind) FROM objects o WHERE o.kind > step.kind) FROM step WHERE step.kind IS NOT NULL
)
SELECT kind FROM step WHERE kind IS NOT NULL`)
)

type objectRow struct {
	Kind string `db:"kind"`
	ID   string `db:"id"`
	Rev  int64  `db:"rev"`
	Refs []byte `db:"refs"`
	Body []byte `db:"body"`
}

func (r objectRow) record(op string) (ports.Record, error) {
	refs, err := unpackRefs(op, r.ID, r.Refs)
	return ports.Record{Kind: ports.Kind(r.Kind), ID: r.ID, Rev: r.Rev, Refs: refs, Body: r.Body}, err
}

// Get implements ports.ObjectReader.
func (r *reader) Get(kind ports.Kind, id string) (ports.Record, error) {
	const op = "sqlite.get"
	var row objectRow
	found, err := r.get(op, id, &row, getObject, kind, id)
	if err != nil {
		return ports.Record{}, err
	}
	if !found {
		return ports.Record{}, fault.New(op, id, fault.NotFound, "no "+string(kind))
	}
	return row.record(op)
}

// List implements ports.ObjectReader.
func (r *reader) List(p ports.ListParams) ([]ports.Record, error) {
	const op = "sqlite.list"
	after := int64(-1 << 63)
	if p.After != "" {
		found, err := r.get(op, p.After, &after, findPosition, p.Kind, p.After)
		if err != nil {
			return nil, err
		}
		if !found {
			return nil, fault.New(op, p.After, fault.NotFound, "the page before ends at no "+string(p.Kind))
		}
	}
	var rows []objectRow
	var err error
	if p.Ref.Name == "" {
		err = r.list(op, string(p.Kind), &rows, listObjects, p.Kind, after, bounded(p.Limit))
	} else {
		err = r.list(op, p.Ref.Target, &rows, listReferring,
			p.Kind, p.Ref.Name, p.Ref.Target, after, bounded(p.Limit))
	}
	if err != nil {
		return nil, err
	}
	return each(rows, func(row objectRow) (ports.Record, error) { return row.record(op) })
}

// each converts rows and stops at the first that is damaged.
func each[R, T any](rows []R, convert func(R) (T, error)) ([]T, error) {
	all := make([]T, 0, len(rows))
	for _, row := range rows {
		one, err := convert(row)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// Kinds implements ports.ObjectReader.
func (r *reader) Kinds() ([]ports.Kind, error) {
	var kinds []ports.Kind
	err := r.list("sqlite.kinds", "", &kinds, listKinds)
	return kinds, err
}

// Put implements ports.ObjectWriter.
func (t *tx) Put(r ports.Record) (int64, error) {
	const op = "sqlite.put"
	if r.Rev == 0 && r.Kind != "" && r.ID != "" {
		return t.create(op, r)
	}
	held, err := t.held(op, r.Kind, r.ID, r.Rev)
	if err != nil {
		return 0, err
	}
	_, _, err = t.exec(op, r.ID, replaceObject, r.Rev+1, packRefs(r.Refs), blob(r.Body), held.Position)
	if err != nil {
		return 0, err
	}
	return r.Rev + 1, t.relink(op, r, held)
}

// create leaves it to the table to refuse a key that is taken.
func (t *tx) create(op string, r ports.Record) (int64, error) {
	_, position, err := t.exec(op, r.ID, insertObject, r.Kind, r.ID, packRefs(r.Refs), blob(r.Body))
	if err != nil {
		return 0, err
	}
	return 1, t.link(op, r, different(r.Refs), position)
}

// Delete implements ports.ObjectWriter.
func (t *tx) Delete(kind ports.Kind, id string, rev int64) error {
	const op = "sqlite.delete"
	held, err := t.held(op, kind, id, rev)
	if err != nil {
		return err
	}
	if err := t.relink(op, ports.Record{Kind: kind, ID: id}, held); err != nil {
		return err
	}
	_, _, err = t.exec(op, id, deleteObject, held.Position)
	return err
}

// heldRow is what is stored under a key.
type heldRow struct {
	Position int64  `db:"position"`
	Rev      int64  `db:"rev"`
	Refs     []byte `db:"refs"`
}

// held gives what is stored under a key in just this revision.
func (t *tx) held(op string, kind ports.Kind, id string, rev int64) (heldRow, error) {
	if err := t.alive(op, id); err != nil {
		return heldRow{}, err
	}
	if kind == "" || id == "" {
		return heldRow{}, fault.Field(op, id, "id", "a record needs a kind and an id")
	}
	var row heldRow
	found, err := t.get(op, id, &row, findObject, kind, id)
	switch {
	case err != nil:
		return heldRow{}, err
	case !found:
		return heldRow{}, fault.New(op, id, fault.NotFound, "no "+string(kind))
	case row.Rev != rev:
		return heldRow{}, fault.New(op, id, fault.Conflict, string(kind)+" was written by another")
	}
	return row, nil
}
