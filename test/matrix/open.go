package matrix

import (
	"io"
	"io/fs"
)

// openIn lets the go command's file matching read from fsys.
func openIn(fsys fs.FS) func(string) (io.ReadCloser, error) {
	return func(name string) (io.ReadCloser, error) { return fsys.Open(name) }
}
