package ledger

import "bateleur/core/fault"

// Verdict says how an entry's hash relates to its content.
type Verdict uint8

// The verdicts of Verify.
const (
	VerdictMismatch  Verdict = iota // the content is not what was hashed
	VerdictExact                    // the strict formula gives the hash
	VerdictRespelled                // the formula gives it once timestamps are re-spelled
)

// String names the verdict.
func (v Verdict) String() string {
	switch v {
	case VerdictExact:
		return "exact"
	case VerdictRespelled:
		return "respelled"
	}
	return "mismatch"
}

// Verify recomputes an entry's hash. Some entries of the reference
// implementation were hashed with the snapshot's timestamps written as
// "2026-01-02 03:04:05+00:00" and sent with "2026-01-02T03:04:05Z"; they are
// VerdictRespelled, and whether to take them is the caller's choice ([Mode]).
// Where neither spelling gives the hash, or the entry cannot be hashed, the
// verdict is VerdictMismatch and the error [fault.Corrupt].
// Implements SYNC-01-003.
func Verify(e Entry) (Verdict, error) {
	w := borrow()
	defer w.release()
	if err := w.load(&e); err != nil {
		return VerdictMismatch, fault.Wrap("ledger.verify", e.ID(), fault.Corrupt, err)
	}
	if w.hash(&e, asWritten) == e.Hash {
		return VerdictExact, nil
	}
	if w.hash(&e, respelled) == e.Hash {
		return VerdictRespelled, nil
	}
	return VerdictMismatch, fault.New("ledger.verify", e.ID(), fault.Corrupt, "the content does not give the entry's hash")
}
