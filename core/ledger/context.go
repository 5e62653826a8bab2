package ledger

import (
	"unicode/utf8"

	"bateleur/core/fault"
)

// WithContext sets the top-level "context" of a snapshot to the case and leaves
// every other byte as it is. The result is a new slice. A snapshot that is not
// a JSON object is [fault.Invalid]. Implements CLP-07-007.
func WithContext(snapshot []byte, caseID string) ([]byte, error) {
	if caseID == "" || !utf8.ValidString(caseID) {
		return nil, fault.Field(memberOp, caseID, "context", "must be the case's id")
	}
	return WithMember(snapshot, "context", appendQuoted(nil, caseID))
}

const memberOp = "ledger.member"

// WithMember sets a top-level member of a snapshot to a JSON value and leaves
// every other byte as it is, unknown members and the spelling of numbers
// included. The result is a new slice. A snapshot that is not a JSON object, and
// a value that is not JSON, are [fault.Invalid].
func WithMember(snapshot []byte, name string, value []byte) ([]byte, error) {
	if err := checkMember(name, value); err != nil {
		return nil, err
	}
	w := borrow()
	defer w.release()
	if err := w.parse(snapshot); err != nil {
		return nil, fault.Wrap(memberOp, name, fault.CodeOf(err), err)
	}
	if w.root.kind != kindObject {
		return nil, fault.Field(memberOp, name, "payloadSnapshot", "must be an object")
	}
	dst := make([]byte, 0, len(snapshot)+len(name)+len(value)+len(`,"":`))
	if old, ok := w.get(w.root, name); ok {
		dst = append(append(dst, snapshot[:old.start]...), value...)
		return append(dst, snapshot[old.end:]...), nil
	}
	brace := w.root.end - 1
	dst = append(dst, snapshot[:brace]...)
	if w.root.many > 0 {
		dst = append(dst, ',')
	}
	dst = append(append(appendQuoted(dst, name), ':'), value...)
	return append(dst, snapshot[brace:]...), nil
}

func checkMember(name string, value []byte) error {
	if !utf8.ValidString(name) {
		return fault.Field(memberOp, name, "name", "must be valid UTF-8")
	}
	w := borrow()
	defer w.release()
	err := w.parseWithin(value, maxDepth-1) // the snapshot is one level around it
	return fault.Wrap(memberOp, name, fault.CodeOf(err), err)
}
