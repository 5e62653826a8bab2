package model

import (
	"testing"

	"bateleur/core/fault"
)

var (
	allRM  = []RM{RMStart, RMReceived, RMInvalid, RMValid, RMDeferred, RMAccepted, RMClosed}
	allEM  = []EM{EMNone, EMProposed, EMActive, EMRevise, EMExited}
	allPEC = []PEC{PECNone, PECInvited, PECSignatory, PECDeclined, PECLapsed}
	allPXA = []PXA{"pxa", "Pxa", "pXa", "pxA", "PXa", "pXA", "PxA", "PXA"}
)

// legal maps "state trigger" to the next state; whatever it lacks is illegal.
type legal map[string]string

func table[S ~string](t *testing.T, states []S, triggers []string, want legal, next func(S, string) (S, error)) {
	t.Helper()
	for _, s := range states {
		for _, trigger := range triggers {
			got, err := next(s, trigger)
			to, ok := want[string(s)+" "+trigger]
			switch {
			case ok && (err != nil || string(got) != to):
				t.Errorf("%s %s: got %s, %v, want %s", s, trigger, got, err, to)
			case !ok && (fault.CodeOf(err) != fault.Invalid || got != s):
				t.Errorf("%s %s: got %s, %v, want a refusal", s, trigger, got, err)
			}
		}
	}
}

// Proves: SM-04-001, RMB-10-002, RMB-15-001
func TestReportManagement(t *testing.T) {
	table(t, allRM, []string{"receive", "validate", "invalidate", "accept", "defer", "close", "reopen"}, legal{
		"START receive": "RECEIVED", "RECEIVED validate": "VALID", "RECEIVED invalidate": "INVALID",
		"INVALID validate": "VALID", "VALID accept": "ACCEPTED", "VALID defer": "DEFERRED",
		"DEFERRED accept": "ACCEPTED", "ACCEPTED defer": "DEFERRED",
		"INVALID close": "CLOSED", "DEFERRED close": "CLOSED", "ACCEPTED close": "CLOSED",
	}, RM.Next)
}

// Proves: SM-04-001
func TestEmbargoManagement(t *testing.T) {
	table(t, allEM, []string{"propose", "reject", "accept", "terminate"}, legal{
		"NONE propose": "PROPOSED", "PROPOSED propose": "PROPOSED", "PROPOSED reject": "NONE",
		"PROPOSED accept": "ACTIVE", "ACTIVE propose": "REVISE", "REVISE propose": "REVISE",
		"REVISE accept": "ACTIVE", "REVISE reject": "ACTIVE", "ACTIVE terminate": "EXITED", "REVISE terminate": "EXITED",
	}, EM.Next)
}

// Proves: SM-04-001
func TestConsent(t *testing.T) {
	want := legal{
		"NO_EMBARGO invite": "INVITED", "LAPSED invite": "INVITED", "DECLINED invite": "INVITED",
		"NO_EMBARGO accept": "SIGNATORY", "INVITED accept": "SIGNATORY", "LAPSED accept": "SIGNATORY", "SIGNATORY accept": "SIGNATORY",
		"NO_EMBARGO decline": "DECLINED", "INVITED decline": "DECLINED", "LAPSED decline": "DECLINED", "DECLINED decline": "DECLINED",
		"SIGNATORY revise": "LAPSED",
	}
	for _, s := range allPEC {
		want[string(s)+" reset"] = "NO_EMBARGO"
	}
	table(t, allPEC, []string{"invite", "accept", "decline", "revise", "reset"}, want, PEC.Next)
}

// What a peer reports moves forward, jumps included, and never back; nothing
// leaves CLOSED.
//
// Proves: RSH-05-006, SM-04-001
func TestReportedStates(t *testing.T) {
	rank := map[RM]int{RMStart: 0, RMReceived: 1, RMInvalid: 2, RMValid: 2, RMDeferred: 3, RMAccepted: 3, RMClosed: 4}
	for _, from := range allRM {
		for _, to := range allRM {
			want := rank[to] >= rank[from]
			if got := from.AcceptsReported(to); got != want {
				t.Errorf("RM %s -> %s: %v", from, to, got)
			}
		}
		if from.AcceptsReported("SOMETHING") {
			t.Errorf("RM %s -> SOMETHING", from)
		}
	}
	for i, from := range vfdOrder {
		for j, to := range vfdOrder {
			if got := from.AcceptsReported(to); got != (j >= i) {
				t.Errorf("VFD %s -> %s: %v", from, to, got)
			}
			if got := len(from.StepsTo(to)); got != max(j-i, 0) {
				t.Errorf("VFD steps %s -> %s: %d", from, to, got)
			}
		}
	}
	for _, from := range allPXA {
		for _, to := range allPXA {
			want := true
			for i := range 3 {
				want = want && (from[i] >= 'a' || to[i] < 'a')
			}
			if got := from.AcceptsReported(to); got != want {
				t.Errorf("PXA %s -> %s: %v", from, to, got)
			}
		}
	}
}

// Of the 64 combinations of the six bits 32 are states: the way to a fix has
// four values, not eight.
//
// Proves: SM-10-001
func TestHalfOfTheCombinationsAreStates(t *testing.T) {
	states := 0
	for bits := range 64 {
		name := []byte("vfdpxa")
		for i := range name {
			if bits>>i&1 == 1 {
				name[i] -= 'a' - 'A'
			}
		}
		if VFD(name[:3]).Known() && PXA(name[3:]).Known() {
			states++
		}
	}
	if states != 32 {
		t.Errorf("%d states", states)
	}
}

// A public exploit makes the public aware, and no bit is ever cleared.
//
// Proves: SM-04-001
func TestUnionOfWhatTheWorldKnows(t *testing.T) {
	for _, a := range allPXA {
		for _, b := range allPXA {
			u := a.Union(b)
			if !u.Known() || !a.AcceptsReported(u) || !b.AcceptsReported(u) || u[1] == 'X' && !u.Public() {
				t.Errorf("%s and %s give %s", a, b, u)
			}
		}
	}
}
