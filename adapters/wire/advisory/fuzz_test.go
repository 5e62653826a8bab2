package advisory_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"bateleur/adapters/wire/advisory"
	"bateleur/core/fault"
)

func FuzzParse(f *testing.F) {
	seeds, err := filepath.Glob("testdata/*.*")
	if err != nil || len(seeds) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, seed := range seeds {
		data, err := os.ReadFile(seed)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(filepath.Base(seed), data)
	}
	f.Add("", []byte("---\n# x\n---\n"))
	f.Add("a.json", []byte("{\"id\":\"\\ud800\"}"))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		r, err := advisory.Parse(name, data)
		if err != nil {
			switch fault.CodeOf(err) {
			case fault.Invalid, fault.TooLarge, fault.Unsupported:
				return
			}
			t.Fatalf("unexpected code: %v", err)
		}
		if r.Title == "" || utf8.RuneCountInString(r.Title) > advisory.MaxTitle || strings.ContainsFunc(r.Title, unicode.IsControl) {
			t.Errorf("title %q", r.Title)
		}
		if strings.TrimSpace(r.Content) == "" || !utf8.ValidString(r.Content) {
			t.Errorf("content %q", r.Content)
		}
		if text := r.Format == advisory.FormatMarkdown || r.Format == advisory.FormatPlainText; text &&
			r.Content != strings.TrimPrefix(string(data), "\ufeff") {
			t.Errorf("the text changed: %q", r.Content)
		}
	})
}
