package architecture

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"bateleur/core/fault"
)

// The lengths of a source file, in lines: what is aimed at, and what is refused.
const (
	LongFile    = 400
	TooLongFile = 500
)

// Comments finds packages without a comment, and comments that do not begin as
// the go command's documentation wants it (BA-01-007).
func Comments(pkgs []Package) ([]Breach, error) {
	var found []Breach
	for _, p := range pkgs {
		if len(p.GoFiles) == 0 { // a folder of tests alone has no reader but its tests
			continue
		}
		doc, err := packageComment(p)
		if err != nil {
			return nil, err
		}
		begin := "Package " + p.Name + " "
		if p.Name == "main" {
			begin = "Command "
		}
		if !strings.HasPrefix(doc, begin) {
			found = append(found, Breach{p.ImportPath, fmt.Sprintf("has no comment that begins with %q", begin)})
		}
	}
	return found, nil
}

func packageComment(p Package) (string, error) {
	for _, f := range p.GoFiles {
		name := filepath.Join(p.Dir, f)
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			return "", fault.Wrap("architecture.comments", p.ImportPath, fault.Invalid, err)
		}
		if file.Doc != nil {
			return file.Doc.Text(), nil
		}
	}
	return "", nil
}

// Lengths finds files of program code with more lines than limit.
func Lengths(pkgs []Package, limit int) ([]Breach, error) {
	var found []Breach
	for _, p := range pkgs {
		for _, f := range p.GoFiles {
			text, err := os.ReadFile(filepath.Join(p.Dir, f))
			if err != nil {
				return nil, fault.Wrap("architecture.lengths", p.ImportPath, fault.Internal, err)
			}
			if n := bytes.Count(text, []byte("\n")); n > limit {
				found = append(found, Breach{p.ImportPath + "/" + f, fmt.Sprintf("has %d lines", n)})
			}
		}
	}
	return found, nil
}
