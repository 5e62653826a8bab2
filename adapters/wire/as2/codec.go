package as2

import (
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// Codec implements ports.Wire. The zero value is ready; it keeps no state and is
// safe for concurrent use.
type Codec struct{ ports.NoStore }

var _ ports.Wire = Codec{}

// Decode reads an activity. Its type need not be known: what is there is read,
// so that the message can be recorded as not understood. The activity names
// exactly one actor, whose id comes back in its canonical form; everything else
// is given as it was sent.
//
// Errors name the member at fault by its path, such as "object.type":
// fault.TooLarge for a bound, fault.Invalid for the rest, among it a document
// that is no object, has no type, or is an object of the protocol and no
// activity ("type").
func (Codec) Decode(raw []byte) (*model.Activity, error) {
	r := borrow()
	defer r.release()
	if err := r.scan(raw); err != nil {
		return nil, err
	}
	a := r.message()
	if r.err != nil {
		return nil, r.err
	}
	return a, nil
}

// DecodeObject reads one object of any type, an activity too, under the same
// rules as Decode but without what only a message must have.
func DecodeObject(raw []byte) (model.Object, error) {
	r := borrow()
	defer r.release()
	if err := r.scan(raw); err != nil {
		return nil, err
	}
	o := r.object(root)
	if r.err != nil {
		return nil, r.err
	}
	return o, nil
}

// Encode writes an activity as it goes to a peer. Only the outermost object has
// an "@context". The object goes inline as given, at every depth; actor, target,
// origin and addressees go as URIs, except that the stub of a case may be the
// target of an Invite (OX-07-001, AKM-02-003). bto and bcc are never written. A
// name that peers expect and a has not is generated.
//
// An activity without type or actor, a time outside the years 0 to 9999 and text
// that is not UTF-8 are fault.Invalid.
func (Codec) Encode(a *model.Activity) ([]byte, error) {
	w := writer{b: make([]byte, 0, 2048)}
	w.message(a)
	if w.err != nil {
		return nil, fault.Wrap("as2.encode", a.ID, fault.CodeOf(w.err), w.err)
	}
	return w.b, nil
}
