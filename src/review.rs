//! A change under review: what differs from an earlier revision, and what the site will show once
//! it is merged.
//!
//! The caller names the files that differ (`cli::since` asks git). Reports are paired by content: by
//! the same bytes, else by the same path, else by the same identity.

pub mod diff;
pub mod lists;
mod addresses;
mod files;
mod known;
mod moves;
mod pairs;
mod stricter;
mod verdicts;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::api::{Family, Minor};
use crate::certify::catalog::{Catalog, First, Parts, Predecessor};
use crate::certify::details::Details;
use crate::certify::{AsOf, Reviews, Standing};
use crate::release::Registry;
use crate::report::facts::ReportFacts;
use crate::review::diff::{Diff, diff};
use crate::rules::check::{self, CheckReport, Settings, Skipped};
use crate::rules::configuration::Config;
use crate::rules::{ChangeContext, Pair};
use crate::text::diagnostic::{Diagnostic, Place};
use crate::text::message::Message;

use files::is_attributes_of;
pub use files::{Role, role, submission_of};
pub use known::KnownFindings;
pub(crate) use moves::Moves;
pub use verdicts::Verdict;

/// A file that differs from the earlier revision.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct File {
    /// Absolute path.
    pub path: PathBuf,
    /// The path as it is printed.
    pub shown: String,
    /// It was there in the earlier revision.
    pub was_there: bool,
    /// It is there now.
    pub is_there: bool,
    /// It is or was a link.
    pub is_link: bool,
}

/// What is known of the earlier revision.
#[derive(Debug)]
pub struct BaseRevision {
    /// The revision, as it was named.
    pub revision: String,
    /// The commit that is compared with: the last one that the revision and the work here share.
    pub commit: String,
    /// The day that verdicts before and after are for; `None` for that of the reports.
    pub day: Option<jiff::civil::Date>,
    /// When the work that is compared was committed; `None` when a part of it is not.
    pub committed: Option<jiff::Timestamp>,
    /// The files that differ, by path.
    pub files: Vec<File>,
    /// The facts of the reports among these files, as they were.
    pub reports: Vec<ReportFacts>,
    /// Earlier reports that could not be read, and why.
    pub not_read: Vec<Skipped>,
}

/// What a change does.
#[derive(Debug)]
pub struct Review {
    /// The revision, as it was named.
    pub revision: String,
    /// The commit that is compared with.
    pub commit: String,
    /// The submissions that the change touches, as they are printed.
    pub touched: Vec<String>,
    /// The findings that were there before; none of them counts.
    pub before: KnownFindings,
    /// How much was not checked in submissions that it does not touch.
    pub not_checked_elsewhere: usize,
    /// The reports that it touches, by path.
    pub reports: Vec<ReportChange>,
    /// What implementations were and will be: those of the reports, and those whose verdict is
    /// another.
    pub verdicts: Vec<VerdictChange>,
    /// All implementations.
    pub all_verdicts: Vec<VerdictChange>,
    /// Safe fixes of lines that the change brings, where they were asked for.
    pub suggestions: Vec<Suggestion>,
    /// The newest minor before and after, where the change makes another one the newest.
    pub newest: Option<(Minor, Minor)>,
}

/// A report that a change touches.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReportChange {
    /// Its path; of a deleted one, its former path.
    pub path: String,
    /// What happened to it.
    pub kind: ReportChangeKind,
    /// The report that it is compared with: its earlier version, else the one that came before it.
    pub before: Option<String>,
    /// Why that is of another channel or mode; null when it is of the same.
    #[cfg_attr(test, schemars(extend("examples" = ["first standard report since v1.0"])))]
    pub first: Option<First>,
    /// What it shows less of, more of, and otherwise.
    #[serde(flatten)]
    pub diff: Diff,
}

/// What happened to a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ReportChangeKind {
    /// It is new.
    New,
    /// It is another text under the same path.
    Changed,
    /// It is the same text under another path.
    Moved,
    /// It is another text under another path.
    MovedAndChanged,
    /// It takes the place of another one, such as of its release candidate.
    Replaced,
    /// It is gone.
    Deleted,
}

impl ReportChangeKind {
    /// In words, as every output has them.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Changed => "changed",
            Self::Moved => "moved",
            Self::MovedAndChanged => "moved and changed",
            Self::Replaced => "replaced",
            Self::Deleted => "deleted",
        }
    }
}

