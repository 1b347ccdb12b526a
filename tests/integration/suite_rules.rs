//! Tests rules that depend on release data, with releases that have different or missing data.

use std::path::Path;

use gwconform::rules;
use gwconform_base::api::Minor;
use gwconform_base::release::Registry;
use gwconform_base::text::diagnostic::{Diagnostic, Severity};
use gwconform_base::text::source::Source;
use gwconform_report::rules::check::{Placement, Selection, Settings, Strictness, check_lone};
use gwconform_report::rules::configuration::Config;
use gwconform_report::tree::Submission;
use gwconform_report::tree::load::Loaded;

/// Returns findings, except those of rules about fields that these texts omit.
fn findings(path: &str, text: &str, is_strict: bool, registry: &Registry) -> Vec<Diagnostic> {
    let select = ["report".to_owned()];
    let ignore = ["report/missing-field", "report/key-order"].map(str::to_owned);
    let selection = Selection::new(&select, &ignore, &rules::ALL).unwrap();
    let selection = selection.with(if is_strict {
        Strictness::Strict
    } else {
        Strictness::Normal
    });
    let settings = Settings::new(&selection, &Config::default());
    let report = Loaded::Report {
        source: Source::new(path, text.as_bytes().to_vec()),
        name: "report.yaml".to_owned(),
    };
    let submission = Submission::holding(Path::new(path));
    check_lone(
        &submission,
        Placement::InTree,
        vec![report],
        &settings,
        registry,
    )
    .findings
}

fn found(release: &str, text: &str, is_strict: bool) -> Vec<String> {
    let minor = release.rsplit_once('.').unwrap().0;
    let text = format!("gatewayAPIVersion: {release}\n{text}");
    let path = format!("/tree/{minor}/acme-operator/report.yaml");
    let found = findings(&path, &text, is_strict, Registry::embedded());
    let found = found.iter();
    found
        .map(|one| format!("{} {}: {}", one.severity.as_str(), one.rule, one.message))
        .collect()
}

fn core(passed: u64, skipped: u64) -> String {
    let result = if skipped > 0 { "partial" } else { "success" };
    let mut text = format!(
        "profiles:\n- name: GATEWAY-HTTP\n  core:\n    result: {result}\n    statistics: {{Passed: {passed}, Skipped: {skipped}, Failed: 0}}\n"
    );
    let tests = [
        "HTTPRouteCrossNamespace",
        "HTTPRouteExactPathMatching",
        "HTTPRouteHeaderMatching",
        "HTTPRouteMatching",
        "HTTPRouteSimpleSameNamespace",
        "HTTPRouteWeight",
    ];
    for (at, test) in tests
        .iter()
        .take(usize::try_from(skipped).unwrap())
        .enumerate()
    {
        if at == 0 {
            text.push_str("    skippedTests:\n");
        }
        text.push_str(&format!("    - {test}\n"));
    }
    text
}

#[test]
fn the_numbers_of_the_release_are_no_finding() {
    assert!(found("v1.5.1", &core(33, 0), true).is_empty());
    assert!(found("v1.6.0", &core(37, 0), true).is_empty());
}

#[test]
fn strict_makes_an_error_of_other_facts() {
    let message = "report/newer-suite: `GATEWAY-HTTP`: made with a suite newer than v1.5.0, v1.5.1: core test count 36 instead of 33";
    assert_eq!(
        found("v1.5.0", &core(36, 0), false),
        [format!("warning {message}")]
    );
    assert_eq!(
        found("v1.5.0", &core(36, 0), true),
        [format!("error {message}")]
    );
}

#[test]
fn an_unknown_patch_is_compared_with_the_one_below_and_never_wrong() {
    assert_eq!(
        found("v1.5.2", &core(30, 0), true),
        [
            "info report/unknown-release: unknown release v1.5.2; compared with v1.5.1, the nearest patch below it",
            "warning report/core-tests-missing: `GATEWAY-HTTP`: core test count 30; expected at least 33 for v1.5.0, v1.5.1 (the nearest patch below v1.5.2)",
        ]
    );
}

#[test]
fn a_newer_release_is_one_info() {
    let newest = Registry::embedded().newest().unwrap().version();
    let text = core(99, 0)
        + "  extended:\n    supportedFeatures: [HTTPRouteCORSS, Teleportation]\n- name: NEW\n";
    assert_eq!(
        found("v1.8.0", &text, true),
        [format!(
            "info report/unknown-release: unknown release v1.8.0, newer than {newest}, the newest known one"
        )]
    );
}

