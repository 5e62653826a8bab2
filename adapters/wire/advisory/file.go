package advisory

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"bateleur/core/fault"
)

// ReadFile reads the report in a file. Errors name the path: a file that is not
// there is [fault.NotFound], what cannot be opened or read [fault.Unavailable],
// and a folder or device [fault.Invalid]; for the rest see [Parse]. No more than
// MaxSize bytes are read into memory.
func ReadFile(path string) (Report, error) {
	const op = "advisory.read"
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Report{}, fault.New(op, path, fault.NotFound, "there is no such file")
	case err != nil:
		return Report{}, fault.Wrap(op, path, fault.Unavailable, err)
	case info.IsDir():
		return Report{}, fault.New(op, path, fault.Invalid, "this is a folder; name one file")
	case !info.Mode().IsRegular():
		return Report{}, fault.New(op, path, fault.Invalid, "this is not a regular file")
	}
	file, err := os.Open(path)
	if err != nil {
		return Report{}, fault.Wrap(op, path, fault.Unavailable, err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, MaxSize+1))
	if err != nil {
		return Report{}, fault.Wrap(op, path, fault.Unavailable, err)
	}
	return Parse(path, data)
}
