package as2

import (
	"bytes"
	"strings"

	"bateleur/core/fault"
	"bateleur/core/model"
)

// object reads an inline object of any type. One whose type has no Go type
// keeps its JSON.
func (r *reader) object(at int32) model.Object { //nolint:funlen // two lines a type
	if r.nodes[at].kind != '{' {
		r.refuse(at, "must be an object")
		return nil
	}
	all := r.members(at)
	m := &all
	typ := r.typeOf(m)
	object := model.NewObject(typ)
	switch o := object.(type) {
	case *model.Activity:
		o.Type = typ
		r.activity(o, m)
	case *model.Actor:
		o.Type = typ
		r.actor(o, m)
	case *model.Report:
		o.Type = typ
		r.report(o, m)
	case *model.VulnerabilityCase:
		o.Type = typ
		r.vulnerabilityCase(o, m)
	case *model.CaseParticipant:
		o.Type = typ
		r.participant(o, m)
	case *model.ParticipantStatus:
		o.Type = typ
		r.participantStatus(o, m)
	case *model.CaseStatus:
		o.Type = typ
		r.caseStatus(o, m)
	case *model.EmbargoEvent:
		o.Type = typ
		r.embargo(o, m)
	case *model.CaseProposal:
		o.Type = typ
		r.proposal(o, m)
	case *model.CaseParticipantRole:
		o.ID, o.Type = r.id(m[keyID]), typ
		for _, role := range r.roles(m[keyRole]) {
			o.Role = role
		}
	case *model.Note:
		o.Type = typ
		r.note(o, m)
	case *model.LedgerEntry:
		r.ledgerEntry(o, at)
	case *model.Generic:
		o.Type = typ
		r.generic(o, m, at)
	}
	return object
}

func (r *reader) report(o *model.Report, m *members) {
	o.ID = r.id(m[keyID])
	o.Name = r.words(m[keyName], m[keyNameMap])
	o.Content = r.words(m[keyContent], m[keyContentMap])
	o.AttributedTo = r.ref(m[keyAttributedTo])
	o.Published, o.Updated = r.instant(m[keyPublished]), r.instant(m[keyUpdated])
}

func (r *reader) note(o *model.Note, m *members) {
	o.ID = r.id(m[keyID])
	o.Name = r.words(m[keyName], m[keyNameMap])
	o.Content = r.words(m[keyContent], m[keyContentMap])
	o.Context = r.ref(m[keyContext])
	o.AttributedTo = r.ref(m[keyAttributedTo])
	o.InReplyTo = r.ref(m[keyInReplyTo])
	o.Published, o.Updated = r.instant(m[keyPublished]), r.instant(m[keyUpdated])
}

func (r *reader) embargo(o *model.EmbargoEvent, m *members) {
	o.ID = r.id(m[keyID])
	o.Name = r.words(m[keyName], m[keyNameMap])
	o.Context = r.ref(m[keyContext])
	o.StartTime, o.EndTime = r.deadline(m[keyStartTime]), r.deadline(m[keyEndTime])
	o.Summary = r.words(m[keySummary], m[keySummaryMap])
	o.Content = r.words(m[keyContent], m[keyContentMap])
	o.Published, o.Updated = r.instant(m[keyPublished]), r.instant(m[keyUpdated])
}

// proposal reads a proposal. What is missing in it is for the case manager to
// judge, who answers the proposer.
func (r *reader) proposal(o *model.CaseProposal, m *members) {
	o.ID = r.id(m[keyID])
	o.AttributedTo = r.ref(m[keyAttributedTo])
	o.Object = r.item(m[keyObject])
	o.Target = r.item(m[keyTarget])
	o.Summary = r.words(m[keySummary], m[keySummaryMap])
	o.OfferID, o.OfferActorID = r.ref(m[keyOfferID]), r.ref(m[keyOfferActorID])
	o.Roles = r.roles(m[keyRoles])
	o.Published, o.Updated = r.instant(m[keyPublished]), r.instant(m[keyUpdated])
}

// actor reads an actor. The collections that some peers put into inbox and
// outbox tell what the actor has seen; they are not read.
func (r *reader) actor(o *model.Actor, m *members) {
	o.ID = r.id(m[keyID])
	o.Name = r.words(m[keyName], m[keyNameMap])
	o.PreferredUsername = r.text(m[keyPreferredUsername])
	o.Inbox, o.Outbox = r.url(m[keyInbox]), r.url(m[keyOutbox])
}

func (r *reader) url(at int32) string {
	if at != 0 && r.nodes[at].kind == '{' {
		return ""
	}
	return r.id(at)
}

// ledgerEntry leaves the entry to the ledger's own reader: its hash covers the
// snapshot's bytes.
func (r *reader) ledgerEntry(o *model.LedgerEntry, at int32) {
	if err := o.UnmarshalJSON(r.raw(at)); err != nil && r.err == nil {
		field := strings.Trim(r.path(at)+"."+fault.FieldOf(err), ".")
		r.err = &fault.Error{Op: "as2.decode", Code: fault.CodeOf(err), Field: field, Err: err}
	}
}

// generic keeps an object's JSON; what every object may have must be well-formed
// nevertheless.
func (r *reader) generic(o *model.Generic, m *members, at int32) {
	o.ID = r.id(m[keyID])
	r.words(m[keyName], m[keyNameMap])
	r.words(m[keySummary], m[keySummaryMap])
	r.words(m[keyContent], m[keyContentMap])
	o.Raw = bytes.Clone(r.raw(at))
}
