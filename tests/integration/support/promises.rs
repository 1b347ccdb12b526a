//! Invariants of checks for arbitrary bytes, shared with the fuzz targets.
#![allow(dead_code, reason = "each fuzz target uses a part of it")]

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;

use gwconform::print::needs::NeedsInput;
use gwconform::print::{self, RenderInput};
use gwconform_base::api::FolderRelease;
use gwconform_base::release::Registry;
use gwconform_base::text::change::Change;
use gwconform_base::text::diagnostic::{Diagnostic, Place};
use gwconform_base::text::json;
use gwconform_base::text::source::{Position, Source};
use gwconform_cluster::resources::{Against, ResourceReport, check_resources};
use gwconform_cluster::support::{self, check_needs};
use gwconform_report::report::facts::ReportFacts;
use gwconform_report::rules::check::{
    Applicability, CheckReport, FixContext, FixResult, Placement, Settings, apply_fixes, check_lone,
};
use gwconform_report::rules::configuration::Config;
use gwconform_report::tree::load::Loaded;
use gwconform_report::tree::{LinkTarget, Submission, Tree};

const README: &str = "reports/v1.5/acme-operator/README.md";
const REPORT: &str = "reports/v1.5/acme-operator/standard-v2.14.0-default-report.yaml";

/// Checks a README and a report in a release folder. Panics if an invariant is violated.
pub fn check_submission(release: &str, readme: &[u8], report: &[u8]) -> Vec<Diagnostic> {
    let outcome = look_at_submission(release, readme, report);
    are_printed(&outcome);
    let again = outcome_of(release, readme, report);
    assert_eq!(outcome.findings, again.findings, "two runs differ");
    outcome.findings
}

pub fn look_at_submission(release: &str, readme: &[u8], report: &[u8]) -> CheckReport {
    let outcome = outcome_of(release, readme, report);
    let texts = Texts::of([(README, readme), (REPORT, report)]);
    are_inside(&outcome, &texts);
    outcome
}

pub fn outcome_of(release: &str, readme: &[u8], report: &[u8]) -> CheckReport {
    let folder = PathBuf::from(format!("/reports/{release}/acme-operator"));
    let submission = Submission {
        folder: Some("acme-operator".to_owned()),
        release: FolderRelease::parse(release),
        misnamed_readme: None,
        readme: Some(folder.join("README.md")),
        reports: vec![folder.join("standard-v2.14.0-default-report.yaml")],
        path: folder,
    };
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
    let settings = Settings::default();
    check_lone(
        &submission,
        Placement::InTree,
        loaded,
        &settings,
        Registry::embedded(),
    )
}

/// Checks cluster resources in one file. Panics if an invariant is violated.
pub fn check_dump(dump: &[u8]) -> Vec<Diagnostic> {
    let found = look_at_dump(dump);
    are_printed_as(RenderInput::of_resources(&found, &Config::default()));
    let again = outcome_of_dump(dump).report;
    assert_eq!(found.report.findings, again.findings, "two runs differ");
    assert_eq!(found.report.skipped, again.skipped, "two runs differ");
    found.report.findings
}

pub fn look_at_dump(dump: &[u8]) -> ResourceReport {
    let found = outcome_of_dump(dump);
    are_inside(&found.report, &Texts::of([(DUMP, dump)]));
    found
}

pub fn look_at_needs(dump: &[u8], report: Option<&ReportFacts>) {
    let sources = [Source::new(DUMP, dump.to_vec())];
    let found = || {
        let against = support::Against {
            report,
            ..support::Against::default()
        };
        check_needs(
            &sources,
            &against,
            &Settings::default(),
            Registry::embedded(),
        )
    };
    let first = found().expect("no tree is asked");
    are_inside(&first.findings, &Texts::of([(DUMP, dump)]));
    assert_eq!(first.needs.read.files, 1);
    let places = first.needs.certain.iter().chain(&first.needs.perhaps);
    for place in places.flat_map(|need| &need.places.kept) {
        assert!(
            place.place.line > 0 && place.pointer.starts_with('/'),
            "{place:?}"
        );
    }
    let input = NeedsInput {
        found: &first,
        site: None,
        is_all: true,
    };
    let page = print::needs::page(input);
    let json = json::to_string_pretty(&first).expect("a text");
    for text in [&page.human(80), &page.markdown(), &json] {
        let is_hidden = |c: char| c.is_control() && c != '\n';
        assert!(!text.contains(is_hidden), "{text}");
    }
    serde_json::from_str::<serde_json::Value>(&json).expect("JSON");
    let again = found().expect("no tree is asked");
    assert_eq!(
        first.findings.findings, again.findings.findings,
        "two runs differ"
    );
}

