package architecture

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"

	"bateleur/core/fault"
)

// Module is the path of this module.
const Module = "bateleur"

// Package is what the go command says of one package.
type Package struct {
	ImportPath   string
	Name         string
	Dir          string
	Standard     bool
	GoFiles      []string
	TestGoFiles  []string
	XTestGoFiles []string
	Imports      []string
	TestImports  []string
	XTestImports []string
	Module       *struct {
		Path    string
		Version string
		Main    bool
	}
}

// Rel is the import path within this module, "" for the module's root and for
// packages of others.
func (p Package) Rel() string {
	rel, own := strings.CutPrefix(p.ImportPath, Module+"/")
	if !own {
		return ""
	}
	return rel
}

// Own tells whether the package belongs to this module.
func (p Package) Own() bool { return p.ImportPath == Module || p.Rel() != "" }

// List asks the go command in dir for the packages that patterns name, and with
// deps for everything that they link.
func List(ctx context.Context, dir string, deps bool, patterns ...string) ([]Package, error) {
	args := []string{"list", "-json"}
	if deps {
		args = append(args, "-deps")
	} else {
		args = append(args, "-e") // what does not build is the compiler's to report
	}
	out, err := goCommand(ctx, dir, append(args, patterns...)...)
	if err != nil {
		return nil, err
	}
	var pkgs []Package
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p Package
		switch err := dec.Decode(&p); {
		case errors.Is(err, io.EOF):
			return pkgs, nil
		case err != nil:
			return nil, fault.Wrap("architecture.list", strings.Join(patterns, " "), fault.Internal, err)
		}
		pkgs = append(pkgs, p)
	}
}

// goCommand runs the go command in dir and gives what it prints.
func goCommand(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = errors.New(strings.TrimSpace(string(exit.Stderr)))
	}
	return out, fault.Wrap("go", strings.Join(args, " "), fault.Unavailable, err)
}
