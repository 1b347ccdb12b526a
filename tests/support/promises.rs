//! What holds for the check of any bytes; shared with the fuzz targets.

use std::path::PathBuf;

use gwconform::check::{Against, Loaded, Outcome, Settings, check_lone, check_resources};
use gwconform::config::Config;
use gwconform::diagnostic::{Diagnostic, Place};
use gwconform::registry::Registry;
use gwconform::render::{self, Shown};
use gwconform::source::{Position, Source};
use gwconform::tree::{FolderRelease, Submission};

const README: &str = "reports/v1.5/acme-operator/README.md";
const REPORT: &str = "reports/v1.5/acme-operator/standard-v2.14.0-default-report.yaml";

/// Checks a submission of one README and one report in a release's folder. Panics when a promise
/// is broken; returns the findings.
#[allow(dead_code, reason = "not every fuzz target calls it")]
pub fn check_submission(release: &str, readme: &[u8], report: &[u8]) -> Vec<Diagnostic> {
    let folder = PathBuf::from(format!("/reports/{release}/acme-operator"));
    let submission = Submission {
        folder: Some("acme-operator".to_owned()),
        release: FolderRelease::parse(release),
        readme: Some(folder.join("README.md")),
        reports: vec![folder.join("standard-v2.14.0-default-report.yaml")],
        path: folder,
    };
    let run = || {
        let loaded = vec![
            Loaded::Folder {
                shown: "reports/v1.5/acme-operator".to_owned(),
            },
            Loaded::readme(Source::new(README, readme.to_vec())),
            Loaded::Report {
                source: Source::new(REPORT, report.to_vec()),
                name: "standard-v2.14.0-default-report.yaml".to_owned(),
            },
        ];
        check_lone(
            &submission,
            true,
            loaded,
            &Settings::default(),
            Registry::embedded(),
        )
    };
    let outcome = run();
    holds(
        &outcome,
        |path| if path == README { readme } else { report },
    );
    assert_eq!(outcome.findings, run().findings, "two runs differ");
    outcome.findings
}

/// Checks resources of a cluster in one file. Panics when a promise is broken; returns the findings.
#[allow(dead_code, reason = "not every fuzz target calls it")]
pub fn check_dump(dump: &[u8]) -> Vec<Diagnostic> {
    let run = || {
        let files = [Source::new("cluster.yaml", dump.to_vec())];
        let settings = Settings::default();
        check_resources(&files, Against::default(), &settings, Registry::embedded())
    };
    let outcome = run();
    holds(&outcome, |_| dump);
    let again = run();
    assert_eq!(outcome.findings, again.findings, "two runs differ");
    assert_eq!(outcome.not_checked, again.not_checked, "two runs differ");
    outcome.findings
}

/// What holds for each finding, and for what is printed.
fn holds<'t>(outcome: &Outcome, text: impl Fn(&str) -> &'t [u8]) {
    for finding in &outcome.findings {
        assert!(
            !finding.message.is_empty() && finding.message.len() < 10_000,
            "{finding:?}"
        );
        for place in
            std::iter::once(&finding.place).chain(finding.labels.iter().map(|label| &label.place))
        {
            is_inside(place, text(&place.path));
        }
    }
    let mut human = Vec::new();
    let mut json = Vec::new();
    let config = Config::default();
    let shown = Shown::new(&outcome, &config);
    render::human::write(shown, false, &mut human).expect("a vector takes all");
    render::json::write(shown, &mut json).expect("a vector takes all");
    let formats = [
        render::sarif::write,
        render::github::write,
        render::junit::write,
        render::markdown::write,
    ];
    for write in formats {
        let mut text = Vec::new();
        write(shown, &mut text).expect("a vector takes all");
        let text = String::from_utf8(text).expect("UTF-8");
        let is_seen = |c: char| c == '\n' || !c.is_control();
        assert!(text.chars().all(is_seen), "{text:?}");
    }
    let human = String::from_utf8(human).expect("UTF-8");
    assert!(
        human.chars().all(|c| c == '\n' || !c.is_control()),
        "{human:?}"
    );
}

/// The place is one of the text, found by counting lines and characters from its start, and what
/// stands there is what is marked in the lines kept with it.
fn is_inside(place: &Place, bytes: &[u8]) {
    let Some(region) = &place.region else { return };
    let text = String::from_utf8_lossy(bytes);
    assert!(region.start <= region.end, "{place:?}");
    let lines: Vec<&str> = text.split('\n').collect();
    let offset = |position: Position| {
        let line = lines
            .get(position.line as usize - 1)
            .expect("a line of the text");
        let before: usize = lines[..position.line as usize - 1]
            .iter()
            .map(|line| line.len() + 1)
            .sum();
        let mut starts = line.char_indices().map(|(at, _)| at).chain([line.len()]);
        before
            + starts
                .nth(position.column as usize - 1)
                .expect("a column of the line")
    };
    let there = &text[offset(region.start)..offset(region.end)];
    if let Some(excerpt) = &region.excerpt {
        let marked = &excerpt.text[excerpt.span.range()];
        assert!(there.starts_with(marked), "{place:?} is {there:?}");
        assert!(
            marked == there || excerpt.text.ends_with(marked),
            "{place:?} is {there:?}"
        );
    }
}
