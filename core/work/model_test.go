package work_test

import (
	"maps"
	"slices"

	"bateleur/core/fault"
	"bateleur/core/ledger"
	"bateleur/core/ports"
)

// naive is what a unit must look like, kept as plainly as can be: a copy of the
// whole for every mark.
type naive struct {
	records []held
	ledgers map[string]book
	outbox  []ports.OutboxItem
	woken   []string
}

// held is a record, in the order of first writing; one that was deleted keeps its
// place for the case that it comes back.
type held struct {
	ports.Record
	gone bool
}

type book struct {
	ports.LedgerHead
	entries []ledger.Entry
}

func (n *naive) clone() *naive {
	out := &naive{records: slices.Clone(n.records), ledgers: maps.Clone(n.ledgers),
		outbox: slices.Clone(n.outbox), woken: slices.Clone(n.woken)}
	for id, b := range out.ledgers {
		b.entries = slices.Clone(b.entries)
		out.ledgers[id] = b
	}
	return out
}

func (n *naive) find(kind ports.Kind, id string) *held {
	for i := range n.records {
		if n.records[i].Kind == kind && n.records[i].ID == id {
			return &n.records[i]
		}
	}
	return nil
}

func (n *naive) get(kind ports.Kind, id string) (ports.Record, fault.Code) {
	if h := n.find(kind, id); h != nil && !h.gone {
		return h.Record, ""
	}
	return ports.Record{}, fault.NotFound
}

func (n *naive) put(r ports.Record) fault.Code {
	h := n.find(r.Kind, r.ID)
	switch {
	case r.Kind == "" || r.ID == "":
		return fault.Invalid
	case (h == nil || h.gone) && r.Rev != 0:
		return fault.NotFound
	case h != nil && !h.gone && r.Rev != h.Rev:
		return fault.Conflict
	}
	r.Rev++
	if h == nil {
		n.records = append(n.records, held{Record: r})
		return ""
	}
	*h = held{Record: r}
	return ""
}

func (n *naive) remove(kind ports.Kind, id string, rev int64) fault.Code {
	h := n.find(kind, id)
	switch {
	case h == nil || h.gone:
		return fault.NotFound
	case h.Rev != rev:
		return fault.Conflict
	}
	h.gone = true
	return ""
}

func (n *naive) list(kind ports.Kind, ref ports.Ref) (out []ports.Record) {
	for _, h := range n.records {
		if h.Kind == kind && !h.gone && (ref.Name == "" || slices.Contains(h.Refs, ref)) {
			out = append(out, h.Record)
		}
	}
	return out
}

func (n *naive) open(caseID string, standing ports.Standing) fault.Code {
	if _, there := n.ledgers[caseID]; there {
		return fault.Conflict
	}
	n.ledgers[caseID] = book{LedgerHead: ports.LedgerHead{CaseID: caseID, Standing: standing,
		Genesis: genesis, Tail: -1, TailHash: genesis}}
	return ""
}

func (n *naive) extend(e ledger.Entry, standing ports.Standing) fault.Code {
	b, there := n.ledgers[e.CaseID]
	switch {
	case !there:
		return fault.NotFound
	case b.Standing != standing:
		return fault.Forbidden
	case e.Index != b.Tail+1 || e.PrevHash != b.TailHash:
		return fault.Conflict
	}
	b.Tail, b.TailHash, b.entries = e.Index, e.Hash, append(b.entries, e)
	n.ledgers[e.CaseID] = b
	return ""
}

func (n *naive) send(item ports.OutboxItem) fault.Code {
	once := slices.Compact(slices.Sorted(slices.Values(item.Recipients)))
	switch {
	case item.Actor != vendor:
		return fault.OwnerMismatch
	case item.ActivityID == "", len(once) == 0, len(once) < len(item.Recipients), once[0] == "":
		return fault.Invalid
	case slices.ContainsFunc(n.outbox, func(o ports.OutboxItem) bool { return o.ActivityID == item.ActivityID }):
		return fault.Conflict
	}
	n.outbox = append(n.outbox, item)
	return ""
}
