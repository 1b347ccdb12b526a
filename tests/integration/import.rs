//! Tests `gwconform::release::import` on two small, synthetic releases.

use gwconform::api::Version;
use gwconform::release::import::{Imported, OnUnread, Request, default_base, differences, import};
use gwconform::release::{Match, Registry, Release};

use crate::support::sources::{MemorySources, first, second};

pub fn imported(sources: &MemorySources, release: &str, base: Option<&Release>) -> Imported {
    let request = Request {
        release: Version::parse(release).unwrap(),
        date: Some("2030-01-02".parse().unwrap()),
        commit: None,
        base,
        on_unread: OnUnread::Fail,
    };
    import(sources, &request).unwrap_or_else(|problems| panic!("{problems:#?}"))
}

fn registry(files: &[(&str, &str)]) -> Registry {
    let files: Vec<_> = files
        .iter()
        .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
        .collect();
    Registry::with_files(&files).unwrap()
}

fn release<'r>(registry: &'r Registry, version: &str) -> &'r Release {
    let version = Version::parse(version).unwrap();
    let Match::Exact(release) = registry.release(&version) else {
        panic!("{version}");
    };
    release
}

#[test]
fn a_release_without_a_base_is_a_whole_file() {
    let found = imported(&first(), "v1.98.0", None);
    assert_eq!(found.warnings, ["reports have an unknown field `weather`"]);
    insta::assert_snapshot!(found.text);
}

#[test]
fn the_next_release_is_what_it_changed() {
    let before = imported(&first(), "v1.98.0", None).text;
    let known = registry(&[("v1.98.0.json", &before)]);
    let base = release(&known, "v1.98.0");
    let found = imported(&second(), "v1.99.0", Some(base));
    assert_eq!(
        found.warnings[0],
        "conformance/utils/suite/run_windows.go is omitted: its name ends like that of another system, `windows`"
    );
    insta::assert_snapshot!(found.text);

    let known = registry(&[("v1.98.0.json", &before), ("v1.99.0.json", &found.text)]);
    let version = Version::parse("v1.99.0").unwrap();
    let base = default_base(&known, &version);
    assert_eq!(
        base.map(|base| base.version().to_string()).as_deref(),
        Some("v1.98.0")
    );
    assert_eq!(imported(&second(), "v1.99.0", base).text, found.text);
    assert_eq!(
        differences(&second(), release(&known, "v1.99.0")),
        Ok(Vec::new())
    );
    let patch = imported(&second(), "v1.99.1", Some(release(&known, "v1.99.0")));
    assert_eq!(
        patch.text,
        "{\n  \"release\": \"v1.99.1\",\n  \"date\": \"2030-01-02\",\n  \"sameAs\": \"v1.99.0\"\n}\n"
    );
    assert_eq!(
        patch.warnings.last().map(String::as_str),
        Some("the sources have the bundle version v1.99.0; expected v1.99.1")
    );
    let known = registry(&[
        ("v1.98.0.json", &before),
        ("v1.99.0.json", &found.text),
        ("v1.99.1.json", &patch.text),
    ]);
    let base = default_base(&known, &Version::parse("v1.99.2").unwrap());
    assert_eq!(
        base.map(|base| base.version().to_string()).as_deref(),
        Some("v1.99.0")
    );
}

#[test]
fn differences_are_told_one_by_one() {
    let text = imported(&first(), "v1.98.0", None).text;
    let text = text
        .replace("\"channel\": \"experimental\"", "\"channel\": \"standard\"")
        .replace(", \"parallel\": true", "")
        .replace(
            "\"Gateway\", \"GatewayColour\"]",
            "\"GatewayColour\", \"Gateway\"]",
        )
        .replace("\"xthings\"", "\"xothers\"");
    let known = registry(&[("v1.98.0.json", &text)]);
    let found = differences(&first(), release(&known, "v1.98.0")).unwrap();
    insta::assert_snapshot!(found.join("\n"));
}

#[test]
fn a_folder_that_is_only_part_of_another_build_is_left_out() {
    let tagged = |name: &str| format!("//go:build experimental\n\npackage {name}\n\nvar x = \n");
    let sources = first()
        .with("conformance/apis/v1alpha1/types.go", tagged("v1alpha1"))
        .with("conformance/tests/later/later.go", tagged("later"))
        .with("conformance/utils/suite/experimental.go", tagged("suite"));
    let found = imported(&sources, "v1.98.0", None);
    assert_eq!(found.text, imported(&first(), "v1.98.0", None).text);
    for path in [
        "conformance/apis/v1alpha1/types.go",
        "conformance/tests/later/later.go",
        "conformance/utils/suite/experimental.go",
    ] {
        let warning = format!("{path} is omitted: its build constraint is `experimental`");
        assert!(found.warnings.contains(&warning), "{:?}", found.warnings);
    }
    let sources = first()
        .with("conformance/utils/suite/profiles.go", tagged("suite"))
        .with("conformance/utils/suite/suite.go", tagged("suite"));
    let problems = problems(&sources);
    let reason = "conformance/utils/suite: the build excludes all Go files of this folder";
    assert!(problems.contains(&reason.to_owned()), "{problems:?}");
}

fn problems(sources: &MemorySources) -> Vec<String> {
    let request = Request {
        release: Version::parse("v1.98.0").unwrap(),
        date: None,
        commit: None,
        base: None,
        on_unread: OnUnread::Fail,
    };
    let problems = import(sources, &request)
        .map(|found| found.text)
        .unwrap_err();
    problems.iter().map(ToString::to_string).collect()
}

#[test]
fn a_test_is_parallel_if_the_suite_runs_it_in_parallel() {
    const SUITE: &str = "conformance/utils/suite/suite.go";
    let imported = |sources: &MemorySources| imported(sources, "v1.98.0", None).text;
    assert!(imported(&first()).contains("\"parallel\": true"));
    // In later suites, the `if` statement has an additional condition.
    let sources = first().replacing(
        SUITE,
        "if test.Parallel {",
        "if test.Parallel && !suite.running {",
    );
    assert!(imported(&sources).contains("\"parallel\": true"));
    let sources = first().replacing(SUITE, "t.Parallel()", "t.Helper()");
    assert!(!imported(&sources).contains("\"parallel\": true"));
    let sources = first().replacing(SUITE, "if test.Parallel {", "if test.Provisional {");
    let problems = problems(&sources);
    assert!(
        problems[0].contains("tests run in parallel on another condition"),
        "{problems:?}"
    );
}
