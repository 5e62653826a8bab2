// Package program builds the program for tests that run it as its users do.
package program

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Run builds the program, once for all tests of a package, tells its path in
// binary, and runs the tests. It gives what TestMain exits with.
func Run(m *testing.M, binary *string) int {
	dir, err := os.MkdirTemp("", "bateleur-program-")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	*binary = filepath.Join(dir, "bateleur")
	build := exec.CommandContext(context.Background(), "go", "build", "-o", *binary, "bateleur/cmd/bateleur")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		panic(err)
	}
	return m.Run()
}
