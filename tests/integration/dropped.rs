//! Features that implementations no longer support: `gwconform features --dropped`.

use crate::support::folder::{Folder, TREE};
use crate::support::report::{Level, Profile, ReportBuilder};

fn add(
    folder: &Folder,
    [project, release, version]: [&str; 3],
    supported: &[&str],
    unsupported: &[&str],
) {
    let extended = Level::success(3).supported(supported);
    let extended = match unsupported {
        [] => extended,
        unsupported => extended.unsupported(unsupported),
    };
    let profile = Profile::new("GATEWAY-HTTP").core(Level::success(33));
    let report = ReportBuilder::new()
        .project(project)
        .version(version)
        .release(release)
        .date(&format!(
            "2026-05-1{}T10:15:30Z",
            version.len() + project.len() - 9
        ))
        .profiles([profile.extended(extended).summarized()]);
    let minor = release.rsplit_once('.').unwrap().0;
    let path = format!("{TREE}/{minor}/acme-{project}/standard-{version}-default-report.yaml");
    folder.file(&path, report.build());
}

#[test]
fn features_that_the_newest_report_no_longer_supports_are_listed() {
    let folder = Folder::new();
    let (cors, port) = ("HTTPRouteCORS", "HTTPRoutePortRedirect");
    add(&folder, ["edge", "v1.5.1", "v1.0.0"], &[cors, port], &[]);
    add(&folder, ["edge", "v1.6.2", "v1.10.0"], &[cors], &[port]);
    add(&folder, ["steady", "v1.5.1", "v1.0.0"], &[cors], &[port]);
    add(&folder, ["steady", "v1.6.2", "v1.10.0"], &[cors, port], &[]);
    let json = folder.json(&format!("features --dropped --in {TREE}"));
    let rows: Vec<_> = json["dropped"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let [old, new] = [&one["older"], one]
                .map(|report| report["implementation_version"].as_str().unwrap());
            let claim = one["claim"].as_str().unwrap();
            let (slug, feature) = (
                one["implementation"].as_str().unwrap(),
                one["feature"].as_str().unwrap(),
            );
            format!("{slug} {feature} {claim} {old} {new}")
        })
        .collect();
    assert_eq!(
        rows,
        ["acme/edge HTTPRoutePortRedirect unsupported v1.0.0 v1.10.0"]
    );
    let page = folder
        .run(&format!("features --dropped --in {TREE}"))
        .stdout;
    assert!(
        page.starts_with("Features dropped by 1 implementation\n"),
        "{page}"
    );
}

#[test]
fn a_tree_without_a_question_is_a_usage_error() {
    let output = Folder::with_tree().run("features --in conformance/reports");
    let message = "error: --in requires the name of a feature, or --dropped\n";
    assert_eq!((output.code, output.stderr.as_str()), (2, message));
}
