package cases

import (
	"bytes"
	"encoding/json"

	"bateleur/core/fault"
	"bateleur/core/ports"
)

// Store is where records lie: a unit of work.
type Store interface {
	Get(kind ports.Kind, id string) (ports.Record, error)
	List(p ports.ListParams) ([]ports.Record, error)
	Put(r ports.Record) (int64, error)
	Delete(kind ports.Kind, id string, rev int64) error
}

// Source is a Store that is only read.
type Source interface {
	Get(kind ports.Kind, id string) (ports.Record, error)
	List(p ports.ListParams) ([]ports.Record, error)
}

// Stored is a typed record with the revision under which it was read; the zero
// Rev creates.
type Stored[T any] struct {
	Rev   int64
	Value T
}

// Load reads and types a record; fault.NotFound when there is none,
// fault.Corrupt when its body is not a T.
func Load[T any](s Source, kind ports.Kind, id string) (Stored[T], error) {
	r, err := s.Get(kind, id)
	if err != nil {
		return Stored[T]{}, err
	}
	return typed[T](r)
}

func typed[T any](r ports.Record) (Stored[T], error) {
	out := Stored[T]{Rev: r.Rev}
	if err := json.Unmarshal(r.Body, &out.Value); err != nil {
		return out, fault.Wrap("cases.load", r.ID, fault.Corrupt, err)
	}
	return out, nil
}

// Find is Load for a record that may be absent.
func Find[T any](s Source, kind ports.Kind, id string) (Stored[T], bool, error) {
	v, err := Load[T](s, kind, id)
	if fault.CodeOf(err) == fault.NotFound {
		return v, false, nil
	}
	return v, err == nil, err
}

// All types every record of a kind that carries the reference.
func All[T any](s Source, kind ports.Kind, ref ports.Ref) ([]T, error) {
	records, err := s.List(ports.ListParams{Kind: kind, Ref: ref})
	if err != nil {
		return nil, err
	}
	out := make([]T, 0, len(records))
	for _, r := range records {
		v, err := typed[T](r)
		if err != nil {
			return nil, err
		}
		out = append(out, v.Value)
	}
	return out, nil
}

// Save writes a record under the revision at which it was read, and updates it.
func Save[T any](s Store, kind ports.Kind, id string, v *Stored[T], refs ...ports.Ref) error {
	body, err := encode(v.Value)
	if err != nil {
		return fault.Wrap("cases.save", id, fault.Internal, err)
	}
	rev, err := s.Put(ports.Record{Kind: kind, ID: id, Rev: v.Rev, Refs: refs, Body: body})
	if err != nil {
		return err
	}
	v.Rev = rev
	return nil
}

// Create writes a new record; fault.Conflict when the key is taken.
func Create[T any](s Store, kind ports.Kind, id string, value T, refs ...ports.Ref) error {
	return Save(s, kind, id, &Stored[T]{Value: value}, refs...)
}

func encode(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(buf.Bytes(), "\n"), nil
}
