package matrix_test

import (
	"os"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"bateleur/specs"
	"bateleur/test/matrix"
)

func TestCollect(t *testing.T) {
	cases := []struct {
		name      string
		file      string
		text      string
		want      []matrix.Claim
		misplaced int
	}{
		{
			name: "doc comment of a test",
			file: "a/a_test.go",
			text: "package a\n\n// TestX shows it.\n//\n// Proves: AB-01-002, AB-01-001\nfunc TestX() {}\n",
			want: []matrix.Claim{{"AB-01-001", "a/a_test.go", "TestX"}, {"AB-01-002", "a/a_test.go", "TestX"}},
		},
		{
			name: "list over two lines, with a full stop",
			file: "a/a_test.go",
			text: "package a\n\n// Proves: AB-01-001,\n// AB-01-002.\nfunc FuzzX() {}\n",
			want: []matrix.Claim{{"AB-01-001", "a/a_test.go", "FuzzX"}, {"AB-01-002", "a/a_test.go", "FuzzX"}},
		},
		{
			name: "inside a test",
			file: "a/a_test.go",
			text: "package a\n\nfunc ExampleX() {\n\t// Proves: AB-01-001\n}\n",
			want: []matrix.Claim{{"AB-01-001", "a/a_test.go", "ExampleX"}},
		},
		{
			name: "claimed twice by one test",
			file: "a/a_test.go",
			text: "package a\n\n// Proves: AB-01-001\nfunc TestX() {\n\t// Proves: AB-01-001\n}\n",
			want: []matrix.Claim{{"AB-01-001", "a/a_test.go", "TestX"}},
		},
		{
			name: "not an id", file: "a/a_test.go",
			text: "package a\n\n// Proves: everything\nfunc TestX() {}\n",
			want: []matrix.Claim{{"everything", "a/a_test.go", "TestX"}},
		},
		{
			name: "helper of a test", file: "a/a_test.go", misplaced: 1,
			text: "package a\n\n// Proves: AB-01-001\nfunc check() {}\n",
		},
		{
			name: "name that only begins like a test", file: "a/a_test.go", misplaced: 1,
			text: "package a\n\n// Proves: AB-01-001\nfunc Testify() {}\n",
		},
		{
			name: "method, which the go command does not run", file: "a/a_test.go", misplaced: 1,
			text: "package a\n\n// Proves: AB-01-001\nfunc (s suite) TestX() {}\n",
		},
		{
			name: "test function in a file that is none", file: "a/a.go", misplaced: 1,
			text: "package a\n\n// Proves: AB-01-001\nfunc TestX() {}\n",
		},
		{
			name: "test that is not built", file: "a/a_test.go",
			text: "//go:build never\n\npackage a\n\n// Proves: AB-01-001\nfunc TestX() {}\n",
		},
		{
			name: "suite function", file: "core/ports/porttest/objects.go",
			text: "package porttest\n\n// Proves: AB-01-001\nfunc roundTrip() {}\n",
			want: []matrix.Claim{{"AB-01-001", "core/ports/porttest/objects.go", "roundTrip"}},
		},
		{
			name: "fields of a suite's cases", file: "core/ports/porttest/objects.go",
			text: "package porttest\n\nvar cases = []c{\n" +
				"\t{Name: \"round trip\", Proves: \"AB-01-001, AB-01-002\"},\n" +
				"\t{Name: \"list\", Proves: []string{\"AB-01-003\"}},\n}\n",
			want: []matrix.Claim{
				{"AB-01-001", "core/ports/porttest/objects.go", "round trip"},
				{"AB-01-002", "core/ports/porttest/objects.go", "round trip"},
				{"AB-01-003", "core/ports/porttest/objects.go", "list"},
			},
		},
		{
			name: "field of that name elsewhere", file: "a/a_test.go",
			text: "package a\n\nvar x = c{Proves: \"AB-01-001\"}\n",
		},
		{
			name: "testscript", file: "cmd/x/testdata/script/demo.txtar",
			text: "# Proves: AB-01-001\nexec x\n",
			want: []matrix.Claim{{"AB-01-001", "cmd/x/testdata/script/demo.txtar", "script"}},
		},
		{
			name: "Go file under testdata", file: "a/testdata/x_test.go",
			text: "package a\n\n// Proves: AB-01-001\nfunc TestX() {}\n",
		},
		{
			name: "package comment that explains", file: "a/doc.go",
			text: "// Package a explains.\n//\n//\tProves: AB-01-001\npackage a\n",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			found, err := matrix.Collect(fstest.MapFS{c.file: {Data: []byte(c.text)}})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, found.Claims); diff != "" {
				t.Error(diff)
			}
			if len(found.Misplaced) != c.misplaced {
				t.Errorf("misplaced: %+v", found.Misplaced)
			}
		})
	}
}

// registry makes one of a MUST AB-01-001, a SHOULD AB-01-002 and a retired
// MUST_NOT AB-01-003.
func registry(t *testing.T) *specs.Registry {
	t.Helper()
	schema, err := os.ReadFile("../../specs/schema.json")
	if err != nil {
		t.Fatal(err)
	}
	text := `id: ab
title: Things
description: D
version: "1"
groups:
  - id: AB-01
    title: G
    specs:
      - {id: AB-01-001, tier: project, priority: MUST, statement: One | or two.}
      - {id: AB-01-002, tier: project, priority: SHOULD, statement: Three.}
      - {id: AB-01-003, tier: project, priority: MUST_NOT, statement: Four., status: retired, reason: Gone.}
`
	r, err := specs.LoadFS(fstest.MapFS{"schema.json": {Data: schema}, "ab.yaml": {Data: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Proves: BA-18-002
func TestJoinFindsWhatIsUnknownAndWhatIsUnproved(t *testing.T) {
	r := registry(t)
	got := matrix.Join(r, []matrix.Claim{{"AB-01-002", "a_test.go", "TestX"}, {"AB-09-001", "a_test.go", "TestX"}})
	must, _ := r.Get("AB-01-001")
	want := matrix.Findings{
		Unknown:  []matrix.Claim{{"AB-09-001", "a_test.go", "TestX"}},
		Unproved: []specs.Requirement{must},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := matrix.Join(r, []matrix.Claim{{"AB-01-001", "a_test.go", "TestX"}}); got.Unproved != nil {
		t.Errorf("proved, but reported: %v", got.Unproved)
	}
}

func TestRender(t *testing.T) {
	got := matrix.Render(registry(t), []matrix.Claim{
		{"AB-01-001", "a/a_test.go", "TestX"}, {"AB-01-001", "a/a_test.go", "TestY"}, {"AB-01-001", "b/b_test.go", "TestZ"},
	})
	want := "# Requirements and the tests that prove them\n\n" +
		"Generated by `go test ./test/matrix -update`; a stale copy fails the build.\n\n" +
		"3 requirements, 1 of them demanded (an active MUST or MUST_NOT), 1 of these proved.\n\n" +
		"## Things\n\n| id | priority | statement | proved by |\n|---|---|---|---|\n" +
		"| AB-01-001 | MUST | One \\| or two. | `a/a_test.go`: TestX, TestY<br>`b/b_test.go`: TestZ |\n" +
		"| AB-01-002 | SHOULD | Three. | - |\n" +
		"| AB-01-003 | MUST_NOT, retired | Four. | - |\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
