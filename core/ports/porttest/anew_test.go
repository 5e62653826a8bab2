package porttest_test

import (
	"context"
	"time"

	"bateleur/core/ledger"
	"bateleur/core/ports"
)

// anew is a reader that reads each time in a view of its own.
type anew struct {
	ctx   context.Context
	layer ports.DataLayer
}

func inView[T any](a anew, f func(ports.Reader) (T, error)) (got T, err error) {
	err = a.layer.View(a.ctx, func(r ports.Reader) error {
		got, err = f(r)
		return err
	})
	return got, err
}

func (a anew) Get(kind ports.Kind, id string) (ports.Record, error) {
	return inView(a, func(r ports.Reader) (ports.Record, error) { return r.Get(kind, id) })
}

func (a anew) List(p ports.ListParams) ([]ports.Record, error) {
	return inView(a, func(r ports.Reader) ([]ports.Record, error) { return r.List(p) })
}

func (a anew) Kinds() ([]ports.Kind, error) {
	return inView(a, func(r ports.Reader) ([]ports.Kind, error) { return r.Kinds() })
}

func (a anew) Ledger(caseID string) (ports.LedgerHead, error) {
	return inView(a, func(r ports.Reader) (ports.LedgerHead, error) { return r.Ledger(caseID) })
}

func (a anew) Ledgers() ([]ports.LedgerHead, error) {
	return inView(a, func(r ports.Reader) ([]ports.LedgerHead, error) { return r.Ledgers() })
}

func (a anew) Entries(caseID string, from int64, limit int) ([]ledger.Entry, error) {
	return inView(a, func(r ports.Reader) ([]ledger.Entry, error) { return r.Entries(caseID, from, limit) })
}

func (a anew) EntryByHash(caseID, hash string) (ledger.Entry, error) {
	return inView(a, func(r ports.Reader) (ledger.Entry, error) { return r.EntryByHash(caseID, hash) })
}

func (a anew) EntryByObject(caseID, eventType, objectID string) (ledger.Entry, error) {
	return inView(a, func(r ports.Reader) (ledger.Entry, error) { return r.EntryByObject(caseID, eventType, objectID) })
}

func (a anew) Inbox(state ports.InboxState, after int64, limit int) ([]ports.InboxItem, error) {
	return inView(a, func(r ports.Reader) ([]ports.InboxItem, error) { return r.Inbox(state, after, limit) })
}

func (a anew) InboxItem(seq int64) (ports.InboxItem, error) {
	return inView(a, func(r ports.Reader) (ports.InboxItem, error) { return r.InboxItem(seq) })
}

func (a anew) DeferredUntil(now time.Time, limit int) ([]ports.InboxItem, error) {
	return inView(a, func(r ports.Reader) ([]ports.InboxItem, error) { return r.DeferredUntil(now, limit) })
}

func (a anew) NextDeferral() (time.Time, error) {
	return inView(a, func(r ports.Reader) (time.Time, error) { return r.NextDeferral() })
}

func (a anew) Waiting(prefix string) ([]ports.InboxItem, error) {
	return inView(a, func(r ports.Reader) ([]ports.InboxItem, error) { return r.Waiting(prefix) })
}

func (a anew) InboxCounts() (map[ports.InboxState]int64, error) {
	return inView(a, func(r ports.Reader) (map[ports.InboxState]int64, error) { return r.InboxCounts() })
}

func (a anew) Queues() ([]ports.RecipientQueue, error) {
	return inView(a, func(r ports.Reader) ([]ports.RecipientQueue, error) { return r.Queues() })
}

func (a anew) Deliveries(recipient string, after int64, limit int) ([]ports.Delivery, error) {
	return inView(a, func(r ports.Reader) ([]ports.Delivery, error) { return r.Deliveries(recipient, after, limit) })
}

func (a anew) DeadDeliveries(after int64, limit int) ([]ports.Delivery, error) {
	return inView(a, func(r ports.Reader) ([]ports.Delivery, error) { return r.DeadDeliveries(after, limit) })
}

func (a anew) OutboxItems(after int64, limit int) ([]ports.OutboxItem, error) {
	return inView(a, func(r ports.Reader) ([]ports.OutboxItem, error) { return r.OutboxItems(after, limit) })
}

func (a anew) OutboxItem(activityID string) (ports.OutboxItem, error) {
	return inView(a, func(r ports.Reader) (ports.OutboxItem, error) { return r.OutboxItem(activityID) })
}
