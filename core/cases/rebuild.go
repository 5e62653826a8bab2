package cases

import (
	"iter"

	"bateleur/core/fault"
	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// Rebuild projects a case anew from its seed and its entries: what a store's
// case must equal (SYNC-08-002, CLP-04-006).
func Rebuild(seed *model.VulnerabilityCase, entries iter.Seq2[ledger.Entry, error],
	read func(ledger.Entry) (*model.Activity, error)) (*Case, error) {
	s := scratch{}
	if _, err := Seed(s, seed); err != nil {
		return nil, err
	}
	for e, err := range entries {
		if err != nil {
			return nil, err
		}
		a, err := read(e)
		if err != nil {
			return nil, err
		}
		if err := Project(s, nil, e, a); err != nil {
			return nil, err
		}
	}
	c, err := Load[Case](s, KindCase, seed.ID)
	return &c.Value, err
}

// scratch is a Store in a map, for a projection that nobody keeps.
type scratch map[[2]string]ports.Record

func (s scratch) Get(kind ports.Kind, id string) (ports.Record, error) {
	r, ok := s[[2]string{string(kind), id}]
	if !ok {
		return r, fault.New("scratch.get", id, fault.NotFound, "no "+string(kind))
	}
	return r, nil
}

func (s scratch) Put(r ports.Record) (int64, error) {
	k := [2]string{string(r.Kind), r.ID}
	if s[k].Rev != r.Rev {
		return 0, fault.New("scratch.put", r.ID, fault.Conflict, "revision")
	}
	r.Rev++
	s[k] = r
	return r.Rev, nil
}

func (s scratch) Delete(kind ports.Kind, id string, _ int64) error {
	delete(s, [2]string{string(kind), id})
	return nil
}

// List is never needed to project.
func (s scratch) List(ports.ListParams) ([]ports.Record, error) { return nil, nil }
