package architecture_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bateleur/test/architecture"
)

// Proves: DL-04-001
func TestTreesNameNarrowViewsOnly(t *testing.T) {
	found, err := architecture.WideUses(packages(t), "core/usecases")
	if err != nil {
		t.Fatal(err)
	}
	report(t, found)
}

// Proves: DL-04-003
func TestALeafsViewHasNoStoreInIt(t *testing.T) {
	pkgs := packages(t)
	i := slices.IndexFunc(pkgs, func(p pkg) bool { return p.Rel() == "core/scope" })
	if i < 0 {
		t.Fatal("core/scope, which leaves are handed, is not there")
	}
	found, err := architecture.WideView(pkgs[i], "Scope")
	if err != nil {
		t.Fatal(err)
	}
	report(t, found)
}

func TestViewRulesFindTheirBreach(t *testing.T) {
	const head = "package a\n\nimport p \"bateleur/core/ports\"\n\n"
	cases := []struct {
		name string
		text string
		uses int
		view int
	}{
		{"narrow", head + "type Scope struct{ unit p.Unit }\n\nfunc (s *Scope) Get(k p.Kind) p.Record { return p.Record{} }\n", 0, 0},
		{"holds a store inside", head + "type Scope struct{ store p.DataLayer }\n", 1, 0},
		{"shows a store", head + "type Scope struct{}\n\nfunc (s *Scope) Store() p.DataLayer { return nil }\n", 1, 1},
		{"runs a transaction", head + "type Scope struct{}\n\nfunc (s *Scope) Update() {}\n", 0, 1},
		{"exported field", head + "type Scope struct{ Unit p.Unit }\n", 0, 1},
		{"embedded field", head + "type Scope struct{ p.Unit }\n", 0, 1},
		{"another type's method", head + "type other struct{}\n\nfunc (o other) Update() {}\n", 0, 0},
		{"alike in another package", "package a\n\nimport \"x/ports\"\n\ntype Scope struct{ s ports.DataLayer }\n", 0, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			p := pkg{ImportPath: "bateleur/core/usecases/a", Dir: dir, GoFiles: []string{"a.go"}}
			uses, err := architecture.WideUses([]pkg{p}, "core/usecases")
			if err != nil {
				t.Fatal(err)
			}
			view, err := architecture.WideView(p, "Scope")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]int{c.uses, c.view}, []int{len(uses), len(view)}); diff != "" {
				t.Errorf("%s\nuses %v\nview %v", diff, uses, view)
			}
		})
	}
}
