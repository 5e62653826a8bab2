package sqlite

import (
	"context"
	"errors"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"bateleur/core/fault"
)

// byResult maps SQLite's result codes to ours. An extended code that is not
// listed counts as its primary code, anything else is fault.Internal.
var byResult = map[int]fault.Code{
	lib.SQLITE_CONSTRAINT_PRIMARYKEY: fault.Conflict,
	lib.SQLITE_CONSTRAINT_ROWID:      fault.Conflict,
	lib.SQLITE_CONSTRAINT_UNIQUE:     fault.Conflict,
	lib.SQLITE_CORRUPT:               fault.Corrupt,
	lib.SQLITE_FORMAT:                fault.Corrupt,
	lib.SQLITE_IOERR_SHORT_READ:      fault.Corrupt,
	lib.SQLITE_NOTADB:                fault.Corrupt,
	lib.SQLITE_INTERRUPT:             fault.Cancelled,
	lib.SQLITE_TOOBIG:                fault.TooLarge,
	lib.SQLITE_BUSY:                  fault.Unavailable, // another process holds the store
	lib.SQLITE_CANTOPEN:              fault.Unavailable,
	lib.SQLITE_FULL:                  fault.Unavailable,
	lib.SQLITE_IOERR:                 fault.Unavailable,
	lib.SQLITE_LOCKED:                fault.Unavailable,
	lib.SQLITE_NOMEM:                 fault.Unavailable,
	lib.SQLITE_PERM:                  fault.Unavailable,
	lib.SQLITE_PROTOCOL:              fault.Unavailable,
	lib.SQLITE_READONLY:              fault.Unavailable, // the file or its folder is not ours to write
}

// primary is the part of a result code that names its family.
const primary = 0xff

func codeOf(err error) fault.Code {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return fault.CodeOf(err)
	}
	return codeOfResult(e.Code())
}

func codeOfResult(result int) fault.Code {
	if code, ok := byResult[result]; ok {
		return code
	}
	if code, ok := byResult[result&primary]; ok {
		return code
	}
	return fault.Internal
}

// failed gives an error of the driver its place. Whatever it is, under an ended
// context it is fault.Cancelled: an interrupted statement may report anything.
func failed(ctx context.Context, op, subject string, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return fault.Wrap(op, subject, fault.Cancelled, errors.Join(ctx.Err(), err))
	}
	return fault.Wrap(op, subject, codeOf(err), err)
}
