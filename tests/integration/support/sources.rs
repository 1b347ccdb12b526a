//! Provides the sources of two small synthetic releases in memory. The fuzz target `go` uses them
//! too.

use std::collections::BTreeMap;

use gwconform::release::import::{EntryKind, Sources};

#[derive(Clone, Debug, Default)]
pub struct MemorySources {
    pub files: BTreeMap<String, Vec<u8>>,
    pub links: Vec<String>,
}

impl MemorySources {
    fn of(files: &[(&str, &str)]) -> Self {
        let files = files.iter();
        Self {
            files: files
                .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()))
                .collect(),
            links: Vec::new(),
        }
    }

    #[must_use]
    pub fn with(mut self, path: &str, text: impl Into<Vec<u8>>) -> Self {
        self.files.insert(path.to_owned(), text.into());
        self
    }

    #[must_use]
    pub fn replacing(self, path: &str, old: &str, new: &str) -> Self {
        let text = String::from_utf8(self.files[path].clone()).unwrap();
        assert!(text.contains(old), "{path} does not contain {old}");
        self.with(path, text.replacen(old, new, 1))
    }

    #[must_use]
    pub fn without(mut self, path: &str) -> Self {
        assert!(self.files.remove(path).is_some(), "{path}");
        self
    }

    #[must_use]
    pub fn with_link(mut self, path: &str) -> Self {
        self.files.remove(path);
        self.links.push(path.to_owned());
        self
    }
}

impl Sources for MemorySources {
    fn entries(&self, folder: &str) -> Result<Option<Vec<(String, EntryKind)>>, String> {
        let mut found = BTreeMap::new();
        let files = self.files.keys().map(|path| (path, EntryKind::File));
        let links = self.links.iter().map(|path| (path, EntryKind::Link));
        for (path, kind) in files.chain(links) {
            let below = path
                .strip_prefix(folder)
                .and_then(|rest| rest.strip_prefix('/'));
            match below.map(|below| below.split_once('/')) {
                Some(Some((name, _))) => found.insert(name.to_owned(), EntryKind::Folder),
                Some(None) => found.insert(below.unwrap_or_default().to_owned(), kind),
                None => None,
            };
        }
        Ok((!found.is_empty()).then(|| found.into_iter().collect()))
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        self.files
            .get(path)
            .cloned()
            .ok_or_else(|| "no such file or folder".to_owned())
    }
}

pub fn first() -> MemorySources {
    MemorySources::of(&[
        (
            "config/crd/standard/gateway.networking.k8s.io_gateways.yaml",
            "",
        ),
        (
            "config/crd/standard/gateway.networking.k8s.io_vap_upgrades.yaml",
            "",
        ),
        (
            "config/crd/experimental/gateway.networking.k8s.io_gateways.yaml",
            "",
        ),
        (
            "config/crd/experimental/gateway.networking.x-k8s.io_xthings.yaml",
            "",
        ),
        (
            "pkg/consts/consts.go",
            "package consts\n\nconst BundleVersion = \"v1.98.0\"\n",
        ),
        ("pkg/features/features.go", FEATURES),
        ("pkg/features/gateway.go", GATEWAY),
        ("pkg/features/mesh.go", MESH),
        ("conformance/apis/v1/types.go", TYPES),
        ("conformance/utils/suite/profiles.go", PROFILES),
        ("conformance/utils/suite/suite.go", SUITE),
        ("conformance/tests/main.go", MAIN),
        ("conformance/tests/gateway-answers.go", ANSWERS),
        (
            "conformance/tests/gateway-answers_test.go",
            "package tests\n\nthis is not read",
        ),
        ("conformance/tests/mesh/mesh.go", MESH_TESTS),
    ])
}

/// The second release adds and removes features and tests, and uses other Go syntax.
pub fn second() -> MemorySources {
    first()
        .with("pkg/consts/consts.go", "package consts\n\nconst BundleVersion = `v1.99.0`\n")
        .with("pkg/features/gateway.go", OTHER_GATEWAY)
        .with("conformance/tests/gateway-answers.go", OTHER_ANSWERS)
        .with("conformance/utils/suite/run_windows.go", "package suite\n\nvar broken = }\n")
        .replacing(
            "conformance/utils/suite/suite.go",
            "res := t.Run(test.ShortName, run)\n\t\tresults[test.ShortName] = res",
            "t.Run(test.ShortName, func(t *testing.T) {\n\t\t\tt.Cleanup(func() { results[test.ShortName] = !t.Failed() })\n\t\t})",
        )
}

