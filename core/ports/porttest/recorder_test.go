package porttest_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
)

// recorder is the testing.TB of a case whose failure is expected: it notes what
// a case reports instead of failing the test that runs it.
type recorder struct {
	testing.TB
	reports []string
	skipped bool
	cleanup []func()
}

// record runs f on a recorder as the testing package would, in a goroutine of
// its own, and gives what it reported.
func record(t *testing.T, f func(t testing.TB)) *recorder {
	r := &recorder{TB: t}
	r.protect(func() { f(r) })
	for _, f := range slices.Backward(r.cleanup) {
		r.protect(f)
	}
	return r
}

func (r *recorder) protect(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if p := recover(); p != nil {
				r.reports = append(r.reports, fmt.Sprint("panic: ", p))
			}
		}()
		f()
	}()
	<-done
}

func (r *recorder) Failed() bool         { return len(r.reports) > 0 }
func (r *recorder) Fail()                { r.Error("failed") }
func (r *recorder) Error(args ...any)    { r.reports = append(r.reports, fmt.Sprint(args...)) }
func (r *recorder) Cleanup(f func())     { r.cleanup = append(r.cleanup, f) }
func (r *recorder) Log(...any)           {}
func (r *recorder) Logf(string, ...any)  {}
func (r *recorder) Skipped() bool        { return r.skipped }
func (r *recorder) Skip(...any)          { r.SkipNow() }
func (r *recorder) Skipf(string, ...any) { r.SkipNow() }

func (r *recorder) Errorf(format string, args ...any) { r.Error(fmt.Sprintf(format, args...)) }

func (r *recorder) Fatal(args ...any) {
	r.Error(args...)
	runtime.Goexit()
}

func (r *recorder) Fatalf(format string, args ...any) { r.Fatal(fmt.Sprintf(format, args...)) }
func (r *recorder) FailNow()                          { r.Fatal("failed") }

func (r *recorder) SkipNow() {
	r.skipped = true
	runtime.Goexit()
}