#[test]
fn a_prerelease_is_compared_with_its_release_once_that_is_out() {
    assert_eq!(
        found("v1.6.0-rc.1", &core(30, 0), false),
        [
            "warning report/prerelease: `v1.6.0-rc.1` is a prerelease of v1.6.0, which has been released; expected a report for a release",
            "error report/core-tests-missing: `GATEWAY-HTTP`: core test count 30; expected at least 37 for v1.6.0, v1.6.1",
        ]
    );
    assert_eq!(
        found("v1.8.0-rc.1", &core(3, 0), false),
        ["info report/unknown-release: unknown prerelease `v1.8.0-rc.1`"]
    );
    let of_branch = findings(
        "report.yaml",
        &format!("gatewayAPIVersion: v0.0.0-dev\n{}", core(3, 0)),
        false,
        Registry::embedded(),
    );
    let rules: Vec<_> = of_branch.iter().map(|one| one.rule).collect();
    assert_eq!(rules, ["report/gateway-api-version"]);
}

#[test]
fn incomplete_numbers_are_not_compared() {
    let text =
        "profiles:\n- name: GATEWAY-HTTP\n  core:\n    statistics: {Passed: 30, Failed: 0}\n";
    assert!(found("v1.5.1", text, false).is_empty());
}

#[test]
fn a_report_that_breaks_off_is_not_compared() {
    let text = core(30, 0) + "  extended: {supportedFeatures: [\n";
    let found = found("v1.5.1", &text, false);
    assert!(!found.iter().any(|one| one.contains("core")), "{found:?}");
}

#[test]
fn one_mistake_has_one_finding() {
    let registry = Registry::embedded();
    let release = registry
        .newest_patch_of(Minor::parse("v1.5").unwrap())
        .unwrap();
    let features = &release.profile("GATEWAY-HTTP").unwrap().extended;
    let unsupported = features
        .iter()
        .filter(|name| *name != "HTTPRoutePathRewrite");
    let unsupported: Vec<_> = unsupported.map(String::as_str).collect();
    let report = |supported: &str| {
        core(33, 0)
            + &format!(
                "  extended:\n    result: success\n    statistics: {{Passed: 1, Skipped: 0, Failed: 0}}\n    supportedFeatures: [{supported}]\n    unsupportedFeatures: [{}]\n",
                unsupported.join(", ")
            )
    };
    assert!(found("v1.5.1", &report("HTTPRoutePathRewrite"), true).is_empty());
    assert_eq!(
        found("v1.5.1", &report("HTTPRoutePathRewite"), true),
        [
            "error report/misspelled-name: `supportedFeatures`: unknown feature `HTTPRoutePathRewite`; did you mean `HTTPRoutePathRewrite`?"
        ]
    );
}

#[test]
fn many_unknown_names_hide_no_misspelled_one() {
    let mut names: Vec<String> = (0..100).map(|nth| format!("Unknown{nth}")).collect();
    names.push("HTTPRoutePathRewite".to_owned());
    let report = core(33, 0)
        + &format!(
            "  extended:\n    result: success\n    statistics: {{Passed: 1, Skipped: 0, Failed: 0}}\n    supportedFeatures: [{}]\n",
            names.join(", ")
        );
    let expected =
        "error report/misspelled-name: 1 more unknown name not compared with known names";
    assert!(found("v1.5.1", &report, true).contains(&expected.to_owned()));
}

#[test]
fn a_profile_of_another_release_gets_its_name_as_advice() {
    let explained = |release: &str, profile: &str| {
        let found = found(release, &format!("profiles:\n- name: {profile}\n"), false);
        assert_eq!(found.len(), 1, "{found:?}");
        found[0].clone()
    };
    let releases = Registry::embedded().releases().iter();
    let with_udp = releases.filter(|release| release.profile("GATEWAY-UDP").is_some());
    let with_udp: Vec<String> = with_udp
        .map(|release| release.version().to_string())
        .collect();
    let with_udp = match with_udp.as_slice() {
        [first, .., last] if with_udp.len() > 2 => format!("{first} to {last}"),
        few => few.join(", "),
    };
    assert_eq!(
        explained("v1.5.1", "GATEWAY-UDP"),
        format!(
            "error report/unknown-profile: unknown profile `GATEWAY-UDP` for v1.5.0, v1.5.1; it is one of {with_udp}"
        )
    );
    assert_eq!(
        explained("v1.5.1", "GATEWAY_HTTP"),
        "error report/unknown-profile: unknown profile `GATEWAY_HTTP` for v1.5.0, v1.5.1; did you mean `GATEWAY-HTTP`?"
    );
    assert_eq!(
        explained("v1.1.1", "MESH-GRPC"),
        "error report/unknown-profile: unknown profile `MESH-GRPC` for v1.1.0, v1.1.1; its suite writes `MESH-HTTP`"
    );
    assert!(explained("v1.5.1", "INFERENCE").contains("expected one of `GATEWAY-GRPC`, "));
}

