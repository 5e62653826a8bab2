package matrix_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bateleur/specs"
	"bateleur/test/matrix"
)

var update = flag.Bool("update", false, "write specs/MATRIX.md")

const root = "../.."

// load reads the module's own claims and requirements.
func load(t *testing.T) (*specs.Registry, matrix.Found) {
	t.Helper()
	r, err := specs.Load()
	if err != nil {
		t.Fatal(err)
	}
	found, err := matrix.Collect(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	return r, found
}

func TestEveryClaimNamesARequirement(t *testing.T) {
	r, found := load(t)
	for _, c := range matrix.Join(r, found.Claims).Unknown {
		t.Errorf("%s claims %s, which no file in specs/ has", c.Place(), c.ID)
	}
	for _, m := range found.Misplaced {
		t.Errorf("%s:%d claims %s outside of a test", m.File, m.Line, strings.Join(m.IDs, ", "))
	}
}

func TestEveryDemandedRequirementIsProved(t *testing.T) {
	r, found := load(t)
	var b strings.Builder
	unproved := matrix.Join(r, found.Claims).Unproved
	for _, q := range unproved {
		fmt.Fprintf(&b, "\n  %-12s %s", q.ID, strings.Join(strings.Fields(q.Statement), " "))
	}
	if len(unproved) > 0 {
		t.Errorf("%d demanded requirements have no test:%s", len(unproved), b.String())
	}
}

func TestTheMatrixIsCurrent(t *testing.T) {
	r, found := load(t)
	path := filepath.Join(root, "specs", "MATRIX.md")
	want := matrix.Render(r, found.Claims)
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("specs/MATRIX.md is stale, run go test ./test/matrix -update:\n%s", diff)
	}
}
