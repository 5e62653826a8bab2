package as2

import "bateleur/core/model"

// message reads the outermost activity.
func (r *reader) message() *model.Activity {
	if r.nodes[root].kind != '{' {
		r.refusePath("type", "a message is an object with a type")
		return nil
	}
	all := r.members(root)
	m := &all
	typ := r.typeOf(m)
	switch {
	case typ == "":
		r.refusePath("type", "missing")
	case !model.IsActivityType(typ) && known(typ):
		r.refuse(m[keyType], "is no activity")
	}
	if r.err != nil {
		return nil
	}
	a := &model.Activity{Type: typ}
	r.activity(a, m)
	r.oneActor(a, m)
	return a
}

// oneActor makes the message's actor the canonical id under which it is known.
func (r *reader) oneActor(a *model.Activity, m *members) {
	if a.Actor == "" {
		r.refusePath("actor", "missing")
		return
	}
	actor, err := model.ParseActorID(a.Actor)
	if err != nil {
		r.refuse(m[keyActor], err.Error())
	}
	a.Actor = actor.URI()
}

func (r *reader) activity(a *model.Activity, m *members) {
	a.ID = r.id(m[keyID])
	a.Name = r.words(m[keyName], m[keyNameMap])
	a.Actor = r.sole(m[keyActor])
	a.AttributedTo = r.ref(m[keyAttributedTo])
	a.Object = r.item(m[keyObject])
	a.Target = r.item(m[keyTarget])
	a.Origin = r.item(m[keyOrigin])
	a.Context, a.HasContext = r.ref(m[keyContext]), m[keyContext] != 0
	a.InReplyTo = r.ref(m[keyInReplyTo])
	a.To, a.CC = r.refs(m[keyTo]), r.refs(m[keyCC])
	a.BTo, a.BCC = r.refs(m[keyBTo]), r.refs(m[keyBCC])
	a.Summary = r.words(m[keySummary], m[keySummaryMap])
	a.Content = r.words(m[keyContent], m[keyContentMap])
	a.Roles, a.SuggestedRoles = r.roles(m[keyRoles]), r.roles(m[keySuggestedRoles])
	a.OfferID, a.OfferActorID = r.ref(m[keyOfferID]), r.ref(m[keyOfferActorID])
	a.EndTime = r.deadline(m[keyEndTime])
	a.Published, a.Updated = r.instant(m[keyPublished]), r.instant(m[keyUpdated])
}
