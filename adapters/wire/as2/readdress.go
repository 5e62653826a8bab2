package as2

import (
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"bateleur/core/fault"
)

// Readdress gives an encoded activity another id and a single addressee; cc, bto
// and bcc are dropped. Everything else stays byte
// for byte. A text that is no
// JSON object, an empty id and an empty recipient are fault.Invalid.
func (Codec) Readdress(raw []byte, id, recipient string) ([]byte, error) {
	const op = "as2.readdress"
	switch {
	case id == "":
		return nil, fault.Field(op, "", "id", "missing")
	case recipient == "":
		return nil, fault.Field(op, id, "to", "missing")
	}
	w := writer{b: make([]byte, 0, len(raw)+len(id)+len(recipient)+32)}
	if err := w.readdressed(raw, id, recipient); err != nil {
		return nil, fault.Wrap(op, id, fault.Invalid, err)
	}
	if w.err != nil {
		return nil, fault.Wrap(op, id, fault.CodeOf(w.err), w.err)
	}
	return w.b, nil
}

func (w *writer) readdressed(raw []byte, id, recipient string) error {
	r := borrow()
	defer r.release()
	dec := r.read(raw)
	if dec.PeekKind() != '{' {
		return malformed(errNoObject)
	}
	if _, err := dec.ReadToken(); err != nil {
		return malformed(err)
	}
	w.open()
	for dec.PeekKind() == '"' {
		start, k, err := skipMember(dec)
		if err != nil {
			return malformed(err)
		}
		switch k {
		case keyID:
			w.text(keyID, id)
			id = ""
		case keyTo:
			writeList(w, keyTo, []string{recipient})
			recipient = ""
		case keyCC, keyBTo, keyBCC:
		default:
			w.comma('{')
			w.b = append(w.b, raw[start:dec.InputOffset()]...)
		}
	}
	if _, err := dec.ReadToken(); err != nil {
		return malformed(err)
	}
	w.text(keyID, id)
	if recipient != "" {
		writeList(w, keyTo, []string{recipient})
	}
	w.close()
	return nil
}

var errNoObject = errors.New("not a JSON object")

// skipMember reads a member and says where it begins and what it is.
func skipMember(dec *jsontext.Decoder) (start int64, k key, err error) {
	name, err := dec.ReadValue()
	if err != nil {
		return 0, keyNone, err
	}
	start, k = dec.InputOffset()-int64(len(name)), keys[string(name[1:len(name)-1])]
	return start, k, dec.SkipValue()
}
