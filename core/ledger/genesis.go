package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// Genesis is the hash that the entry 0 of a case links to. It binds the ledger
// to the case, to its moment of creation and to the actor that managed it then,
// so that ledgers of two cases cannot be exchanged. Where any of the three is
// missing there is no genesis and the result is empty: nothing verifies against
// it. Time counts to the microsecond. Implements CLP-08-001 and CLP-08-002.
func Genesis(caseID string, createdAt time.Time, managerURI string) string {
	if caseID == "" || createdAt.IsZero() || managerURI == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(caseID + "|" + isoTime(createdAt) + "|" + managerURI))
	return hex.EncodeToString(sum[:])
}

// isoTime spells t in UTC as the reference implementation does: no fraction
// when it is zero, six digits otherwise.
func isoTime(t time.Time) string {
	t = t.UTC().Truncate(time.Microsecond)
	if t.Nanosecond() == 0 {
		return t.Format("2006-01-02T15:04:05+00:00")
	}
	return t.Format("2006-01-02T15:04:05.000000+00:00")
}
