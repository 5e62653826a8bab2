package httpapi

import (
	"context"
	"net/http"
	"strings"

	"bateleur/core/fault"
	"bateleur/core/model"
)

// accepted is the answer to a message that is on disk, the same for the first
// one and its repetitions (ID-03-001).
type accepted struct {
	Status     string `json:"status"`
	ActivityID string `json:"activity_id"`
	Message    string `json:"message"`
}

// receive takes a peer's message into an actor's inbox. Whatever is refused has
// left nothing in any store.
func (a *api) receive(w http.ResponseWriter, r *http.Request, to model.ActorID) {
	body, bad := read(w, r, a.MaxBody, inboxTypes...)
	if bad != nil {
		a.refuse(w, r, *bad)
		return
	}
	activity, err := a.Wire.Decode(body)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	sender, bad := a.sender(r, activity, body)
	if bad != nil {
		a.refuse(w, r, *bad)
		return
	}
	others, err := a.toOthersOnly(r.Context(), to, activity.Addressees())
	switch {
	case err != nil:
		a.fail(w, r, err)
		return
	case others:
		a.refuse(w, r, problem{Code: codeMisaddressed, Field: "to", Detail: "the message is addressed to others only"})
		return
	}
	receipt, err := a.Node.Receive(r.Context(), to, sender, activity, body)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	a.answer(w, r, http.StatusAccepted, typeJSON, accepted{Status: "accepted", ActivityID: receipt.ActivityID,
		Message: "the message is in the inbox"})
}

// sender is the actor that is proved to have sent a message: the one the message
// names. A message is taken from nobody else.
func (a *api) sender(r *http.Request, activity *model.Activity, body []byte) (model.ActorID, *problem) {
	proved, err := a.Signer.Authenticate(r.Context(), activity.Actor, r.Header, body)
	switch {
	case fault.CodeOf(err) == fault.Forbidden && r.Header.Get("Signature") == "":
		return model.ActorID{}, &problem{Code: codeUnproved, Field: "Signature", Detail: "the message is not signed"}
	case err != nil:
		p := problemOf(err)
		return model.ActorID{}, &p
	}
	id, err := model.ParseActorID(proved)
	switch {
	case err != nil:
		p := malformed("actor", textOf(err))
		return id, &p
	case proved != activity.Actor:
		return id, &problem{Code: string(fault.Forbidden), Field: "actor", Detail: "the sender is not the message's actor"}
	}
	return id, nil
}

// toOthersOnly applies the protocol's rule of four steps (IE-11): a message goes
// in when it names nobody, when it names this actor, or when it names somebody
// who is no known individual; only when all it names are known others is it
// refused.
func (a *api) toOthersOnly(ctx context.Context, me model.ActorID, addressees []string) (bool, error) {
	for _, address := range addressees {
		if a.isMe(me, address) {
			return false, nil
		}
	}
	for _, address := range addressees {
		known, err := a.Node.KnownActor(ctx, me, address)
		if err != nil || !known {
			return false, err
		}
	}
	return len(addressees) > 0, nil
}

// isMe tells whether an address names the actor: by its id, or by the last part
// of its path on this node, as some peers write it. The same last part elsewhere
// is somebody else.
func (a *api) isMe(me model.ActorID, address string) bool {
	id, err := model.ParseActorID(address)
	if err != nil {
		return false
	}
	return id == me || id.Segment() == me.Segment() && strings.HasPrefix(id.URI(), a.Node.BaseURL()+"/")
}
