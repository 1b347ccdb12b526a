//! Covers the question whether an implementation supports a feature, and since which version.

use crate::support::folder::Folder;
use crate::support::report::{Level, Profile, ReportBuilder};
use crate::support::site;
use crate::support::{find, list};
use serde_json::Value;

const FEATURE: &str = "HTTPRouteQueryParamMatching";

/// Report of `acme/<project>`.
fn report(project: &str, release: &str, version: &str, profile: Profile) -> ReportBuilder {
    ReportBuilder::new()
        .project(project)
        .version(version)
        .release(release)
        .profiles([profile])
}

fn http(extended: Level) -> Profile {
    let profile = Profile::new("GATEWAY-HTTP").core(Level::success(37));
    profile.extended(extended).summarized()
}

fn yes() -> Profile {
    http(Level::success(1).supported(&[FEATURE]))
}

fn no() -> Profile {
    http(Level::success(0).unsupported(&[FEATURE]))
}

fn support(reports: &[ReportBuilder]) -> Vec<Value> {
    let folder = Folder::new();
    for report in reports {
        folder.put(report);
    }
    let files = folder.site("");
    let one = &files[&format!("api/v1/features/{FEATURE}.json")];
    let one: Value = serde_json::from_slice(one).unwrap();
    let all: Value = serde_json::from_slice(&files["api/v1/features.json"]).unwrap();
    let listed = find(&all["features"], "feature", FEATURE);
    assert_eq!(&one["features"][0], listed);
    list(&listed["implementations"]).to_vec()
}

fn of<'v>(all: &'v [Value], project: &str, fields: &[&str]) -> Vec<&'v str> {
    let key = format!("acme/{project}");
    let mut own = all.iter().filter(|one| one["implementation"] == *key);
    let own = own.next().unwrap_or_else(|| panic!("no {key}: {all:#?}"));
    let text = |field: &&str| own[*field].as_str().unwrap_or("null");
    fields.iter().map(text).collect()
}

#[test]
fn since_is_the_start_of_the_run_that_lasts() {
    let grpc = Profile::grpc();
    let all = support(&[
        report("steady", "v1.3.0", "v1.0.0", no()),
        report("steady", "v1.4.0", "v2.0.0", yes()),
        report("steady", "v1.4.0", "v2.1.0", yes()),
        // A minor without a report about the feature.
        report("steady", "v1.5.0", "v3.0.0", grpc.clone()),
        report("steady", "v1.6.0", "v4.0.0", yes()),
        report("broken", "v1.3.0", "v1.0.0", yes()),
        report("broken", "v1.4.0", "v2.0.0", no()),
        report("broken", "v1.5.0", "v3.0.0", yes()),
        report("lost", "v1.4.0", "v1.0.0", yes()),
        report("lost", "v1.5.0", "v2.0.0", no()),
        report("silent", "v1.4.0", "v1.0.0", yes()),
        report("silent", "v1.5.0", "v2.0.0", grpc),
    ]);
    let since = ["since", "since_version", "state", "implementation_version"];
    for (project, expected) in [
        ("steady", ["v1.4.0", "v2.0.0", "proved", "v4.0.0"]),
        ("broken", ["v1.5.0", "v3.0.0", "proved", "v3.0.0"]),
        ("lost", ["null", "null", "unsupported", "v2.0.0"]),
        ("silent", ["null", "null", "null", "v2.0.0"]),
    ] {
        assert_eq!(of(&all, project, &since), expected, "{project}");
    }
    let why = of(&all, "silent", &["text", "release"]);
    assert_eq!(why, ["did not report GATEWAY-HTTP", "v1.5.0"]);
}

/// A refused report supports nothing, because nobody knows which of its claims are true.
#[test]
fn a_refused_report_does_not_count() {
    let extended = Level::success(1).supported(&[FEATURE]);
    let without_core = Profile::new("GATEWAY-HTTP").extended(extended).summarized();
    let all = support(&[
        report("edge", "v1.4.0", "v1.0.0", without_core.clone()),
        report("edge", "v1.5.0", "v2.0.0", yes()),
        report("new", "v1.5.0", "v1.0.0", without_core),
    ]);
    assert_eq!(of(&all, "edge", &["since", "state"]), ["v1.5.0", "proved"]);
    assert_eq!(of(&all, "new", &["since"]), ["null"]);
}

#[test]
fn every_implementation_has_an_answer_for_every_feature() {
    for files in [Some(site::of_sample(&[])), site::of_corpus(&[])] {
        let Some(files) = files else { continue };
        let all: Value = serde_json::from_slice(&files["api/v1/features.json"]).unwrap();
        let listed: Value = serde_json::from_slice(&files["api/v1/implementations.json"]).unwrap();
        let keys: Vec<_> = list(&listed["implementations"])
            .iter()
            .map(|one| &one["implementation"])
            .collect();
        for feature in list(&all["features"]) {
            let own = list(&feature["implementations"]).iter();
            let own: Vec<_> = own.map(|one| &one["implementation"]).collect();
            assert_eq!(own, keys, "{}", feature["feature"]);
        }
    }
}
