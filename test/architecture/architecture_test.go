package architecture_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bateleur/test/architecture"
)

const root = "../.."

// own lists the module's packages once for all tests.
var own = sync.OnceValues(func() ([]architecture.Package, error) {
	return architecture.List(context.Background(), root, false, "./...")
})

func packages(t *testing.T) []architecture.Package {
	t.Helper()
	pkgs, err := own()
	if err != nil {
		t.Fatal(err)
	}
	if len(pkgs) < 5 {
		t.Fatalf("found only %d packages", len(pkgs))
	}
	return pkgs
}

func report(t *testing.T, breaches []architecture.Breach) {
	t.Helper()
	for _, b := range breaches {
		t.Errorf("%s %s", b.Where, b.What)
	}
}

// Proves: BA-01-001
func TestDependenciesPointInward(t *testing.T) {
	report(t, architecture.Inward(packages(t)))
	report(t, architecture.CoreModules(packages(t)))
}

// Proves: BA-01-002
func TestTheEngineLinksTheStandardLibraryOnly(t *testing.T) {
	linked, err := architecture.List(t.Context(), root, true, "./core/bt/...")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(linked, func(p architecture.Package) bool { return p.Rel() == "core/bt" }) {
		t.Fatal("core/bt is not there")
	}
	report(t, architecture.StandardOnly(linked, "core/bt"))
}

// Proves: BA-01-003
func TestAdaptersDoNotKnowEachOther(t *testing.T) {
	report(t, architecture.Apart(packages(t)))
}

// Proves: BA-01-004
func TestCoreDoesNotReachOutOfTheProcess(t *testing.T) {
	report(t, architecture.NoIO(packages(t)))
}

// Proves: BA-01-005
func TestTheProgramLinksTheListedModulesOnly(t *testing.T) {
	allowed, err := architecture.ReadAllowed("allowed_modules.txt")
	if err != nil {
		t.Fatal(err)
	}
	linked, err := architecture.List(t.Context(), root, true, "./cmd/bateleur")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(allowed, architecture.Linked(linked)); diff != "" {
		t.Errorf("listed (-) and linked (+) modules differ:\n%s", diff)
	}
}

// Proves: BA-01-006
func TestLibcIsTheOneSQLiteWasBuiltWith(t *testing.T) {
	want, err := architecture.RequiredVersion(t.Context(), root, "modernc.org/sqlite", "modernc.org/libc")
	if err != nil {
		t.Fatal(err)
	}
	got, err := architecture.ChosenVersion(t.Context(), root, "modernc.org/libc")
	if err != nil {
		t.Fatal(err)
	}
	if want == "" || got != want {
		t.Errorf("modernc.org/libc is %s, modernc.org/sqlite was built with %s", got, want)
	}
}

// Proves: BA-01-007
func TestPackagesNamesCommentsAndLengths(t *testing.T) {
	report(t, architecture.Names(packages(t)))
	without, err := architecture.Comments(packages(t))
	if err != nil {
		t.Fatal(err)
	}
	report(t, without)
	tooLong, err := architecture.Lengths(packages(t), architecture.TooLongFile)
	if err != nil {
		t.Fatal(err)
	}
	report(t, tooLong)
	long, err := architecture.Lengths(packages(t), architecture.LongFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range long {
		t.Logf("longer than aimed at: %s %s", b.Where, b.What)
	}
}
