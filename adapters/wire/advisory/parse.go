package advisory

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"bateleur/core/fault"
)

const (
	// MaxSize bounds a file, in bytes.
	MaxSize = 8 << 20

	op            = "advisory.parse"
	maxDepth      = 100     // of JSON nesting
	maxContainers = 200_000 // objects and lists in one JSON text
)

const lookedFor = "looked for a CVE record 5.x (dataType CVE_RECORD, cveMetadata), an OSV record (id, modified), " +
	"a CSAF advisory (document.csaf_version), Markdown or plain text in UTF-8"

// Parse reads one report. The name is the file's: it stands in errors, and its
// ending may settle whether a text is Markdown.
//
// Bytes that are none of the formats are [fault.Invalid] with the name as subject
// and a sentence about what was looked for; a record of a known format whose
// member has the wrong type names that member as Field. A known format in a
// version not read here is [fault.Unsupported]. More than MaxSize bytes, or JSON
// nested too deep or of too many parts, is [fault.TooLarge].
func Parse(name string, data []byte) (Report, error) {
	text, err := readText(name, data)
	if err != nil {
		return Report{}, err
	}
	if !looksLikeJSON(name, text) {
		return parseText(name, string(text)), nil
	}
	if bound := unbounded(text); bound != "" {
		return Report{}, fault.New(op, name, fault.TooLarge, bound)
	}
	return parseJSON(name, text)
}

func parseJSON(name string, text []byte) (Report, error) {
	var top map[string]jsontext.Value
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		if err := decode(name, text, &top); err != nil {
			return Report{}, err
		}
	} else if !jsontext.Value(text).IsValid() {
		return Report{}, refuse(name, "this is not valid JSON")
	}
	switch {
	case top["dataType"] != nil && top["cveMetadata"] != nil:
		return parseCVE(name, text)
	case isCSAF(top["document"]):
		return parseCSAF(name, text)
	case top["id"].Kind() == '"' && top["modified"].Kind() == '"' && top["type"] == nil:
		return parseOSV(name, text)
	}
	return Report{}, refuse(name, "this is JSON of another kind"+kinship(top))
}

// kinship names what a JSON object is where that is easy to tell and likely.
func kinship(top map[string]jsontext.Value) string {
	switch {
	case top["data_type"] != nil && top["data_version"] != nil:
		return ", by its data_type a CVE record of format 4"
	case top["cnaContainer"] != nil:
		return ", a CNA container without its record"
	case top["canonical_url"] != nil:
		return ", CSAF metadata and not an advisory"
	case top["feed"] != nil, top["service"] != nil, top["categories"] != nil:
		return ", a ROLIE document and not an advisory"
	}
	return ""
}

func refuse(name, why string) error {
	return fault.New(op, name, fault.Invalid, why+"; "+lookedFor)
}
