package architecture

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"

	"bateleur/core/fault"
)

// Linked names the modules, other than this one, to which the packages belong,
// sorted.
func Linked(pkgs []Package) []string {
	var paths []string
	for _, p := range pkgs {
		if p.Module != nil && !p.Module.Main {
			paths = append(paths, p.Module.Path)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// ReadAllowed reads a list of module paths, one a line, each with what it is
// for behind a '#'; sorted.
func ReadAllowed(name string) ([]string, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fault.Wrap("architecture.allowed", name, fault.NotFound, err)
	}
	defer f.Close()
	var paths []string
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		path, why, _ := strings.Cut(lines.Text(), "#")
		path = strings.TrimSpace(path)
		switch {
		case path == "":
		case strings.TrimSpace(why) == "":
			return nil, fault.Field("architecture.allowed", name, path, "does not say what it is for")
		default:
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths, fault.Wrap("architecture.allowed", name, fault.Internal, lines.Err())
}

// moduleInfo is what the go command says of one module.
type moduleInfo struct {
	Path    string
	Version string
	GoMod   string
	Require []moduleInfo
}

// ChosenVersion is the version of a module that this build uses.
func ChosenVersion(ctx context.Context, dir, path string) (string, error) {
	m, err := info(ctx, dir, "list", "-m", "-json", path)
	return m.Version, err
}

// RequiredVersion is the version of a module that the go.mod file of another one
// in this build names.
func RequiredVersion(ctx context.Context, dir, by, path string) (string, error) {
	m, err := info(ctx, dir, "list", "-m", "-json", by)
	if err != nil {
		return "", err
	}
	mod, err := info(ctx, dir, "mod", "edit", "-json", m.GoMod)
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(mod.Require, func(r moduleInfo) bool { return r.Path == path })
	if i < 0 {
		return "", fault.New("architecture.required", by, fault.NotFound, "does not require "+path)
	}
	return mod.Require[i].Version, nil
}

func info(ctx context.Context, dir string, args ...string) (moduleInfo, error) {
	var m moduleInfo
	out, err := goCommand(ctx, dir, args...)
	if err != nil {
		return m, err
	}
	// "go mod edit" names its module in a member Module of another type, which is
	// of no interest here.
	return m, fault.Wrap("architecture.module", strings.Join(args, " "), fault.Internal, json.Unmarshal(out, &m))
}
