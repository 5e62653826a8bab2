package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"bateleur/core/fault"
)

// ComputeHash is the entry's hash by the strict formula: lower-case hex SHA-256
// of the canonical form of the entry's eleven hashed members. It reads nothing
// from Hash. An entry that cannot be hashed is [fault.Invalid] with the wire
// name of the member at fault, or [fault.TooLarge]. Implements SYNC-01-003.
func (e Entry) ComputeHash() (string, error) {
	w := borrow()
	defer w.release()
	if err := w.load(&e); err != nil {
		return "", err
	}
	return w.hash(&e, asWritten), nil
}

// load checks an entry and parses its snapshot.
func (w *workspace) load(e *Entry) error {
	if field, text := e.unhashable(); field != "" {
		return fault.Field("ledger.hash", e.ID(), field, text)
	}
	if err := w.parse(e.Payload); err != nil {
		return &fault.Error{Op: "ledger.hash", Subject: e.ID(), Code: fault.CodeOf(err), Field: "payloadSnapshot", Err: err}
	}
	if w.root.kind != kindObject {
		return fault.Field("ledger.hash", e.ID(), "payloadSnapshot", "must be an object")
	}
	return nil
}

// unhashable names the first member outside the snapshot that has no place in
// the formula.
func (e *Entry) unhashable() (field, text string) {
	if field = e.badText(); field != "" {
		return field, "must be valid UTF-8"
	}
	if e.Disposition != Recorded && e.Disposition != Rejected {
		return "disposition", `must be "recorded" or "rejected"`
	}
	if e.Index < 0 && (e.Disposition == Recorded || e.Index < -1) {
		return "logIndex", "must not be negative"
	}
	if e.Disposition == Recorded && !isHash(e.PrevHash) {
		return "prevLogHash", hashForm
	}
	if _, err := time.Parse(time.RFC3339, e.ReceivedAt); err != nil {
		return "receivedAt", "must be an RFC 3339 time"
	}
	return "", ""
}

func (e *Entry) badText() string {
	switch {
	case !utf8.ValidString(e.CaseID):
		return "caseId"
	case !utf8.ValidString(e.ObjectID):
		return "logObjectId"
	case !utf8.ValidString(e.EventType):
		return "eventType"
	case !utf8.ValidString(e.PrevHash):
		return "prevLogHash"
	case e.ReasonCode != nil && !utf8.ValidString(*e.ReasonCode):
		return "reasonCode"
	case e.ReasonDetail != nil && !utf8.ValidString(*e.ReasonDetail):
		return "reasonDetail"
	}
	return ""
}

// hash builds the form of a loaded entry; the names stand in canonical order.
func (w *workspace) hash(e *Entry, s spelling) string {
	b := appendQuoted(append(w.out[:0], `{"case_id":`...), e.CaseID)
	b = appendQuoted(append(b, `,"disposition":`...), e.Disposition)
	b = appendQuoted(append(b, `,"event_type":`...), e.EventType)
	b = strconv.AppendInt(append(b, `,"log_index":`...), e.Index, 10)
	b = appendQuoted(append(b, `,"object_id":`...), e.ObjectID)
	b = w.appendValue(append(b, `,"payload_snapshot":`...), w.root, s)
	b = appendQuoted(append(b, `,"prev_log_hash":`...), e.PrevHash)
	b = appendOptional(append(b, `,"reason_code":`...), e.ReasonCode)
	b = appendOptional(append(b, `,"reason_detail":`...), e.ReasonDetail)
	b = appendInstant(append(b, `,"received_at":`...), e.ReceivedAt)
	b = append(b, `,"term":`...)
	if e.Term == nil {
		b = append(b, "null"...)
	} else {
		b = strconv.AppendInt(b, *e.Term, 10)
	}
	b = append(b, '}')
	w.out = b // its room is the next one's
	sum := sha256.Sum256(b)
	var text [2 * sha256.Size]byte
	hex.Encode(text[:], sum[:])
	return string(text[:])
}

func appendOptional(dst []byte, s *string) []byte {
	if s == nil {
		return append(dst, "null"...)
	}
	return appendQuoted(dst, *s)
}

// appendInstant spells a checked RFC 3339 time with +00:00 where the wire says Z.
func appendInstant(dst []byte, s string) []byte {
	head, zulu := strings.CutSuffix(s, "Z")
	dst = append(append(dst, '"'), head...)
	if zulu {
		dst = append(dst, "+00:00"...)
	}
	return append(dst, '"')
}

// isHash tells whether s is 64 lower-case hexadecimal digits.
func isHash(s string) bool {
	if len(s) != 2*sha256.Size {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !isDigit(c) && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
