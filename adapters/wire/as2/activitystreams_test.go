package as2_test

import (
	"path/filepath"
	"testing"

	"bateleur/adapters/wire/as2"
	"bateleur/core/fault"
)

// refusedHere are valid Activity Streams that have two readings for a protocol in
// which a message has one actor, one object and one target, or that are not
// valid after all.
var refusedHere = map[string]string{
	"simple0009.json":              "Note and Event at once, both known here",
	"vocabulary-ex100-jsonld.json": "two objects",
	"vocabulary-ex24-jsonld.json":  "two targets",
	"vocabulary-ex61-jsonld.json":  "two actors",
	"simple0011.json":              "a name by language that is not called nameMap, which fail/namemap-as-name.json forbids",
	"simple0012.json":              "a name by language that is not called nameMap, which fail/namemap-as-name.json forbids",
	"vocabulary-ex196-jsonld.json": "raw line breaks in a string: not JSON",
}

// acceptedHere are documents known to be bad whose fault lies in what is never
// looked at here.
var acceptedHere = map[string]string{
	"collection-with-non-page-first.json":          "collections are not read",
	"ordered-collection-with-non-page-first.json":  "collections are not read",
	"ordered-collection-with-items.json":           "collections are not read",
	"unordered-collection-with-ordered-items.json": "collections are not read",
	"relative-uri-for-url.json":                    "url is not read",
	"content-map-with-invalid-language-tag.json":   "language tags are compared, not interpreted",
	"other-context.json":                           "contexts are not interpreted; without a type it is no message",
}

// Proves: MV-01-005
func TestActivityStreamsExamples(t *testing.T) {
	for _, file := range glob(t, "activitystreams", "test", "*.json") {
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) { judge(t, file, refusedHere[name] == "") })
	}
}

// Proves: MV-01-005
func TestActivityStreamsKnownToBeBad(t *testing.T) {
	for _, file := range glob(t, "activitystreams", "test", "fail", "*.json") {
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) { judge(t, file, acceptedHere[name] != "") })
	}
}

func judge(t *testing.T, file string, good bool) {
	t.Helper()
	o, err := as2.DecodeObject(read(t, file))
	switch {
	case good && err != nil:
		t.Errorf("refused: %v", err)
	case !good && err == nil:
		t.Errorf("read as %T", o)
	case !good && fault.CodeOf(err) != fault.Invalid:
		t.Errorf("refused as %s", fault.CodeOf(err))
	}
}
