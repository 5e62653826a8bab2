package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/alecthomas/kong"
)

// version prints what the binary was built from.
type version struct{}

// Run implements the command.
func (version) Run(out io.Writer) error {
	v := "(unknown)"
	if info, ok := debug.ReadBuildInfo(); ok {
		v = info.Main.Version
	}
	_, err := fmt.Fprintf(out, "bateleur %s %s %s/%s\n", v, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// versionFlag is the same as a flag, which stands without a command.
type versionFlag bool

// BeforeReset prints and ends the program, before a command is missed.
func (versionFlag) BeforeReset(app *kong.Kong) error {
	err := version{}.Run(app.Stdout)
	app.Exit(0)
	return err
}
