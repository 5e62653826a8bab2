package model

import (
	"encoding/json"

	"bateleur/core/fault"
)

// Object is anything the protocol can carry inline.
type Object interface {
	// ObjectID is the object's id, "" when it has none.
	ObjectID() string
	// ObjectType is the object's type name on the wire.
	ObjectType() string
}

// Item is a member that refers to an object: by its id alone, or carrying the
// object inline. What is inline stays inline at every depth, in stores too
// (DL-08-001). The zero Item is an absent member.
type Item struct {
	id     string
	object Object
}

// Link refers to an object by id.
func Link(id string) Item { return Item{id: id} }

// Inline carries o.
func Inline(o Object) Item {
	if o == nil {
		return Item{}
	}
	return Item{id: o.ObjectID(), object: o}
}

// ID is the id referred to, inline or not.
func (i Item) ID() string { return i.id }

// Object is the inline object, nil for a link.
func (i Item) Object() Object { return i.object }

// Type is the inline object's type name, "" for a link.
func (i Item) Type() string {
	if i.object == nil {
		return ""
	}
	return i.object.ObjectType()
}

// IsZero tells whether the member is absent.
func (i Item) IsZero() bool { return i.id == "" && i.object == nil }

// IsLink tells whether the member is a bare id.
func (i Item) IsLink() bool { return i.object == nil && i.id != "" }

// InlineAs gives the inline object when it is a T.
func InlineAs[T Object](i Item) (T, bool) {
	o, ok := i.object.(T)
	return o, ok
}

// MarshalJSON writes the object, or the id as a string.
func (i Item) MarshalJSON() ([]byte, error) {
	if i.object != nil {
		return json.Marshal(i.object)
	}
	return json.Marshal(i.id)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (i *Item) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*i = Item{}
		return nil
	}
	if len(b) > 0 && b[0] == '"' {
		*i = Item{}
		return json.Unmarshal(b, &i.id)
	}
	o, err := UnmarshalObject(b)
	if err != nil {
		return err
	}
	*i = Inline(o)
	return nil
}

// UnmarshalObject reads one object in the model's own JSON form, typed by its
// "type" member; a type without a Go type here becomes a Generic.
func UnmarshalObject(b []byte) (Object, error) {
	var head struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return nil, fault.Wrap("model.object", "", fault.Invalid, err)
	}
	o := NewObject(head.Type)
	if err := json.Unmarshal(b, o); err != nil {
		return nil, fault.Wrap("model.object", head.Type, fault.Invalid, err)
	}
	return o, nil
}

// NewObject makes an empty object of the Go type that stands for a type name:
// an Activity for the activity types, a Generic where there is none.
func NewObject(typ string) Object {
	switch {
	case IsActivityType(typ):
		return &Activity{}
	case IsActorType(typ):
		return &Actor{}
	}
	switch typ {
	case TypeReport:
		return &Report{}
	case TypeCase:
		return &VulnerabilityCase{}
	case TypeParticipant:
		return &CaseParticipant{}
	case TypeParticipantStatus:
		return &ParticipantStatus{}
	case TypeCaseStatus:
		return &CaseStatus{}
	case TypeEmbargo, TypeEvent:
		return &EmbargoEvent{}
	case TypeProposal:
		return &CaseProposal{}
	case TypeParticipantRole:
		return &CaseParticipantRole{}
	case TypeLedgerEntry:
		return &LedgerEntry{}
	case TypeNote:
		return &Note{}
	}
	return &Generic{}
}
