package main

import (
	"encoding/json"
	"maps"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
)

// A small synthetic release.
var release = map[string]string{
	"config/crd/standard/kustomization.yaml": "kind: Kustomization\n",
	"config/crd/standard/gateways.yaml":      gatewayCRD,
	"config/crd/experimental/gateways.yaml":  strings.Replace(gatewayCRD, "name: v1\n", "name: v1alpha1\n", 1),
	"pkg/features/features.go": `package features

import "k8s.io/apimachinery/pkg/util/sets"

type FeatureName string

type Feature struct {
	Name    FeatureName
	Channel string
}

const Standard, Experimental = "standard", "experimental"

var AllFeatures = sets.New[Feature]().Insert(GatewayCoreFeatures.UnsortedList()...)

func SetsToNamesSet(all ...sets.Set[Feature]) sets.Set[FeatureName] { return nil }
`,
	"pkg/features/gateway.go": `package features

import "k8s.io/apimachinery/pkg/util/sets"

const (
	// Serves traffic at a Gateway. Not much more.
	SupportGateway FeatureName = "Gateway"
	// Answers in colour (GEP-42).
	SupportGatewayColour FeatureName = "GatewayColour"
)

// Routes UDP.
const SupportUDPRoute FeatureName = "UDP" + "Route"

var GatewayFeature = Feature{Name: SupportGateway, Channel: Standard}

var GatewayCoreFeatures = sets.New(GatewayFeature)

var GatewayExtendedFeatures = sets.New[Feature]().Insert(Feature{Name: SupportGatewayColour, Channel: Experimental})

var UDPRouteFeatures = map[FeatureName]Feature{SupportUDPRoute: {Name: SupportUDPRoute, Channel: Standard}}
`,
	"pkg/features/other_windows.go": "package features\n\nvar broken = }\n",
	"conformance/apis/v1/types.go": `package v1

const Group, Version = "gateway.networking.k8s.io", "v1"

var GroupVersion = schema.GroupVersion{Group: Group, Version: Version}

type ConformanceReport struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	Implementation  ` + "`json:\"implementation\"`" + `
	Date, Weather   string
	hidden          string ` + "`json:\"-\"`" + `
}
`,
	"conformance/utils/suite/suite.go": suite,
	"conformance/tests/main.go": `package tests

import "sigs.k8s.io/gateway-api/conformance/utils/suite"

var ConformanceTests []suite.ConformanceTest
`,
	"conformance/tests/gateway-answers.go": `package tests

import (
	"sigs.k8s.io/gateway-api/conformance/utils/suite"
	"sigs.k8s.io/gateway-api/pkg/features"
)

func init() { ConformanceTests = append(ConformanceTests, GatewayAnswers) }

// See GEP 7 and geps/gep-42, but not GEP-1709.
var GatewayAnswers = suite.ConformanceTest{
	ShortName:   "GatewayAnswers",
	Features:    []features.FeatureName{features.SupportUDPRoute, features.SupportGateway},
	Provisional: true,
	Parallel:    true,
}
`,
	"conformance/tests/gateway_test.go": "package tests\n\nthis is not read\n",
	"conformance/tests/mesh/mesh.go": `package mesh

import "sigs.k8s.io/gateway-api/conformance/utils/suite"

var tests []suite.ConformanceTest

var MeshAnswers = suite.ConformanceTest{ShortName: "MeshAnswers"}

func init() { tests = append(tests, MeshAnswers) }
`,
}

const gatewayCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations:
    gateway.networking.k8s.io/bundle-version: v1.98.0
spec:
  group: gateway.networking.k8s.io
  names:
    kind: Gateway
    plural: gateways
  versions:
  - additionalPrinterColumns:
    - description: See GEP-1.
      name: Class
    name: v1
    schema:
      openAPIV3Schema:
        properties:
          spec:
            properties:
              listeners:
                description: |-
                  Listeners, see GEP-2.

                  port: see GEP-3
                items:
                  properties:
                    port:
                      description: See GEP-2 and GEP-4.
`

const suite = `package suite

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/sets"
	confv1 "sigs.k8s.io/gateway-api/conformance/apis/v1"
	"sigs.k8s.io/gateway-api/pkg/features"
)

type ConformanceTest struct {
	ShortName             string
	Features              []features.FeatureName
	Provisional, Parallel bool
}

