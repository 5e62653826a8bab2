package memory

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"bateleur/core/fault"
	"bateleur/core/ports"
)

type messageKey struct{ sender, activityID, digest string }

// inbox holds item Seq at index Seq-1. byState lists the Seqs of each state in
// order.
type inbox struct {
	items   []*ports.InboxItem
	known   map[messageKey]int64
	byState map[ports.InboxState][]int64
}

func newInbox() inbox {
	return inbox{known: map[messageKey]int64{}, byState: map[ports.InboxState][]int64{}}
}

func (b *inbox) item(seq int64) *ports.InboxItem {
	if seq < 1 || seq > int64(len(b.items)) {
		return nil
	}
	return b.items[seq-1]
}

func (b *inbox) append(item ports.InboxItem) {
	b.items = append(b.items, &item)
	b.known[messageKey{item.Sender, item.ActivityID, item.Digest}] = item.Seq
	b.list(&item)
}

func (b *inbox) removeLast() {
	item := b.items[len(b.items)-1]
	b.unlist(item)
	delete(b.known, messageKey{item.Sender, item.ActivityID, item.Digest})
	b.items = b.items[:len(b.items)-1]
}

// set gives an item another content, which may be of another state.
func (b *inbox) set(item *ports.InboxItem, content ports.InboxItem) {
	b.unlist(item)
	*item = content
	b.list(item)
}

func (b *inbox) list(item *ports.InboxItem) {
	seqs := b.byState[item.State]
	at, _ := slices.BinarySearch(seqs, item.Seq)
	b.byState[item.State] = slices.Insert(seqs, at, item.Seq)
}

func (b *inbox) unlist(item *ports.InboxItem) {
	seqs := b.byState[item.State]
	at, _ := slices.BinarySearch(seqs, item.Seq)
	b.byState[item.State] = slices.Delete(seqs, at, at+1)
}

// deferred gives the deferred items that match, in the order of arrival.
func (b *inbox) deferred(match func(*ports.InboxItem) bool) []ports.InboxItem {
	var found []ports.InboxItem
	for _, seq := range b.byState[ports.Deferred] {
		if item := b.item(seq); match(item) {
			found = append(found, cloneItem(item))
		}
	}
	return found
}

func cloneItem(i *ports.InboxItem) ports.InboxItem {
	c := *i
	c.Body, c.Outcome.Result = slices.Clone(i.Body), slices.Clone(i.Outcome.Result)
	return c
}

// Inbox implements ports.InboxReader.
func (r *reader) Inbox(state ports.InboxState, after int64, limit int) ([]ports.InboxItem, error) {
	if err := r.use("memory.inbox", string(state)); err != nil {
		return nil, err
	}
	b := &r.state().inbox
	seqs := b.byState[state]
	at, found := slices.BinarySearch(seqs, after)
	if found {
		at++
	}
	var page []ports.InboxItem
	for _, seq := range seqs[at:] {
		if full(len(page), limit) {
			break
		}
		page = append(page, cloneItem(b.item(seq)))
	}
	return page, nil
}

// InboxItem implements ports.InboxReader.
func (r *reader) InboxItem(seq int64) (ports.InboxItem, error) {
	item, err := r.inboxItem("memory.inbox-item", seq)
	if err != nil {
		return ports.InboxItem{}, err
	}
	return cloneItem(item), nil
}

func (r *reader) inboxItem(op string, seq int64) (*ports.InboxItem, error) {
	if err := r.use(op, ""); err != nil {
		return nil, err
	}
	item := r.state().inbox.item(seq)
	if item == nil {
		return nil, fault.New(op, r.store.owner.URI(), fault.NotFound, "no such item")
	}
	return item, nil
}

// DeferredUntil implements ports.InboxReader.
func (r *reader) DeferredUntil(now time.Time, limit int) ([]ports.InboxItem, error) {
	if err := r.use("memory.deferred-until", ""); err != nil {
		return nil, err
	}
	due := r.state().inbox.deferred(func(i *ports.InboxItem) bool { return !i.Until.After(now) })
	slices.SortStableFunc(due, func(a, b ports.InboxItem) int { return a.Until.Compare(b.Until) })
	if limit > 0 && len(due) > limit {
		due = due[:limit]
	}
	return due, nil
}

// NextDeferral implements ports.InboxReader.
func (r *reader) NextDeferral() (time.Time, error) {
	if err := r.use("memory.next-deferral", ""); err != nil {
		return time.Time{}, err
	}
	b := &r.state().inbox
	seqs := b.byState[ports.Deferred]
	if len(seqs) == 0 {
		return time.Time{}, nil
	}
	next := slices.MinFunc(seqs, func(x, y int64) int {
		return cmp.Or(b.item(x).Until.Compare(b.item(y).Until), cmp.Compare(x, y))
	})
	return b.item(next).Until, nil
}

// Waiting implements ports.InboxReader.
func (r *reader) Waiting(prefix string) ([]ports.InboxItem, error) {
	if err := r.use("memory.waiting", prefix); err != nil {
		return nil, err
	}
	return r.state().inbox.deferred(func(i *ports.InboxItem) bool {
		return strings.HasPrefix(i.Wake, prefix)
	}), nil
}

// InboxCounts implements ports.InboxReader.
func (r *reader) InboxCounts() (map[ports.InboxState]int64, error) {
	if err := r.use("memory.inbox-counts", ""); err != nil {
		return nil, err
	}
	counts := map[ports.InboxState]int64{}
	for state, seqs := range r.state().inbox.byState {
		if len(seqs) > 0 {
			counts[state] = int64(len(seqs))
		}
	}
	return counts, nil
}
