//! Verifies a report against the log of its run, with the rules of the group `evidence`.

use std::borrow::Cow;

use crate::log::Log;
use crate::rules::{self, EvidenceContext};
use crate::{ChosenRun, Claim, Summary};
use gwconform_base::api::FolderRelease;
use gwconform_base::api::{SUBJECT, Version};
use gwconform_base::release::stated::{
    ReferenceRelease, is_legacy_folder, is_of_branch, lenient_version,
};
use gwconform_base::release::{Match, Registry, Release};
use gwconform_base::text::source::Source;
use gwconform_base::text::{counted, shell};
use gwconform_report::report::view::Report;
use gwconform_report::rules::check::{CheckReport, Checked, Counts, Settings};
use gwconform_report::statement::Statement;
use gwconform_report::tree::Submission;
use gwconform_yaml as yaml;
use gwconform_yaml::{NodeId, Yaml, YamlIssueKind};

/// Report and logs to verify.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// `None` for the report that the log prints.
    pub report: Option<&'a Source>,
    /// Submission of the report. Its folder determines the release if the report does not.
    pub submission: &'a Submission,
    /// Logs to search for the run.
    pub logs: &'a [Log],
    /// Run and release that the caller chose.
    pub choice: &'a Choice,
}

/// Choices for reports and logs that are ambiguous.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    /// Number of the run. Required if the logs contain several runs.
    pub run: Option<usize>,
    /// Known release of the suite, for reports that name no known release.
    pub release: Option<Version>,
}

/// Result of a verification.
#[derive(Debug)]
pub struct Verified {
    /// Findings of the group `evidence`.
    pub report: CheckReport,
    /// Verdict with its reason.
    pub summary: Summary,
    /// Result as `gwconform verify --out` writes it.
    pub statement: Statement,
}

/// Reason why a report cannot be verified.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The logs contain no run, or the run to use is ambiguous.
    #[error(transparent)]
    Run(#[from] crate::RunError),
    /// No report in the log, and none passed.
    #[error("{log} prints no report; name the report as well: `gwconform verify REPORT --log LOG`")]
    NotPrinted {
        /// Log path as printed.
        log: String,
    },
    /// The input is not a single, complete report.
    #[error(
        "{path}: expected one report that can be read completely; run `gwconform check` for details"
    )]
    NotAReport {
        /// Printed path.
        path: String,
    },
    /// The release is unknown.
    #[error(
        "{path}: release {release} is unknown; load its facts with --registry, or name the release whose suite ran: `{command}`"
    )]
    UnknownRelease {
        /// Printed path.
        path: String,
        /// Release in the report.
        release: String,
        /// Suggested `gwconform verify` command with `--release`.
        command: String,
    },
    /// The report names no valid release.
    #[error(
        "{path}: the report names no known release: `{field}` is {stated}; name the release whose suite ran: `{command}`. `gwconform registry import` reads the facts of another release, for --registry",
        field = SUBJECT.release_field
    )]
    NoRelease {
        /// Printed path.
        path: String,
        /// Value in backticks, or `missing`.
        stated: String,
        /// Suggested `gwconform verify` command with `--release`.
        command: String,
    },
    /// The chosen release differs from the report's known release.
    #[error(
        "{path}: the report names {stated}; --release is only for reports that name no known release"
    )]
    OtherRelease {
        /// Printed path.
        path: String,
        /// Release in the report.
        stated: String,
    },
    /// The suite of the release had no profiles.
    #[error("{path}: the suite of {release} wrote no profiles, so nothing can be computed")]
    NoProfiles {
        /// Printed path.
        path: String,
        /// Release of the suite.
        release: String,
    },
}

impl Error {
    /// True if other arguments can resolve the error. False if there is nothing to verify.
    pub fn is_usage(&self) -> bool {
        match self {
            Self::Run(error) => error.is_usage(),
            error => !matches!(error, Self::NotPrinted { .. } | Self::NoProfiles { .. }),
        }
    }
}

