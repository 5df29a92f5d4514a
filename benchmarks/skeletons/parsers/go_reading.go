// What Go's own parser finds in Go files, for benchmarks/skeletons/by_parser.py:
//
//	go run benchmarks/skeletons/parsers/go_reading.go < PATHS
//
// reads paths, one a line, and prints for each definition outside of bodies: path, role, kind, what it stands in, name,
// line of the name, and where it begins and ends in bytes, parted by tabs. A file with a syntax error is `path -`.
package main

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
)

type reading struct {
	path string
	set  *token.FileSet
	out  *bufio.Writer
}

func (r *reading) print(role, kind, container string, name *ast.Ident, from, to token.Pos) {
	if name.Name == "_" {
		return
	}
	start, end := r.set.PositionFor(from, false).Offset, r.set.PositionFor(to, false).Offset
	line := r.set.PositionFor(name.Pos(), false).Line
	fmt.Fprintf(r.out, "%s\t%s\t%s\t%s\t%s\t%d\t%d\t%d\n", r.path, role, kind, container, name.Name, line, start, end)
}

// receiver is the name of the type that a method is of.
func receiver(of ast.Expr) string {
	switch one := of.(type) {
	case *ast.Ident:
		return one.Name
	case *ast.StarExpr:
		return receiver(one.X)
	case *ast.ParenExpr:
		return receiver(one.X)
	case *ast.IndexExpr:
		return receiver(one.X)
	case *ast.IndexListExpr:
		return receiver(one.X)
	case *ast.SelectorExpr:
		return one.Sel.Name
	}
	return ""
}

// embedded is the name of a field that has none but that of its type.
func embedded(of ast.Expr) *ast.Ident {
	switch one := of.(type) {
	case *ast.Ident:
		return one
	case *ast.StarExpr:
		return embedded(one.X)
	case *ast.IndexExpr:
		return embedded(one.X)
	case *ast.IndexListExpr:
		return embedded(one.X)
	case *ast.SelectorExpr:
		return one.Sel
	}
	return nil
}

func (r *reading) members(of ast.Expr, container string) {
	switch one := of.(type) {
	case *ast.StructType:
		for _, field := range one.Fields.List {
			names := field.Names
			if name := embedded(field.Type); len(names) == 0 && name != nil {
				names = []*ast.Ident{name}
			}
			for _, name := range names {
				r.print("member", "field", container, name, field.Pos(), field.End())
				r.members(field.Type, container+"."+name.Name)
			}
		}
	case *ast.InterfaceType:
		for _, method := range one.Methods.List {
			for _, name := range method.Names {
				r.print("function", "method", container, name, method.Pos(), method.End())
			}
		}
	}
}

func (r *reading) declared(one *ast.GenDecl, spec ast.Spec) {
	from, to := spec.Pos(), spec.End()
	if !one.Lparen.IsValid() {
		from, to = one.Pos(), one.End()
	}
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		kind := "type"
		switch spec.Type.(type) {
		case *ast.StructType:
			kind = "struct"
		case *ast.InterfaceType:
			kind = "interface"
		}
		r.print("type", kind, "", spec.Name, from, to)
		r.members(spec.Type, spec.Name.Name)
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			r.print("constant", one.Tok.String(), "", name, from, to)
		}
	}
}

func (r *reading) read() {
	file, err := parser.ParseFile(r.set, r.path, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		fmt.Fprintf(r.out, "%s\t-\n", r.path)
		return
	}
	for _, one := range file.Decls {
		switch one := one.(type) {
		case *ast.FuncDecl:
			if one.Recv != nil && len(one.Recv.List) > 0 {
				r.print("function", "method", receiver(one.Recv.List[0].Type), one.Name, one.Pos(), one.End())
			} else {
				r.print("function", "func", "", one.Name, one.Pos(), one.End())
			}
		case *ast.GenDecl:
			for _, spec := range one.Specs {
				r.declared(one, spec)
			}
		}
	}
}

func main() {
	paths, out := bufio.NewScanner(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for paths.Scan() {
		(&reading{path: paths.Text(), set: token.NewFileSet(), out: out}).read()
	}
}
