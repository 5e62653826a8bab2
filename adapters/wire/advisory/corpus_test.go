package advisory_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bateleur/adapters/wire/advisory"
	"bateleur/core/fault"
)

// TestCorpus reads every JSON file of the public test data: each advisory is
// read without losing any of its descriptions, and everything else is refused as
// no advisory.
func TestCorpus(t *testing.T) {
	data := os.Getenv("BATELEUR_TESTDATA")
	if data == "" {
		t.Skip("BATELEUR_TESTDATA is not set: no advisories to read")
	}
	cases := []struct {
		name string
		want map[string]int // how many of each format; "invalid" for those refused
	}{
		{"cve", map[string]int{"cve": 40}},
		{"cve-schema", map[string]int{"cve": 2, "invalid": 4}},
		{"osv", map[string]int{"osv": 45, "csaf": 5, "invalid": 12}},
		{"csaf/csaf_2.0/examples/csaf", map[string]int{"csaf": 19}},
		{"csaf/csaf_2.1/examples/csaf", map[string]int{"csaf": 23}},
		{"csaf/csaf_2.0/examples/ROLIE", map[string]int{"invalid": 4}},
		{"csaf/csaf_2.1/examples/ROLIE", map[string]int{"invalid": 4}},
		{"csaf/csaf_2.0/examples/aggregator", map[string]int{"invalid": 3}},
		{"csaf/csaf_2.1/examples/aggregator", map[string]int{"invalid": 3}},
		{"csaf/csaf_2.0/examples/provider-metadata", map[string]int{"invalid": 1}},
		{"csaf/csaf_2.1/examples/provider-metadata", map[string]int{"invalid": 3}},
		{"openvex", map[string]int{"csaf": 3, "invalid": 10}},
		{"vince", map[string]int{"csaf": 1, "invalid": 3}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := map[string]int{}
			for _, file := range jsonFiles(t, filepath.Join(data, filepath.FromSlash(c.name))) {
				got[readOne(t, file)]++
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestValidatorDocuments: advisories that break CSAF's own rules are still
// advisories; expected results and lists of tests are not.
func TestValidatorDocuments(t *testing.T) {
	data := os.Getenv("BATELEUR_TESTDATA")
	if data == "" {
		t.Skip("BATELEUR_TESTDATA is not set: no advisories to read")
	}
	read := 0
	for _, version := range []string{"csaf_2.0", "csaf_2.1"} {
		for _, file := range jsonFiles(t, filepath.Join(data, "csaf", version, "test", "validator", "data")) {
			want := "csaf"
			if strings.HasSuffix(file, ".result.json") || filepath.Base(file) == "testcases.json" {
				want = "invalid"
			}
			if got := readOne(t, file); got != want {
				t.Errorf("%s is %s", file, got)
			}
			read++
		}
	}
	if read < 150 {
		t.Errorf("only %d documents", read)
	}
}

func jsonFiles(t *testing.T, folder string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".json" {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// readOne gives the format of a file or the code it is refused with, and checks
// what must hold for every report.
func readOne(t *testing.T, file string) string {
	t.Helper()
	r, err := advisory.ReadFile(file)
	if err != nil {
		if !strings.Contains(err.Error(), file) {
			t.Errorf("the error does not name the file: %v", err)
		}
		return string(fault.CodeOf(err))
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	for _, d := range descriptions(tree, "") {
		if strings.TrimSpace(d) != "" && !strings.Contains(r.Content, d) {
			t.Errorf("%s: lost %.80q", file, d)
		}
	}
	return string(r.Format)
}

// descriptions are the texts at the places where the formats hold descriptions.
func descriptions(tree any, at string) (texts []string) {
	switch v := tree.(type) {
	case map[string]any:
		for name, member := range v {
			texts = append(texts, descriptions(member, at+"/"+name)...)
		}
	case []any:
		for _, item := range v {
			texts = append(texts, descriptions(item, at)...)
		}
	case string:
		for _, end := range []string{
			"cna/descriptions/value", "adp/descriptions/value", "cna/rejectedReasons/value", "cna/solutions/value",
			"cna/workarounds/value", "cna/exploits/value", "cna/configurations/value", "cna/title", "cna/references/url",
			"document/notes/text", "vulnerabilities/notes/text", "document/title", "vulnerabilities/title",
		} {
			if strings.HasSuffix(at, "/"+end) {
				return []string{v}
			}
		}
		if at == "/details" || at == "/summary" || at == "/id" {
			return []string{v}
		}
	}
	return texts
}
