package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

const module = "sigs.k8s.io/gateway-api/"

// reader parses and type-checks the packages of a checkout. As an importer, it returns empty packages for other modules.
type reader struct {
	files   fs.FS
	context build.Context
	fset    *token.FileSet
	pkgs    map[string]*source // by import path
	info    *types.Info
	values  map[types.Object]ast.Expr // initial values of variables
	docs    map[types.Object]string   // comments of constants
}

type source struct {
	pkg   *types.Package
	files []*ast.File
}

func newReader(files fs.FS) *reader {
	context := build.Default
	context.GOOS, context.GOARCH = "linux", "amd64"
	context.JoinPath = path.Join
	context.OpenFile = func(name string) (io.ReadCloser, error) { return files.Open(name) }
	return &reader{
		files:   files,
		context: context,
		fset:    token.NewFileSet(),
		pkgs:    map[string]*source{},
		info: &types.Info{
			Types: map[ast.Expr]types.TypeAndValue{},
			Defs:  map[*ast.Ident]types.Object{},
			Uses:  map[*ast.Ident]types.Object{},
		},
		values: map[types.Object]ast.Expr{},
		docs:   map[types.Object]string{},
	}
}

// fail ends the reading at the position of a node.
func (r *reader) fail(node ast.Node, format string, arguments ...any) {
	panic(failure(fmt.Sprintf("%s: %s", r.fset.Position(node.Pos()), fmt.Sprintf(format, arguments...))))
}

func failIf(err error) {
	if err != nil {
		panic(failure(err.Error()))
	}
}

// Import implements types.Importer.
func (r *reader) Import(name string) (*types.Package, error) { return r.load(name).pkg, nil }

// folder returns the package of a folder, which must exist.
func (r *reader) folder(name string) *source {
	found := r.load(module + name)
	if len(found.files) == 0 {
		panic(failure(name + ": expected a folder with a Go package"))
	}
	return found
}

func (r *reader) load(name string) *source {
	if known := r.pkgs[name]; known != nil {
		return known
	}
	found := &source{pkg: types.NewPackage(name, path.Base(name))}
	found.pkg.MarkComplete()
	r.pkgs[name] = found
	folder, isOwn := strings.CutPrefix(name, module)
	if !isOwn {
		return found
	}
	// Matches no file if the folder does not exist.
	paths, err := fs.Glob(r.files, folder+"/*.go")
	failIf(err)
	for _, file := range paths {
		if isBuilt, err := r.context.MatchFile(folder, path.Base(file)); err != nil || !isBuilt || strings.HasSuffix(file, "_test.go") {
			failIf(err)
			continue
		}
		text, err := fs.ReadFile(r.files, file)
		failIf(err)
		parsed, err := parser.ParseFile(r.fset, file, text, parser.ParseComments|parser.SkipObjectResolution)
		failIf(err)
		found.files = append(found.files, parsed)
	}
	if len(found.files) == 0 {
		return found
	}
	// Other modules are empty, so most type errors are expected.
	config := types.Config{Importer: r, Error: func(error) {}}
	found.pkg, _ = config.Check(name, r.fset, found.files, r.info)
	for _, file := range found.files {
		for _, declaration := range file.Decls {
			if general, ok := declaration.(*ast.GenDecl); ok {
				r.declared(general)
			}
		}
	}
	return found
}

func (r *reader) declared(general *ast.GenDecl) {
	for _, one := range general.Specs {
		spec, ok := one.(*ast.ValueSpec)
		if !ok {
			continue
		}
		doc := spec.Doc
		if !general.Lparen.IsValid() {
			doc = general.Doc
		}
		for i, name := range spec.Names {
			object := r.info.Defs[name]
			r.docs[object] = doc.Text()
			if general.Tok == token.VAR && i < len(spec.Values) {
				r.values[object] = spec.Values[i]
			}
		}
	}
}

func (r *reader) object(expr ast.Expr) types.Object {
	switch e := expr.(type) {
	case *ast.Ident:
		return r.info.ObjectOf(e)
	case *ast.SelectorExpr:
		return r.info.ObjectOf(e.Sel)
	}
	return nil
}

