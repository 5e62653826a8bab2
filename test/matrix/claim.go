package matrix

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Claim says that a test proves a requirement.
type Claim struct {
	ID   string // of the requirement, as it was written
	File string // slash path from the module's root
	Test string // the function, or the case of a suite
}

// Place is the claim's test as people look it up.
func (c Claim) Place() string { return c.File + ":" + c.Test }

// Misplaced is a claim that stands where no test is.
type Misplaced struct {
	File string
	Line int
	IDs  []string
}

// Found is everything that a search through a tree of files gave.
type Found struct {
	Claims    []Claim
	Misplaced []Misplaced
}

func (f *Found) add(file, test string, ids []string) {
	for _, id := range ids {
		f.Claims = append(f.Claims, Claim{ID: id, File: file, Test: test})
	}
}

// sort orders the claims by place and drops those made twice.
func (f *Found) sort() {
	slices.SortFunc(f.Claims, func(a, b Claim) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.File, b.File), cmp.Compare(a.Test, b.Test))
	})
	f.Claims = slices.Compact(f.Claims)
}

var provesLine = regexp.MustCompile(`^\s*(?:(?://|#)\s*)?Proves:(.*)$`)

// idsIn reads the claims in the text of a comment.
func idsIn(text string) []string {
	var ids []string
	open := false
	for line := range strings.Lines(text) {
		rest := strings.TrimSpace(line)
		if m := provesLine.FindStringSubmatch(rest); m != nil {
			rest, open = m[1], true
		}
		if !open {
			continue
		}
		rest = strings.TrimSpace(strings.TrimLeft(rest, "/#"))
		ids = append(ids, splitIDs(rest)...)
		open = strings.HasSuffix(rest, ",")
	}
	return ids
}

// splitIDs reads a list of ids; what is not one is kept, so that it is
// reported as unknown.
func splitIDs(list string) []string {
	var ids []string
	for id := range strings.SplitSeq(list, ",") {
		if id = strings.TrimSuffix(strings.TrimSpace(id), "."); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}