#[test]
fn policies_name_rules_and_take_effect() {
    let registry = Registry::embedded();
    for id in registry.rules_with_policies() {
        assert!(rules::find(&rules::ALL, id).is_some(), "{id}");
    }
    assert_eq!(
        found("v1.5.1", &core(27, 6), false),
        [
            "warning report/partial-core: `GATEWAY-HTTP`: 6 of 33 core tests skipped: `HTTPRouteCrossNamespace`, `HTTPRouteExactPathMatching`, `HTTPRouteHeaderMatching`, `HTTPRouteMatching`, `HTTPRouteSimpleSameNamespace` and 1 more"
        ]
    );
    let newer = found("v1.7.0", &core(27, 6), false);
    assert_eq!(
        newer[1],
        "error report/partial-core: `GATEWAY-HTTP`: 6 of 33 core tests skipped, more than the 5 that a partially conformant implementation may skip: `HTTPRouteCrossNamespace`, `HTTPRouteExactPathMatching`, `HTTPRouteHeaderMatching`, `HTTPRouteMatching`, `HTTPRouteSimpleSameNamespace` and 1 more"
    );
}

#[test]
fn more_skips_than_a_newer_release_allows_are_reported() {
    let release = r#"{"release": "v1.7.0", "date": "2026-11-01", "sameAs": "v1.6.1"}"#;
    let files = [("v1.7.0.json".to_owned(), release.to_owned())];
    let registry = Registry::with_files(&files).unwrap();
    let messages = |skipped: u64| -> Vec<String> {
        let text = format!("gatewayAPIVersion: v1.7.0\n{}", core(37 - skipped, skipped));
        let path = "/tree/v1.7/acme-operator/report.yaml";
        let found = findings(path, &text, false, &registry);
        let found = found.into_iter();
        found
            .map(|one| format!("{} {}: {}", one.severity.as_str(), one.rule, one.message))
            .collect()
    };
    let start = |skipped: u64| {
        let found = messages(skipped);
        assert_eq!(found.len(), 1, "{found:?}");
        found[0]
            .split(": `HTTPRouteCross")
            .next()
            .unwrap()
            .to_owned()
    };
    let rule = "error report/partial-core: `GATEWAY-HTTP`";
    assert_eq!(start(5), format!("{rule}: 5 of 37 core tests skipped"));
    assert_eq!(
        start(6),
        format!(
            "{rule}: 6 of 37 core tests skipped, more than the 5 that a partially conformant implementation may skip"
        )
    );
}

#[test]
fn strange_features_and_tests_are_explained() {
    let facts = |supported: &str, provisional: &str| -> Vec<String> {
        let text = format!(
            "{}  extended:\n    result: success\n    statistics: {{Passed: 0, Skipped: 0, Failed: 0}}\n    supportedFeatures: [{supported}]\nsucceededProvisionalTests: [{provisional}]\n",
            core(33, 0)
        );
        let found = found("v1.5.0", &text, false).into_iter();
        let found = found.filter(|one| one.contains("report/suite-facts"));
        found.collect()
    };
    let about_core = facts("HTTPRoute", "");
    assert!(
        about_core[0].contains("core features in `supportedFeatures`: `HTTPRoute`"),
        "{about_core:?}"
    );
    let about_two = facts("HTTPRoute, Gateway", "");
    assert!(
        about_two[0].contains("core features in `supportedFeatures`: `HTTPRoute` and `Gateway`"),
        "{about_two:?}"
    );
    let provisional = facts("HTTPRouteCORS", "HTTPRouteWeight");
    assert!(
        provisional
            .iter()
            .any(|one| one.contains("is not provisional in v1.5.0, v1.5.1 (in no release)")),
        "{provisional:?}"
    );
}

