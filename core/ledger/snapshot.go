package ledger

import (
	"slices"

	"bateleur/core/fault"
)

// pair is an activity's type with that of its object.
type pair struct{ activity, object string }

// recordable maps the pairs that may be ledgered to whether the case manager
// may be their actor.
var recordable = map[pair]bool{
	{"Create", "VulnerabilityCase"}:   true,
	{"Announce", "VulnerabilityCase"}: true,
	{"Offer", "VulnerabilityReport"}:  false,
	{"Offer", "VulnerabilityCase"}:    true,
	{"Offer", "CaseParticipant"}:      true,
	{"Offer", "EmbargoEvent"}:         false,
	{"Invite", "VulnerabilityCase"}:   true,
	{"Invite", "EmbargoEvent"}:        true,
	{"Accept", "Offer"}:               true,
	{"Accept", "Invite"}:              false,
	{"Accept", "EmbargoEvent"}:        false,
	{"Reject", "Offer"}:               true,
	{"Reject", "Invite"}:              false,
	{"Reject", "EmbargoEvent"}:        false,
	{"TentativeReject", "Offer"}:      false,
	{"Read", "Offer"}:                 false,
	{"Add", "Note"}:                   false,
	{"Add", "VulnerabilityReport"}:    true,
	{"Add", "CaseStatus"}:             true,
	{"Add", "ParticipantStatus"}:      true,
	{"Add", "CaseParticipant"}:        true,
	{"Add", "EmbargoEvent"}:           true,
	{"Remove", "EmbargoEvent"}:        true,
	{"Leave", "VulnerabilityCase"}:    true,
}

var (
	// ofAnything are the activities that may be ledgered with any object.
	ofAnything = []string{"Join", "Ignore", "Leave"}
	// actorTypes are the types an actor goes by; the last is how the reference
	// implementation spells an actor whose type it has lost.
	actorTypes = []string{"Person", "Organization", "Service", "Application", "Group", "Actor", "CoreActor"}
)

// Allowed tells whether an activity of these types may be ledgered. Where the
// object is an actor, what counts is the type of the target: an invitation of an
// actor to a case is about the case. targetType is "" where there is none.
// Implements CLP-07-004.
func Allowed(activityType, objectType, targetType string) bool {
	p := pairOf(activityType, objectType, targetType)
	if p.object == "" {
		return false
	}
	_, ok := recordable[p]
	return ok || slices.Contains(ofAnything, activityType)
}

// pairOf names the pair that counts.
func pairOf(activityType, objectType, targetType string) pair {
	if slices.Contains(actorTypes, objectType) {
		objectType = targetType
	}
	return pair{activityType, objectType}
}

// CheckSnapshot tells whether a snapshot may be recorded in the case's ledger:
// a JSON object that is not empty, with an actor named by its id, object and
// target inline wherever they are there, the case as context, and a pair of
// types that is allowed, which for the case manager as actor is a shorter list.
// "origin" may be inline or an id. An inline case must be this one, and so must
// the case that an inline object names as its context.
//
// What does not hold is [fault.Invalid] with the snapshot's member as Field; a
// pair that the manager may not assert is [fault.Forbidden].
// Implements CLP-07-004, CLP-07-006, CLP-07-007 and CLP-07-008.
func CheckSnapshot(payload []byte, caseID, managerURI string) error {
	w := borrow()
	defer w.release()
	if err := w.parse(payload); err != nil {
		return fault.Wrap(snapshotOp, caseID, fault.CodeOf(err), err)
	}
	if w.root.kind != kindObject || w.root.many == 0 {
		return fault.Field(snapshotOp, caseID, "payloadSnapshot", "must be an object with members")
	}
	s := snapshot{document: &w.document, caseID: caseID}
	return s.check(managerURI)
}

const snapshotOp = "ledger.snapshot"

type snapshot struct {
	*document
	caseID string
}

func (s *snapshot) refuse(field, text string) error {
	return fault.Field(snapshotOp, s.caseID, field, text)
}

func (s *snapshot) check(managerURI string) error {
	actor := s.textOf(s.root, "actor")
	if actor == "" {
		return s.refuse("actor", "must be an actor's id")
	}
	if s.caseID == "" || s.textOf(s.root, "context") != s.caseID {
		return s.refuse("context", "must be the case's id")
	}
	object, err := s.inline("object", "object_")
	if err != nil {
		return err
	}
	target, err := s.inline("target")
	if err != nil {
		return err
	}
	return s.checkPair(actor == managerURI, object, target)
}

func (s *snapshot) checkPair(byManager bool, object, target value) error {
	activity := s.typeOf(s.root)
	objectType, targetType := s.typeOf(object), s.typeOf(target)
	if !Allowed(activity, objectType, targetType) {
		return s.refuse("type", activity+" of "+objectType+" is not recorded in a ledger")
	}
	if byManager && !recordable[pairOf(activity, objectType, targetType)] {
		return fault.New(snapshotOp, s.caseID, fault.Forbidden,
			"the case manager does not assert "+activity+" of "+objectType)
	}
	return nil
}

// inline gives a member that is absent, null, or an object of this case. It may
// have two spellings, but not both at once.
func (s *snapshot) inline(names ...string) (found value, err error) {
	for _, name := range names {
		v, ok := s.get(s.root, name)
		switch {
		case !ok || v.kind == kindNull:
			continue
		case v.kind != kindObject:
			return value{}, s.refuse(name, "must be inline, not a reference")
		case found.kind == kindObject:
			return value{}, s.refuse(name, "given in two spellings")
		}
		if err := s.sameCase(name, v); err != nil {
			return value{}, err
		}
		found = v
	}
	return found, nil
}

// sameCase refuses an inline object that belongs to another case.
func (s *snapshot) sameCase(name string, v value) error {
	switch s.typeOf(v) {
	case "VulnerabilityCase":
		if s.textOf(v, "id", "id_") != s.caseID {
			return s.refuse(name+".id", "must be the ledger's case")
		}
	case "CaseStatus", "CaseParticipant", "EmbargoEvent", "Note", "ParticipantStatus":
		if c := s.textOf(v, "context"); c != "" && c != s.caseID {
			return s.refuse(name+".context", "must be the ledger's case")
		}
	}
	return nil
}

func (s *snapshot) typeOf(v value) string { return s.textOf(v, "type", "type_") }

// textOf is the first of the members that is a string, or "".
func (s *snapshot) textOf(v value, names ...string) string {
	for _, name := range names {
		if m, ok := s.get(v, name); ok && m.kind == kindString {
			text, _ := s.str(m)
			return text
		}
	}
	return ""
}
