// Package trees looks at every tree of the program: what shape it has, what its
// leaves may do, and what it looks like.
package trees

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bateleur/core/authority"
	"bateleur/core/bt"
	"bateleur/core/semantics"
	"bateleur/core/usecases/leaf"
	"bateleur/core/usecases/received"
	"bateleur/core/usecases/trigger"
)

var update = flag.Bool("update", false, "rewrite the pictures")

// all gives every tree by name.
func all() map[string]*leaf.Tree {
	out := map[string]*leaf.Tree{}
	for meaning, tree := range received.Trees() {
		out["received "+string(meaning)] = tree
	}
	for name, tr := range trigger.All() {
		out["trigger "+name] = tr.Tree
	}
	return out
}

// commits counts the leaves that mint an assertion under a gate; one that works
// on several entries counts as one.
func gated(tree *leaf.Tree) (gates int, kinds []bt.Kind, outside []string) {
	for n := range tree.Nodes() {
		if n.Kind == bt.KindWhenRole || n.Kind == bt.KindRequireRole {
			gates++
			kinds = append(kinds, n.Kind)
		}
		if slices.Contains(n.Needs, authority.ForCase) && !strings.Contains(n.Path, "@case_manager") {
			outside = append(outside, n.Path)
		}
	}
	return gates, kinds, outside
}

// What acts for a case stands under the manager's gate; a received tree skips it
// where the actor is not the manager, and a proposal and a delegated command
// demand it. An assertion is ledgered in one gated place.
//
// Proves: CLP-09-001, CLP-09-002, CLP-09-003, BT-17-001, BT-06-001
func TestEveryTreeActsForTheCaseBehindOneGate(t *testing.T) {
	required := []string{"received create_case_proposal", "trigger invite-actor-to-case"}
	for name, tree := range all() {
		gates, kinds, outside := gated(tree)
		if len(outside) > 0 {
			t.Errorf("%s: outside the gate: %v", name, outside)
		}
		want := 1
		if name == "received create_case_proposal" {
			want = 2 // the new case, and telling a known one again
		}
		if gates > want {
			t.Errorf("%s has %d gates", name, gates)
		}
		for _, k := range kinds {
			if (k == bt.KindRequireRole) != slices.Contains(required, name) {
				t.Errorf("%s has a gate of kind %s", name, k)
			}
		}
		if strings.HasPrefix(name, "trigger ") && gates > 0 && !slices.Contains(required, name) {
			t.Errorf("%s acts for a case without being delegated", name)
		}
	}
}

// Every meaning has a tree, or a reason why it has none yet.
//
// Proves: DR-02-002
func TestEveryMeaningHasATreeOrAReason(t *testing.T) {
	without := map[semantics.Meaning]string{
		semantics.UnknownUnresolvableObject: "kept as a dead letter",
		semantics.Unknown:                   "kept as not understood",
	}
	later := []semantics.Meaning{
		semantics.CreateReport, semantics.AckReport, semantics.UpdateCase, semantics.AddReportToCase,
		semantics.OfferActorToCase, semantics.OfferCaseParticipant, semantics.AcceptOfferCaseParticipant,
		semantics.RejectOfferCaseParticipant, semantics.OfferCaseParticipantRole, semantics.AcceptCaseParticipantRole,
		semantics.RejectCaseParticipantRole, semantics.OfferCaseOwnershipTransfer, semantics.AcceptCaseOwnershipTransfer,
		semantics.RejectCaseOwnershipTransfer, semantics.CreateEmbargoEvent, semantics.AddEmbargoEventToCase,
		semantics.RemoveEmbargoEventFromCase, semantics.AnnounceEmbargoEventToCase, semantics.InviteToEmbargoOnCase,
		semantics.AcceptInviteToEmbargoOnCase, semantics.RejectInviteToEmbargoOnCase, semantics.CreateCaseParticipant,
		semantics.AddCaseParticipantToCase, semantics.RemoveCaseParticipantFromCase, semantics.RemoveNoteFromCase,
		semantics.CreateCaseStatus, semantics.AddCaseStatusToCase, semantics.CreateParticipantStatus,
	}
	for _, m := range later {
		without[m] = "classified, kept as unsupported"
	}
	trees := received.Trees()
	for _, p := range semantics.Registry() {
		_, has := trees[p.Meaning]
		_, excused := without[p.Meaning]
		if has == excused {
			t.Errorf("%s: tree %v, excuse %v", p.Meaning, has, excused)
		}
	}
}

// The pictures of all trees, for a reader and against unnoticed change.
//
// Proves: BA-02-011
func TestPictures(t *testing.T) {
	trees := all()
	drawn := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(trees)) {
		path := filepath.Join("testdata", strings.ReplaceAll(name, " ", "-")+".txt")
		drawn[path] = true
		got := trees[name].Unicode()
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s changed (run with -update when meant):\n%s", name, diff)
		}
	}
	found, err := filepath.Glob(filepath.Join("testdata", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range found {
		if !drawn[path] {
			t.Errorf("%s is of no tree", path)
		}
	}
}
