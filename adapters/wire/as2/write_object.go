package as2

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"bateleur/core/fault"
	"bateleur/core/model"
)

// object writes an inline object of any type.
func (w *writer) object(object model.Object) {
	switch o := object.(type) {
	case *model.LedgerEntry:
		w.ledgerEntry(o)
		return
	case *model.Generic:
		w.generic(o)
		return
	}
	w.open()
	switch o := object.(type) {
	case *model.Activity:
		w.activity(o)
	case *model.Actor:
		w.actor(o)
	case *model.Report:
		w.report(o)
	case *model.VulnerabilityCase:
		w.vulnerabilityCase(o)
	case *model.CaseParticipant:
		w.participant(o)
	case *model.ParticipantStatus:
		w.participantStatus(o)
	case *model.CaseStatus:
		w.caseStatus(o)
	case *model.EmbargoEvent:
		w.embargo(o)
	case *model.CaseProposal:
		w.proposal(o)
	case *model.CaseParticipantRole:
		w.text(keyID, o.ID)
		w.text(keyType, model.TypeParticipantRole)
		w.text(keyRole, string(o.Role))
	case *model.Note:
		w.note(o)
	default:
		w.refuse("object", fmt.Sprintf("a %T has no form on the wire", object))
	}
	w.close()
}

func (w *writer) report(o *model.Report) {
	w.text(keyID, o.ID)
	w.text(keyType, model.TypeReport)
	w.text(keyName, o.Name)
	w.text(keyContent, o.Content)
	w.text(keyAttributedTo, o.AttributedTo)
	w.instant(keyPublished, o.Published)
	w.instant(keyUpdated, o.Updated)
}

func (w *writer) note(o *model.Note) {
	w.text(keyID, o.ID)
	w.text(keyType, model.TypeNote)
	w.text(keyName, o.Name)
	w.text(keyContent, o.Content)
	w.text(keyContext, o.Context)
	w.text(keyAttributedTo, o.AttributedTo)
	w.text(keyInReplyTo, o.InReplyTo)
	w.instant(keyPublished, o.Published)
	w.instant(keyUpdated, o.Updated)
}

func (w *writer) embargo(o *model.EmbargoEvent) {
	w.text(keyID, o.ID)
	w.text(keyType, o.ObjectType())
	w.text(keyName, embargoName(o))
	w.text(keyContext, o.Context)
	w.deadline(keyStartTime, o.StartTime)
	w.deadline(keyEndTime, o.EndTime)
	w.text(keySummary, o.Summary)
	w.text(keyContent, o.Content)
	w.instant(keyPublished, o.Published)
	w.instant(keyUpdated, o.Updated)
}

func (w *writer) proposal(o *model.CaseProposal) {
	w.text(keyID, o.ID)
	w.text(keyType, model.TypeProposal)
	w.text(keyAttributedTo, o.AttributedTo)
	w.item(keyObject, o.Object)
	w.ref(keyTarget, o.Target)
	w.text(keySummary, o.Summary)
	w.text(keyOfferID, o.OfferID)
	w.text(keyOfferActorID, o.OfferActorID)
	writeList(w, keyRoles, o.Roles)
	w.instant(keyPublished, o.Published)
	w.instant(keyUpdated, o.Updated)
}

func (w *writer) actor(o *model.Actor) {
	w.text(keyID, o.ID)
	w.text(keyType, o.Type)
	w.text(keyName, o.Name)
	w.text(keyPreferredUsername, o.PreferredUsername)
	w.text(keyInbox, o.Inbox)
	w.text(keyOutbox, o.Outbox)
}

// ledgerEntry writes the entry with its snapshot byte for byte.
func (w *writer) ledgerEntry(o *model.LedgerEntry) {
	b, err := o.MarshalJSON()
	if err != nil && w.err == nil {
		w.err = err
	}
	w.b = append(w.b, b...)
}

// generic writes the JSON that was kept.
func (w *writer) generic(o *model.Generic) {
	switch raw := jsontext.Value(o.Raw); {
	case len(raw) == 0:
		w.open()
		w.text(keyID, o.ID)
		w.text(keyType, o.Type)
		w.close()
	case raw.Kind() == '{' && raw.IsValid():
		w.b = append(w.b, raw...)
	case w.err == nil:
		w.err = fault.New("as2.write", o.ID, fault.Invalid, "the object's JSON is damaged")
	}
}
