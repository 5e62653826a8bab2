package advisory_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bateleur/adapters/wire/advisory"
	"bateleur/core/fault"
)

const (
	cveHead  = `{"dataType":"CVE_RECORD","dataVersion":"5.1","cveMetadata":{"cveId":"CVE-2031-10001","state":"PUBLISHED"}`
	csafHead = `{"document":{"csaf_version":"2.0","title":"T","tracking":{"id":"A-1"}}`
)

func TestParseRefuses(t *testing.T) {
	deep := strings.Repeat("[", 101) + strings.Repeat("]", 101)
	cases := []struct {
		name, file, in string
		code           fault.Code
		field          string
	}{
		{"empty", "a.md", "", fault.Invalid, ""},
		{"only white space", "a.md", " \n\t", fault.Invalid, ""},
		{"only a byte order mark", "a.md", "\ufeff", fault.Invalid, ""},
		{"UTF-16, little end first", "a.txt", "\xff\xfea\x00", fault.Invalid, ""},
		{"UTF-16, big end first", "a.txt", "\xfe\xff\x00a", fault.Invalid, ""},
		{"UTF-16 without a mark", "a.txt", "a\x00b\x00", fault.Invalid, ""},
		{"Latin-1", "a.txt", "Gr\xf6\xdfe", fault.Invalid, ""},
		{"zip", "a.md", "PK\x03\x04", fault.Invalid, ""},
		{"PDF", "a.pdf", "%PDF-1.7\n1 0 obj", fault.Invalid, ""},
		{"too large", "a.md", strings.Repeat("a", advisory.MaxSize+1), fault.TooLarge, ""},

		{"JSON of another kind", "a.json", `{"hello":"world"}`, fault.Invalid, ""},
		{"JSON of another kind under a text's name", "a.md", `{"hello":"world"}`, fault.Invalid, ""},
		{"a list of records", "a.json", `[{"id":"A","modified":"B"}]`, fault.Invalid, ""},
		{"a JSON string", "a.json", `"report"`, fault.Invalid, ""},
		{"a JSON null", "a.json", `null`, fault.Invalid, ""},
		{"broken JSON", "a.json", `{"id":`, fault.Invalid, ""},
		{"two JSON texts", "a.json", "{}\n{}", fault.Invalid, ""},
		{"a broken list", "a", `[{"id":1},`, fault.Invalid, ""},
		{"half a surrogate pair", "a.json", `{"id":"\ud800","modified":""}`, fault.Invalid, ""},
		{"a repeated name", "a.json", `{"id":"A","id":"B","modified":""}`, fault.Invalid, "id"},
		{"a repeated name deep inside", "a.json", `{"id":"A","modified":"","x":{"y":1,"y":2}}`, fault.Invalid, "x.y"},
		{"nested too deep", "a.json", deep, fault.TooLarge, ""},
		{"nested too deep where nothing is read", "a.json", `{"id":"A","modified":"","x":` + deep + `}`, fault.TooLarge, ""},
		{"too many parts", "a.json", csafHead + `,"vulnerabilities":[{}` + strings.Repeat(",{}", 200_000) + `]}`, fault.TooLarge, ""},
		{"brackets in a text are no parts", "a.json", `{"id":"A","modified":"","hello":1,"type":"` + strings.Repeat(`[{\"`, 1000) + `"}`, fault.Invalid, ""},
		{"CVE format 4", "a.json", `{"data_type":"CVE","data_format":"MITRE","data_version":"4.0"}`, fault.Invalid, ""},
		{"a STIX object", "a.json", `{"type":"vulnerability","id":"vulnerability--1","modified":"x"}`, fault.Invalid, ""},
		{"a document that is not CSAF", "a.json", `{"document":{"title":"x"}}`, fault.Invalid, ""},

		{"CVE record of another data type", "a.json", strings.Replace(cveHead, "CVE_RECORD", "CVE", 1) + `}`, fault.Invalid, "dataType"},
		{"CVE record of format 6", "a.json", strings.Replace(cveHead, "5.1", "6.0", 1) + `}`, fault.Unsupported, ""},
		{"CVE record without id", "a.json", strings.Replace(cveHead, "CVE-2031-10001", "", 1) + `}`, fault.Invalid, "cveMetadata.cveId"},
		{"CVE record that is reserved", "a.json", strings.Replace(cveHead, "PUBLISHED", "RESERVED", 1) + `}`, fault.Invalid, "cveMetadata.state"},
		{"CVE record with a number for a text", "a.json", cveHead + `,"containers":{"cna":{"descriptions":[{"value":1}]}}}`,
			fault.Invalid, "containers.cna.descriptions.0.value"},
		{"OSV record with a text for a list", "a.json", `{"id":"A","modified":"B","aliases":"C"}`, fault.Invalid, "aliases"},
		{"CSAF of another version", "a.json", strings.Replace(csafHead, "2.0", "3.0", 1) + `}`, fault.Unsupported, ""},
		{"CSAF without an id", "a.json", strings.Replace(csafHead, "A-1", "", 1) + `}`, fault.Invalid, "document.tracking.id"},
		{"CSAF with an object for a list", "a.json", csafHead + `,"vulnerabilities":{}}`, fault.Invalid, "vulnerabilities"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := advisory.Parse(c.file, []byte(c.in))
			if diff := cmp.Diff([]string{string(c.code), c.field}, []string{string(fault.CodeOf(err)), fault.FieldOf(err)}); diff != "" {
				t.Fatal(diff)
			}
			if !strings.Contains(err.Error(), c.file) {
				t.Errorf("the error does not name the file: %v", err)
			}
		})
	}
}

