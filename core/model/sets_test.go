package model

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func where[S any](all []S, f func(S) bool) (out []S) {
	for _, s := range all {
		if f(s) {
			out = append(out, s)
		}
	}
	return out
}

// Proves: SM-04-001
func TestSetsOfStates(t *testing.T) {
	checks := []struct {
		name      string
		want, got any
	}{
		{"engaged", []RM{RMDeferred, RMAccepted, RMClosed}, where(allRM, RM.Engaged)},
		{"in force", []EM{EMActive, EMRevise}, where(allEM, EM.InForce)},
		{"public", []PXA{"Pxa", "PXa", "PxA", "PXA"}, where(allPXA, PXA.Public)},
		{"report management", allRM, where(slices.Concat(allRM, []RM{"", "received"}), RM.Known)},
		{"embargo", allEM, where(slices.Concat(allEM, []EM{"", "NO_EMBARGO"}), EM.Known)},
		{"consent", allPEC, where(slices.Concat(allPEC, []PEC{"", "NONE"}), PEC.Known)},
		{"fix", vfdOrder, where(slices.Concat(vfdOrder, []VFD{"", "vFd", "vfD", "vFD", "VfD"}), VFD.Known)},
		{"world", allPXA, where(slices.Concat(allPXA, []PXA{"", "px", "pxaa", "xpa", "***"}), PXA.Known)},
	}
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, c.got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// MayMoveTo says of two states what Next says of a trigger.
//
// Proves: SM-04-001
func TestOwnStepsAreThoseOfTheTable(t *testing.T) {
	for _, from := range allRM {
		for _, to := range allRM {
			reached := false
			for _, trigger := range []string{"receive", "validate", "invalidate", "accept", "defer", "close"} {
				next, err := from.Next(trigger)
				reached = reached || err == nil && next == to
			}
			if got := from.MayMoveTo(to); got != reached {
				t.Errorf("%s to %s: %v", from, to, got)
			}
		}
	}
}

// Whatever is reported, in whatever order, a state stays one of the table's: of
// the 64 combinations no other than the 32 can be reached.
//
// Proves: SM-10-001
func TestNoOtherCombinationCanBeReached(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		vfd, pxa := VFDUnaware, PXANone
		told := rapid.OneOf(rapid.StringMatching(`[vV][fF][dD]`), rapid.StringMatching(`[pP][xX][aA]`), rapid.String())
		for range rapid.IntRange(1, 20).Draw(t, "reports") {
			s := told.Draw(t, "told")
			if vfd.AcceptsReported(VFD(s)) {
				vfd = VFD(s)
			}
			for _, step := range vfd.StepsTo(VFD(s)) {
				vfd = step
			}
			before := pxa
			pxa = pxa.Union(PXA(s))
			if !vfd.Known() || !pxa.Known() || !before.AcceptsReported(pxa) || pxa.AcceptsReported(PXA(s)) && !PXA(s).Known() {
				t.Fatalf("%q leads to %s%s", s, vfd, pxa)
			}
		}
	})
}
