package fault_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"bateleur/core/fault"
)

func TestCodeOf(t *testing.T) {
	inner := fault.New("sqlite.get", "urn:x", fault.NotFound, "")
	cases := []struct {
		name string
		err  error
		want fault.Code
	}{
		{"nil", nil, ""},
		{"own", inner, fault.NotFound},
		{"behind fmt", fmt.Errorf("step: %w", inner), fault.NotFound},
		{"outermost wins", fault.Wrap("load", "case", fault.Corrupt, inner), fault.Corrupt},
		{"a cause that ended a context", fault.Wrap("load", "case", fault.Internal, context.Canceled), fault.Cancelled},
		{"bare context error", context.DeadlineExceeded, fault.Cancelled},
		{"unknown", errors.New("?"), fault.Internal},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := fault.CodeOf(c.err); got != c.want {
				t.Errorf("CodeOf = %q, want %q", got, c.want)
			}
		})
	}
}

func TestWrapKeepsNil(t *testing.T) {
	if err := fault.Wrap("commit", "x", fault.Internal, nil); err != nil {
		t.Fatalf("Wrap(nil) = %v", err)
	}
}

func TestFieldIsFoundBehindWraps(t *testing.T) {
	err := fault.Wrap("inbox", "a", fault.Invalid, fault.Field("as2.parse", "a", "object.type", "missing"))
	if got := fault.FieldOf(err); got != "object.type" {
		t.Errorf("FieldOf = %q", got)
	}
	want := "inbox a: as2.parse a: object.type: missing"
	if err.Error() != want {
		t.Errorf("Error() = %q, want %q", err.Error(), want)
	}
}

func TestIsComparesCodes(t *testing.T) {
	err := fault.Wrap("a", "b", fault.Internal, fault.New("c", "d", fault.Conflict, ""))
	if !errors.Is(err, &fault.Error{Code: fault.Conflict}) {
		t.Error("errors.Is does not see the inner code")
	}
}
