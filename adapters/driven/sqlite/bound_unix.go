//go:build unix

package sqlite

import "syscall"

// openable is how many databases the process may have open at a time.
func openable() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return defaultBound
	}
	return int(max(int64(min(limit.Cur, 1<<20))-spare, 16*filesEach)) / filesEach
}
