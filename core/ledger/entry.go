package ledger

import "strconv"

// The dispositions of an entry. Only recorded entries are chained and
// replicated; a rejected one is told to its asserter alone.
const (
	Recorded = "recorded"
	Rejected = "rejected"
)

// Entry is one position of a case's ledger. The hash covers every field but
// Hash, Published and Updated.
type Entry struct {
	CaseID      string
	Index       int64  // from 0, without a gap; -1 where a rejected entry has none
	Disposition string // Recorded or Rejected
	Term        *int64 // reserved for a replicated case actor
	ObjectID    string // the asserted activity or its primary object
	EventType   string // an open set: unknown values are kept
	Payload     []byte // the snapshot: a JSON object, byte for byte as minted or received

	PrevHash     string // of the entry before, or the genesis: 64 lower-case hex digits
	Hash         string // of this entry, same form
	ReceivedAt   string // RFC 3339 as on the wire; the case actor's clock
	ReasonCode   *string
	ReasonDetail *string

	Published string // outside the hash
	Updated   string // outside the hash
}

// ID is the entry's address: {caseId}/log/{index}.
func (e Entry) ID() string {
	return e.CaseID + "/log/" + strconv.FormatInt(e.Index, 10)
}
