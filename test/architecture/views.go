package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"

	"bateleur/core/fault"
)

// wide are the types of core/ports with which a transaction can be begun, another
// actor's store be reached, or a queue be worked off. The bridge and the loops
// hold them; trees and leaves do not.
var wide = []string{"DataLayer", "Stores", "Tx", "InboxWriter", "OutboxWriter", "LedgerWriter", "Transport"}

// effectful are names of methods that a leaf's view does not have.
var effectful = []string{
	"View", "Update", "CloneForActor", "Open", "Create", "Close", "Begin", "Commit", "Rollback",
	"InboxAppend", "InboxSettle", "InboxRequeue", "DeliverySettle", "DeliveryRequeue", "Deliver",
}

// WideUses finds where the packages in a folder name a wide type of core/ports
// (DL-04-001).
func WideUses(pkgs []Package, folder string) ([]Breach, error) {
	var found []Breach
	for _, p := range pkgs {
		if !within(p.Rel(), folder) {
			continue
		}
		err := eachFile(p, func(file *ast.File) {
			for _, name := range wideIn(file, portsName(file)) {
				found = append(found, Breach{p.ImportPath, "names ports." + name})
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// WideView finds what a type gives its user too much: an exported field, a
// method with an effectful name, or one that takes or gives a wide type
// (DL-04-003).
func WideView(p Package, typeName string) ([]Breach, error) {
	var found []Breach
	add := func(what string) { found = append(found, Breach{p.ImportPath, typeName + what}) }
	err := eachFile(p, func(file *ast.File) {
		ports := portsName(file)
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && receiver(fn) == typeName && fn.Name.IsExported() {
				if slices.Contains(effectful, fn.Name.Name) {
					add(" has a method " + fn.Name.Name)
				}
				for _, name := range wideIn(fn.Type, ports) {
					add("." + fn.Name.Name + " deals in ports." + name)
				}
			}
		}
		for _, field := range exportedFields(file, typeName) {
			add(" has a field " + field)
		}
	})
	return found, err
}

// eachFile gives f the package's files of program code, parsed.
func eachFile(p Package, f func(*ast.File)) error {
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return fault.Wrap("architecture.views", p.ImportPath, fault.Invalid, err)
		}
		f(file)
	}
	return nil
}

// portsName is under which name a file imports core/ports, "" when it does not.
func portsName(file *ast.File) string {
	for _, i := range file.Imports {
		if i.Path.Value != `"`+Module+`/core/ports"` {
			continue
		}
		if i.Name != nil {
			return i.Name.Name
		}
		return "ports"
	}
	return ""
}

// wideIn gives the wide types of core/ports that are named below a node.
func wideIn(node ast.Node, ports string) []string {
	var names []string
	ast.Inspect(node, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := s.X.(*ast.Ident); ok && ports != "" && x.Name == ports && slices.Contains(wide, s.Sel.Name) {
			names = append(names, s.Sel.Name)
		}
		return true
	})
	return names
}

func receiver(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return ""
	}
	t := fn.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

func exportedFields(file *ast.File, typeName string) []string {
	var names []string
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok || spec.Name.Name != typeName {
			return true
		}
		if s, ok := spec.Type.(*ast.StructType); ok {
			for _, f := range s.Fields.List {
				names = append(names, exported(f)...)
			}
		}
		return false
	})
	return names
}

// exported gives the exported names of a field; an embedded one has its type's.
func exported(f *ast.Field) []string {
	var names []string
	for _, id := range f.Names {
		if id.IsExported() {
			names = append(names, id.Name)
		}
	}
	if len(f.Names) == 0 {
		text := ""
		ast.Inspect(f.Type, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				text = id.Name
			}
			return true
		})
		if ast.IsExported(text) {
			names = append(names, text)
		}
	}
	return names
}