/// A safe fix of lines that a change brings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// The README, from the top of the repository, always with `/`.
    pub path: String,
    /// The first line that is replaced, from 1.
    pub first_line: usize,
    /// The last one.
    pub last_line: usize,
    /// The lines that take their place, without their ends.
    pub lines: Vec<String>,
    /// The messages of the findings that it fixes.
    pub messages: Vec<Message>,
}

/// What an implementation was and will be in a family of profiles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct VerdictChange {
    /// The name to show.
    pub name: String,
    /// As in its reports.
    pub organization: String,
    /// As in its reports.
    pub project: String,
    /// `gateway` or `mesh`.
    pub family: Family,
    /// Before; null when it had no profile of the family.
    pub before: Option<Verdict>,
    /// After.
    pub after: Option<Verdict>,
    /// The change touches one of its submissions.
    #[serde(skip)]
    pub is_touched: bool,
}

impl VerdictChange {
    /// What it was.
    pub fn standing_before(&self) -> Option<Standing> {
        self.before.as_ref().map(|verdict| verdict.standing)
    }

    /// What it will be.
    pub fn standing(&self) -> Option<Standing> {
        self.after.as_ref().map(|verdict| verdict.standing)
    }
}

/// What a review is made with.
#[derive(Clone, Copy)]
pub struct ReviewContext<'a> {
    /// The tree's folder, absolute.
    pub root: &'a Path,
    /// How paths are printed.
    pub display: &'a dyn Fn(&Path) -> String,
    /// Which rules run.
    pub settings: &'a Settings,
    /// The facts of the releases.
    pub registry: &'a Registry,
    /// Names, windows and the newest minor, for before and after.
    pub config: &'a Config,
    /// The configuration that gave implementations their addresses before.
    pub config_before: &'a Config,
    /// The one that will.
    pub config_after: &'a Config,
    /// The configuration, if the change touches no other file: its path as it is printed.
    pub config_alone: Option<&'a str>,
    /// What stands beside the tree about the implementations.
    pub details: &'a [Details],
}

/// Compares a checked tree with an earlier revision. `all_before` are all of its reports: what a change adds
/// can dispute a report that it does not touch. The findings of the rules about changes go to
/// the outcome.
pub(crate) fn review(
    outcome: &mut CheckReport,
    earlier: &BaseRevision,
    all_before: Vec<ReportFacts>,
    with: ReviewContext<'_>,
) -> (Review, Moves) {
    // Verdicts rest on reports alone, so that the findings stay where the rules put more of them.
    let now = CheckReport {
        reports: std::mem::take(&mut outcome.reports),
        ..CheckReport::default()
    };
    let changed = earlier.shown(|_| true);
    let touched_now: Vec<&ReportFacts> = (now.reports.iter())
        .filter(|facts| changed.contains(facts.path.as_str()))
        .collect();
    let pairs = pairs::of(&earlier.reports, &touched_now, with.settings.names());
    let touched: BTreeMap<PathBuf, String> = earlier
        .files
        .iter()
        .filter_map(|file| submission_of(file, with.root))
        .map(|folder| {
            let shown = (with.display)(&folder);
            (folder, shown)
        })
        .collect();
    let others = Vec::from_iter(earlier.shown(|file| role(file, with.root) == Role::Other));
    let attributes = Vec::from_iter(earlier.shown(|file| is_attributes_of(file, with.root)));
    let shown_root = (with.display)(with.root);
    let before = CheckReport {
        reports: all_before,
        ..CheckReport::default()
    };
    // A commit is not older than its reports.
    let named = before.reports.iter();
    let reached = Reviews::reached(named.filter_map(|facts| Some((names(facts)?, facts))));
    let as_of = earlier.day.max(reached).map_or(AsOf::Reports, AsOf::Day);
    let parts = |outcome| Parts {
        as_of,
        ..parts(outcome, with.config, with)
    };
    let catalog_before = Catalog::new(parts(&before));
    let catalog_after = Catalog::new(parts(&now));
    // What the change takes away may still be what a new report is compared with.
    let gone = pairs.iter().filter(|pair| pair.after.is_none());
    let gone: Vec<ReportFacts> = gone.filter_map(|pair| pair.before.cloned()).collect();
    let with_gone = (!gone.is_empty()).then(|| CheckReport {
        reports: (now.reports.iter().cloned()).chain(gone).collect(),
        ..CheckReport::default()
    });
    let catalog_with_gone = (with_gone.as_ref()).map(|all| Catalog::new(parts(all)));
    let catalog_of_both = catalog_with_gone.as_ref().unwrap_or(&catalog_after);
    let implementations = implementations(
        names_of(&touched, &now.reports, &earlier.reports),
        &[&catalog_after, &catalog_before],
    );
    let catalogs = [&catalog_before, &catalog_after];
    let moved = addresses::moved(catalogs, [&before, &now], &pairs, &changed, with);
    let cx = ChangeContext {
        revision: &earlier.revision,
        root: &shown_root,
        pairs: &pairs,
        others: &others,
        attributes: &attributes,
        implementations: &implementations,
        moved: &moved,
        config_alone: with.config_alone,
        committed: earlier.committed,
        registry: with.registry,
    };
    check::apply_changes(outcome, &cx, with.settings, &shown_root);
    let all_verdicts = verdicts::all(&catalog_before, &catalog_after, &implementations);
    let review = Review {
        revision: earlier.revision.clone(),
        commit: earlier.commit.clone(),
        touched: touched.into_values().collect(),
        before: KnownFindings::default(),
        not_checked_elsewhere: 0,
        reports: report_changes(&pairs, catalog_of_both, with.registry),
        verdicts: verdicts::of_interest(&all_verdicts),
        suggestions: Vec::new(),
        newest: (catalog_before.minors.newest())
            .zip(catalog_after.minors.newest())
            .filter(|(before, after)| before != after),
        all_verdicts,
    };
    let moves = Moves::new(&pairs, earlier, &outcome.checked);
    outcome.reports = now.reports;
    outcome.skipped.extend(earlier.not_read.iter().cloned());
    outcome.skipped.sort();
    (review, moves)
}

