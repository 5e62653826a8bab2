package as2_test

import (
	"runtime"
	"strings"
	"testing"

	"bateleur/adapters/wire/as2"
	"bateleur/core/fault"
)

// What is refused says which member is at fault and whether it is a matter of
// form or of size.
//
// Proves: MV-01-005
func TestDecodeRefuses(t *testing.T) {
	deep := func(n int) string { return strings.Repeat(`{"object":`, n) + `1` + strings.Repeat(`}`, n) }
	long := func(n int) string { return strings.TrimSuffix(strings.Repeat(`0,`, n), ",") }
	const bad, big = fault.Invalid, fault.TooLarge
	cases := []struct {
		name, raw string
		code      fault.Code
		field     string
	}{
		{"nothing", ``, bad, ""},
		{"half a document", `{"type":"Offer"`, bad, ""},
		{"two documents", around(`"id":"urn:a"`) + `{}`, bad, ""},
		{"a byte order mark", "\ufeff" + around(`"id":"urn:a"`), bad, ""},
		{"not UTF-8", around("\"name\":\"\xff\""), bad, "name"},
		{"half a surrogate pair", around(`"object":{"name":"\ud800"}`), bad, "object.name"},
		{"a name repeated", around(`"object":{"id":"urn:a","id":"urn:b"}`), bad, "object.id"},
		{"a name repeated in an object that is not read", around(`"x":{"y":[0,{"z":1,"z":1}]}`), bad, "x.y[1].z"},
		{"a string", `"Offer"`, bad, "type"},
		{"a number", `42`, bad, "type"},
		{"a list", `[{"type":"Offer"}]`, bad, "type"},
		{"null", `null`, bad, "type"},
		{"no members", `{}`, bad, "type"},

		{"deeper than the bound", around(`"object":` + deep(64)), big, strings.TrimSuffix(strings.Repeat("object.", 64), ".")},
		{"as deep as a stack overflow needs", strings.Repeat(`[`, 1<<20), big, strings.Repeat("[0]", 64)},
		{"a list too long", around(`"to":[` + long(4097) + `]`), big, "to[4096]"},
		{"too many values", around(`"x":[` + strings.TrimSuffix(strings.Repeat(`[`+long(1000)+`],`, 70), ",") + `]`), big, "x[65][466]"},
		{"an id that moves a cursor", around(`"object":{"id":"urn:x:\u001b[31m"}`), bad, "object.id"},
		{"an id too long", around(`"object":{"id":"urn:` + strings.Repeat("x", 2048) + `"}`), big, "object.id"},

		{"type missing", `{"actor":"https://f.test/f"}`, bad, "type"},
		{"type null", `{"type":null,"actor":"https://f.test/f"}`, bad, "type"},
		{"type empty", `{"type":"","actor":"https://f.test/f"}`, bad, "type"},
		{"type an empty list", `{"type":[],"actor":"https://f.test/f"}`, bad, "type"},
		{"type a number", `{"type":16,"actor":"https://f.test/f"}`, bad, "type"},
		{"type a list of numbers", `{"type":["Offer",1],"actor":"https://f.test/f"}`, bad, "type[1]"},
		{"two known types", `{"type":["Offer","Create"],"actor":"https://f.test/f"}`, bad, "type"},
		{"no activity", `{"asType":"Note","actor":"https://f.test/f"}`, bad, "asType"},
		{"a case by the context's name", `{"type":"VulnerabilityCaseStub","actor":"https://f.test/f"}`, bad, "type"},
		{"type in two spellings", `{"type":"Offer","asType":"Create","actor":"https://f.test/f"}`, bad, "asType"},

		{"actor missing", `{"type":"Offer"}`, bad, "actor"},
		{"actor empty", `{"type":"Offer","actor":""}`, bad, "actor"},
		{"actor a number", `{"type":"Offer","actor":90}`, bad, "actor"},
		{"two actors", `{"type":"Offer","actor":["https://f.test/f","https://v.test/v"]}`, bad, "actor"},
		{"actor without id", `{"type":"Offer","actor":{"type":"Person","name":"Sally"}}`, bad, "actor"},
		{"actor that no inbox has", `{"type":"Offer","actor":"urn:uuid:1"}`, bad, "actor"},
		{"actor with a query", `{"type":"Offer","actor":"https://f.test/f?x=1"}`, bad, "actor"},

		{"id a number", around(`"id":4`), bad, "id"},
		{"object a number", around(`"object":23`), bad, "object"},
		{"object true", around(`"object":true`), bad, "object"},
		{"two objects", around(`"object":["urn:a","urn:b"]`), bad, "object"},
		{"object in two lists", around(`"object":[["urn:a"]]`), bad, "object[0]"},
		{"object's type a number", around(`"object":{"type":1}`), bad, "object.type"},
		{"two targets", around(`"target":[{"id":"urn:a"},{"id":"urn:b"}]`), bad, "target"},
		{"addressee a number", around(`"to":["https://v.test/v",7]`), bad, "to[1]"},
		{"addressee a flag", around(`"cc":false`), bad, "cc"},
		{"attributedTo a number", around(`"attributedTo":[1]`), bad, "attributedTo[0]"},
		{"name a number", around(`"object":{"type":"Note","name":1}`), bad, "object.name"},
		{"name by language under the plain name", around(`"name":{"en":"x"}`), bad, "name"},
		{"name by language a string", around(`"nameMap":"x"`), bad, "nameMap"},
		{"name by language of numbers", around(`"nameMap":{"en":1}`), bad, "nameMap.en"},
		{"content of an unknown object a number", around(`"object":{"type":"Future","content":42}`), bad, "object.content"},
		{"role a number", around(`"roles":["vendor",1]`), bad, "roles[1]"},
		{"spellings that differ", around(`"attributedTo":"https://v.test/v","attributed_to":"https://w.test/w"`), bad, "attributed_to"},
		{"context a number", around(`"context":3`), bad, "context"},

		{"@context a number", around(`"@context":3`), bad, "@context"},
		{"@context a list of lists", around(`"@context":[["https://x.test/"]]`), bad, "@context[0]"},
		{"actor remapped", around(`"@context":["https://www.w3.org/ns/activitystreams",{"actor":"https://x.test/object"}]`), bad, "@context[1].actor"},
		{"type remapped", around(`"@context":{"type":"https://x.test/kind"}`), bad, "@context.type"},
		{"to switched off", around(`"@context":{"to":null}`), bad, "@context.to"},
		{"object remapped in full", around(`"@context":{"object":{"@id":"as:target","@type":"@id"}}`), bad, "@context.object"},
		{"a type remapped", around(`"@context":{"Offer":"as:Accept"}`), bad, "@context.Offer"},
		{"the prefix remapped", around(`"@context":{"as":"https://x.test/"}`), bad, "@context.as"},
		{"remapped further in", around(`"object":{"type":"Note","@context":{"content":"as:summary"}}`), bad, "object.@context.content"},

		{"time without zone where a deadline is meant", around(`"endTime":"2027-03-28T12:00:00"`), bad, "endTime"},
		{"a day where a deadline is meant", around(`"endTime":"2027-03-28"`), bad, "endTime"},
		{"embargo's end without zone", around(`"object":{"type":"EmbargoEvent","end_time":"2027-03-28T12:00:00"}`), bad, "object.end_time"},
		{"embargo's start without zone", around(`"object":{"type":"EmbargoEvent","startTime":"2027-03-28T12:00:00"}`), bad, "object.startTime"},
		{"time with a blank", around(`"published":"2027-03-28 12:00:00Z"`), bad, "published"},
		{"time of no day", around(`"published":"2027-02-30T12:00:00Z"`), bad, "published"},
		{"time before the year 0", around(`"published":"0000-01-01T00:00:00+01:00"`), bad, "published"},
		{"time a number", around(`"published":1806235200`), bad, "published"},

		{"state a number", around(`"object":{"type":"ParticipantStatus","rmState":5}`), bad, "object.rmState"},
		{"nested state a number", around(`"object":{"type":"ParticipantStatus","rm":{"state":5}}`), bad, "object.rm.state"},
		{"nested state without state", around(`"object":{"type":"CaseStatus","em":{}}`), bad, "object.em"},
		{"flat and nested state differ", around(`"object":{"type":"CaseStatus","em":{"state":"NONE"},"emState":"ACTIVE"}`), bad, "object.emState"},
		{"a flag in words", around(`"object":{"type":"ParticipantStatus","caseEngagement":"yes"}`), bad, "object.caseEngagement"},
		{"participants not objects", around(`"object":{"type":"VulnerabilityCase","caseParticipants":[{"type":"CaseParticipant"},1]}`), bad,
			"object.caseParticipants[1]"},
		{"index a list", around(`"object":{"type":"VulnerabilityCase","actorParticipantIndex":[]}`), bad, "object.actorParticipantIndex"},
		{"index of numbers", around(`"object":{"type":"VulnerabilityCase","actorParticipantIndex":{"https://f.test/f":1}}`), bad,
			"object.actorParticipantIndex.https://f.test/f"},
		{"notes of numbers", around(`"object":{"type":"VulnerabilityCase","notes":["urn:n",2]}`), bad, "object.notes[1]"},
		{"entry without index", around(`"object":{"type":"CaseLedgerEntry","caseId":"urn:c:1"}`), bad, "object.logIndex"},
		{"entry whose snapshot is text", around(`"object":{"type":"CaseLedgerEntry","logIndex":0,"payloadSnapshot":"x"}`), bad,
			"object.payloadSnapshot"},
		{"a role's role a number", around(`"object":{"type":"CaseParticipantRole","role":3}`), bad, "object.role"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			a, err := as2.Codec{}.Decode([]byte(c.raw))
			if fault.CodeOf(err) != c.code || !fieldIs(fault.FieldOf(err), c.field) {
				t.Errorf("Decode = %v, %v\ncode %q, field %q; want %q, %q", a, err, fault.CodeOf(err), fault.FieldOf(err), c.code, c.field)
			}
		})
	}
}

