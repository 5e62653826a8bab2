package trigger

import (
	"cmp"

	"bateleur/core/cases"
	"bateleur/core/model"
	"bateleur/core/scope"
	"bateleur/core/usecases/leaf"
)

// RegisterPeer names a peer.
type RegisterPeer struct {
	ID   string `json:"id" validate:"required,actor"`
	Type string `json:"type" validate:"omitempty,actortype"`
	Name string `json:"name" validate:"max=1000"`
}

// registerPeer writes a peer into the actor's own address book, over what stood
// there. It makes no store, and nothing is asked of the peer (DL-07-008).
var registerPeer = Trigger{Name: "register-peer", Check: check[RegisterPeer]("register-peer"),
	Tree: leaf.Compile(leaf.Do("keep the address", keepAddress))}

func keepAddress(s *scope.Scope) error {
	p, err := scope.Params[RegisterPeer](s)
	if err != nil {
		return err
	}
	id, err := model.ParseActorID(p.ID)
	if err != nil {
		return err
	}
	known, _, err := cases.Find[model.Actor](s, cases.KindAddress, id.URI())
	if err != nil {
		return err
	}
	peer := model.Actor{ID: id.URI(), Type: cmp.Or(p.Type, "Organization"),
		Name: cmp.Or(p.Name, id.Segment()), Inbox: id.Inbox()}
	if known.Rev == 0 || known.Value != peer {
		known.Value = peer
		if err := cases.Save(s, cases.KindAddress, id.URI(), &known); err != nil {
			return err
		}
	}
	return s.Answer(map[string]any{"actor": peer})
}
