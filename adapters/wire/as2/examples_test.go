package as2_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"bateleur/adapters/wire/as2"
	"bateleur/core/fault"
	"bateleur/core/semantics"
)

// The reference implementation's published examples, half of which spell type
// "asType", are read; which meaning each has is written down. Those that are no
// messages are plain objects, or name an actor without a path, under which no
// inbox can lie.
//
// Proves: SE-01-003
func TestPublishedExamples(t *testing.T) {
	var table strings.Builder
	for _, folder := range []string{"doc/examples", "docs/reference/examples"} {
		for _, file := range glob(t, "vultron-examples", folder, "*.json") {
			fmt.Fprintf(&table, "%s/%s %s\n", folder, filepath.Base(file), meaningOf(t, read(t, file)))
		}
	}
	golden(t, "examples.golden", table.String())
}

// meaningOf reads a document as a message, or as the object that it is.
func meaningOf(t *testing.T, raw []byte) string {
	t.Helper()
	a, err := as2.Codec{}.Decode(raw)
	if err == nil {
		steady(t, raw)
		return a.Type + " " + string(semantics.Classify(a))
	}
	o, asObject := as2.DecodeObject(raw)
	if asObject != nil {
		t.Errorf("%v\n%s", asObject, raw)
		return "refused"
	}
	return o.ObjectType() + ", no message because of its " + fault.FieldOf(err)
}