#[test]
fn the_summary_is_the_one_of_the_results() {
    let report = |core: (&str, u64), extended: Option<(&str, u64)>, summary: &str| {
        let level = |name: &str, (result, skipped): (&str, u64)| {
            format!(
                "  {name}:\n    result: {result}\n    statistics: {{Passed: 1, Skipped: {skipped}, Failed: 0}}\n"
            )
        };
        let extended = extended.map_or(String::new(), |extended| level("extended", extended));
        let text = format!(
            "profiles:\n- summary: {summary}\n{}{extended}",
            level("core", core)
        );
        let found = found("v1.5.1", &text, false);
        found
            .iter()
            .any(|one| one.contains("report/summary-contradicts-result"))
    };
    let (success, partial) = (("success", 0), ("partial", 2));
    assert!(!report(success, None, "Core tests succeeded."));
    assert!(!report(success, None, ">-\n    Core tests\n    succeeded."));
    assert!(!report(
        success,
        Some(success),
        "Core tests succeeded. Extended tests succeeded."
    ));
    let both = "Core tests partially succeeded with 2 test skips. Extended tests succeeded.";
    assert!(!report(partial, Some(success), both));
    assert!(report(success, Some(success), both));
    assert!(report(success, Some(success), "Core tests succeeded."));
    assert!(report(success, None, "All is well"));
    assert!(!report(("partial", 0), None, "Core tests succeeded."));
    assert!(report(
        ("partial", 0),
        None,
        "Core tests failed with 1 test failures."
    ));
    assert!(!report(("skipped", 0), None, "Core tests succeeded."));
}

#[test]
fn bounds_findings_in_long_lists() {
    let mut text = core(33, 0)
        + "  extended:\n    statistics: {Passed: 1, Skipped: 0, Failed: 0}\n    supportedFeatures:\n";
    for number in 0..50_000 {
        text.push_str(&format!("    - HTTPRouteAlmostKnown{number}\n"));
    }
    for _ in 0..50_000 {
        text.push_str("    - MeshHTTPRouteRedirectPort\n");
    }
    let mut many = "profiles:\n".to_owned();
    for _ in 0..5_000 {
        many.push_str(core(33, 0).strip_prefix("profiles:\n").unwrap());
    }
    for text in [text, many] {
        let found = found("v1.5.1", &text, false);
        assert!((1..1000).contains(&found.len()), "{}", found.len());
    }
}

#[test]
fn severities_depend_on_release_and_strictness() {
    use Severity::{Error, Info, Warning};
    for (id, severity, legacy, strict) in [
        ("report/api-version", Warning, None, true),
        (
            "report/claimed-feature-skipped",
            Warning,
            Some(Warning),
            true,
        ),
        ("report/core-tests-missing", Error, Some(Warning), false),
        ("report/date-before-release", Warning, Some(Info), false),
        ("report/extended-absent", Warning, Some(Warning), true),
        ("report/feature-in-both-lists", Error, Some(Error), false),
        ("report/invisible-character", Error, Some(Warning), false),
        ("report/key-order", Warning, Some(Info), false),
        ("report/kind", Error, Some(Error), false),
        ("report/list-order", Warning, Some(Info), false),
        ("report/misspelled-name", Error, Some(Warning), false),
        ("report/old-feature-name", Warning, Some(Info), true),
        ("report/partial-core", Warning, Some(Warning), true),
        ("report/release-without-profiles", Info, Some(Info), false),
        ("report/repeated-name", Warning, Some(Warning), false),
        ("report/repeated-profile", Error, Some(Error), false),
        ("report/suite-facts", Warning, Some(Warning), true),
        ("report/newer-suite", Warning, Some(Warning), true),
        ("report/summary-contradicts-result", Error, None, false),
        ("report/unknown-name", Warning, Some(Warning), true),
        ("report/unknown-profile", Error, Some(Warning), false),
        ("tree/copied-report", Error, Some(Error), false),
        ("tree/folder-name", Info, Some(Info), false),
        ("tree/same-identity-elsewhere", Error, Some(Error), false),
    ] {
        let rule = rules::find(&rules::ALL, id).unwrap();
        let stated = (rule.severity, rule.legacy, rule.strict);
        assert_eq!(stated, (severity, legacy, strict), "{id}");
    }
}