// fieldIs compares a path that may have been cut.
func fieldIs(got, want string) bool {
	if cut, ok := strings.CutSuffix(got, "…"); ok {
		return strings.HasPrefix(want, cut)
	}
	return got == want
}

// A hostile body costs no more than reading up to the bound.
//
// Proves: MV-01-005
func TestDecodeRefusesBeforeItCosts(t *testing.T) {
	for name, raw := range map[string]string{
		"a million values":  `{"type":"Offer","x":[` + strings.Repeat(`[0],`, 1<<20) + `0]}`,
		"a deep well":       strings.Repeat(`{"a":`, 1<<20),
		"a list of objects": `{"type":"Offer","object":[` + strings.Repeat(`{},`, 1<<20) + `{}]}`,
		"many lists":        `{"type":"Offer","x":[` + strings.Repeat(`[{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}],`, 1<<16) + `0]}`,
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := as2.Codec{}.Decode([]byte(raw))
			runtime.ReadMemStats(&after)
			if fault.CodeOf(err) != fault.TooLarge {
				t.Errorf("Decode = %v", err)
			}
			if spent := int(after.TotalAlloc-before.TotalAlloc) - len(raw); spent > 8<<20 {
				t.Errorf("%d bytes for a body of %d", spent, len(raw))
			}
		})
	}
}