type ConformanceProfile struct {
	Name                           string
	CoreFeatures, ExtendedFeatures sets.Set[features.FeatureName]
}

var udp = ConformanceProfile{
	Name:             "UDP",
	CoreFeatures:     sets.New(features.SupportUDPRoute, features.SupportGateway),
	ExtendedFeatures: features.SetsToNamesSet(features.GatewayExtendedFeatures),
}

var conformanceProfileMap = map[string]ConformanceProfile{"GATEWAY-UDP": udp}

func Run(t *testing.T, test ConformanceTest) {
	res := t.Run(test.ShortName, nil)
	_ = res
}

func Report() *confv1.ConformanceReport {
	return &confv1.ConformanceReport{TypeMeta: v1.TypeMeta{APIVersion: confv1.GroupVersion.String(), Kind: "ConformanceReport"}}
}

func isTestExtended(test ConformanceTest) bool {
	return false // No test is.
}
`

const expected = `{
  "bundleVersion": "v1.98.0",
  "reportApiVersion": "gateway.networking.k8s.io/v1",
  "reportFields": ["Date", "Weather", "implementation"],
  "isTestExtended": "",
  "crds": {
    "standard": {"gateways": "gateway.networking.k8s.io/v1.Gateway"},
    "experimental": {"gateways": "gateway.networking.k8s.io/v1alpha1.Gateway"}
  },
  "fieldProposals": {"Gateway": {
    "spec/additionalPrinterColumns": [1],
    "spec/listeners": [2, 3],
    "spec/listeners/port": [2, 4]
  }},
  "features": {
    "Gateway": {"level": "core", "channel": "standard", "resource": "Gateway", "meaning": "Serves traffic at a Gateway.", "proposals": [7, 42]},
    "GatewayColour": {"level": "extended", "channel": "experimental", "resource": "Gateway", "meaning": "Answers in colour (GEP-42).", "proposals": [42]},
    "UDPRoute": {"level": "core", "channel": "standard", "resource": "UDPRoute", "meaning": "Routes UDP."}
  },
  "profiles": {"GATEWAY-UDP": {"reportName": "UDP", "core": ["Gateway", "UDPRoute"], "extended": ["GatewayColour"]}},
  "tests": {
    "GatewayAnswers": {"features": ["UDPRoute", "Gateway"], "provisional": true, "parallel": true, "source": "gateway-answers.go"},
    "MeshAnswers": {"features": [], "source": "mesh/mesh.go"}
  }
}`

// checkout returns the release with one replacement in a file.
func checkout(t *testing.T, file, old, new string) fstest.MapFS {
	t.Helper()
	changed := maps.Clone(release)
	if !strings.Contains(changed[file], old) {
		t.Fatalf("%s does not contain %s", file, old)
	}
	changed[file] = strings.Replace(changed[file], old, new, 1)
	files := fstest.MapFS{}
	for name, text := range changed {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

func TestFacts(t *testing.T) {
	found, err := read(checkout(t, "pkg/features/gateway.go", "", ""))
	if err != nil {
		t.Fatal(err)
	}
	found.IsTestExtended = "" // see TestDigest
	text, err := json.MarshalIndent(found, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	var made, want any
	for text, tree := range map[string]*any{string(text): &made, expected: &want} {
		if err := json.Unmarshal([]byte(text), tree); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(made, want) {
		t.Errorf("found %s", text)
	}
}

func TestDigest(t *testing.T) {
	const file = "conformance/utils/suite/suite.go"
	digest := func(old, new string) string {
		found, err := read(checkout(t, file, old, new))
		if err != nil {
			t.Fatal(err)
		}
		return found.IsTestExtended
	}
	before := digest("", "")
	if digest("return false // No test is.", "\n\n\treturn false") != before {
		t.Error("comments and white space change the digest")
	}
	if digest("return false //", "return true //") == before {
		t.Error("another function has the same digest")
	}
}

func TestParallel(t *testing.T) {
	const file = "conformance/utils/suite/suite.go"
	found, err := read(checkout(t, file, "res := t.Run(test.ShortName, nil)\n\t_ = res", "t.Run(test.ShortName, nil)"))
	if err != nil {
		t.Fatal(err)
	}
	if found.Tests["GatewayAnswers"].Parallel {
		t.Error("the result is stored when the test ends")
	}
}

func TestUnsupported(t *testing.T) {
	const features, gateway = "pkg/features/features.go", "pkg/features/gateway.go"
	const suite, answers = "conformance/utils/suite/suite.go", "conformance/tests/gateway-answers.go"
	const crd = "config/crd/standard/gateways.yaml"
	for _, one := range []struct{ file, old, new, want string }{
		{gateway, "sets.New(GatewayFeature)", "sets.New(", "pkg/features/gateway.go:19:1: expected operand, found 'var'"},
		{gateway, "sets.New(GatewayFeature)", "other(GatewayFeature)", "pkg/features/gateway.go:17:27: unsupported call"},
		{gateway, "sets.New(GatewayFeature)", "GatewayFeature.Difference(x)", "pkg/features/gateway.go:17:27: unsupported call"},
		{gateway, "sets.New(GatewayFeature)", "sets.New(x)", "pkg/features/gateway.go:17:36: expected a list or a set"},
		{gateway, "sets.New(GatewayFeature)", "GatewayCoreFeatures", "pkg/features/gateway.go:17:27: expected a list or a set"},
		{gateway, "sets.New(GatewayFeature)", "sets.New(SupportGateway)", "pkg/features/gateway.go:17:36: expected a feature with its name and channel"},
		{gateway, "Feature{Name: SupportGateway, Channel: Standard}", "Feature{SupportGateway, Standard}", "pkg/features/gateway.go:15:30: expected a field with its name"},
		{gateway, "SupportGateway, Channel: Standard", "SupportGateway", "pkg/features/gateway.go:15:22: field Channel is missing"},
		{gateway, "SupportGateway, Channel: Standard", "SupportGateway, Channel: channel()", "pkg/features/gateway.go:15:61: expected a constant string"},
		{gateway, "sets.New(GatewayFeature)", "sets.New[Feature]()", "pkg/features/gateway.go:7:2: no set of features contains SupportGateway"},
		{features, "package features", "package", "pkg/features/features.go:3:1: expected 'IDENT', found 'import'"},
		{suite, "conformanceProfileMap", "profiles", "conformance/utils/suite: expected a map with the name conformanceProfileMap"},
		{suite, `"GATEWAY-UDP": udp`, `"GATEWAY-UDP": other`, "conformance/utils/suite/suite.go:28:74: expected a profile"},
		{suite, "features.SupportUDPRoute, ", `"Other", `, `conformance/utils/suite/suite.go:24:29: no set of features contains "Other"`},
		{suite, "isTestExtended", "isExtended", "conformance/utils/suite: expected the function isTestExtended, and a literal with APIVersion and the Kind ConformanceReport"},
		{suite, "confv1.GroupVersion.String()", "version()", "conformance/utils/suite/suite.go:36:69: expected a constant string or GroupVersion.String()"},
		{suite, "t.Run(test.ShortName, nil)", "run(test)", "conformance/utils/suite: expected one call of Run with the ShortName of a test"},
		{answers, "append(ConformanceTests, GatewayAnswers)", "nil", "conformance/tests/gateway-answers.go:11:22: expected a test that is a variable, and an argument of append"},
		{answers, "var GatewayAnswers = suite.ConformanceTest{", "var GatewayAnswers = of(suite.ConformanceTest{", "conformance/tests/gateway-answers.go:16:2: missing ',' before newline in argument list"},
		{answers, "Provisional: true", "Provisional: isProvisional()", "conformance/tests/gateway-answers.go:14:15: Provisional: expected true or false"},
		{answers, `"GatewayAnswers"`, `"MeshAnswers"`, "conformance/tests/mesh/mesh.go:7:19: a second test with the name MeshAnswers"},
		{crd, "v1.98.0", "v1.99.0", "config/crd/experimental/gateways.yaml: bundle version v1.98.0; others have v1.99.0"},
		{crd, "    kind: Gateway\n", "", "config/crd/standard/gateways.yaml: expected one kind, found 0"},
		{crd, "    name: v1\n", "", "config/crd/standard/gateways.yaml: no versions"},
		{crd, "kind: CustomResourceDefinition", "kind: Other", "config/crd/standard: no CRDs"},
	} {
		_, err := read(checkout(t, one.file, one.old, one.new))
		if err == nil || !strings.HasPrefix(err.Error(), one.want) {
			t.Errorf("%s instead of %s\nfound    %v\nexpected %s", one.new, one.old, err, one.want)
		}
	}
}