const FEATURES: &str = r#"// Package features is made up.
package features

import "k8s.io/apimachinery/pkg/util/sets"

type FeatureName string

type FeatureChannel string

const (
	Experimental = "experimental"
	Standard     = "standard"
)

type Feature struct {
	Name    FeatureName
	Channel FeatureChannel
}

var AllFeatures = sets.New[Feature]().
	Insert(GatewayCoreFeatures.UnsortedList()...).
	Insert(GatewayExtendedFeatures.UnsortedList()...)

var byName = map[FeatureName]Feature{}

func init() {
	for _, feature := range AllFeatures.UnsortedList() {
		byName[feature.Name] = feature
	}
}

func SetsToNamesSet(all ...sets.Set[Feature]) sets.Set[FeatureName] {
	names := sets.Set[FeatureName]{}
	for _, set := range all {
		for _, feature := range set.UnsortedList() {
			names.Insert(feature.Name)
		}
	}
	return names
}
"#;

const GATEWAY: &str = r#"package features

import "k8s.io/apimachinery/pkg/util/sets"

const (
	// Serves traffic at a Gateway. Not much more.
	SupportGateway FeatureName = "Gateway"

	/* Answers
	   in colour. */
	SupportGatewayColour = "GatewayColour"
	SupportGatewayTaste FeatureName = "Gateway" + "Taste" // Tastes of something.
)

var GatewayFeature = Feature{Name: SupportGateway, Channel: Standard}

var GatewayCoreFeatures = sets.New(GatewayFeature)

var GatewayExtendedFeatures = sets.New(
	Feature{Name: SupportGatewayColour, Channel: Standard},
	Feature{SupportGatewayTaste, Experimental},
)
"#;

const OTHER_GATEWAY: &str = r#"package features

import (
	goMaps "maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/sets"
)

type alias = Feature

type level int

const (
	first level = iota + 1
	second
)

const (
	// Serves traffic at a Gateway. Not much more.
	SupportGateway FeatureName = "Gateway"
	// Answers in colour.
	SupportGatewayColour FeatureName = "GatewayColour"
	// Sings “a song” with \ and "quotes"; its sentence is long enough for lines of its own.
	SupportGatewaySong FeatureName = `GatewaySong`
)

func standard[T ~string](name T) alias {
	return alias{Name: FeatureName(name), Channel: Standard}
}

var makers = map[string]func(FeatureName) Feature{
	"experimental": func(name FeatureName) Feature { return Feature{name, Experimental} },
}

var (
	GatewayCoreFeatures = sets.New(standard(SupportGateway))
	levels              = map[level]FeatureName{first: SupportGatewayColour, second: SupportGatewaySong}
	list                = slices.Concat([]Feature{standard(levels[first])}, []Feature{{Name: SupportGatewaySong, Channel: Experimental}})
)

var GatewayExtendedFeatures sets.Set[Feature]

func init() {
	if len(list) != 2 {
		panic("two features were expected")
	}
	GatewayExtendedFeatures = sets.New(list...).Union(nil).Difference(GatewayCoreFeatures)
	for _, name := range slices.Sorted(goMaps.Keys(makers)) {
		_ = makers[name](SupportGatewaySong)
	}
}
"#;

const MESH: &str = r#"package features

import "k8s.io/apimachinery/pkg/util/sets"

// Routes within a mesh.
const SupportMesh FeatureName = "Mesh"

var MeshCoreFeatures = map[FeatureName]Feature{
	SupportMesh: {Name: SupportMesh, Channel: Standard},
}

var meshNames = sets.KeySet(MeshCoreFeatures)
"#;

const TYPES: &str = r#"package v1

import "k8s.io/apimachinery/pkg/runtime/schema"

const Group, Version = "gateway.networking.k8s.io", "v1"

var GroupVersion = schema.GroupVersion{Group: Group, Version: Version}

type ConformanceReport struct {
	metav1.TypeMeta `json:",inline"`
	Implementation  `json:"implementation"`
	Date            string `json:"date"`
	Weather         string `json:"weather,omitempty"`
}
"#;

const PROFILES: &str = r#"package suite

import (
	"k8s.io/apimachinery/pkg/util/sets"

	f "sigs.k8s.io/gateway-api/pkg/features"
)

type ConformanceProfileName string

type ConformanceProfile struct {
	Name             ConformanceProfileName
	CoreFeatures     sets.Set[f.FeatureName]
	ExtendedFeatures sets.Set[f.FeatureName]
}

const (
	Gateway ConformanceProfileName = "GATEWAY-HTTP"
	Mesh    ConformanceProfileName = "MESH-HTTP"
)

