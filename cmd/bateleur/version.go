package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
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
