package advisory_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bateleur/adapters/wire/advisory"
)

var update = flag.Bool("update", false, "write what is read now into the .want files")

// TestReports reads each file in testdata and compares the whole report.
func TestReports(t *testing.T) {
	cases := []struct{ name, file string }{
		{"CVE record with every section", "cve-published.json"},
		{"CVE record that was rejected", "cve-rejected.json"},
		{"OSV record without a summary", "osv.json"},
		{"the least OSV record", "osv-minimal.json"},
		{"CSAF 2.0 with products", "csaf-2.0.json"},
		{"CSAF 2.1 with times that are none", "csaf-2.1.json"},
		{"Markdown with settings before it and a byte order mark", "report.md"},
		{"plain text", "report.txt"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join("testdata", c.file)
			r, err := advisory.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := fmt.Appendf(nil, "format: %s\nid: %s\ntitle: %s\naliases: %q\npublished: %s\n----\n%s",
				r.Format, r.ID, r.Title, r.Aliases, r.Published, r.Content)
			if *update {
				if err := os.WriteFile(path+".want", got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path + ".want")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestTextIsKept: Markdown and plain text come out byte for byte.
func TestTextIsKept(t *testing.T) {
	for _, file := range []string{"report.md", "report.txt"} {
		data, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		r, err := advisory.Parse(file, data)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(bytes.TrimPrefix(data, []byte("\ufeff"))), r.Content); diff != "" {
			t.Errorf("%s: %s", file, diff)
		}
	}
}