fn parts<'a>(outcome: &'a CheckReport, config: &'a Config, with: ReviewContext<'a>) -> Parts<'a> {
    Parts {
        outcome,
        registry: with.registry,
        config,
        latest: None,
        as_of: AsOf::Reports,
        details: with.details,
    }
}

/// Organization and project of all reports, now or before, in the submissions that are touched.
fn names_of<'f>(
    touched: &BTreeMap<PathBuf, String>,
    now: &'f [ReportFacts],
    before: &'f [ReportFacts],
) -> BTreeSet<(&'f str, &'f str)> {
    let all = now.iter().chain(before);
    let of_touched = all.filter(|facts| touched.contains_key(&facts.submission));
    of_touched.filter_map(names).collect()
}

/// The implementations that have some names, each by the name that the first of the catalogs has it
/// by.
fn implementations<'f>(
    names: BTreeSet<(&'f str, &'f str)>,
    catalogs: &[&Catalog<'f>],
) -> BTreeSet<(&'f str, &'f str)> {
    let known: Vec<_> = catalogs.iter().map(|catalog| catalog.names()).collect();
    let usual = |name| {
        let one = known.iter().find_map(|names| names.get(&name))?;
        Some((one.organization, one.project))
    };
    names
        .into_iter()
        .map(|name| usual(name).unwrap_or(name))
        .collect()
}

impl BaseRevision {
    /// The files that differ and that `which` chooses, as they are printed.
    pub(crate) fn shown(&self, which: impl Fn(&File) -> bool) -> BTreeSet<&str> {
        let files = self.files.iter().filter(|file| which(file));
        files.map(|file| file.shown.as_str()).collect()
    }
}

/// Organization and project of the reports that existed before. `now` are the reports that exist
/// now.
pub fn known_before<'f>(
    now: &'f [ReportFacts],
    earlier: &'f BaseRevision,
) -> BTreeSet<(&'f str, &'f str)> {
    let changed = earlier.shown(|_| true);
    let kept = now
        .iter()
        .filter(|facts| !changed.contains(facts.path.as_str()));
    kept.chain(&earlier.reports).filter_map(names).collect()
}

fn names(facts: &ReportFacts) -> Option<(&str, &str)> {
    Some((facts.organization()?, facts.project()?))
}

