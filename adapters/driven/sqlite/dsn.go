package sqlite

import (
	"net/url"
	"path/filepath"
	"strings"
	"sync"

	"github.com/jmoiron/sqlx"
	"modernc.org/sqlite"
)

// driver is the name under which the driver registers itself.
const driver = "sqlite"

// setUp sets what holds for the whole process, before its first database.
var setUp = sync.OnceFunc(func() {
	sqlx.BindDriver(driver, sqlx.QUESTION)
	sqlite.StrictPragmas(true)
	// Locks that belong to the open file outlive the closing of another
	// descriptor of it. Where the system has none the usual ones serve as long as
	// nothing else in the process opens a database's file.
	_, _ = sqlite.OFDLocking(true)
})

// Parameters common to all connections. The driver applies _pragma values in
// alphabetical order after the named ones.
var everywhere = []string{
	"_busy_timeout=5000", "_foreign_keys=1", "_dqs=0", "_error_rc=1", "_defensive=1",
	"_pragma=cache_size(-2048)", "_pragma=cache_spill(0)", "_pragma=temp_store(MEMORY)", "_pragma=trusted_schema(0)",
}

// writing are the parameters of a connection that writes.
var writing = []string{
	"_txlock=immediate", "_journal_mode=WAL", "_synchronous=FULL", "_pragma=journal_size_limit(1048576)",
}

// writeDSN names a database file to be read and written. It is never made by
// opening: mode=rw.
func writeDSN(path string) string { return dsn(fileURI(path), writing, "mode=rw") }

// readDSN names a database file that is only read. When it has no write-ahead
// log it is opened as one that nobody changes: that is the way to read it without
// leaving files beside it.
func readDSN(path string, hasLog bool) string {
	mode := []string{"mode=ro", "_query_only=1"}
	if !hasLog {
		mode = append(mode, "immutable=1")
	}
	return dsn(fileURI(path), mode)
}

// memoryDSN names a database in the process's memory. It lives while a connection
// is open; connections under one name share it.
func memoryDSN(name string) string { return dsn("file:/"+name, writing, "vfs=memdb") }

func dsn(uri string, more []string, last ...string) string {
	parameters := append(append(append([]string{}, everywhere...), more...), last...)
	return uri + "?" + strings.Join(parameters, "&")
}

// fileURI escapes what SQLite would read as a query or a fragment.
func fileURI(path string) string {
	escaped := (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()
	return (&url.URL{Scheme: "file", Opaque: escaped}).String()
}