var meshProfile = ConformanceProfile{Name: "MESH", CoreFeatures: sets.New[f.FeatureName](f.SupportMesh)}

var conformanceProfileMap = map[ConformanceProfileName]ConformanceProfile{
	Gateway: {
		Name:             Gateway,
		CoreFeatures:     sets.New(f.SupportGateway),
		ExtendedFeatures: f.SetsToNamesSet(f.GatewayExtendedFeatures, f.GatewayCoreFeatures),
	},
	Mesh: meshProfile,
}
"#;

const SUITE: &str = r#"package suite

import (
	"testing"

	confv1 "sigs.k8s.io/gateway-api/conformance/apis/v1"
	"sigs.k8s.io/gateway-api/pkg/features"
)

type ConformanceTest struct {
	ShortName   string
	Features    []features.FeatureName
	Provisional bool
	Parallel    bool
	Test        func(*testing.T, *ConformanceTestSuite)
}

type ConformanceTestSuite struct{ running bool }

func (suite *ConformanceTestSuite) Run(t *testing.T, tests []ConformanceTest) error {
	results := map[string]bool{}
	for _, test := range tests {
		run := func(t *testing.T) { test.Run(t, suite) }
		res := t.Run(test.ShortName, run)
		results[test.ShortName] = res
	}
	return nil
}

func (test *ConformanceTest) Run(t *testing.T, suite *ConformanceTestSuite) {
	if test.Parallel {
		t.Parallel()
	}
	test.Test(t, suite)
}

func (suite *ConformanceTestSuite) Report() (*confv1.ConformanceReport, error) {
	return &confv1.ConformanceReport{TypeMeta: v1.TypeMeta{APIVersion: confv1.GroupVersion.String(), Kind: "ConformanceReport"}}, nil
}

func isTestExtended(profile ConformanceProfile, test ConformanceTest) bool {
	for _, feature := range test.Features {
		if !profile.CoreFeatures.Has(feature) {
			return true
		}
	}
	return false
}
"#;

const MAIN: &str = r#"package tests

import (
	"slices"

	"sigs.k8s.io/gateway-api/conformance/tests/mesh"
)

var ConformanceTests = slices.Clone(meshtests.MeshConformanceTests)
"#;

const ANSWERS: &str = r#"package tests

import (
	"testing"

	"sigs.k8s.io/gateway-api/conformance/utils/suite"
	"sigs.k8s.io/gateway-api/pkg/features"
)

func init() {
	ConformanceTests = append(ConformanceTests, GatewayAnswers, GatewayAnswersInColour)
}

var GatewayAnswers = suite.ConformanceTest{
	ShortName: "GatewayAnswers",
	Features:  []features.FeatureName{features.SupportGateway},
	Parallel:  true,
	Test: func(t *testing.T, s *suite.ConformanceTestSuite) {
		switch x := any(s).(type) {
		case nil: goto end
		default: _ = x
		}
	end:
		go func() { select {} }()
	},
}

var GatewayAnswersInColour = suite.ConformanceTest{
	ShortName:   "GatewayAnswersInColour",
	Features:    []features.FeatureName{features.SupportGateway, features.SupportGatewayColour},
	Provisional: true,
}
"#;

const OTHER_ANSWERS: &str = r#"package tests

import (
	"sigs.k8s.io/gateway-api/conformance/utils/suite"
	"sigs.k8s.io/gateway-api/pkg/features"
)

func register(more ...suite.ConformanceTest) {
	for i, test := range more {
		test.Parallel = i == 0
		ConformanceTests = append(ConformanceTests, test)
	}
}

func init() {
	register(of("GatewayAnswers"), of("GatewayAnswersWithASong", features.SupportGatewaySong))
	ConformanceTests[0].Provisional = true
}

func of(name string, more ...features.FeatureName) suite.ConformanceTest {
	return suite.ConformanceTest{
		ShortName: name,
		Features:  append([]features.FeatureName{features.SupportGateway}, more...),
	}
}
"#;

const MESH_TESTS: &str = r#"package meshtests

import (
	"sigs.k8s.io/gateway-api/conformance/utils/suite"
	. "sigs.k8s.io/gateway-api/pkg/features"
)

var MeshConformanceTests []suite.ConformanceTest

var MeshAnswers = suite.ConformanceTest{ShortName: "MeshAnswers", Features: []FeatureName{SupportMesh}}

func init() { MeshConformanceTests = append(MeshConformanceTests, MeshAnswers) }
"#;
