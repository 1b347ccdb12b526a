//! Uses the conformance tests as an oracle: the manifests of a test need the features that it
//! declares.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

use crate::support::corpus::sources_of_releases;
use gwconform_base::api::{Level, Version};
use gwconform_base::release::{Match, Registry, Release};
use gwconform_base::text::source::Source;
use gwconform_cluster::needs::Needs;
use gwconform_cluster::{Cluster, File};

const CONTEXT: &[&str] = &["base/manifests.yaml", "mesh/manifests.yaml"];

/// Features that tests declare but their manifests do not show, with the reason.
const MISSING: &[(&str, &str, &str)] = &[
    (
        "GatewayObservedGenerationBump",
        "GatewayPort8080",
        "the test adds the listener by itself",
    ),
    (
        "HTTPRouteHTTPSListenerDetectMisdirectedRequests",
        "GatewayHTTPSListenerDetectMisdirectedRequests",
        "the Gateway is in the manifests of all tests",
    ),
    (
        "MeshFrontendHostname",
        "MeshClusterIPMatching",
        "no manifest shows it",
    ),
    (
        "MeshHTTPRoute307Redirect",
        "HTTPRoute307RedirectStatusCode",
        "its manifest is that of the test for 303",
    ),
];

/// Features that manifests need but tests do not declare, with the reason.
const SURPLUS: &[(&str, &str, &str)] = &[
    (
        "HTTPRouteInvalidParentRefNotMatchingSectionName",
        "HTTPRouteParentRefPort",
        "the reference is not valid in any case",
    ),
    (
        "HTTPRouteRedirectPortAndScheme",
        "HTTPRouteSchemeRedirect",
        "the test declares the port alone",
    ),
    (
        "HTTPRouteRequestPercentageMirror",
        "HTTPRouteRequestMirror",
        "the test declares the percentage alone",
    ),
    (
        "MeshHTTPRoute307Redirect",
        "HTTPRoute303RedirectStatusCode",
        "its manifest is that of the test for 303",
    ),
    (
        "TLSRouteListenerMixedTerminationNotSupported",
        "TLSRouteModeMixed",
        "the test is for those that do not support it",
    ),
    (
        "TLSRouteListenerTerminateNotSupported",
        "TLSRouteModeTerminate",
        "the test is for those that do not support it",
    ),
];

#[derive(Default)]
struct Tally {
    tests: usize,
    declared: usize,
    certain: usize,
    perhaps: usize,
    alias: usize,
    core_declared: usize,
    core_found: usize,
    exact: usize,
    perhaps_undeclared: BTreeSet<String>,
    missing: BTreeSet<(String, String)>,
    surplus: BTreeSet<(String, String)>,
}

