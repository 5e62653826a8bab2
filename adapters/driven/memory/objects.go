package memory

import (
	"cmp"
	"maps"
	"slices"

	"bateleur/core/fault"
	"bateleur/core/ports"
)

type recordKey struct {
	kind ports.Kind
	id   string
}

type refKey struct {
	kind ports.Kind
	ref  ports.Ref
}

// row is a stored record; position orders the rows by their first writing.
type row struct {
	record   ports.Record
	position int64
}

// shelf is a list of rows in order of position.
type shelf []*row

func (s shelf) after(position int64) int {
	at, found := slices.BinarySearchFunc(s, position, func(r *row, p int64) int {
		return cmp.Compare(r.position, p)
	})
	if found {
		at++
	}
	return at
}

func (s shelf) with(r *row) shelf { return slices.Insert(s, s.after(r.position), r) }

func (s shelf) without(r *row) shelf {
	at := s.after(r.position)
	return slices.Delete(s, at-1, at)
}

type objects struct {
	last   int64
	byKey  map[recordKey]*row
	byKind map[ports.Kind]shelf
	byRef  map[refKey]shelf
}

func newObjects() objects {
	return objects{
		byKey:  map[recordKey]*row{},
		byKind: map[ports.Kind]shelf{},
		byRef:  map[refKey]shelf{},
	}
}

func (o *objects) add(r *row) {
	o.byKey[keyOf(r)] = r
	o.byKind[r.record.Kind] = o.byKind[r.record.Kind].with(r)
	o.link(r)
}

func (o *objects) drop(r *row) {
	delete(o.byKey, keyOf(r))
	o.byKind[r.record.Kind] = o.byKind[r.record.Kind].without(r)
	o.unlink(r)
}

// replace gives a row another content under the same key and position.
func (o *objects) replace(r *row, content ports.Record) {
	o.unlink(r)
	r.record = content
	o.link(r)
}

func (o *objects) link(r *row) {
	for key := range refsOf(r) {
		o.byRef[key] = o.byRef[key].with(r)
	}
}

func (o *objects) unlink(r *row) {
	for key := range refsOf(r) {
		o.byRef[key] = o.byRef[key].without(r)
	}
}

func keyOf(r *row) recordKey { return recordKey{r.record.Kind, r.record.ID} }

func refsOf(r *row) map[refKey]bool {
	keys := make(map[refKey]bool, len(r.record.Refs))
	for _, ref := range r.record.Refs {
		keys[refKey{r.record.Kind, ref}] = true
	}
	return keys
}

func cloneRecord(r ports.Record) ports.Record {
	r.Refs, r.Body = slices.Clone(r.Refs), slices.Clone(r.Body)
	return r
}

// Get implements ports.ObjectReader.
func (r *reader) Get(kind ports.Kind, id string) (ports.Record, error) {
	const op = "memory.get"
	if err := r.use(op, id); err != nil {
		return ports.Record{}, err
	}
	held, ok := r.state().objects.byKey[recordKey{kind, id}]
	if !ok {
		return ports.Record{}, fault.New(op, id, fault.NotFound, "no "+string(kind))
	}
	return cloneRecord(held.record), nil
}

// List implements ports.ObjectReader.
func (r *reader) List(p ports.ListParams) ([]ports.Record, error) {
	const op = "memory.list"
	if err := r.use(op, string(p.Kind)); err != nil {
		return nil, err
	}
	all := &r.state().objects
	rows := all.byKind[p.Kind]
	if p.Ref.Name != "" {
		rows = all.byRef[refKey{p.Kind, p.Ref}]
	}
	if p.After != "" {
		last, ok := all.byKey[recordKey{p.Kind, p.After}]
		if !ok {
			return nil, fault.New(op, p.After, fault.NotFound, "the page before ends at no "+string(p.Kind))
		}
		rows = rows[rows.after(last.position):]
	}
	var page []ports.Record
	for _, row := range rows {
		if full(len(page), p.Limit) {
			break
		}
		page = append(page, cloneRecord(row.record))
	}
	return page, nil
}

// Kinds implements ports.ObjectReader.
func (r *reader) Kinds() ([]ports.Kind, error) {
	if err := r.use("memory.kinds", ""); err != nil {
		return nil, err
	}
	shelves := r.state().objects.byKind
	return slices.DeleteFunc(slices.Sorted(maps.Keys(shelves)), func(k ports.Kind) bool {
		return len(shelves[k]) == 0
	}), nil
}

// Put implements ports.ObjectWriter.
func (t *tx) Put(r ports.Record) (int64, error) {
	const op = "memory.put"
	held, err := t.writable(op, r.Kind, r.ID, r.Rev)
	if err != nil {
		return 0, err
	}
	content := cloneRecord(r)
	content.Rev++
	o := &t.state().objects
	if held == nil {
		o.last++
		made := &row{record: content, position: o.last}
		o.add(made)
		t.onRollback(func() { o.drop(made) })
		return content.Rev, nil
	}
	before := held.record
	o.replace(held, content)
	t.onRollback(func() { o.replace(held, before) })
	return content.Rev, nil
}

// Delete implements ports.ObjectWriter.
func (t *tx) Delete(kind ports.Kind, id string, rev int64) error {
	const op = "memory.delete"
	held, err := t.writable(op, kind, id, rev)
	switch {
	case err != nil:
		return err
	case held == nil:
		return fault.New(op, id, fault.NotFound, "no "+string(kind))
	}
	o := &t.state().objects
	o.drop(held)
	t.onRollback(func() { o.add(held) })
	return nil
}

// writable gives the stored row of just this revision, nil for revision 0 of a
// key that is free.
func (t *tx) writable(op string, kind ports.Kind, id string, rev int64) (*row, error) {
	if err := t.use(op, id); err != nil {
		return nil, err
	}
	if kind == "" || id == "" {
		return nil, fault.Field(op, id, "id", "a record needs a kind and an id")
	}
	held, ok := t.state().objects.byKey[recordKey{kind, id}]
	switch {
	case !ok && rev != 0:
		return nil, fault.New(op, id, fault.NotFound, "no "+string(kind))
	case ok && held.record.Rev != rev:
		return nil, fault.New(op, id, fault.Conflict, string(kind)+" was written by another")
	}
	return held, nil
}
