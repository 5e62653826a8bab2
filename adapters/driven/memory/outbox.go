package memory

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"bateleur/core/fault"
	"bateleur/core/ports"
)

type deliveryKey struct {
	seq       int64
	recipient string
}

func compareDeliveries(a, b deliveryKey) int {
	return cmp.Or(cmp.Compare(a.seq, b.seq), cmp.Compare(a.recipient, b.recipient))
}

// delivery is the state of an item on its way to one recipient.
type delivery struct {
	attempts  int
	notBefore time.Time
	lastError string
}

// outbox holds item Seq at index Seq-1. A delivery's key stands in the queue of
// its recipient or among the dead, in order of Seq.
type outbox struct {
	items      []*ports.OutboxItem
	byActivity map[string]int64
	deliveries map[deliveryKey]delivery
	queues     map[string][]deliveryKey
	dead       []deliveryKey
}

func newOutbox() outbox {
	return outbox{
		byActivity: map[string]int64{},
		deliveries: map[deliveryKey]delivery{},
		queues:     map[string][]deliveryKey{},
	}
}

func with(keys []deliveryKey, k deliveryKey) []deliveryKey {
	at, _ := slices.BinarySearchFunc(keys, k, compareDeliveries)
	return slices.Insert(keys, at, k)
}

func without(keys []deliveryKey, k deliveryKey) []deliveryKey {
	at, _ := slices.BinarySearchFunc(keys, k, compareDeliveries)
	return slices.Delete(keys, at, at+1)
}

func holds(keys []deliveryKey, k deliveryKey) bool {
	_, found := slices.BinarySearchFunc(keys, k, compareDeliveries)
	return found
}

func (o *outbox) enqueue(k deliveryKey, d delivery) {
	o.deliveries[k] = d
	o.queues[k.recipient] = with(o.queues[k.recipient], k)
}

func (o *outbox) dequeue(k deliveryKey) {
	delete(o.deliveries, k)
	if o.queues[k.recipient] = without(o.queues[k.recipient], k); len(o.queues[k.recipient]) == 0 {
		delete(o.queues, k.recipient)
	}
}

func (o *outbox) bury(k deliveryKey, d delivery) {
	o.deliveries[k] = d
	o.dead = with(o.dead, k)
}

func (o *outbox) exhume(k deliveryKey) {
	delete(o.deliveries, k)
	o.dead = without(o.dead, k)
}

func (o *outbox) delivery(k deliveryKey, state ports.DeliveryState) ports.Delivery {
	d := o.deliveries[k]
	return ports.Delivery{
		Item: cloneOutboxItem(o.items[k.seq-1]), Recipient: k.recipient, State: state,
		Attempts: d.attempts, NotBefore: d.notBefore, LastError: d.lastError,
	}
}

func cloneOutboxItem(i *ports.OutboxItem) ports.OutboxItem {
	c := *i
	c.Body, c.Recipients = slices.Clone(i.Body), slices.Clone(i.Recipients)
	return c
}

// Queues implements ports.OutboxReader.
func (r *reader) Queues() ([]ports.RecipientQueue, error) {
	if err := r.use("memory.queues", ""); err != nil {
		return nil, err
	}
	o := &r.state().outbox
	var queues []ports.RecipientQueue
	for _, recipient := range slices.Sorted(maps.Keys(o.queues)) {
		keys := o.queues[recipient]
		queues = append(queues, ports.RecipientQueue{
			Recipient: recipient, Pending: len(keys), NotBefore: o.deliveries[keys[0]].notBefore,
		})
	}
	return queues, nil
}

// Deliveries implements ports.OutboxReader.
func (r *reader) Deliveries(recipient string, after int64, limit int) ([]ports.Delivery, error) {
	if err := r.use("memory.deliveries", recipient); err != nil {
		return nil, err
	}
	o := &r.state().outbox
	queue := o.queues[recipient]
	at, _ := slices.BinarySearchFunc(queue, deliveryKey{seq: after + 1}, compareDeliveries)
	var page []ports.Delivery
	for _, k := range queue[at:] {
		if full(len(page), limit) {
			break
		}
		page = append(page, o.delivery(k, ports.DeliveryPending))
	}
	return page, nil
}

// DeadDeliveries implements ports.OutboxReader.
func (r *reader) DeadDeliveries(after int64, limit int) ([]ports.Delivery, error) {
	if err := r.use("memory.dead-deliveries", ""); err != nil {
		return nil, err
	}
	o := &r.state().outbox
	at, _ := slices.BinarySearchFunc(o.dead, deliveryKey{seq: after + 1}, compareDeliveries)
	var page []ports.Delivery
	for _, k := range o.dead[at:] {
		if full(len(page), limit) && page[len(page)-1].Item.Seq != k.seq {
			break
		}
		page = append(page, o.delivery(k, ports.DeliveryDead))
	}
	return page, nil
}

// OutboxItems implements ports.OutboxReader.
func (r *reader) OutboxItems(after int64, limit int) ([]ports.OutboxItem, error) {
	if err := r.use("memory.outbox-items", ""); err != nil {
		return nil, err
	}
	items := r.state().outbox.items
	var page []ports.OutboxItem
	for _, item := range items[min(max(after, 0), int64(len(items))):] {
		if full(len(page), limit) {
			break
		}
		page = append(page, cloneOutboxItem(item))
	}
	return page, nil
}

// OutboxItem implements ports.OutboxReader.
func (r *reader) OutboxItem(activityID string) (ports.OutboxItem, error) {
	const op = "memory.outbox-item"
	if err := r.use(op, activityID); err != nil {
		return ports.OutboxItem{}, err
	}
	o := &r.state().outbox
	seq, ok := o.byActivity[activityID]
	if !ok {
		return ports.OutboxItem{}, fault.New(op, activityID, fault.NotFound, "no such activity")
	}
	return cloneOutboxItem(o.items[seq-1]), nil
}
