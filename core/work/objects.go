package work

import (
	"slices"

	"bateleur/core/fault"
	"bateleur/core/ports"
)

// slot is a record as the unit sees it: base is what the transaction holds, now
// what the unit will leave behind.
type slot struct {
	base, now ports.Record
	deleted   bool
	written   bool
	born      int // when the unit first wrote it, and so will: the order of lists
}

// load gives the slot of a key; a record that is not stored has Rev 0.
func (u *Unit) load(kind ports.Kind, id string) (*slot, error) {
	k := key{kind, id}
	if s, ok := u.objects[k]; ok {
		return s, nil
	}
	rec, err := u.tx.Get(kind, id)
	if err != nil && fault.CodeOf(err) != fault.NotFound {
		return nil, err
	}
	if err != nil {
		rec = ports.Record{Kind: kind, ID: id}
	}
	s := &slot{base: rec, now: rec, deleted: err != nil}
	u.objects[k] = s
	return s, nil
}

// Get gives a record, the unit's own writes included, or fault.NotFound.
func (u *Unit) Get(kind ports.Kind, id string) (ports.Record, error) {
	s, err := u.load(kind, id)
	if err != nil {
		return ports.Record{}, err
	}
	if s.deleted {
		return ports.Record{}, fault.New("work.get", id, fault.NotFound, "no "+string(kind))
	}
	return s.now, nil
}

// Put writes a record with the errors of ports.ObjectWriter, and gives the
// revision by which the unit knows it from now on.
func (u *Unit) Put(r ports.Record) (int64, error) {
	if r.Kind == "" || r.ID == "" {
		return 0, fault.Field("work.put", r.ID, "id", "a record needs a kind and an id")
	}
	s, err := u.load(r.Kind, r.ID)
	if err != nil {
		return 0, err
	}
	if err := s.accepts(r.Kind, r.ID, r.Rev); err != nil {
		return 0, err
	}
	before := *s
	if !s.written {
		u.births++
		s.born = u.births
	}
	r.Rev++
	s.now, s.deleted, s.written = r, false, true
	u.record(func() { *s = before }, func() error { return u.flush(s) })
	return r.Rev, nil
}

// Delete removes a record of just this revision.
func (u *Unit) Delete(kind ports.Kind, id string, rev int64) error {
	s, err := u.load(kind, id)
	if err != nil {
		return err
	}
	if s.deleted {
		return fault.New("work.delete", id, fault.NotFound, "no "+string(kind))
	}
	if err := s.accepts(kind, id, rev); err != nil {
		return err
	}
	before := *s
	s.deleted, s.written = true, true
	u.record(func() { *s = before }, func() error { return u.flush(s) })
	return nil
}

func (s *slot) accepts(kind ports.Kind, id string, rev int64) error {
	switch {
	case s.deleted && rev != 0:
		return fault.New("work.put", id, fault.NotFound, "no "+string(kind))
	case !s.deleted && rev != s.now.Rev:
		return fault.New("work.put", id, fault.Conflict, string(kind)+" was written by another")
	}
	return nil
}

// flush writes a slot's last state once, however often it changed.
func (u *Unit) flush(s *slot) error {
	if !s.written {
		return nil
	}
	s.written = false
	if s.deleted {
		if s.base.Rev == 0 {
			return nil
		}
		return u.tx.Delete(s.base.Kind, s.base.ID, s.base.Rev)
	}
	out := s.now
	out.Rev = s.base.Rev
	rev, err := u.tx.Put(out)
	s.base, s.now.Rev = out, rev
	s.base.Rev = rev
	return err
}

// List gives the records of a kind, the unit's own writes included: stored ones
// first in their order, then those the unit made, in the order of making. A
// unit lists whole; After and Limit are for readers of a store.
func (u *Unit) List(p ports.ListParams) ([]ports.Record, error) {
	stored, err := u.tx.List(ports.ListParams{Kind: p.Kind, Ref: u.storedUnder(p)})
	if err != nil {
		return nil, err
	}
	var out []ports.Record
	for _, r := range stored {
		if s, held := u.objects[key{r.Kind, r.ID}]; held {
			if s.deleted {
				continue
			}
			r = s.now
		}
		if carries(r, p.Ref) {
			out = append(out, r)
		}
	}
	return append(out, u.made(p)...), nil
}

// storedUnder is the reference by which the stored records under p are found:
// none, where the unit gave it to one that is stored without.
func (u *Unit) storedUnder(p ports.ListParams) ports.Ref {
	for k, s := range u.objects {
		if k.kind == p.Kind && s.base.Rev > 0 && s.written && carries(s.now, p.Ref) && !carries(s.base, p.Ref) {
			return ports.Ref{}
		}
	}
	return p.Ref
}

// made gives the records that only the unit knows under p, in the order of
// making.
func (u *Unit) made(p ports.ListParams) []ports.Record {
	var slots []*slot
	for k, s := range u.objects {
		if k.kind == p.Kind && s.base.Rev == 0 && s.written && !s.deleted && carries(s.now, p.Ref) {
			slots = append(slots, s)
		}
	}
	slices.SortFunc(slots, func(a, b *slot) int { return a.born - b.born })
	out := make([]ports.Record, len(slots))
	for i, s := range slots {
		out[i] = s.now
	}
	return out
}

func carries(r ports.Record, want ports.Ref) bool {
	return want.Name == "" || slices.Contains(r.Refs, want)
}
