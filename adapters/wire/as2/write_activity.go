package as2

import "bateleur/core/model"

// message writes the outermost activity.
func (w *writer) message(a *model.Activity) {
	switch {
	case a.Type == "":
		w.refuse("type", "missing")
	case a.Actor == "":
		w.refuse("actor", "missing")
	}
	w.open()
	w.text(keyContextDoc, contextDocument)
	w.activity(a)
	w.close()
}

func (w *writer) activity(a *model.Activity) {
	w.text(keyID, a.ID)
	w.text(keyType, a.Type)
	w.text(keyName, activityName(a))
	w.text(keyActor, a.Actor)
	w.text(keyAttributedTo, a.AttributedTo)
	w.item(keyObject, a.Object)
	w.target(a)
	w.ref(keyOrigin, a.Origin)
	if a.HasContext || a.Context != "" {
		w.name(keyContext)
		w.string(keyContext, a.Context)
	}
	w.text(keyInReplyTo, a.InReplyTo)
	writeList(w, keyTo, a.To)
	writeList(w, keyCC, a.CC)
	w.text(keySummary, a.Summary)
	w.text(keyContent, a.Content)
	writeList(w, keyRoles, a.Roles)
	writeList(w, keySuggestedRoles, a.SuggestedRoles)
	w.text(keyOfferID, a.OfferID)
	w.text(keyOfferActorID, a.OfferActorID)
	w.deadline(keyEndTime, a.EndTime)
	w.instant(keyPublished, a.Published)
	w.instant(keyUpdated, a.Updated)
}

// target writes a URI, except that an invitation may tell of the case what its
// reader would consent to.
func (w *writer) target(a *model.Activity) {
	stub, ok := model.InlineAs[*model.VulnerabilityCase](a.Target)
	if ok && a.Type == model.Invite && stub.IsStub() {
		w.item(keyTarget, a.Target)
		return
	}
	w.ref(keyTarget, a.Target)
}