/// Compares a report with the log of its run.
///
/// # Errors
/// If the run, report or release cannot be determined.
pub fn verify(
    input: Input<'_>,
    settings: &Settings,
    registry: &Registry,
) -> Result<Verified, Error> {
    match input.report {
        Some(source) => {
            let yaml = yaml::load(readable(source));
            let (root, report) = one_report(source, &yaml)?;
            let chosen =
                crate::choose(input.logs, Some((source.text(), &report)), input.choice.run)?;
            let read = Read {
                source,
                yaml: &yaml,
                root,
                report: &report,
                is_printed: false,
            };
            finish(input, read, chosen, settings, registry)
        }
        None => {
            let chosen = crate::choose(input.logs, None, input.choice.run)?;
            let log = &chosen.log.path;
            let printed = chosen
                .run
                .said
                .printed
                .as_ref()
                .filter(|printed| !printed.is_cut);
            let Some(printed) = printed else {
                return Err(Error::NotPrinted { log: log.clone() });
            };
            let source = Source::new(log.clone(), printed.text.clone().into_bytes());
            let yaml = yaml::load(readable(&source));
            let (root, report) = one_report(&source, &yaml)?;
            let read = Read {
                source: &source,
                yaml: &yaml,
                root,
                report: &report,
                is_printed: true,
            };
            finish(input, read, chosen, settings, registry)
        }
    }
}

#[derive(Clone, Copy)]
struct Read<'a> {
    source: &'a Source,
    yaml: &'a Yaml<'a>,
    root: NodeId,
    report: &'a Report<'a>,
    is_printed: bool,
}

fn readable(source: &Source) -> &str {
    source.text().get(..source.valid_len()).unwrap_or_default()
}

fn one_report<'y>(source: &Source, yaml: &'y Yaml<'_>) -> Result<(NodeId, Report<'y>), Error> {
    let not_a_report = || Error::NotAReport {
        path: source.path().to_owned(),
    };
    let mut roots = yaml.documents.iter().filter_map(|document| document.root);
    let (Some(root), None) = (roots.next(), roots.next()) else {
        return Err(not_a_report());
    };
    let report = Report::read(yaml, root);
    let mut issues = yaml.issues.iter().map(|issue| issue.kind);
    // Parsers disagree about which value of a duplicate key applies.
    let is_clear = !issues.any(|kind| kind == YamlIssueKind::DuplicateKey)
        && !yaml
            .issues_left_out
            .contains_key(&YamlIssueKind::DuplicateKey);
    let is_whole = is_clear && source.is_exact() && yaml.read_to == source.text().len();
    if is_whole && report.is_recognizable() {
        Ok((root, report))
    } else {
        Err(not_a_report())
    }
}

fn reference<'r>(
    input: Input<'_>,
    read: Read<'_>,
    chosen: ChosenRun<'_>,
    registry: &'r Registry,
) -> Result<(Match<'r>, &'r Release, bool), Error> {
    let stated = read.report.stated_release.map(|text| text.value);
    let folder = input.submission.release.as_ref();
    let reference = ReferenceRelease::new(stated, folder, registry);
    let path = || read.source.path().to_owned();
    let exact = exact(input.choice, stated, registry).map_err(|stated| Error::OtherRelease {
        path: path(),
        stated,
    })?;
    let found = match (exact, &reference.version) {
        (Some(release), _) => Match::Exact(release),
        (None, Some(version)) => registry.release(version),
        (None, None) => by_tests(chosen, registry).map_or(Match::Unknown, Match::Exact),
    };
    let command = || command(read, chosen, &reference, registry);
    let Some(release) = found.release() else {
        return Err(Error::UnknownRelease {
            path: path(),
            release: stated.unwrap_or("(none)").to_owned(),
            command: command(),
        });
    };
    if release.extended_when().is_none() {
        return Err(Error::NoProfiles {
            path: path(),
            release: release.version().to_string(),
        });
    }
    // Reports up to v1.0.x do not name their release.
    let own = FolderRelease::Exact(release.version().clone());
    let is_legacy = match (exact, &reference.version) {
        (Some(release), _) => is_legacy_folder(Some(&own)) && !is_of_branch(release.version()),
        (None, Some(_)) => reference.is_legacy(),
        (None, None) => is_legacy_folder(Some(&own)),
    };
    let names_release = stated.and_then(lenient_version).is_some_and(|named| {
        named.minor() == release.version().minor()
            && (named.pre().is_none() || named == *release.version())
    });
    if exact.is_none() && !is_legacy && !names_release {
        let stated = stated.map(|text| format!("`{text}`"));
        return Err(Error::NoRelease {
            path: path(),
            stated: stated.unwrap_or_else(|| "missing".to_owned()),
            command: command(),
        });
    }
    Ok((found, release, is_legacy))
}

