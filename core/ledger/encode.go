package ledger

import (
	"strconv"
	"unicode/utf8"

	"bateleur/core/fault"
)

// MarshalJSON writes the entry as it goes over the wire, the snapshot verbatim.
// encoding/json may strip the snapshot's white space and escape "<", ">" and "&"
// afterwards; both leave the hash as it is. Absent optional members are left
// out. An entry that UnmarshalJSON would refuse is [fault.Invalid].
func (e Entry) MarshalJSON() ([]byte, error) {
	w := borrow()
	defer w.release()
	if err := w.load(&e); err != nil {
		return nil, err
	}
	if field, text := e.unsendable(); field != "" {
		return nil, fault.Field("ledger.encode", e.ID(), field, text)
	}
	return e.appendWire(make([]byte, 0, len(e.Payload)+1024)), nil
}

// unsendable names the first member outside the snapshot that the wire does not
// carry as it is.
func (e *Entry) unsendable() (field, text string) {
	switch {
	case e.CaseID == "":
		return "caseId", "missing"
	case e.Disposition == "":
		return "disposition", "missing"
	case e.ObjectID == "":
		return "logObjectId", "missing"
	case e.EventType == "":
		return "eventType", "missing"
	case !isHash(e.Hash) && (e.Disposition == Recorded || e.Hash != ""):
		return "entryHash", hashForm
	case !isHash(e.PrevHash) && (e.Disposition == Recorded || e.PrevHash != ""):
		return "prevLogHash", hashForm
	case !utf8.ValidString(e.Published):
		return "published", "must be valid UTF-8"
	case !utf8.ValidString(e.Updated):
		return "updated", "must be valid UTF-8"
	}
	return e.unhashable()
}

const hashForm = "must be 64 lower-case hexadecimal digits"

func (e *Entry) appendWire(b []byte) []byte {
	b = appendQuoted(append(b, `{"id":`...), e.ID())
	b = appendQuoted(append(b, `,"type":"CaseLedgerEntry","caseId":`...), e.CaseID)
	b = strconv.AppendInt(append(b, `,"logIndex":`...), e.Index, 10)
	b = appendQuoted(append(b, `,"disposition":`...), e.Disposition)
	if e.Term != nil {
		b = strconv.AppendInt(append(b, `,"term":`...), *e.Term, 10)
	}
	b = appendQuoted(append(b, `,"logObjectId":`...), e.ObjectID)
	b = appendQuoted(append(b, `,"eventType":`...), e.EventType)
	b = append(append(b, `,"payloadSnapshot":`...), e.Payload...)
	b = appendPresent(b, `,"prevLogHash":`, e.PrevHash)
	b = appendPresent(b, `,"entryHash":`, e.Hash)
	b = appendQuoted(append(b, `,"receivedAt":`...), e.ReceivedAt)
	if e.ReasonCode != nil {
		b = appendQuoted(append(b, `,"reasonCode":`...), *e.ReasonCode)
	}
	if e.ReasonDetail != nil {
		b = appendQuoted(append(b, `,"reasonDetail":`...), *e.ReasonDetail)
	}
	b = appendPresent(b, `,"published":`, e.Published)
	b = appendPresent(b, `,"updated":`, e.Updated)
	return append(b, '}')
}

func appendPresent(b []byte, name, s string) []byte {
	if s == "" {
		return b
	}
	return appendQuoted(append(b, name...), s)
}
