//go:build !unix

package sqlite

// openable is how many databases the process may have open at a time.
func openable() int { return defaultBound }
