package matrix

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"bateleur/core/fault"
)

// Collect reads the claims of all files in fsys, a module's root. Folders that
// the go command leaves out are left out, except that testscripts are looked for
// under testdata. A Go file that does not parse is fault.Invalid. A test that the
// default build of this platform leaves out claims nothing.
func Collect(fsys fs.FS) (Found, error) {
	var found Found
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return skipDir(name)
		case strings.HasSuffix(name, ".txtar") && inTestdata(name):
			return found.script(fsys, name)
		case strings.HasSuffix(name, ".go") && !inTestdata(name):
			return found.goFile(fsys, name)
		}
		return nil
	})
	found.sort()
	return found, fault.Wrap("matrix.collect", "", fault.Invalid, err)
}

func skipDir(name string) error {
	base := path.Base(name)
	if name != "." && (base == "vendor" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")) {
		return fs.SkipDir
	}
	return nil
}

func inTestdata(name string) bool {
	return strings.HasPrefix(name, "testdata/") || strings.Contains(name, "/testdata/")
}

func (f *Found) script(fsys fs.FS, name string) error {
	raw, err := fs.ReadFile(fsys, name)
	if err != nil {
		return err
	}
	f.add(name, "script", idsIn(string(raw)))
	return nil
}

func (f *Found) goFile(fsys fs.FS, name string) error {
	if built, err := isBuilt(fsys, name); err != nil || !built {
		return err
	}
	raw, err := fs.ReadFile(fsys, name)
	if err != nil {
		return err
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, raw, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	s := source{name: name, set: set, file: file, suite: strings.Contains("/"+name, "/porttest/")}
	s.collect(f)
	return nil
}

// isBuilt tells whether the go command would compile the file here.
func isBuilt(fsys fs.FS, name string) (bool, error) {
	ctx := build.Default
	ctx.JoinPath = path.Join
	ctx.OpenFile = openIn(fsys)
	return ctx.MatchFile(path.Dir(name), path.Base(name))
}

// source is one Go file under search.
type source struct {
	name  string
	set   *token.FileSet
	file  *ast.File
	suite bool // of a package porttest, where any function may prove
}

func (s source) collect(f *Found) {
	for _, group := range s.file.Comments {
		ids := idsIn(group.Text())
		if len(ids) == 0 {
			continue
		}
		if test := s.testAt(group); test != "" {
			f.add(s.name, test, ids)
			continue
		}
		if group == s.file.Doc { // a package may explain how claims are made
			continue
		}
		f.Misplaced = append(f.Misplaced, Misplaced{
			File: s.name, Line: s.set.Position(group.Pos()).Line, IDs: ids,
		})
	}
	if s.suite {
		s.fields(f)
	}
}

// testAt names the proving declaration that a comment belongs to or stands in.
func (s source) testAt(group *ast.CommentGroup) string {
	for _, decl := range s.file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if (group == d.Doc || within(group, d)) && s.proves(d) {
				return d.Name.Name
			}
		case *ast.GenDecl:
			if s.suite && (group == d.Doc || within(group, d)) {
				return declName(d)
			}
		}
	}
	return ""
}

func within(inner, outer ast.Node) bool {
	return outer.Pos() <= inner.Pos() && inner.End() <= outer.End()
}

func (s source) proves(d *ast.FuncDecl) bool {
	if s.suite {
		return true
	}
	return strings.HasSuffix(s.name, "_test.go") && d.Recv == nil && isTestName(d.Name.Name)
}

func isTestName(name string) bool {
	if name == "TestMain" {
		return false
	}
	for _, prefix := range []string{"Test", "Fuzz", "Example"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			return rest == "" || rest[0] == '_' || rest[0] < 'a' || rest[0] > 'z'
		}
	}
	return false
}

func declName(d *ast.GenDecl) string {
	for _, spec := range d.Specs {
		if v, ok := spec.(*ast.ValueSpec); ok {
			return v.Names[0].Name
		}
	}
	return "suite"
}

// fields reads the field Proves of a suite's cases.
func (s source) fields(f *Found) {
	ast.Inspect(s.file, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		proves, name := "", ""
		for _, element := range lit.Elts {
			kv, ok := element.(*ast.KeyValueExpr)
			if !ok {
				continue
			}
			switch key, _ := kv.Key.(*ast.Ident); {
			case key == nil:
			case strings.EqualFold(key.Name, "Proves"):
				proves = texts(kv.Value)
			case strings.EqualFold(key.Name, "Name"):
				name = texts(kv.Value)
			}
		}
		if name == "" {
			name = "suite"
		}
		f.add(s.name, name, splitIDs(proves))
		return true
	})
}

// texts gives the string literals in an expression, joined by commas.
func texts(e ast.Expr) string {
	var all []string
	ast.Inspect(e, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if s, err := strconv.Unquote(lit.Value); err == nil {
				all = append(all, s)
			}
		}
		return true
	})
	return strings.Join(all, ",")
}
