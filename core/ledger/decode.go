package ledger

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"bateleur/core/fault"
)

// UnmarshalJSON reads an entry from the wire. Members may be spelled in
// camelCase or snake_case, null means absent, unknown members are ignored. The
// snapshot is kept byte for byte. What is missing or malformed is
// [fault.Invalid] with the member's wire name as Field; the entry is then left as
// it was. The hash is not checked: see [Verify].
func (e *Entry) UnmarshalJSON(data []byte) error {
	w := borrow()
	defer w.release()
	if err := w.parseWithin(data, maxDepth+1); err != nil { // the entry is one level around the snapshot
		return fault.Wrap("ledger.decode", "", fault.CodeOf(err), err)
	}
	r := reader{document: &w.document}
	if w.root.kind != kindObject {
		r.refuse("", "an entry must be a JSON object")
	}
	out := r.entry()
	r.check(&out)
	if r.err != nil {
		return r.err
	}
	*e = out
	return nil
}

// A reader takes members out of a parsed entry. It keeps the first error; after
// that its results mean nothing.
type reader struct {
	*document
	err error
}

func (r *reader) entry() Entry {
	return Entry{
		CaseID:       r.text("caseId", "case_id"),
		Index:        r.index(),
		Disposition:  r.text("disposition"),
		Term:         r.integer("term"),
		ObjectID:     r.text("logObjectId", "log_object_id", "object_id"),
		EventType:    r.text("eventType", "event_type"),
		Payload:      r.payload(),
		PrevHash:     r.text("prevLogHash", "prev_log_hash"),
		Hash:         r.text("entryHash", "entry_hash"),
		ReceivedAt:   r.text("receivedAt", "received_at"),
		ReasonCode:   r.optional("reasonCode", "reason_code"),
		ReasonDetail: r.optional("reasonDetail", "reason_detail"),
		Published:    r.text("published"),
		Updated:      r.text("updated"),
	}
}

// check applies what the members mean together.
func (r *reader) check(e *Entry) {
	if t := r.text("type", "type_"); t != "" && t != "CaseLedgerEntry" {
		r.refuse("type", "must be CaseLedgerEntry")
	}
	if field, text := e.unsendable(); field != "" {
		r.refuse(field, text)
	}
	if id := r.text("id", "id_"); id != "" && id != e.ID() {
		r.refuse("id", "must be {caseId}/log/{logIndex}")
	}
}

func (r *reader) refuse(field, text string) {
	if r.err == nil {
		r.err = fault.Field("ledger.decode", "", field, text)
	}
}

// find gives the one spelling of a member that is there and not null. The first
// name is the one errors use.
func (r *reader) find(names ...string) (found value, ok bool) {
	for _, name := range names {
		v, there := r.get(r.root, name)
		if !there || v.kind == kindNull {
			continue
		}
		if ok {
			r.refuse(names[0], "given in two spellings")
		}
		found, ok = v, true
	}
	return found, ok
}

func (r *reader) optional(names ...string) *string {
	v, ok := r.find(names...)
	if !ok {
		return nil
	}
	s, ok := r.str(v)
	if !ok {
		r.refuse(names[0], "must be a string of Unicode text")
	}
	return &s
}

func (r *reader) text(names ...string) string {
	if s := r.optional(names...); s != nil {
		return *s
	}
	return ""
}

// str decodes a string value; a lone surrogate has no Go string.
func (d *document) str(v value) (string, bool) {
	if v.kind != kindString {
		return "", false
	}
	body := d.src[v.start+1 : v.end-1]
	if v.plain {
		return string(body), true
	}
	decoded := appendDecoded(nil, body)
	return string(decoded), utf8.Valid(decoded)
}

func (r *reader) integer(names ...string) *int64 {
	v, ok := r.find(names...)
	if !ok {
		return nil
	}
	n, err := strconv.ParseInt(string(r.raw(v)), 10, 64)
	if v.kind != kindNumber || err != nil {
		r.refuse(names[0], "must be an integer")
	}
	return &n
}

func (r *reader) index() int64 {
	n := r.integer("logIndex", "log_index")
	if n == nil {
		r.refuse("logIndex", "missing")
		return -1
	}
	return *n
}

func (r *reader) payload() []byte {
	v, ok := r.find("payloadSnapshot", "payload_snapshot")
	if !ok || v.kind != kindObject {
		r.refuse("payloadSnapshot", "must be an object")
		return nil
	}
	return bytes.Clone(r.raw(v))
}
