package specs_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"bateleur/core/fault"
	"bateleur/specs"
)

func TestLoadReadsTheTreesOwnRequirements(t *testing.T) {
	r, err := specs.Load()
	if err != nil {
		t.Fatal(err)
	}
	q, ok := r.Get("DL-07-001")
	if !ok || q.Priority != specs.Must || !q.IsDemanded() {
		t.Fatalf("DL-07-001 = %+v, %v", q, ok)
	}
	count := 0
	for range r.All() {
		count++
	}
	if count != r.Len() || count < 100 {
		t.Fatalf("All gives %d requirements, Len %d", count, r.Len())
	}
}

// file wraps the text of one group's specs into a requirement file.
func file(id, specs string) string {
	return "id: " + id + "\ntitle: T\ndescription: D\nversion: \"1\"\ngroups:\n" +
		"  - id: AB-01\n    title: G\n    specs:\n" + specs
}

func spec(id, more string) string {
	s := "      - id: " + id + "\n        tier: project\n        priority: MUST\n        statement: S\n"
	if more != "" {
		s += "        " + more + "\n"
	}
	return s
}

// Proves: BA-18-001
func TestLoadRefusesWhatBreaksTheFormat(t *testing.T) {
	good := file("a", spec("AB-01-001", ""))
	cases := []struct {
		name  string
		files map[string]string
		want  []string // the parts of the findings, "" for none
	}{
		{name: "good", files: map[string]string{"a.yaml": good}},
		{name: "letter behind the number", files: map[string]string{"a.yaml": file("a", spec("AB-01-001a", ""))}},
		{
			name:  "unknown member",
			files: map[string]string{"a.yaml": file("a", spec("AB-01-001", "kind: x"))},
			want:  []string{"a.yaml", "kind"},
		},
		{
			name:  "id out of the grammar",
			files: map[string]string{"a.yaml": file("a", spec("AB-1-1", ""))},
			want:  []string{"a.yaml", "AB-1-1"},
		},
		{
			name:  "unknown priority",
			files: map[string]string{"a.yaml": strings.Replace(good, "MUST", "OUGHT", 1)},
			want:  []string{"a.yaml", "priority"},
		},
		{
			name:  "no statement",
			files: map[string]string{"a.yaml": strings.Replace(good, "        statement: S\n", "", 1)},
			want:  []string{"statement"},
		},
		{
			name:  "retired without a reason",
			files: map[string]string{"a.yaml": file("a", spec("AB-01-001", "status: retired"))},
			want:  []string{"reason"},
		},
		{
			name:  "a reason without a status",
			files: map[string]string{"a.yaml": file("a", spec("AB-01-001", "reason: none"))},
			want:  []string{"reason"},
		},
		{
			name:  "retired with a reason",
			files: map[string]string{"a.yaml": file("a", spec("AB-01-001", "status: retired\n        reason: R"))},
		},
		{
			name:  "id twice in one file",
			files: map[string]string{"a.yaml": file("a", spec("AB-01-001", "")+spec("AB-01-001", ""))},
			want:  []string{"AB-01-001", "twice"},
		},
		{
			name:  "id and group in two files",
			files: map[string]string{"a.yaml": good, "b.yaml": file("b", spec("AB-01-001", ""))},
			want:  []string{"b.yaml", "twice", "already"},
		},
		{
			name:  "id of another group",
			files: map[string]string{"a.yaml": file("a", spec("AB-02-001", ""))},
			want:  []string{"AB-02-001", "does not belong"},
		},
		{
			name:  "relation to nothing",
			files: map[string]string{"a.yaml": file("a", spec("AB-01-001", "relations: [{kind: refines, id: AB-01-009}]"))},
			want:  []string{"AB-01-001", "AB-01-009"},
		},
		{
			name:  "relation to itself",
			files: map[string]string{"a.yaml": file("a", spec("AB-01-001", "relations: [{kind: refines, id: AB-01-001}]"))},
			want:  []string{"AB-01-001"},
		},
		{
			name:  "member given twice",
			files: map[string]string{"a.yaml": "id: a\n" + good},
			want:  []string{"a.yaml"},
		},
		{
			name:  "file called otherwise",
			files: map[string]string{"b.yaml": good},
			want:  []string{"b.yaml"},
		},
		{
			name:  "every finding at once",
			files: map[string]string{"a.yaml": file("a", spec("AB-02-001", "")+spec("AB-03-001", ""))},
			want:  []string{"AB-02-001", "AB-03-001"},
		},
	}
	schema, err := os.ReadFile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			fsys := fstest.MapFS{"schema.json": {Data: schema}}
			for name, text := range c.files {
				fsys[name] = &fstest.MapFile{Data: []byte(text)}
			}
			_, err := specs.LoadFS(fsys)
			if c.want == nil {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if err == nil {
				t.Fatal("no error")
			}
			if diff := cmp.Diff(fault.Invalid, fault.CodeOf(err)); diff != "" {
				t.Error(diff)
			}
			for _, part := range c.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q is not named in: %v", part, err)
				}
			}
		})
	}
}

func TestDemandedAreActiveMustsOnly(t *testing.T) {
	cases := []struct {
		name string
		q    specs.Requirement
		want bool
	}{
		{"must", specs.Requirement{Priority: specs.Must}, true},
		{"must not", specs.Requirement{Priority: specs.MustNot, Status: specs.Active}, true},
		{"should", specs.Requirement{Priority: specs.Should}, false},
		{"retired must", specs.Requirement{Priority: specs.Must, Status: specs.Retired}, false},
		{"must that does not arise", specs.Requirement{Priority: specs.Must, Status: specs.NotApplicable}, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := c.q.IsDemanded(); got != c.want {
				t.Errorf("IsDemanded = %v", got)
			}
		})
	}
}
