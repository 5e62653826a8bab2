package node

import (
	"context"

	"bateleur/core/cases"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// KnownActor tells whether a URI names an individual actor that the given hosted
// actor knows: one that this node hosts, or one in the actor's own address book.
func (n *Node) KnownActor(ctx context.Context, actor model.ActorID, uri string) (known bool, err error) {
	id, err := model.ParseActorID(uri)
	if err != nil {
		return false, nil //nolint:nilerr // what is no actor's id names none
	}
	if _, hosted := n.profiles[id]; hosted {
		return true, nil
	}
	err = n.View(ctx, actor, func(r ports.Reader) error {
		_, err := r.Get(cases.KindAddress, id.URI())
		known = err == nil
		if fault.CodeOf(err) == fault.NotFound {
			return nil
		}
		return err
	})
	return known, err
}