fn tests_of(folder: &Path) -> Vec<(String, Vec<PathBuf>)> {
    let name = Regex::new(r#"ShortName:\s+"(\w+)""#).unwrap();
    let manifests = Regex::new(r"(?s)Manifests:\s+\[\]string\{(.*?)\}").unwrap();
    let path = Regex::new(r#""([^"]+)""#).unwrap();
    let mut files: Vec<_> = walkdir::WalkDir::new(folder.join("tests"))
        .into_iter()
        .map(|entry| entry.unwrap().into_path())
        .filter(|file| file.extension().is_some_and(|found| found == "go"))
        .collect();
    files.sort();
    let tests = files.iter().filter_map(|file| {
        let text = fs::read_to_string(file).unwrap();
        let name = name.captures(&text)?[1].to_owned();
        let list = manifests.captures(&text)?;
        let paths = path.captures_iter(list.get(1)?.as_str());
        let paths: Vec<_> = paths.map(|path| folder.join(&path[1])).collect();
        paths
            .iter()
            .all(|path| path.exists())
            .then_some((name, paths))
    });
    tests.collect()
}

fn counts(sources: &[Source]) -> [BTreeMap<String, usize>; 2] {
    let files: Vec<File<'_>> = sources.iter().map(File::read).collect();
    for file in &files {
        assert!(!file.is_cut(), "{}", file.source.path());
    }
    let cluster = Cluster::read(&files);
    let needs = Needs::new(&cluster, Registry::embedded());
    [needs.certain, needs.perhaps].map(|needs| {
        let counts = needs
            .into_iter()
            .map(|need| (need.feature, need.places.count));
        counts.collect()
    })
}

fn read(path: &Path) -> Source {
    Source::new(path.display().to_string(), fs::read(path).unwrap())
}

fn tally(folder: &Path, release: &Release) -> Tally {
    let registry = Registry::embedded();
    let context: Vec<PathBuf> = CONTEXT.iter().map(|name| folder.join(name)).collect();
    let read_context = || -> Vec<Source> { context.iter().map(|path| read(path)).collect() };
    let before = counts(&read_context());
    let mut tally = Tally::default();
    for (name, manifests) in tests_of(folder) {
        let test = release.test(&name).unwrap_or_else(|| panic!("{name}"));
        tally.tests += 1;
        let mut sources = read_context();
        sources.extend(manifests.iter().map(|path| read(path)));
        let after = counts(&sources);
        let [certain, perhaps] = [0, 1].map(|at| -> BTreeSet<String> {
            let new = after[at].iter();
            let new = new.filter(|(name, count)| before[at].get(*name) != Some(count));
            new.map(|(name, _)| name.clone()).collect()
        });
        let table = registry.needs();
        let declared: BTreeSet<&str> = test.features.iter().map(String::as_str).collect();
        let mut explained = BTreeSet::new();
        let mut is_exact = true;
        for &feature in &declared {
            let is_core = release.feature(feature).unwrap().level == Level::Core;
            let mesh = table.mesh_name(feature).unwrap_or_default();
            let other = [table.resolved(feature), mesh];
            let other = other.into_iter().find(|name| certain.contains(*name));
            let is_found = certain.contains(feature) || perhaps.contains(feature);
            if is_core {
                tally.core_declared += 1;
                tally.core_found += usize::from(is_found);
                continue;
            }
            tally.declared += 1;
            explained.extend(other.map(str::to_owned));
            if certain.contains(feature) {
                tally.certain += 1;
            } else if perhaps.contains(feature) {
                tally.perhaps += 1;
            } else if other.is_some() {
                tally.alias += 1;
            } else {
                is_exact = false;
                tally.missing.insert((name.clone(), feature.to_owned()));
            }
        }
        for feature in &certain {
            let is_core = registry.feature(feature).unwrap().level == Level::Core;
            if !is_core && !declared.contains(feature.as_str()) && !explained.contains(feature) {
                // Features of later releases could not be declared.
                if release.feature(feature).is_some() {
                    is_exact = false;
                    tally.surplus.insert((name.clone(), feature.clone()));
                }
            }
        }
        let is_apart = |name: &str| table.features.get(name).is_some_and(|entry| entry.is_apart);
        let guessed = perhaps
            .iter()
            .filter(|name| !declared.contains(name.as_str()) && !is_apart(name));
        tally
            .perhaps_undeclared
            .extend(guessed.map(|_| name.clone()));
        tally.exact += usize::from(is_exact);
    }
    tally
}

#[test]
fn the_tests_of_the_suite_need_what_they_declare() {
    let Some(sources) = sources_of_releases() else {
        return;
    };
    let mut tags: Vec<Version> = fs::read_dir(&sources)
        .unwrap()
        .filter_map(|entry| Version::parse(entry.unwrap().file_name().to_str()?))
        .collect();
    tags.sort();
    let mut printed = String::new();
    let (mut missing, mut surplus) = (BTreeSet::new(), BTreeSet::new());
    let mut releases = 0;
    for tag in tags {
        let folder = sources.join(tag.to_string()).join("conformance");
        if !folder.join(CONTEXT[0]).exists() {
            continue;
        }
        let Match::Exact(release) = Registry::embedded().release(&tag) else {
            panic!("{tag}");
        };
        let tally = tally(&folder, release);
        releases += 1;
        let found = tally.certain + tally.perhaps + tally.alias;
        let Tally {
            tests,
            declared,
            exact,
            ..
        } = tally;
        let (too_many, guesses) = (tally.surplus.len(), tally.perhaps_undeclared.len());
        writeln!(
            printed,
            "{tag}: {tests} tests, {exact} of them exact; extended features {found} of {declared} ({} certain, {} perhaps, {} by another name); core {} of {}; too many {too_many}; perhaps too many in {guesses} tests",
            tally.certain, tally.perhaps, tally.alias, tally.core_found, tally.core_declared,
        )
        .unwrap();
        // Check both directions, because a list of all features would find everything.
        assert!(declared - found <= 3, "{printed}");
        assert!(too_many * 15 <= tests, "{printed}");
        assert!(guesses <= 20, "{printed}");
        assert!(
            tally.core_found * 100 >= tally.core_declared * 95,
            "{printed}"
        );
        missing.extend(tally.missing);
        surplus.extend(tally.surplus);
    }
    assert!(releases >= 7, "{printed}");
    insta::assert_snapshot!("needs_oracle", printed);
    let named = |list: &[(&str, &str, &str)]| -> BTreeSet<(String, String)> {
        let pairs = list.iter().map(|(test, feature, _)| (*test, *feature));
        pairs
            .map(|(test, feature)| (test.to_owned(), feature.to_owned()))
            .collect()
    };
    assert_eq!(missing, named(MISSING));
    assert_eq!(surplus, named(SURPLUS));
}
