//! Tests `gwconform releases` and `releases diff`.

use crate::support::folder::Folder;
use gwconform_base::release::Registry;

#[test]
fn each_release_has_a_line_with_its_date() {
    let output = Folder::new().run("releases");
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    let registry = Registry::embedded();
    for release in registry.releases() {
        let date = release.date().unwrap();
        let name = format!("{} ", release.version());
        let line = output.stdout.lines().find(|line| line.starts_with(&name));
        assert!(line.unwrap().contains(&format!("  {date}  ")), "{output:?}");
    }
    let newest = registry.newest().unwrap().version();
    assert!(output.stdout.ends_with(&format!("; newest: {newest}\n")));
    let json = Folder::new().json("releases");
    assert_eq!(json["data"]["newest_release"], newest.to_string());
    let all = json["releases"].as_array().unwrap();
    assert_eq!(all.len(), registry.releases().len());
}

const FIRST: &str = r#"{"release": "v1.98.0", "date": "2026-11-01", "base": "v1.6.2"}"#;
const SECOND: &str = r#"{
  "release": "v1.99.0", "date": "2026-12-01", "base": "v1.98.0",
  "features": {
    "HTTPRouteCORS": null,
    "HTTPRouteNamedRouteRule": null,
    "HTTPRouteCrossOrigin": {"level": "extended", "channel": "standard", "resource": "HTTPRoute",
      "renamedFrom": "HTTPRouteCORS", "meaning": "Another name."},
    "HTTPRouteSong": {"level": "extended", "channel": "experimental", "resource": "HTTPRoute",
      "meaning": "Sings *loudly*, for @all."}
  },
  "profiles": {
    "GATEWAY-HTTP": {"extendedAdded": ["HTTPRouteCrossOrigin", "HTTPRouteSong"], "extendedRemoved": ["HTTPRouteCORS", "HTTPRouteNamedRouteRule"]}
  },
  "tests": {
    "HTTPRouteCORS": {"features": ["Gateway", "HTTPRoute", "HTTPRouteCrossOrigin"]},
    "HTTPRouteNamedRule": null,
    "HTTPRouteSong": {"features": ["Gateway", "HTTPRoute", "HTTPRouteSong"], "provisional": true}
  }
}"#;

#[test]
fn lists_new_changed_and_removed_names() {
    let folder = Folder::new();
    folder.file("facts/v1.98.0.json", FIRST);
    folder.file("facts/v1.99.0.json", SECOND);
    let diff = "releases diff v1.98 1.99.0 --registry facts";
    let human = folder.run(diff);
    assert_eq!((human.code, human.stderr.as_str()), (0, ""));
    insta::assert_snapshot!("releases_diff", human.stdout);
    let markdown = folder.run(&format!("{diff} --format markdown")).stdout;
    insta::assert_snapshot!("releases_diff_markdown", markdown);
    let json = folder.json(diff);
    assert_eq!(json["feature_changes"]["added"][0]["name"], "HTTPRouteSong");
    assert_eq!(
        json["feature_changes"]["changed"][0]["renamed_from"],
        "HTTPRouteCORS"
    );
    assert_eq!(
        json["feature_changes"]["removed"],
        serde_json::json!(["HTTPRouteNamedRouteRule"])
    );
}

#[test]
fn releases_that_cannot_be_compared_are_usage_errors() {
    for (arguments, expected) in [
        (
            "releases diff v1.5 v1.4",
            "error: v1.5.1 is newer than v1.4.1; pass the older release first\n",
        ),
        ("releases diff v1.5 v9.9", "error: unknown release `v9.9`"),
        (
            "releases diff v1.5",
            "error: the following required arguments were not provided",
        ),
    ] {
        let output = Folder::new().run(arguments);
        assert_eq!(
            (output.code, output.stdout.as_str()),
            (2, ""),
            "{arguments}"
        );
        assert!(output.stderr.starts_with(expected), "{output:?}");
    }
    let same = Folder::new().run("releases diff v1.5.0 v1.5.1");
    assert_eq!(same.stdout, "Changes from v1.5.0 to v1.5.1\n\nNone\n");
}

#[test]
fn joins_names_with_equal_changes() {
    let diff = "releases diff v1.6.1 v1.6.2";
    let human = Folder::new().run(diff).stdout;
    let json = Folder::new().json(diff);
    let changed = json["test_changes"]["changed"].as_array().unwrap();
    let count = changed.len();
    assert!(count > 1);
    let fact = "ends after the report is written: no, was yes";
    assert_eq!(human.matches(fact).count(), 1, "{human}");
    let start = format!("Changed tests: {count}\n  {count} tests\n    {fact}\n    names: ");
    assert!(human.contains(&start), "{human}");
    let words: Vec<&str> = human.split([' ', '\n', ',']).collect();
    for test in changed {
        let name = test["name"].as_str().unwrap();
        assert_eq!(
            words.iter().filter(|word| **word == name).count(),
            1,
            "{name}"
        );
    }
    let markdown = Folder::new()
        .run(&format!("{diff} --format markdown"))
        .stdout;
    let names = markdown
        .lines()
        .find(|line| line.starts_with("  - names: `"));
    assert_eq!(names.unwrap().matches('`').count(), 2 * count, "{markdown}");
}
