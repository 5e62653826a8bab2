package received_test

import (
	"slices"
	"strings"
	"testing"

	"bateleur/core/authority"
	"bateleur/core/bt"
	"bateleur/core/semantics"
	"bateleur/core/usecases/leaf"
	"bateleur/core/usecases/received"
)

func nodes(t *leaf.Tree) []bt.NodeInfo { return slices.Collect(t.Nodes()) }

// above gives a node's gates, the innermost first.
func above(all []bt.NodeInfo, n bt.NodeInfo) (gates []bt.NodeInfo) {
	for n.Parent >= 0 {
		if n = all[n.Parent]; n.Gate != "" {
			gates = append(gates, n)
		}
	}
	return gates
}

func each(t *testing.T, f func(t *testing.T, m semantics.Meaning, all []bt.NodeInfo)) {
	t.Helper()
	for meaning, tree := range received.Trees() {
		t.Run(string(meaning), func(t *testing.T) {
			if tree.Name() != string(meaning) || !tree.SingleShot() {
				t.Errorf("the tree is %s, single shot %v", tree.Name(), tree.SingleShot())
			}
			f(t, meaning, nodes(tree))
		})
	}
}

// Whatever acts for a case stands below the manager's gate, in every tree; and a
// tree that every replica runs skips there, while making a case, which only its
// manager is asked to do, requires the role.
//
// Proves: BT-17-001, CLP-09-001, CLP-09-002, BA-10-001
func TestWhatActsForACaseStandsBelowAGate(t *testing.T) {
	each(t, func(t *testing.T, m semantics.Meaning, all []bt.NodeInfo) {
		for _, n := range all {
			gates := above(all, n)
			if acts := slices.Contains(n.Needs, authority.ForCase) || strings.HasPrefix(n.Name, "ledger ") && !strings.HasPrefix(n.Name, "ledger is ") || strings.HasPrefix(n.Name, "announce the "); acts && n.Kind == bt.KindLeaf {
				if len(gates) != 1 || gates[0].Gate != "case_manager" || !slices.Contains(n.Needs, authority.ForCase) {
					t.Errorf("%s stands below %d gates, needing %v", n.Path, len(gates), n.Needs)
				}
			}
			if n.Kind == bt.KindRequireRole && m != semantics.CreateCaseProposal {
				t.Errorf("%s requires a role of every replica", n.Path)
			}
			if n.Kind == bt.KindWhenRole && m == semantics.CreateCaseProposal {
				t.Errorf("%s makes a case, or not", n.Path)
			}
		}
	})
}

// Evidence is written last: a latch is the last child of a latch-last, and what
// comes before it in the tree's order are all its other steps.
//
// Proves: ID-04-005, BA-03-005
func TestLatchesStandLast(t *testing.T) {
	each(t, func(t *testing.T, _ semantics.Meaning, all []bt.NodeInfo) {
		for _, n := range all {
			if n.Latch && (all[n.Parent].Kind != bt.KindLatchLast || n.End != all[n.Parent].End) {
				t.Errorf("%s is not the last of a latch-last", n.Path)
			}
		}
	})
}

// Below a gate come the commit, then the effects, then the announcement; above it
// and before it nothing but guards, which a run on a replica shows to write
// nothing.
//
// Proves: CLP-10-006, CLP-09-003
func TestTheCommitComesFirstBelowTheGate(t *testing.T) {
	recorded := map[semantics.Meaning][]string{}
	each(t, func(t *testing.T, m semantics.Meaning, all []bt.NodeInfo) {
		for _, n := range all {
			if n.Kind != bt.KindWhenRole {
				continue
			}
			if n.End != len(all) {
				t.Errorf("%s is not the last step", n.Path)
			}
			var below []string
			for _, l := range all[n.Index:n.End] {
				if l.Kind == bt.KindLeaf {
					below = append(below, l.Name)
				}
			}
			recorded[m] = below
			if m == semantics.RejectCaseLedgerEntry {
				continue // it answers from the ledger and adds nothing to it
			}
			if !strings.HasPrefix(below[0], "ledger ") || slices.Contains(below, "store the entry") {
				t.Errorf("below %s: %v", n.Path, below)
			}
			announce := slices.Index(below, "announce the entries")
			last := len(below) - 1
			for last > 0 && !strings.HasPrefix(below[last], "ledger ") {
				last--
			}
			if announce < last {
				t.Errorf("entries are announced before the last is ledgered: %v", below)
			}
		}
	})
	if len(recorded) != 11 {
		t.Errorf("%d trees have a gate that skips", len(recorded))
	}
}
