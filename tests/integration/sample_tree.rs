//! Tests that the sample tree in `reports/` equals the output of its generator, and has only the
//! intended warnings.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::maker::{Mistakes, Options, Size};
use gwconform_base::api::Version;
use gwconform_base::release::{Registry, Release};
use gwconform_report::report::model::{self, LevelData, List, Report};
use gwconform_report::report::suite::differences;
use gwconform_types::LegacyReport;
use gwconform_types::{ConformanceReport, Statistics};
use serde_json::Value;

/// Every warning about the sample tree: rule and path. Real submissions were accepted with these
/// problems.
const WARNINGS: &[(&str, &str)] = &[
    // Hollow Oak's first report is older than the required format of contacts and URLs.
    (
        "report/contact",
        "reports/v1.0.0/hollowoak-ingress-bridge/1.3.1-report.yaml",
    ),
    (
        "report/url-scheme",
        "reports/v1.0.0/hollowoak-ingress-bridge/1.3.1-report.yaml",
    ),
    // Hollow Oak's second report has a valid URL, an invalid contact, and the version `1.4`.
    (
        "report/contact",
        "reports/v1.1.0/hollowoak-ingress-bridge/experimental-1.4-default-report.yaml",
    ),
    (
        "report/version-not-semver",
        "reports/v1.1.0/hollowoak-ingress-bridge/experimental-1.4-default-report.yaml",
    ),
    // Hollow Oak's third report has a file name without the channel.
    (
        "tree/file-name",
        "reports/v1.2.1/hollowoak-ingress-bridge/1.5.0-default-report.yaml",
    ),
    // The report claims static addresses in two profiles but skips their test.
    (
        "report/claimed-feature-skipped",
        "reports/v1.2.1/hollowoak-ingress-bridge/1.5.0-default-report.yaml",
    ),
    (
        "report/claimed-feature-skipped",
        "reports/v1.2.1/hollowoak-ingress-bridge/1.5.0-default-report.yaml",
    ),
    // Partial core results were accepted up to v1.6.
    (
        "report/partial-core",
        "reports/v1.3.0/skyquay-load-balancer/standard-33.4.0-global-external-report.yaml",
    ),
    (
        "report/partial-core",
        "reports/v1.4.0/tidewater-undertow/standard-1.4.0-default-report.yaml",
    ),
    (
        "report/partial-core",
        "reports/v1.5/glasshouse-pane/experimental-v0.4.0-default-report.yaml",
    ),
];

#[test]
fn the_committed_tree_is_what_the_maker_writes() {
    let made = crate::maker::sample();
    let mut expected = BTreeSet::new();
    for (path, text) in &made {
        let path = root().join("reports").join(path);
        let committed = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            committed == *text,
            "{} differs: run `cargo run --example make_tree -- --sample --out reports`",
            path.display()
        );
        assert!(
            expected.insert(path.clone()),
            "{} is made twice",
            path.display()
        );
    }
    expected.insert(root().join("reports/gwconform.toml"));
    assert_eq!(files(&root().join("reports")), expected);
    for (name, target) in crate::maker::aliases(&made) {
        let path = root().join("reports").join(name);
        // If the system has no symbolic links, git writes a small file.
        let committed =
            fs::read_link(&path).unwrap_or_else(|_| fs::read_to_string(&path).unwrap().into());
        assert_eq!(committed, PathBuf::from(target), "{name}");
    }
}

#[test]
fn sample_tree_has_only_the_intended_warnings() {
    let result = check(&root(), "reports");
    let mut found: Vec<(&str, &str)> = findings(&result, "warning");
    let mut expected = WARNINGS.to_vec();
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(findings(&result, "error"), Vec::new());
    assert_eq!(found, expected);
    assert_eq!(result["left_out"], Value::Array(Vec::new()));
}

#[test]
fn every_file_of_the_sample_tree_is_counted() {
    let files = files(&root().join("reports"));
    let count = |keep: &dyn Fn(&PathBuf) -> bool| files.iter().filter(|path| keep(path)).count();
    let is_readme = |path: &PathBuf| path.ends_with("README.md");
    let folders: BTreeSet<&Path> = files.iter().filter_map(|path| path.parent()).collect();
    let summary = &check(&root(), "reports")["summary"];
    assert_eq!(summary["readmes"], count(&is_readme) - 1);
    assert_eq!(summary["submissions"], folders.len() - 1);
    let reports = count(&|path| {
        path.extension()
            .is_some_and(|extension| extension == "yaml")
    });
    assert_eq!(summary["reports"], reports);
    assert!((50..=80).contains(&reports), "{reports} reports");
}

#[test]
fn made_trees_are_right_whatever_their_seed() {
    for (seed, size, reports) in [
        (1, Size::Reports(150), Some(150)),
        (2, Size::Reports(1), Some(1)),
        (3, Size::Submissions(60), None),
        (u64::MAX, Size::Submissions(1), None),
    ] {
        let options = Options {
            seed,
            size,
            mistakes: Mistakes::None,
        };
        let folder = tempfile::tempdir().unwrap();
        write(&folder.path().join("reports"), &options);
        let result = check(folder.path(), "reports");
        for severity in ["error", "warning", "info"] {
            let mut found = findings(&result, severity);
            // Features are claimed at random, so a run may claim none.
            found.retain(|(rule, _)| *rule != "tree/extended-lost");
            assert_eq!(found, Vec::new(), "seed {seed}");
        }
        if let Some(reports) = reports {
            assert_eq!(result["summary"]["reports"], reports);
        }
        if let Size::Submissions(submissions) = size {
            assert_eq!(result["summary"]["submissions"], submissions);
        }
    }
}