// value returns the initial value of a variable, or else the expression itself.
func (r *reader) value(expr ast.Expr) ast.Expr {
	if value := r.values[r.object(expr)]; value != nil {
		return value
	}
	return expr
}

func (r *reader) text(expr ast.Expr) string {
	value := r.info.Types[expr].Value
	if value == nil || value.Kind() != constant.String {
		r.fail(expr, "expected a constant string")
	}
	return constant.StringVal(value)
}

// field returns a field of a struct literal, or nil.
func (r *reader) field(literal *ast.CompositeLit, name string) ast.Expr {
	for _, element := range literal.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			r.fail(element, "expected a field with its name")
		}
		if key, ok := pair.Key.(*ast.Ident); ok && key.Name == name {
			return pair.Value
		}
	}
	return nil
}

func (r *reader) required(literal *ast.CompositeLit, name string) ast.Expr {
	value := r.field(literal, name)
	if value == nil {
		r.fail(literal, "field %s is missing", name)
	}
	return value
}

func (r *reader) flag(literal *ast.CompositeLit, name string) bool {
	expr := r.field(literal, name)
	if expr == nil {
		return false
	}
	value := r.info.Types[expr].Value
	if value == nil || value.Kind() != constant.Bool {
		r.fail(expr, "%s: expected true or false", name)
	}
	return constant.BoolVal(value)
}

// structure returns the struct literal of an expression or of the variable that it names, or nil.
func (r *reader) structure(expr ast.Expr) *ast.CompositeLit {
	literal, ok := r.value(expr).(*ast.CompositeLit)
	if ok {
		if kind := r.info.TypeOf(literal); kind != nil {
			if _, isStruct := kind.Underlying().(*types.Struct); isStruct {
				return literal
			}
		}
	}
	return nil
}

// unions are functions and methods whose result contains the elements of the receiver and of all arguments.
var unions = []string{"New", "Insert", "Union", "UnsortedList", "Clone", "Concat", "append", "SetsToNamesSet"}

// elements returns the elements of a list or a set, or the values of a map.
func (r *reader) elements(expr ast.Expr) []ast.Expr {
	if r.structure(expr) != nil || r.info.Types[expr].Value != nil {
		return []ast.Expr{expr}
	}
	var all []ast.Expr
	switch e := expr.(type) {
	case *ast.CompositeLit:
		for _, element := range e.Elts {
			if pair, ok := element.(*ast.KeyValueExpr); ok {
				element = pair.Value
			}
			all = append(all, element)
		}
		return all
	case *ast.CallExpr:
		function := e.Fun
		if index, ok := function.(*ast.IndexExpr); ok { // the type argument of sets.New[T]()
			function = index.X
		}
		name, _ := function.(*ast.Ident)
		if method, ok := function.(*ast.SelectorExpr); ok {
			name = method.Sel
			if _, isPackage := r.object(method.X).(*types.PkgName); !isPackage {
				all = r.elements(method.X)
			}
		}
		if name == nil || !slices.Contains(unions, name.Name) {
			r.fail(e, "unsupported call")
		}
		for _, argument := range e.Args {
			all = append(all, r.elements(argument)...)
		}
		return all
	case *ast.Ident, *ast.SelectorExpr:
		if value := r.value(e); value != e {
			return r.elements(value)
		}
	}
	r.fail(expr, "expected a list or a set")
	return nil
}

// featureNames returns the names in a list of features or of their names. nil is an empty list.
func (r *reader) featureNames(list ast.Expr, known map[string]*feature) []string {
	names := []string{}
	if list == nil {
		return names
	}
	for _, one := range r.elements(list) {
		if declared := r.structure(one); declared != nil {
			one = r.required(declared, "Name")
		}
		name := r.text(one)
		if known[name] == nil {
			r.fail(one, "no set of features contains %q", name)
		}
		names = append(names, name)
	}
	return names
}

func sorted(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}
