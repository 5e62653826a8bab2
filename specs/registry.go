package specs

import (
	"iter"
	"slices"
)

// Tier says whom a requirement binds.
type Tier string

// The tiers.
const (
	Protocol     Tier = "protocol"     // any implementation of the protocol
	Architecture Tier = "architecture" // any engine of this shape
	Project      Tier = "project"      // this code
)

// Priority is the weight of a requirement, in the words of RFC 2119.
type Priority string

// The priorities.
const (
	Must      Priority = "MUST"
	MustNot   Priority = "MUST_NOT"
	Should    Priority = "SHOULD"
	ShouldNot Priority = "SHOULD_NOT"
	May       Priority = "MAY"
)

// Status says whether a requirement is in force; "" stands for Active.
type Status string

// The states.
const (
	Active        Status = "active"
	NotApplicable Status = "not_applicable" // its premise does not arise here
	Retired       Status = "retired"        // it was in force once
)

// Relation ties a requirement to another one.
type Relation struct {
	Kind string `yaml:"kind"`
	ID   string `yaml:"id"`
}

// Requirement is one numbered sentence that can be shown to hold.
type Requirement struct {
	ID        string     `yaml:"id"`
	Tier      Tier       `yaml:"tier"`
	Priority  Priority   `yaml:"priority"`
	Statement string     `yaml:"statement"`
	Rationale string     `yaml:"rationale"`
	Relations []Relation `yaml:"relations"`
	Status    Status     `yaml:"status"`
	Reason    string     `yaml:"reason"` // why it is not active
}

// IsActive tells whether the requirement is in force.
func (r Requirement) IsActive() bool { return r.Status == "" || r.Status == Active }

// IsDemanded tells whether a test has to prove the requirement: an active MUST
// or MUST_NOT.
func (r Requirement) IsDemanded() bool {
	return r.IsActive() && (r.Priority == Must || r.Priority == MustNot)
}

// Group is a set of requirements about one thing.
type Group struct {
	ID        string        `yaml:"id"`
	Title     string        `yaml:"title"`
	Rationale string        `yaml:"rationale"`
	Specs     []Requirement `yaml:"specs"`
}

// File is one requirement file.
type File struct {
	ID          string  `yaml:"id"`
	Title       string  `yaml:"title"`
	Description string  `yaml:"description"`
	Version     string  `yaml:"version"`
	Groups      []Group `yaml:"groups"`
}

// Requirements gives the file's requirements in the order in which they stand.
func (f File) Requirements() iter.Seq[Requirement] {
	return func(yield func(Requirement) bool) {
		for _, g := range f.Groups {
			for _, r := range g.Specs {
				if !yield(r) {
					return
				}
			}
		}
	}
}

// Registry is all requirements, checked. It does not change once it is made, so
// goroutines may share it.
type Registry struct {
	files []File
	byID  map[string]Requirement
}

// Files gives the files by name.
func (r *Registry) Files() []File { return slices.Clone(r.files) }

// All gives every requirement, file by file, in the order in which they stand.
func (r *Registry) All() iter.Seq[Requirement] {
	return func(yield func(Requirement) bool) {
		for _, f := range r.files {
			for q := range f.Requirements() {
				if !yield(q) {
					return
				}
			}
		}
	}
}

// Get finds a requirement by its id.
func (r *Registry) Get(id string) (Requirement, bool) {
	q, ok := r.byID[id]
	return q, ok
}

// Len counts the requirements.
func (r *Registry) Len() int { return len(r.byID) }