#[test]
fn made_trees_have_mistakes_when_asked() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options {
        seed: 1,
        size: Size::Submissions(60),
        mistakes: Mistakes::Some,
    };
    write(&folder.path().join("reports"), &options);
    let result = check(folder.path(), "reports");
    assert!(
        result["summary"]["errors"].as_u64().unwrap() > 3,
        "{}",
        result["summary"]
    );
    assert_eq!(result["summary"]["submissions"], 60);
}

#[test]
fn a_seed_gives_the_same_bytes() {
    let make = |seed, mistakes| {
        crate::maker::make(&Options {
            seed,
            size: Size::Reports(80),
            mistakes,
        })
    };
    assert_eq!(make(5, Mistakes::Some), make(5, Mistakes::Some));
    assert_ne!(make(5, Mistakes::None), make(6, Mistakes::None));
}

#[test]
fn each_report_is_what_the_suite_of_its_release_writes() {
    let options = Options {
        seed: 9,
        size: Size::Reports(300),
        mistakes: Mistakes::None,
    };
    let made = crate::maker::sample()
        .into_iter()
        .chain(crate::maker::make(&options));
    for (path, text) in made.filter(|(path, _)| path.extension().is_some_and(|e| e == "yaml")) {
        let shown = path.display();
        if let Ok(report) = serde_yaml::from_str::<ConformanceReport>(&text) {
            let profiles = report.profiles.iter().map(|profile| model::Profile {
                name: Some(profile.name.as_str().into()),
                core: Some(LevelData {
                    skipped_tests: names(&profile.core.skipped_tests),
                    failed_tests: names(&profile.core.failed_tests),
                    ..level(profile.core.statistics)
                }),
                extended: profile.extended.as_ref().map(|extended| LevelData {
                    skipped_tests: names(&extended.skipped_tests),
                    failed_tests: names(&extended.failed_tests),
                    supported_features: names(&extended.supported_features),
                    unsupported_features: names(&extended.unsupported_features),
                    ..level(extended.statistics)
                }),
                ..model::Profile::default()
            });
            let report_view = Report {
                profiles: profiles.collect(),
                succeeded_provisional_tests: names(&report.succeeded_provisional_tests),
                ..Report::default()
            };
            let release = release(&report.gateway_api_version);
            let found = differences(Registry::embedded(), release, &report_view);
            assert!(found.is_empty(), "{shown}: {found:?}");
            continue;
        }
        let report: LegacyReport =
            serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{shown}: {error}"));
        let profiles = report.profiles.iter().map(|profile| model::Profile {
            name: Some(profile.name.as_str().into()),
            core: Some(level(profile.core.statistics)),
            extended: profile.extended.as_ref().map(|extended| LevelData {
                supported_features: names(&extended.supported_features),
                unsupported_features: names(&extended.unsupported_features),
                ..level(extended.statistics)
            }),
            ..model::Profile::default()
        });
        let report_view = Report {
            profiles: profiles.collect(),
            ..Report::default()
        };
        let release = release(&report.gateway_api_version);
        let found = differences(Registry::embedded(), release, &report_view);
        assert!(found.is_empty(), "{shown}: {found:?}");
    }
}

fn level<'n>(statistics: Statistics) -> LevelData<&'n str> {
    let numbers = [statistics.passed, statistics.skipped, statistics.failed];
    let [passed, skipped, failed] = numbers.map(u64::from);
    LevelData {
        statistics: Some(model::Statistics::new(passed, skipped, failed)),
        ..LevelData::default()
    }
}

fn names(list: &Option<Vec<String>>) -> Option<List<&str>> {
    let names = list.as_ref()?.iter().map(String::as_str);
    Some(List::new(names))
}

fn release(version: &str) -> &'static Release {
    let version = Version::parse(version).unwrap();
    Registry::embedded().release(&version).release().unwrap()
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn write(root: &Path, options: &Options) {
    let files = crate::maker::make(options);
    for (path, text) in &files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    #[cfg(unix)]
    for (name, target) in crate::maker::aliases(&files) {
        std::os::unix::fs::symlink(target, root.join(name)).unwrap();
    }
}

fn files(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let is_alias = ["v1.5.0", "v1.5.1", "v1.6.0"]
            .iter()
            .any(|name| entry.file_name() == *name);
        if is_alias {
            continue;
        }
        if entry.file_type().unwrap().is_dir() {
            found.extend(files(&entry.path()));
        } else {
            found.insert(entry.path());
        }
    }
    found
}

fn check(folder: &Path, tree: &str) -> Value {
    let arguments = ["check", tree, "--format", "json"].map(str::to_owned);
    let output = crate::support::run(folder, &arguments);
    assert_eq!(output.stderr, "");
    serde_json::from_str(&output.stdout).unwrap()
}

fn findings<'v>(result: &'v Value, severity: &str) -> Vec<(&'v str, &'v str)> {
    let findings = result["findings"].as_array().unwrap().iter();
    let findings = findings.filter(|finding| finding["severity"] == severity);
    findings
        .map(|finding| {
            (
                finding["rule"].as_str().unwrap(),
                finding["path"].as_str().unwrap(),
            )
        })
        .collect()
}