const DUMP: &str = "cluster.yaml";

fn outcome_of_dump(dump: &[u8]) -> ResourceReport {
    let files = [Source::new(DUMP, dump.to_vec())];
    let settings = Settings::default();
    check_resources(&files, Against::default(), &settings, Registry::embedded())
}

/// Selects one of `n` inputs deterministically, for expensive checks.
pub fn is_one_of(n: u32, bytes: &[u8]) -> bool {
    let mix = |hash: u32, byte: &u8| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
    bytes.iter().fold(0x811c_9dc5, mix) % n == 0
}

fn are_inside(outcome: &CheckReport, texts: &Texts<'_>) {
    for finding in &outcome.findings {
        assert!(
            !finding.message.is_empty() && finding.message.to_string().len() < 10_000,
            "{finding:?}"
        );
        for place in
            std::iter::once(&finding.place).chain(finding.labels.iter().map(|label| &label.place))
        {
            texts.hold(place);
        }
    }
}

pub fn are_printed(outcome: &CheckReport) {
    are_printed_as(RenderInput::new(outcome, &Config::default()));
}

fn are_printed_as(shown: RenderInput<'_>) {
    let mut human = Vec::new();
    let mut json = Vec::new();
    print::human::write(shown, print::Styling::Plain, &mut human).expect("a vector takes all");
    print::json::write(shown, &mut json).expect("a vector takes all");
    let formats = [
        print::sarif::write,
        print::github::write,
        print::junit::write,
        print::markdown::write,
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

struct Texts<'t>(BTreeMap<&'static str, (Cow<'t, str>, Vec<usize>)>);

impl<'t> Texts<'t> {
    fn of(files: impl IntoIterator<Item = (&'static str, &'t [u8])>) -> Self {
        let files = files.into_iter().map(|(path, bytes)| {
            let text = String::from_utf8_lossy(bytes);
            let ends = text.match_indices('\n').map(|(at, _)| at + 1);
            let lines = std::iter::once(0).chain(ends).collect();
            (path, (text, lines))
        });
        Self(files.collect())
    }

    fn hold(&self, place: &Place) {
        let Some(region) = &place.region else { return };
        let (text, lines) = &self.0[&*place.path];
        assert!(region.start <= region.end, "{place:?}");
        let offset = |position: Position| {
            let line = lines
                .get(position.line as usize - 1)
                .expect("a line of the text");
            let end = lines
                .get(position.line as usize)
                .map_or(text.len(), |next| next - 1);
            let characters = &text[*line..end];
            let mut starts = characters
                .char_indices()
                .map(|(at, _)| at)
                .chain([characters.len()]);
            line + starts
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
}

/// Applies safe fixes, then all fixes. Panics if a report changes, a finding is added, or a second
/// run fixes anything.
pub fn fix_submission(release: &str, readme: &[u8], report: &[u8]) {
    for level in [Applicability::Safe, Applicability::Unsafe] {
        fix_submission_at(level, release, readme, report);
    }
}

pub fn fix_submission_at(level: Applicability, release: &str, readme: &[u8], report: &[u8]) {
    let mut files = Files {
        release: release.to_owned(),
        readme: readme.to_vec(),
        name: NAME.to_owned(),
        report: report.to_vec(),
    };
    let before = files.counts();
    let first = files.fix(level);
    files.apply(&first);
    let after = files.counts();
    for (rule, count) in &after {
        assert!(
            before.get(rule).is_some_and(|before| count <= before),
            "{rule}: {count} findings, {:?} before, of {:?}",
            before.get(rule),
            String::from_utf8_lossy(&files.readme)
        );
    }
    for (rule, count) in &first.fixed {
        let is_gone = before[rule] - after.get(rule).copied().unwrap_or_default();
        assert_eq!(*count, is_gone, "{rule}");
    }
    assert_eq!(first.fixed.is_empty(), first.changes.is_empty());
    let second = files.fix(level);
    assert!(second.changes.is_empty(), "{second:?}");
    assert_eq!(second.skipped, first.skipped, "{level:?}");
    let changed = String::from_utf8_lossy(&files.readme);
    gwconform_report::tree::readme::parse(&changed);
}

const NAME: &str = "standard-v2.14.0-default-report.yaml";

fn tree() -> Tree {
    Tree {
        root: PathBuf::from("/no/reports"),
        base: PathBuf::from("/no"),
        is_whole: true,
        is_loose: false,
        aliases: BTreeMap::new(),
        releases: Vec::new(),
        submissions: Vec::new(),
        unexpected: Vec::new(),
        folder: None,
    }
}

struct Files {
    release: String,
    readme: Vec<u8>,
    name: String,
    report: Vec<u8>,
}

impl Files {
    fn submission(&self) -> Submission {
        let folder = PathBuf::from(format!("/no/reports/{}/acme-operator", self.release));
        Submission {
            folder: Some("acme-operator".to_owned()),
            release: FolderRelease::parse(&self.release),
            misnamed_readme: None,
            readme: Some(folder.join("README.md")),
            reports: vec![folder.join(&self.name)],
            path: folder,
        }
    }

    fn loaded(&self) -> Vec<Loaded> {
        let folder = format!("reports/{}/acme-operator", self.release);
        vec![
            Loaded::Folder {
                shown: folder.clone(),
            },
            self.loaded_readme(&folder),
            Loaded::Report {
                source: Source::new(format!("{folder}/{}", self.name), self.report.clone()),
                name: self.name.clone(),
            },
        ]
    }

    fn loaded_readme(&self, folder: &str) -> Loaded {
        let source = Source::new(format!("{folder}/README.md"), self.readme.clone());
        let mut loaded = Loaded::readme_in(source, &tree(), &self.submission().path);
        if let Loaded::Readme { link_targets, .. } = &mut loaded {
            for link_target in link_targets {
                if let LinkTarget::Inside {
                    own: Some(own),
                    exists,
                    ..
                } = link_target
                {
                    *exists |= *own == self.name;
                }
            }
        }
        loaded
    }

    fn counts(&self) -> BTreeMap<&'static str, usize> {
        let (settings, registry) = (Settings::default(), Registry::embedded());
        let outcome = check_lone(
            &self.submission(),
            Placement::InTree,
            self.loaded(),
            &settings,
            registry,
        );
        let mut counts = BTreeMap::new();
        for finding in outcome.findings {
            *counts.entry(finding.rule).or_default() += 1;
        }
        counts
    }

    fn fix(&self, level: Applicability) -> FixResult {
        let tree = tree();
        let cx = FixContext {
            tree: Some(&tree),
            settings: &Settings::default(),
            registry: Registry::embedded(),
            level,
            may_rename: true,
            ignore: &|_| {},
        };
        apply_fixes(&self.submission(), self.loaded(), &cx)
    }

    fn apply(&mut self, result: &FixResult) {
        for change in result.changes.changes() {
            match change {
                Change::Edit {
                    path,
                    before,
                    after,
                } => {
                    assert!(path.ends_with("/README.md"), "{path}");
                    assert_eq!(before.as_bytes(), self.readme);
                    self.readme = after.clone().into_bytes();
                }
                Change::Rename { path, to, .. } => {
                    assert!(path.ends_with(&self.name), "{path}");
                    self.name = to.rsplit('/').next().expect("a name").to_owned();
                }
                Change::Create { path, .. } => panic!("{path} is made"),
            }
        }
    }
}
