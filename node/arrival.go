package node

import (
	"bytes"

	"bateleur/core/bridge"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// arrival is an item on its way into an actor's queue.
type arrival struct {
	item   ports.InboxItem
	read   *model.Activity    // what the message says, when it was read already
	waiter chan bridge.Result // hears the first decision, nil when nobody waits

	seq       int64
	duplicate bool
	before    ports.InboxItem // how the item stood when it arrived: Pending, or what a duplicate found
}

func (a *arrival) append(tx ports.Tx) (err error) {
	a.before = ports.InboxItem{State: ports.Pending}
	a.seq, a.duplicate, err = tx.InboxAppend(a.item)
	if err == nil && a.duplicate {
		a.before, err = tx.InboxItem(a.seq)
	}
	return err
}

// sameAs refuses a duplicate that says something else than what it repeats.
func (a *arrival) sameAs(body []byte) error {
	if bytes.Equal(a.before.Body, body) {
		return nil
	}
	return fault.New("command", a.item.ActivityID, fault.Conflict, "the key was used for another command")
}