fn finish(
    input: Input<'_>,
    read: Read<'_>,
    chosen: ChosenRun<'_>,
    settings: &Settings,
    registry: &Registry,
) -> Result<Verified, Error> {
    let (found, release, is_legacy) = reference(input, read, chosen, registry)?;
    let claim = Claim {
        source: read.source,
        yaml: read.yaml,
        root: read.root,
        report: read.report,
        is_legacy,
        found,
        release,
        is_chosen: input.choice.release.is_some(),
        registry,
        log: chosen.log,
        run: chosen.run,
    };
    let comparison = crate::compare(&claim);
    let summary = Summary::new(&claim, &chosen, &comparison);
    let printed = chosen.run.said.printed.as_ref().filter(|_| read.is_printed);
    let cx = EvidenceContext {
        claim: &claim,
        comparison: &comparison,
        printed,
    };
    Ok(Verified {
        report: run_rules(&cx, settings),
        statement: crate::statement(&claim, &comparison, summary.verdict),
        summary,
    })
}

/// The chosen release, or the prerelease or branch in the report. The error is the report's known
/// release, if it differs from the choice.
fn exact<'r>(
    choice: &Choice,
    stated: Option<&str>,
    registry: &'r Registry,
) -> Result<Option<&'r Release>, String> {
    let exact = |version: &Version| match registry.release(version) {
        Match::Exact(release) => Some(release),
        _ => None,
    };
    let stated = stated.and_then(lenient_version);
    let Some(chosen) = &choice.release else {
        let unreleased = stated.filter(|version| version.pre().is_some());
        return Ok(unreleased.and_then(|version| exact(&version)));
    };
    match stated.filter(|version| version != chosen && exact(version).is_some()) {
        Some(stated) => Err(stated.to_string()),
        None => Ok(exact(chosen)),
    }
}

fn command(
    read: Read<'_>,
    chosen: ChosenRun<'_>,
    reference: &ReferenceRelease,
    registry: &Registry,
) -> String {
    let minor = reference.version.as_ref().map(Version::minor);
    let of_minor = minor.and_then(|minor| registry.newest_patch_of(minor));
    let suite = of_minor.filter(|release| release.extended_when().is_some());
    let release = suite.or(registry.newest());
    let release = release.map_or_else(String::new, |release| release.version().to_string());
    let word = |path: &str| shell::word(path).map_or_else(|| "FILE".to_owned(), Cow::into_owned);
    let report = if read.is_printed {
        String::new()
    } else {
        format!("{} ", word(read.source.path()))
    };
    let log = word(&chosen.log.path);
    format!("gwconform verify {report}--log {log} --release {release}")
}

/// Newest release with exactly the tests of the run. Suites up to v1.0.x wrote `TODO` as the
/// release.
fn by_tests<'r>(chosen: ChosenRun<'_>, registry: &'r Registry) -> Option<&'r Release> {
    let tests = &chosen.run.tests;
    let mut newest_first = registry.released().rev();
    newest_first.find(|release| {
        release.tests().count() == tests.len()
            && tests.keys().all(|test| release.test(test).is_some())
    })
}

fn run_rules(cx: &EvidenceContext<'_>, settings: &Settings) -> CheckReport {
    let path = cx.claim.source.path();
    let mut outcome = CheckReport {
        counts: Counts {
            reports: 1,
            ..Counts::default()
        },
        checked: vec![Checked {
            path: path.to_owned(),
            submission: String::new(),
        }],
        ..CheckReport::default()
    };
    outcome.run_all(rules::evidence::RULES, settings, path, cx);
    let log = &cx.claim.log.path;
    if cx.claim.log.cut_lines > 0 {
        let lines = counted(cx.claim.log.cut_lines, "line");
        let reason = format!("the rest of {lines} of more than 64 KiB");
        outcome.skipped(log.as_str(), reason);
    }
    for (test, mark) in cx
        .comparison
        .other_skips
        .iter()
        .take(crate::rules::MAX_FINDINGS)
    {
        let reason = format!(
            "why {test} was skipped (line {}): the log does not show the reason",
            mark.line
        );
        outcome.skipped(log.as_str(), reason);
    }
    outcome.sort();
    outcome
}
