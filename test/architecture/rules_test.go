package architecture_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bateleur/core/fault"
	"bateleur/test/architecture"
)

type pkg = architecture.Package

// TestRules shows that each rule finds its breach and lets the rest pass.
func TestRules(t *testing.T) {
	inward := architecture.Inward
	standard := func(p []pkg) []architecture.Breach { return architecture.StandardOnly(p, "core/bt") }
	cases := []struct {
		name string
		rule func([]pkg) []architecture.Breach
		p    pkg
		want int
	}{
		{"core imports core", inward, pkg{ImportPath: "bateleur/core/a", Imports: []string{"bateleur/core/b", "fmt"}}, 0},
		{"core imports an adapter", inward, pkg{ImportPath: "bateleur/core/a", Imports: []string{"bateleur/adapters/wire/as2"}}, 1},
		{"core imports the node", inward, pkg{ImportPath: "bateleur/core/a", Imports: []string{"bateleur/node"}}, 1},
		{"core's test imports an adapter", inward, pkg{ImportPath: "bateleur/core/a", TestImports: []string{"bateleur/adapters/driven/memory"}}, 0},
		{"adapter imports core", inward, pkg{ImportPath: "bateleur/adapters/wire/as2", Imports: []string{"bateleur/core/a"}}, 0},
		{"adapter imports the node", inward, pkg{ImportPath: "bateleur/adapters/wire/as2", Imports: []string{"bateleur/node"}}, 1},
		{"node imports an adapter", inward, pkg{ImportPath: "bateleur/node", Imports: []string{"bateleur/adapters/wire/as2"}}, 0},
		{"node imports a command", inward, pkg{ImportPath: "bateleur/node", Imports: []string{"bateleur/cmd/bateleur"}}, 1},
		{"a name that only begins alike", inward, pkg{ImportPath: "bateleur/core/a", Imports: []string{"bateleur/nodes"}}, 0},

		{"engine links std", standard, pkg{ImportPath: "sync", Standard: true}, 0},
		{"engine links itself", standard, pkg{ImportPath: "bateleur/core/bt/draw"}, 0},
		{"engine links core", standard, pkg{ImportPath: "bateleur/core/fault"}, 1},
		{"engine links a module", standard, pkg{ImportPath: "github.com/x/y"}, 1},

		{"adapter imports its own folder", architecture.Apart, pkg{ImportPath: "bateleur/adapters/wire/as2", Imports: []string{"bateleur/adapters/wire/as2/x"}}, 0},
		{"adapter imports its neighbour", architecture.Apart, pkg{ImportPath: "bateleur/adapters/wire/as2", Imports: []string{"bateleur/adapters/wire/advisory"}}, 1},
		{"adapter's test imports another", architecture.Apart, pkg{ImportPath: "bateleur/adapters/driven/sqlite", XTestImports: []string{"bateleur/adapters/driven/memory"}}, 1},
		{"node imports two", architecture.Apart, pkg{ImportPath: "bateleur/node", Imports: []string{"bateleur/adapters/wire/as2", "bateleur/adapters/driven/memory"}}, 0},

		{"core opens files", architecture.NoIO, pkg{ImportPath: "bateleur/core/a", Imports: []string{"os"}}, 1},
		{"core parses addresses", architecture.NoIO, pkg{ImportPath: "bateleur/core/a", Imports: []string{"net/url"}}, 0},
		{"core's test serves HTTP", architecture.NoIO, pkg{ImportPath: "bateleur/core/a", XTestImports: []string{"net/http"}}, 1},
		{"suite opens files", architecture.NoIO, pkg{ImportPath: "bateleur/core/ports/porttest", Imports: []string{"os"}}, 0},
		{"suite serves HTTP", architecture.NoIO, pkg{ImportPath: "bateleur/core/ports/porttest", TestImports: []string{"net/http"}}, 1},
		{"adapter serves HTTP", architecture.NoIO, pkg{ImportPath: "bateleur/adapters/driving/http", Imports: []string{"net/http"}}, 0},

		{"core imports lo", architecture.CoreModules, pkg{ImportPath: "bateleur/core/a", Imports: []string{"github.com/samber/lo"}}, 0},
		{"core imports SQL", architecture.CoreModules, pkg{ImportPath: "bateleur/core/a", Imports: []string{"github.com/jmoiron/sqlx"}}, 1},
		{"use case validates", architecture.CoreModules, pkg{ImportPath: "bateleur/core/usecases/x", Imports: []string{"github.com/go-playground/validator/v10"}}, 0},
		{"model validates", architecture.CoreModules, pkg{ImportPath: "bateleur/core/model", Imports: []string{"github.com/go-playground/validator/v10"}}, 1},
		{"suite compares", architecture.CoreModules, pkg{ImportPath: "bateleur/core/ports/porttest", Imports: []string{"github.com/google/go-cmp/cmp"}}, 0},

		{"telling names", architecture.Names, pkg{Name: "ledger", GoFiles: []string{"chain.go"}}, 0},
		{"package util", architecture.Names, pkg{Name: "util"}, 1},
		{"file helpers_test.go", architecture.Names, pkg{Name: "ledger", TestGoFiles: []string{"helpers_test.go"}}, 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := c.rule([]pkg{c.p}); len(got) != c.want {
				t.Errorf("found %v, want %d", got, c.want)
			}
		})
	}
}

func TestCommentsAndLengths(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("good.go", "// Package a is good.\npackage a\n")
	write("bare.go", "package a\n")
	write("odd.go", "// Things of a.\npackage a\n")
	write("main.go", "// Command a runs.\npackage main\n")
	cases := []struct {
		name string
		p    pkg
		want int
	}{
		{"one file has it", pkg{Name: "a", Dir: dir, GoFiles: []string{"bare.go", "good.go"}}, 0},
		{"none has it", pkg{Name: "a", Dir: dir, GoFiles: []string{"bare.go"}}, 1},
		{"begins otherwise", pkg{Name: "a", Dir: dir, GoFiles: []string{"odd.go"}}, 1},
		{"a command", pkg{Name: "main", Dir: dir, GoFiles: []string{"main.go"}}, 0},
		{"tests alone", pkg{Name: "a", Dir: dir, TestGoFiles: []string{"a_test.go"}}, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := architecture.Comments([]pkg{c.p})
			if err != nil || len(got) != c.want {
				t.Errorf("found %v, %v, want %d", got, err, c.want)
			}
		})
	}

	write("long.go", "package a\n"+strings.Repeat("\n", 10))
	got, err := architecture.Lengths([]pkg{{ImportPath: "a", Dir: dir, GoFiles: []string{"bare.go", "long.go"}}}, 10)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]architecture.Breach{{Where: "a/long.go", What: "has 11 lines"}}, got); diff != "" {
		t.Error(diff)
	}
}

func TestReadAllowedWantsAReason(t *testing.T) {
	name := filepath.Join(t.TempDir(), "list.txt")
	if err := os.WriteFile(name, []byte("# list\nb.org/y # why\na.org/x # why\n\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := architecture.ReadAllowed(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a.org/x", "b.org/y"}, got); diff != "" {
		t.Error(diff)
	}
	if err := os.WriteFile(name, []byte("a.org/x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := architecture.ReadAllowed(name); fault.CodeOf(err) != fault.Invalid {
		t.Errorf("err = %v", err)
	}
}
