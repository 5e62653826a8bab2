package architecture

import (
	"slices"
	"strings"
)

// Breach is one place where a rule does not hold.
type Breach struct {
	Where string // a package's import path or a file
	What  string
}

// within tells whether a path is a folder or lies in it.
func within(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, folder+"/")
}

// imports reports what pkgs import in their program code although forbidden
// says so.
func imports(pkgs []Package, forbidden func(p Package, imported string) bool) []Breach {
	var found []Breach
	for _, p := range pkgs {
		for _, i := range p.Imports {
			if forbidden(p, i) {
				found = append(found, Breach{p.ImportPath, "imports " + i})
			}
		}
	}
	return found
}

// Inward finds dependencies that point outward: from core to anything around
// it, from adapters to what puts them together, from anything to a command or to
// the tests across packages (BA-01-001). Test files may do so.
func Inward(pkgs []Package) []Breach {
	outside := map[string][]string{
		"core":     {"adapters", "node", "cmd", "test", "specs"},
		"adapters": {"node", "cmd", "test", "specs"},
		"node":     {"cmd", "test", "specs"},
		"cmd":      {"test", "specs"},
	}
	return imports(pkgs, func(p Package, imported string) bool {
		to := Package{ImportPath: imported}.Rel()
		ring, _, _ := strings.Cut(p.Rel(), "/")
		return slices.ContainsFunc(outside[ring], func(folder string) bool { return within(to, folder) })
	})
}

// StandardOnly finds, in what a package links, everything but the standard
// library and the packages below the folder itself (BA-01-002).
func StandardOnly(linked []Package, folder string) []Breach {
	var found []Breach
	for _, p := range linked {
		if !p.Standard && !within(p.Rel(), folder) {
			found = append(found, Breach{folder, "links " + p.ImportPath})
		}
	}
	return found
}

// Apart finds adapters that import another adapter, in their tests too
// (BA-01-003). An adapter is the third folder down: adapters/driven/sqlite.
func Apart(pkgs []Package) []Breach {
	var found []Breach
	for _, p := range pkgs {
		from := adapter(p.Rel())
		for _, i := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			to := adapter(Package{ImportPath: i}.Rel())
			if from != "" && to != "" && from != to {
				found = append(found, Breach{p.ImportPath, "imports " + i})
			}
		}
	}
	return found
}

// adapter names the adapter to which a package belongs, "" for none.
func adapter(rel string) string {
	parts := strings.Split(rel, "/")
	if parts[0] != "adapters" || len(parts) < 3 {
		return ""
	}
	return strings.Join(parts[:3], "/")
}

// outer are packages that reach out of the process.
var outer = []string{"net", "net/http", "os", "os/exec", "database/sql", "syscall"}

// NoIO finds packages of core that reach out of the process; net/http is
// forbidden in their tests as well (BA-01-004). The conformance suites, which
// only tests link, may use files.
func NoIO(pkgs []Package) []Breach {
	core := slices.DeleteFunc(slices.Clone(pkgs), func(p Package) bool { return !within(p.Rel(), "core") })
	found := imports(core, func(p Package, imported string) bool {
		return slices.Contains(outer, imported) && !within(p.Rel(), "core/ports/porttest")
	})
	for _, p := range core {
		if slices.Contains(slices.Concat(p.TestImports, p.XTestImports), "net/http") {
			found = append(found, Breach{p.ImportPath, "imports net/http in a test"})
		}
	}
	return found
}

// coreModules are the other modules that core may import, by folder; the longest
// folder that fits decides.
var coreModules = map[string][]string{
	"core":                {"github.com/samber/lo"},
	"core/usecases":       {"github.com/samber/lo", "github.com/go-playground/validator/v10"},
	"core/ports/porttest": {"github.com/google/go-cmp", "pgregory.net/rapid", "go.uber.org/goleak"},
}

// CoreModules finds packages of core that import a module they may not
// (BA-01-001).
func CoreModules(pkgs []Package) []Breach {
	return imports(pkgs, func(p Package, imported string) bool {
		first, _, _ := strings.Cut(imported, "/")
		if !within(p.Rel(), "core") || !strings.Contains(first, ".") {
			return false
		}
		return !slices.ContainsFunc(allowedFor(p.Rel()), func(m string) bool { return within(imported, m) })
	})
}

func allowedFor(rel string) []string {
	best := ""
	for folder := range coreModules {
		if within(rel, folder) && len(folder) > len(best) {
			best = folder
		}
	}
	return coreModules[best]
}

// empty are names that say nothing.
var empty = []string{"util", "utils", "common", "helper", "helpers", "manager", "managers", "misc", "shared", "base"}

// Names finds packages and files whose name says nothing (BA-01-007).
func Names(pkgs []Package) []Breach {
	var found []Breach
	for _, p := range pkgs {
		if slices.Contains(empty, p.Name) {
			found = append(found, Breach{p.ImportPath, "is named " + p.Name})
		}
		for _, f := range slices.Concat(p.GoFiles, p.TestGoFiles, p.XTestGoFiles) {
			if stem := strings.TrimSuffix(strings.TrimSuffix(f, ".go"), "_test"); slices.Contains(empty, stem) {
				found = append(found, Breach{p.ImportPath, "has a file " + f})
			}
		}
	}
	return found
}
