package ports

import (
	"slices"
	"time"

	"github.com/samber/lo"

	"bateleur/core/fault"
	"bateleur/core/model"
)

// OutboxItem is an activity to be delivered: the activity itself, not its id.
type OutboxItem struct {
	Seq        int64
	ActivityID string
	// Actor emits; a store takes only its owner's activities.
	Actor model.ActorID
	// AttributedTo is for whom the actor speaks, "" for itself (CM-24-002).
	AttributedTo string
	Body         []byte
	// Recipients each get a place in a queue of their own; at least one
	// (OX-08-001), none twice.
	Recipients []string
	// PerRecipient asks that each recipient gets an activity of its own, with an
	// id derived from ActivityID and itself as the only addressee.
	PerRecipient bool
	// About is the ledger entry or object the activity reports, "" for none: dead
	// letters name it.
	About     string
	CreatedAt time.Time
}

// Check tells whether the owner's outbox takes the item: its own activity, with an
// id and recipients, none of them empty or named twice. What it does not take is
// fault.OwnerMismatch or fault.Invalid, of the operation op.
func (i *OutboxItem) Check(op string, owner model.ActorID) error {
	switch {
	case i.Actor != owner:
		return fault.New(op, i.ActivityID, fault.OwnerMismatch,
			"activity of "+i.Actor.URI()+" in the outbox of "+owner.URI())
	case i.ActivityID == "":
		return fault.Field(op, "", "id", "an activity needs an id")
	case len(i.Recipients) == 0:
		return fault.Field(op, i.ActivityID, "recipients", "an activity needs a recipient")
	case slices.Contains(i.Recipients, "") || len(lo.Uniq(i.Recipients)) < len(i.Recipients):
		return fault.Field(op, i.ActivityID, "recipients", "a recipient is empty or named twice")
	}
	return nil
}

// DeliveryState is where a delivery stands.
type DeliveryState string

const (
	// DeliveryPending is yet to be made.
	DeliveryPending DeliveryState = "pending"
	// DeliveryDead was given up; it may be tried again by hand.
	DeliveryDead DeliveryState = "dead"
)

// Delivery is an outbox item on its way to one recipient. A delivery that
// succeeded is gone.
type Delivery struct {
	Item      OutboxItem
	Recipient string
	State     DeliveryState
	Attempts  int
	NotBefore time.Time
	LastError string
}

// RecipientQueue is the state of one recipient's queue.
type RecipientQueue struct {
	Recipient string
	Pending   int
	NotBefore time.Time // when its first delivery may be tried
}

// Attempt is what became of a delivery attempt: at most one of Delivered and
// Dead; with neither it is tried again at NotBefore.
type Attempt struct {
	Recipient string
	Seq       int64
	Delivered bool
	Dead      bool
	NotBefore time.Time
	Error     string
}

// Check tells whether the attempt came to one thing: fault.Invalid when it is said
// to be both Delivered and Dead.
func (a *Attempt) Check(op string) error {
	if a.Delivered && a.Dead {
		return fault.Field(op, a.Recipient, "dead", "a delivery is delivered or dead, not both")
	}
	return nil
}

// OutboxReader reads what an actor sends.
type OutboxReader interface {
	// Queues gives the recipients with pending deliveries, sorted.
	Queues() ([]RecipientQueue, error)
	// Deliveries gives up to limit pending deliveries to a recipient in the order
	// of their writing, those of items with a Seq above after; limit 0 means no
	// bound.
	Deliveries(recipient string, after int64, limit int) ([]Delivery, error)
	// DeadDeliveries gives up to limit given-up deliveries in the order of their
	// items, those of items with a Seq above after. An item's deliveries are not
	// split: where the limit falls between them the page is that much longer.
	DeadDeliveries(after int64, limit int) ([]Delivery, error)
	// OutboxItems gives up to limit items in the order of their writing, those
	// with a Seq above after; limit 0 means no bound.
	OutboxItems(after int64, limit int) ([]OutboxItem, error)
	// OutboxItem finds an item by its activity's id, or fault.NotFound.
	OutboxItem(activityID string) (OutboxItem, error)
}

// OutboxWriter writes what an actor sends.
type OutboxWriter interface {
	// OutboxAppend stores the activity and its place in each recipient's queue in
	// one write and gives its Seq. fault.OwnerMismatch when Actor is not the
	// store's owner, fault.Invalid without an id or a recipient and when one is
	// empty or named twice, fault.Conflict when the activity id is there already.
	OutboxAppend(item OutboxItem) (int64, error)
	// DeliverySettle records an attempt; fault.NotFound when the delivery is not
	// pending, fault.Invalid when it is said to be both Delivered and Dead.
	DeliverySettle(a Attempt) error
	// DeliveryRequeue makes a dead delivery pending again, at once and with its
	// attempts counted from zero; fault.NotFound when there is none.
	DeliveryRequeue(recipient string, seq int64) error
}
