package as2_test

import (
	"github.com/google/go-cmp/cmp"

	"bateleur/core/model"
)

// failer is what *testing.T and *rapid.T have in common.
type failer interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// exact compares what items refer to, inline objects in full.
var exact = cmp.Transformer("item", func(i model.Item) any {
	if i.Object() != nil {
		return i.Object()
	}
	return i.ID()
})