// TestNamesCannotBlowUp: a small advisory that names a long product often enough
// to fill the memory is refused.
func TestNamesCannotBlowUp(t *testing.T) {
	text := csafHead + `,"product_tree":{"full_product_names":[{"product_id":"P","name":"` + strings.Repeat("x", 1<<20) + `"}]},` +
		`"vulnerabilities":[{"product_status":{"fixed":["P"` + strings.Repeat(`,"P"`, 1<<18) + `]}}]}`
	if _, err := advisory.Parse("a.json", []byte(text)); fault.CodeOf(err) != fault.TooLarge {
		t.Errorf("err = %v", err)
	}
}

func TestFormatAndTitle(t *testing.T) {
	long := strings.Repeat("ä", 300)
	cases := []struct {
		name, file, in string
		format         advisory.Format
		title          string
	}{
		{"heading", "", "text before\n\n## The gate ##\n", advisory.FormatMarkdown, "The gate"},
		{"heading with Windows lines", "", "Hello\r\n\r\n# The gate\r\n", advisory.FormatMarkdown, "The gate"},
		{"underlined heading", "", "intro\n\nThe gate\n---\n", advisory.FormatMarkdown, "The gate"},
		{"a rule is no heading", "a.md", "\n---\n\nThe gate\n", advisory.FormatMarkdown, "The gate"},
		{"a heading in code is none", "a.md", "The gate\n\n~~~\n# no\n~~~\n", advisory.FormatMarkdown, "The gate"},
		{"indented code is no heading", "a.md", "The gate\n\n    code\n---\n", advisory.FormatMarkdown, "The gate"},
		{"an empty heading is none", "a.md", "#\n# The gate", advisory.FormatMarkdown, "The gate"},
		{"a hash without space is no heading", "a.md", "#hash\n", advisory.FormatMarkdown, "#hash"},
		{"settings without end", "a.md", "---\ntitle: x\n", advisory.FormatMarkdown, "title: x"},
		{"settings with Windows lines", "a.md", "---\r\na: b\r\n---\r\nThe gate\r\n", advisory.FormatMarkdown, "The gate"},
		{"a link makes Markdown", "", "See [this](https://acme.example)", advisory.FormatMarkdown, "See [this](https://acme.example)"},
		{"a link first is not JSON", "", "[The gate](https://acme.example)", advisory.FormatMarkdown, "[The gate](https://acme.example)"},
		{"a footnote first is not JSON", "", "[1] The gate", advisory.FormatPlainText, "[1] The gate"},
		{"a brace in a text named so is not JSON", "a.txt", "{gate} opens", advisory.FormatPlainText, "{gate} opens"},
		{"a name settles Markdown", "A.MD", "The gate", advisory.FormatMarkdown, "The gate"},
		{"a name settles plain text", "a.txt", "intro\n# The gate", advisory.FormatPlainText, "intro"},
		{"a name does not settle JSON", "a.txt", `{"id":"A","modified":"","summary":"The gate"}`, advisory.FormatOSV, "The gate"},
		{"the first line with something to read", "", "\n***\n\nThe gate", advisory.FormatPlainText, "The gate"},
		{"nothing but signs", "", "\n!!!\n", advisory.FormatPlainText, "!!!"},
		{"nothing to see", "", "\u200b", advisory.FormatPlainText, "Report without a title"},
		{"one line", "", "The\tgate\u2028 \x1bopens", advisory.FormatPlainText, "The gate opens"},
		{"nothing that turns its surroundings", "", "The \u202egate\u2069", advisory.FormatPlainText, "The gate"},
		{"cut at two hundred", "", long, advisory.FormatPlainText, strings.Repeat("ä", 199) + "…"},
		{"CVE record without title", "", cveHead + `,"containers":{"cna":{"descriptions":[{"lang":"de","value":"Tor"},{"lang":"en-US","value":"\nThe gate\nopens"}]}}}`,
			advisory.FormatCVE, "The gate"},
		{"CVE record described by another", "", cveHead + `,"containers":{"cna":{},"adp":[{"descriptions":[{"lang":"en","value":"The gate"}]}]}}`,
			advisory.FormatCVE, "The gate"},
		{"CVE record without anything", "", cveHead + `}`, advisory.FormatCVE, "CVE-2031-10001"},
		{"OSV record with an empty id", "", `{"id":"","modified":""}`, advisory.FormatOSV, "Report without a title"},
		{"CSAF without title", "", strings.Replace(csafHead, `"T"`, `" "`, 1) + `}`, advisory.FormatCSAF, "A-1"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r, err := advisory.Parse(c.file, []byte(c.in))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{string(c.format), c.title}, []string{string(r.Format), r.Title}); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestLongTitleStaysInContent: what a title is cut to is not all that is left.
func TestLongTitleStaysInContent(t *testing.T) {
	long := strings.Repeat("gate ", 100) + "opens"
	for _, in := range []string{
		cveHead + `,"containers":{"cna":{"title":"` + long + `"}}}`,
		`{"id":"A","modified":"","summary":"` + long + `"}`,
		strings.Replace(csafHead, `"T"`, `"`+long+`"`, 1) + `}`,
	} {
		r, err := advisory.Parse("a.json", []byte(in))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(r.Content, long) {
			t.Errorf("%s: the title is lost", r.Format)
		}
	}
}

func TestTimes(t *testing.T) {
	cases := []struct{ name, in, content, published string }{
		{"UTC", "2031-02-03T04:05:06Z", "2031-02-03T04:05:06Z", "2031-02-03T04:05:06Z"},
		{"an offset", "2031-02-03T04:05:06.78-05:30", "2031-02-03T04:05:06.78-05:30", "2031-02-03T04:05:06.78-05:30"},
		{"an offset without colon", "2031-02-03T04:05:06-0700", "2031-02-03T04:05:06-0700", "2031-02-03T04:05:06-07:00"},
		{"lower case", "2031-02-03t04:05:06z", "2031-02-03t04:05:06z", "2031-02-03T04:05:06Z"},
		{"a space between", "2031-02-03 04:05:06+01:00", "2031-02-03 04:05:06+01:00", "2031-02-03T04:05:06+01:00"},
		{"no zone", "2031-02-03T04:05:06.5", "2031-02-03T04:05:06.5 (zone assumed UTC)", "2031-02-03T04:05:06.5Z"},
		{"no zone and no seconds", "2031-02-03T04:05", "2031-02-03T04:05 (zone assumed UTC)", "2031-02-03T04:05:00Z"},
		{"a day", "2031-02-03", "2031-02-03 (zone assumed UTC)", "2031-02-03T00:00:00Z"},
		{"no such day", "2031-02-30T00:00:00Z", "2031-02-30T00:00:00Z (not readable as a time)", ""},
		{"no time", "soon", "soon (not readable as a time)", ""},
		{"the zero time", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z (a placeholder, not a time)", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r, err := advisory.Parse("a.json", []byte(`{"id":"A","modified":"","published":"`+c.in+`"}`))
			if err != nil {
				t.Fatal(err)
			}
			want := "A\n\nDates:\n- published: " + c.content + "\n"
			if diff := cmp.Diff([]string{want, c.published}, []string{r.Content, r.Published}); diff != "" {
				t.Error(diff)
			}
		})
	}
}
