package main

import (
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/doc"
	"go/scanner"
	"go/token"
	"go/types"
	"io/fs"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const testsFolder = "conformance/tests"

// features reads the sets of features, whose names tell the kind and the level: `HTTPRouteExtendedFeatures`. A set such as
// `UDPRouteFeatures` contains all features of its kind.
func (r *reader) features(found *facts) {
	scope := r.folder("pkg/features").pkg.Scope()
	supports := map[string]types.Object{} // constants, by the name of the feature
	for _, name := range scope.Names() {
		if object, ok := scope.Lookup(name).(*types.Const); ok && strings.HasPrefix(name, "Support") {
			supports[strings.Trim(object.Val().ExactString(), `"`)] = object
		}
	}
	for _, name := range scope.Names() {
		stem, isSet := strings.CutSuffix(name, "Features")
		value := r.values[scope.Lookup(name)]
		if !isSet || name == "AllFeatures" || value == nil {
			continue
		}
		core, isCore := strings.CutSuffix(stem, "Core")
		resource, isExtended := strings.CutSuffix(core, "Extended")
		for _, one := range r.elements(value) {
			declared := r.structure(one)
			if declared == nil {
				r.fail(one, "expected a feature with its name and channel")
			}
			name := r.text(r.required(declared, "Name"))
			known := found.Features[name]
			if known == nil {
				known = &feature{Level: "extended", Channel: r.text(r.required(declared, "Channel"))}
				found.Features[name] = known
			}
			if isCore || !isExtended && name == resource {
				known.Level = "core"
			}
			if supports[resource] != nil && (known.Resource == "" || strings.HasPrefix(name, resource)) {
				known.Resource = resource
			}
		}
	}
	for name, object := range supports {
		known := found.Features[name]
		if known == nil {
			panic(failure(fmt.Sprintf("%s: no set of features contains %s", r.fset.Position(object.Pos()), object.Name())))
		}
		known.Meaning = new(doc.Package).Synopsis(r.docs[object])
		known.Proposals = proposals(r.docs[object])
	}
}

// suite reads the profiles, the format of reports, and how tests become core or extended.
func (r *reader) suite(found *facts) {
	suite := r.folder("conformance/utils/suite")
	profiles, ok := r.values[suite.pkg.Scope().Lookup("conformanceProfileMap")].(*ast.CompositeLit)
	if !ok {
		panic(failure("conformance/utils/suite: expected a map with the name conformanceProfileMap"))
	}
	for _, element := range profiles.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			r.fail(element, "expected a profile with its name")
		}
		declared := r.structure(pair.Value)
		if declared == nil {
			r.fail(pair.Value, "expected a profile")
		}
		core := sorted(r.featureNames(r.field(declared, "CoreFeatures"), found.Features))
		found.Profiles[r.text(pair.Key)] = profile{
			ReportName: r.text(r.required(declared, "Name")),
			Core:       core,
			Extended:   sorted(r.featureNames(r.field(declared, "ExtendedFeatures"), found.Features)),
		}
		for _, name := range core {
			found.Features[name].Level = "core"
		}
	}
	for _, file := range suite.files {
		ast.Inspect(file, func(node ast.Node) bool {
			switch n := node.(type) {
			case *ast.FuncDecl:
				if n.Name.Name == "isTestExtended" {
					found.IsTestExtended = r.digest(n)
				}
			case *ast.CompositeLit:
				if r.isReport(n) {
					found.ReportAPIVersion = r.apiVersion(r.required(n, "APIVersion"))
				}
			}
			return true
		})
	}
	if found.IsTestExtended == "" || found.ReportAPIVersion == "" {
		panic(failure("conformance/utils/suite: expected the function isTestExtended, and a literal with APIVersion and the Kind ConformanceReport"))
	}
	for name, used := range r.pkgs {
		if strings.HasPrefix(name, module+"conformance/apis/") {
			for _, file := range used.files {
				ast.Inspect(file, func(node ast.Node) bool {
					if fields, ok := node.(*ast.StructType); ok {
						found.ReportFields = append(found.ReportFields, r.jsonNames(fields)...)
					}
					return true
				})
			}
		}
	}
	found.ReportFields = sorted(found.ReportFields)
}

// digest returns the digest of a function, regardless of its comments and white space.
func (r *reader) digest(function *ast.FuncDecl) string {
	file := r.fset.File(function.Pos())
	text, err := fs.ReadFile(r.files, file.Name())
	failIf(err)
	text = text[file.Offset(function.Type.Pos()):file.Offset(function.End())]
	var tokens scanner.Scanner
	tokens.Init(token.NewFileSet().AddFile("", -1, len(text)), text, nil, 0)
	digest := sha256.New()
	for {
		_, kind, literal := tokens.Scan()
		if kind == token.EOF {
			return fmt.Sprintf("sha256:%x", digest.Sum(nil))
		}
		if kind != token.SEMICOLON {
			fmt.Fprintln(digest, kind, literal)
		}
	}
}

func (r *reader) isReport(literal *ast.CompositeLit) bool {
	for _, element := range literal.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			if key, ok := pair.Key.(*ast.Ident); ok && key.Name == "Kind" {
				value := r.info.Types[pair.Value].Value
				return value != nil && value.ExactString() == `"ConformanceReport"`
			}
		}
	}
	return false
}

