package bt

import (
	"errors"
	"unsafe"
)

// Result is what a leaf returns. Make it with Ok, Fail, Wait or Abort: a Failure
// or Running without a reason code ends the run with a UsageError, and the zero
// Result is a Failure with CodeUnspecified.
type Result struct {
	Status Status

	// A Result is returned at every visit of every leaf. Go keeps a struct in
	// registers up to four words; with two strings and an error in it a visit cost
	// about three times as much (BenchmarkThousand). So the reason's strings are
	// kept as data pointers with both lengths in one word, and Abort's error, the
	// rare case, behind the second pointer.
	lengths    uint64
	code, text unsafe.Pointer
}

// Ok is Success.
func Ok() Result { return Result{Status: Success} }

// Fail is Failure for the given reason. Failure is control flow: what the
// failing subtree wrote is undone and the parent decides how to go on.
func Fail(code, text string) Result { return because(Failure, code, text) }

// Wait is Running: the leaf wants to be asked again at a later tick. Only a leaf
// declared with Waits may return it.
func Wait(code, text string) Result { return because(Running, code, text) }

func because(s Status, code, text string) Result {
	return Result{
		Status:  s,
		lengths: uint64(len(code))<<32 | uint64(uint32(len(text))),
		code:    unsafe.Pointer(unsafe.StringData(code)),
		text:    unsafe.Pointer(unsafe.StringData(text)),
	}
}

var errAbortNil = errors.New("bt: Abort without an error")

// Abort ends the run with err: the work could not be decided. No other node is
// evaluated and everything the tick wrote is undone.
func Abort(err error) Result {
	if err == nil {
		err = errAbortNil
	}
	return Result{Status: ended, text: unsafe.Pointer(&err)}
}

// Reason is why the leaf failed or waits. Texts beyond 4 GiB are cut.
func (r Result) Reason() Reason {
	if r.Status == ended {
		return Reason{}
	}
	return Reason{
		Code: unsafe.String((*byte)(r.code), int(r.lengths>>32)),
		Text: unsafe.String((*byte)(r.text), int(uint32(r.lengths))),
	}
}

// Err is the error of an Abort, nil for any other result.
func (r Result) Err() error {
	if r.Status != ended || r.text == nil {
		return nil
	}
	return *(*error)(r.text)
}
