package semantics

import (
	"fmt"

	"bateleur/core/fault"
)

// Check tells whether the registry is in order. A node calls it once at start
// and does not run when it fails.
func Check() error { return CheckOrder(registry) }

// CheckOrder refuses a list of patterns in which one can never be reached,
// because an earlier one fits everything it fits (SE-02-002), and a list that is
// not in the order of the protocol's table, since that order decides what a bare
// id means. The error is fault.Inconsistent and names the later meaning.
func CheckOrder(patterns []Pattern) error {
	for i := range patterns {
		later := &patterns[i]
		for j := range i {
			if earlier := &patterns[j]; earlier.covers(&later.Shape) {
				return disorder(later, fmt.Sprintf("never reached: %s before it fits all that it fits", earlier.Meaning))
			}
		}
		if i > 0 && later.Row <= patterns[i-1].Row {
			return disorder(later, fmt.Sprintf("row %d stands behind row %d", later.Row, patterns[i-1].Row))
		}
	}
	return nil
}

func disorder(p *Pattern, text string) error {
	return fault.New("semantics.order", string(p.Meaning), fault.Inconsistent, text)
}

// covers tells whether s fits every activity that t fits. A type that is asked
// for is fitted by a bare id too, so a strict shape covers no lenient one that
// asks for types.
func (s *Shape) covers(t *Shape) bool {
	return s.Activity == t.Activity &&
		(!s.Strict || t.Strict || t.Object == "" && t.Target == "") &&
		s.coversObject(t) &&
		coversType(s.Target, t.Target) &&
		(s.Context == "" || t.Context != "")
}

func (s *Shape) coversObject(t *Shape) bool {
	switch {
	case s.Inner != nil:
		return t.Inner != nil && s.Inner.covers(t.Inner)
	case t.Inner != nil:
		return coversType(s.Object, t.Inner.Activity)
	}
	return coversType(s.Object, t.Object)
}

func coversType(wide, narrow string) bool {
	return wide == "" || wide == narrow || narrow != "" && typeIs(wide, narrow)
}
