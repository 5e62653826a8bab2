package semantics_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/semantics"
)

// Proves: SE-02-002
func TestTheRegistryIsInOrder(t *testing.T) {
	if err := semantics.Check(); err != nil {
		t.Fatal(err)
	}
	rows := semantics.Registry()
	if len(rows) != 48 {
		t.Errorf("%d patterns, want 48", len(rows))
	}
	for i, p := range rows {
		if p.Row != i+1 {
			t.Errorf("%s has row %d, want %d", p.Meaning, p.Row, i+1)
		}
	}
}

// Proves: SE-02-002
func TestCheckOrderRefusesAShuffledRegistry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shuffled := rapid.Permutation(semantics.Registry()).Draw(t, "registry")
		inOrder := slices.IsSortedFunc(shuffled, func(a, b semantics.Pattern) int { return a.Row - b.Row })
		if err := semantics.CheckOrder(shuffled); (err == nil) != inOrder {
			t.Fatalf("CheckOrder = %v, in order: %v", err, inOrder)
		}
	})
}

// Proves: SE-02-002
func TestCheckOrderRefusesAPatternThatIsNeverReached(t *testing.T) {
	offered := semantics.Shape{Activity: model.Offer, Object: model.TypeCase}
	cases := []struct {
		name           string
		earlier, later semantics.Shape
		want           fault.Code
	}{
		{"the same twice", offered, offered, fault.Inconsistent},
		{"any object before a type", semantics.Shape{Activity: model.Offer}, offered, fault.Inconsistent},
		{"no target before a target", offered,
			semantics.Shape{Activity: model.Offer, Object: model.TypeCase, Target: model.TypeCase}, fault.Inconsistent},
		{"no context before a context", offered,
			semantics.Shape{Activity: model.Offer, Object: model.TypeCase, Context: model.TypeCase}, fault.Inconsistent},
		{"a target before none",
			semantics.Shape{Activity: model.Offer, Object: model.TypeCase, Target: model.TypeCase}, offered, ""},
		{"any actor before one type of actor",
			semantics.Shape{Activity: model.Invite, Object: semantics.AnyActor},
			semantics.Shape{Activity: model.Invite, Object: "Person"}, fault.Inconsistent},
		{"one type of actor before any",
			semantics.Shape{Activity: model.Invite, Object: "Person"},
			semantics.Shape{Activity: model.Invite, Object: semantics.AnyActor}, ""},
		{"any event before an embargo",
			semantics.Shape{Activity: model.Add, Object: semantics.AnyEvent},
			semantics.Shape{Activity: model.Add, Object: model.TypeEmbargo}, fault.Inconsistent},
		{"wide answered before narrow answered",
			semantics.Shape{Activity: model.Accept, Inner: &semantics.Shape{Activity: model.Offer}},
			semantics.Shape{Activity: model.Accept, Inner: &offered}, fault.Inconsistent},
		{"any offer by type before one answered",
			semantics.Shape{Activity: model.Accept, Object: model.Offer},
			semantics.Shape{Activity: model.Accept, Inner: &offered}, fault.Inconsistent},
		{"one answered before any offer by type",
			semantics.Shape{Activity: model.Accept, Inner: &offered},
			semantics.Shape{Activity: model.Accept, Object: model.Offer}, ""},
		{"lenient before strict", offered,
			semantics.Shape{Activity: model.Offer, Object: model.TypeCase, Strict: true}, fault.Inconsistent},
		{"strict before lenient, which takes bare ids too",
			semantics.Shape{Activity: model.Offer, Object: model.TypeCase, Strict: true}, offered, ""},
		{"another activity", semantics.Shape{Activity: model.Create}, offered, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			err := semantics.CheckOrder([]semantics.Pattern{
				{Row: 1, Meaning: "earlier", Shape: c.earlier}, {Row: 2, Meaning: "later", Shape: c.later}})
			if got := fault.CodeOf(err); got != c.want {
				t.Errorf("CheckOrder = %v", err)
			}
		})
	}
}

func TestTheRegistryIsTheCallersOwn(t *testing.T) {
	rows := semantics.Registry()
	for i := range rows {
		rows[i].Activity = "Changed"
		if rows[i].Inner != nil {
			rows[i].Inner.Activity = "Changed"
		}
	}
	if diff := cmp.Diff(model.Offer, semantics.Registry()[3].Inner.Activity); diff != "" {
		t.Error(diff)
	}
}