fn report_changes(
    pairs: &[Pair<'_>],
    catalog: &Catalog<'_>,
    registry: &Registry,
) -> Vec<ReportChange> {
    let mut predecessors: BTreeMap<(&str, usize), (&ReportFacts, &Predecessor)> = BTreeMap::new();
    for (implementation, report) in catalog.reports() {
        if let Some(before) = &report.before {
            let facts = report.judged.facts;
            predecessors.insert(
                (&facts.path, facts.document),
                (implementation.reports[before.at].judged.facts, before),
            );
        }
    }
    let changes = pairs.iter().filter_map(|pair| {
        let (kind, path) = match (pair.before, pair.after) {
            // A file with another mode only is the same report.
            (Some(before), Some(after))
                if before.path == after.path && before.digest == after.digest =>
            {
                return None;
            }
            (Some(before), Some(after)) => {
                let kind = match (before.path == after.path, before.digest == after.digest) {
                    (true, _) => ReportChangeKind::Changed,
                    (false, true) => ReportChangeKind::Moved,
                    (false, false) if pair.is_replacement() => ReportChangeKind::Replaced,
                    (false, false) => ReportChangeKind::MovedAndChanged,
                };
                (kind, after)
            }
            (None, Some(after)) => (ReportChangeKind::New, after),
            (Some(before), None) => (ReportChangeKind::Deleted, before),
            (None, None) => return None,
        };
        let own = pair.before.map(|before| (before, None));
        let chosen = pair.after.and_then(|after| {
            let chosen = predecessors.get(&(after.path.as_str(), after.document))?;
            Some((chosen.0, chosen.1.first.clone()))
        });
        let before = own.or(chosen).filter(|_| pair.after.is_some());
        let compared = before.as_ref().map(|(before, _)| *before).zip(pair.after);
        Some(ReportChange {
            path: path.path.clone(),
            kind,
            before: before.as_ref().map(|(before, _)| before.path.clone()),
            first: before.and_then(|(_, first)| first),
            diff: compared.map_or_else(Diff::default, |(before, after)| {
                diff(before, after, registry)
            }),
        })
    });
    let mut sorted: Vec<_> = changes.collect();
    sorted.sort_by(|a, b| a.path.cmp(&b.path));
    sorted
}

/// The folders above a path, as they are printed.
fn folders_of(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[..at])
}

/// Of two places that a finding can be at, the one that the change brings is the one to look at.
fn turn_to_change(finding: &mut Diagnostic, files: &BTreeSet<&str>) {
    let is_there = |place: &Place| files.contains(&*place.path);
    if is_there(&finding.place) {
        return;
    }
    let label = finding
        .labels
        .iter_mut()
        .find(|label| is_there(&label.place));
    if let (Some(label), Some(message)) = (label, finding.at_label.take()) {
        std::mem::swap(&mut finding.place, &mut label.place);
        finding.message = message;
    }
}

impl Review {
    /// Puts the findings of the outcome, which are those that the change brings, to what it touches,
    /// and counts what was not checked elsewhere. `earlier` names the files that differ.
    pub fn restrict_to_touched(&mut self, outcome: &mut CheckReport, earlier: &BaseRevision) {
        let files = earlier.shown(|_| true);
        let submissions: BTreeSet<&str> = self.touched.iter().map(String::as_str).collect();
        let is_touched = |path: &str| {
            let mut folders = folders_of(path);
            files.contains(path)
                || submissions.contains(path)
                || folders.any(|folder| submissions.contains(folder))
                // Run in a submission: what is not below it is printed from the root.
                || (submissions.contains(".") && !path.starts_with('/'))
        };
        for finding in &mut outcome.findings {
            turn_to_change(finding, &files);
        }
        outcome.sort();
        // Of a finding on both of two files, both are at the one that the change touches now.
        outcome.findings.dedup_by(|a, b| {
            let is_same_place = a.place.sort_key() == b.place.sort_key();
            is_same_place && (a.rule, &a.subject, &a.message) == (b.rule, &b.subject, &b.message)
        });
        let others: BTreeSet<String> = outcome
            .checked
            .iter()
            .map(|checked| checked.submission.clone())
            .collect();
        let is_of_other = |path: &str| {
            let mut folders = folders_of(path);
            !is_touched(path) && folders.any(|folder| others.contains(folder))
        };
        outcome.checked.retain(|checked| is_touched(&checked.path));
        // What belongs to another submission is counted; what belongs to none concerns everyone.
        let all = outcome.skipped.len();
        outcome
            .skipped
            .retain(|left_out| !is_of_other(&left_out.path));
        self.not_checked_elsewhere = all - outcome.skipped.len();
    }
}
