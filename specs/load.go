package specs

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"bateleur/core/fault"
)

//go:embed *.yaml schema.json
var embedded embed.FS

// Load reads the requirements that belong to this source tree.
func Load() (*Registry, error) { return LoadFS(embedded) }

// LoadFS reads every *.yaml file in fsys's root, which also holds schema.json.
// The error joins all findings, each a fault.Invalid whose subject is the file:
// a breach of the schema, an unknown member, an id that is given twice or does
// not belong to its group, a relation to nothing or to itself (BA-18-001).
func LoadFS(fsys fs.FS) (*Registry, error) {
	schema, err := compileSchema(fsys)
	if err != nil {
		return nil, err
	}
	names, err := fs.Glob(fsys, "*.yaml")
	if err != nil {
		return nil, fault.Wrap("specs.load", "", fault.Internal, err)
	}
	r := &Registry{byID: map[string]Requirement{}}
	var findings []error
	for _, name := range names {
		f, err := loadFile(fsys, name, schema)
		if err != nil {
			findings = append(findings, err)
			continue
		}
		r.files = append(r.files, f)
	}
	findings = append(findings, r.index()...)
	if err := errors.Join(findings...); err != nil {
		return nil, err
	}
	return r, nil
}

func compileSchema(fsys fs.FS) (*jsonschema.Schema, error) {
	const name = "schema.json"
	raw, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, fault.Wrap("specs.schema", name, fault.NotFound, err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, fault.Wrap("specs.schema", name, fault.Invalid, err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource(name, doc); err != nil {
		return nil, fault.Wrap("specs.schema", name, fault.Invalid, err)
	}
	s, err := c.Compile(name)
	return s, fault.Wrap("specs.schema", name, fault.Invalid, err)
}

// loadFile reads one file and checks what concerns it alone.
func loadFile(fsys fs.FS, name string, schema *jsonschema.Schema) (File, error) {
	raw, err := fs.ReadFile(fsys, name)
	if err != nil {
		return File{}, fault.Wrap("specs.load", name, fault.Internal, err)
	}
	if err := checkSchema(raw, schema); err != nil {
		return File{}, fault.Wrap("specs.load", name, fault.Invalid, err)
	}
	var f File
	if err := yaml.UnmarshalWithOptions(raw, &f, yaml.Strict()); err != nil {
		return File{}, fault.Wrap("specs.load", name, fault.Invalid, err)
	}
	if want := strings.TrimSuffix(path.Base(name), ".yaml"); f.ID != want {
		return File{}, fault.Field("specs.load", name, "id", fmt.Sprintf("is %q, want %q as the file is called", f.ID, want))
	}
	return f, nil
}

func checkSchema(raw []byte, schema *jsonschema.Schema) error {
	asJSON, err := yaml.YAMLToJSON(raw)
	if err != nil {
		return err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(asJSON))
	if err != nil {
		return err
	}
	return schema.Validate(doc)
}

// index fills the map of ids and checks what concerns several files.
func (r *Registry) index() []error {
	var findings []error
	bad := func(f File, id, text string) {
		findings = append(findings, fault.Field("specs.load", f.ID+".yaml", id, text))
	}
	groups := map[string]string{}
	for _, f := range r.files {
		for _, g := range f.Groups {
			if in, taken := groups[g.ID]; taken {
				bad(f, g.ID, "the group stands in "+in+" already")
			}
			groups[g.ID] = f.ID + ".yaml"
			for _, q := range g.Specs {
				if _, taken := r.byID[q.ID]; taken {
					bad(f, q.ID, "the id is given twice")
				}
				if !strings.HasPrefix(q.ID, g.ID+"-") {
					bad(f, q.ID, "does not belong to group "+g.ID)
				}
				r.byID[q.ID] = q
			}
		}
	}
	for _, f := range r.files {
		for q := range f.Requirements() {
			for _, rel := range q.Relations {
				if _, known := r.byID[rel.ID]; !known || rel.ID == q.ID {
					bad(f, q.ID, rel.Kind+" "+rel.ID+", which is no other requirement")
				}
			}
		}
	}
	return findings
}
