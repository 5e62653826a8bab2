package ledger

import (
	"unicode/utf8"

	"bateleur/core/fault"
)

// WithContext sets the top-level "context" of a snapshot to the case and leaves
// every other byte as it is. The result is a new slice. A snapshot that is not
// a JSON object is [fault.Invalid]. Implements CLP-07-007.
func WithContext(snapshot []byte, caseID string) ([]byte, error) {
	const op = "ledger.context"
	if caseID == "" || !utf8.ValidString(caseID) {
		return nil, fault.Field(op, caseID, "context", "must be the case's id")
	}
	w := borrow()
	defer w.release()
	if err := w.parse(snapshot); err != nil {
		return nil, fault.Wrap(op, caseID, fault.CodeOf(err), err)
	}
	if w.root.kind != kindObject {
		return nil, fault.Field(op, caseID, "payloadSnapshot", "must be an object")
	}
	dst := make([]byte, 0, len(snapshot)+len(caseID)+len(`,"context":""`))
	if old, ok := w.get(w.root, "context"); ok {
		dst = appendQuoted(append(dst, snapshot[:old.start]...), caseID)
		return append(dst, snapshot[old.end:]...), nil
	}
	brace := w.root.end - 1
	dst = append(dst, snapshot[:brace]...)
	if w.root.many > 0 {
		dst = append(dst, ',')
	}
	dst = appendQuoted(append(dst, `"context":`...), caseID)
	return append(dst, snapshot[brace:]...), nil
}