// apiVersion returns the text of a constant, or of `v1.GroupVersion.String()`.
func (r *reader) apiVersion(expr ast.Expr) string {
	call, ok := expr.(*ast.CallExpr)
	if !ok {
		return r.text(expr)
	}
	if method, ok := call.Fun.(*ast.SelectorExpr); ok && method.Sel.Name == "String" {
		if version, ok := r.value(method.X).(*ast.CompositeLit); ok {
			return r.text(r.required(version, "Group")) + "/" + r.text(r.required(version, "Version"))
		}
	}
	r.fail(expr, "expected a constant string or GroupVersion.String()")
	return ""
}

func (r *reader) jsonNames(fields *ast.StructType) []string {
	var names []string
	for _, field := range fields.Fields.List {
		var tag string
		if field.Tag != nil {
			tag, _ = strconv.Unquote(field.Tag.Value)
		}
		stated, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
		switch {
		case stated == "-" || stated == "" && len(field.Names) == 0: // hidden or embedded
		case stated != "":
			names = append(names, stated)
		default:
			for _, name := range field.Names {
				names = append(names, name.Name)
			}
		}
	}
	return names
}

// tests reads the tests, which are variables that an init function appends to the list of its package.
func (r *reader) tests(found *facts) {
	isEarly := r.reportsEarly()
	err := fs.WalkDir(r.files, testsFolder, func(folder string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			r.testsOf(r.load(module+folder), isEarly, found)
		}
		return err
	})
	failIf(err)
	if len(found.Tests) == 0 {
		panic(failure(testsFolder + ": no tests"))
	}
}

func (r *reader) testsOf(tests *source, isEarly bool, found *facts) {
	registered := map[types.Object]bool{}
	declared := map[*ast.CompositeLit]types.Object{}
	for _, file := range tests.files {
		ast.Inspect(file, func(node ast.Node) bool {
			switch n := node.(type) {
			case *ast.CallExpr:
				if name, ok := n.Fun.(*ast.Ident); ok && name.Name == "append" {
					for _, argument := range n.Args {
						registered[r.object(argument)] = true
					}
				}
			case *ast.ValueSpec:
				for i, value := range n.Values {
					if literal, ok := value.(*ast.CompositeLit); ok && i < len(n.Names) {
						declared[literal] = r.info.Defs[n.Names[i]]
					}
				}
			}
			return true
		})
	}
	for _, file := range tests.files {
		name := r.fset.Position(file.Pos()).Filename
		text, err := fs.ReadFile(r.files, name)
		failIf(err)
		ast.Inspect(file, func(node ast.Node) bool {
			literal, ok := node.(*ast.CompositeLit)
			if !ok || !hasKey(literal, "ShortName") {
				return true
			}
			if object := declared[literal]; object == nil || !registered[object] {
				r.fail(literal, "expected a test that is a variable, and an argument of append")
			}
			one := test{
				Features:    r.featureNames(r.field(literal, "Features"), found.Features),
				Provisional: r.flag(literal, "Provisional"),
				Parallel:    r.flag(literal, "Parallel") && isEarly,
				Source:      strings.TrimPrefix(name, testsFolder+"/"),
			}
			short := r.text(r.required(literal, "ShortName"))
			if _, isKnown := found.Tests[short]; isKnown {
				r.fail(literal, "a second test with the name %s", short)
			}
			found.Tests[short] = one
			if tested := featureOf(short, found.Features); tested != nil {
				tested.Proposals = merged(tested.Proposals, proposals(string(text)))
			}
			return false
		})
	}
}

func hasKey(literal *ast.CompositeLit, name string) bool {
	return slices.ContainsFunc(literal.Elts, func(element ast.Expr) bool {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			return false
		}
		key, ok := pair.Key.(*ast.Ident)
		return ok && key.Name == name
	})
}

// reportsEarly returns whether the suite takes the result of a test from `t.Run`, which returns as soon as a parallel test
// waits for the others. Other suites store the result when the test ends.
func (r *reader) reportsEarly() bool {
	waits, all := 0, 0
	isRun := func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return false
		}
		method, isMethod := call.Fun.(*ast.SelectorExpr)
		name, isField := call.Args[0].(*ast.SelectorExpr)
		return isMethod && isField && method.Sel.Name == "Run" && name.Sel.Name == "ShortName"
	}
	for _, file := range r.folder("conformance/utils/suite").files {
		ast.Inspect(file, func(node ast.Node) bool {
			if statement, ok := node.(*ast.ExprStmt); ok && isRun(statement.X) {
				waits++
			} else if isRun(node) {
				all++
			}
			return true
		})
	}
	if all != 1 {
		panic(failure("conformance/utils/suite: expected one call of Run with the ShortName of a test"))
	}
	return waits == 0
}

// featureOf returns the feature with the longest name that the name of a test starts with, or nil.
func featureOf(test string, features map[string]*feature) *feature {
	for end := len(test); end > 0; end-- {
		if found := features[test[:end]]; found != nil {
			return found
		}
	}
	return nil
}

var proposal = regexp.MustCompile(`(?i)\bGEP[- #]?(\d+)`)

// proposals returns the numbers of the GEPs that a text mentions.
func proposals(text string) []int {
	var numbers []int
	for _, match := range proposal.FindAllStringSubmatch(text, -1) {
		// GEP-1709 describes the suite and its profiles, not features.
		if number, err := strconv.Atoi(match[1]); err == nil && number != 1709 {
			numbers = append(numbers, number)
		}
	}
	return merged(numbers, nil)
}

func merged(some, others []int) []int {
	all := append(some, others...)
	slices.Sort(all)
	return slices.Compact(all)
}
