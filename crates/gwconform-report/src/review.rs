//! Compares a tree with an earlier revision, and previews the verdicts after the merge. The caller
//! provides the changed files (`src/cli/git`).

pub mod diff;
pub mod dropped;
mod addresses;
mod file_roles;
mod first_report;
mod known_findings;
mod merge;
mod moves;
mod pairs;
mod renames;
mod verdicts;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use crate::certify::catalog::{Catalog, First, Parts, Predecessor, judged};
use crate::certify::details::Details;
use crate::certify::{AsOf, Standing};
use crate::document::{self, ImplementationRef};
use crate::report::facts::ReportFacts;
use crate::report::naming::folded_pair;
use crate::review::diff::{Diff, diff};
use crate::rules::check::{self, CheckReport, Settings, Skipped};
use crate::rules::configuration::Config;
use crate::rules::{ChangeContext, ConfiguredNames, Known, Pair, Rename};
use gwconform_base::api::Family;
use gwconform_base::release::Registry;
use gwconform_base::text::diagnostic::{Diagnostic, Place};
use gwconform_base::text::message::Message;

use file_roles::is_attributes_of;
pub use file_roles::{Role, role, submission_of};
pub use first_report::{FirstProfile, FirstReport};
pub use known_findings::KnownFindings;
pub use moves::Moves;
pub use verdicts::{ProfileLoss, ProfileStatus, Verdict};

/// File that a change adds, edits or deletes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct File {
    /// Absolute path of the file.
    pub path: PathBuf,
    /// Printed path of the file.
    pub shown: String,
    /// True for files in the earlier revision.
    pub was_there: bool,
    /// True for files that exist now.
    pub is_there: bool,
    /// True for current and former symbolic links.
    pub is_link: bool,
    /// Absolute path of the submission that contains the file, if any.
    pub submission: Option<PathBuf>,
}

/// Earlier revision that a change is compared with.
#[derive(Debug)]
pub struct BaseRevision {
    /// Revision as named by the user.
    pub revision: String,
    /// Merge base of the revision and the current work.
    pub commit: String,
    /// Time of the last commit. `None` if the tree has uncommitted changes.
    pub committed: Option<jiff::Timestamp>,
    /// Changed files, sorted by path.
    pub files: Vec<File>,
    /// Reports of the revision, for changed files only.
    pub reports: Vec<ReportFacts>,
    /// Earlier reports that could not be read, with reasons.
    pub not_read: Vec<Skipped>,
}

/// Effects of a change on reports and verdicts.
#[derive(Debug)]
pub struct Review {
    /// Revision as named by the user.
    pub revision: String,
    /// Merge base of `revision` and the current work.
    pub commit: String,
    /// Printed paths of touched submissions.
    pub touched: Vec<String>,
    /// Findings that already existed.
    pub before: KnownFindings,
    /// Touched reports, sorted by path.
    pub reports: Vec<ReportChange>,
    /// Verdicts on touched implementations, and other verdicts that change.
    pub verdicts: Vec<VerdictChange>,
    /// Verdicts on all implementations.
    pub all_verdicts: Vec<VerdictChange>,
    /// Safe fixes of changed lines, if requested.
    pub suggestions: Vec<Suggestion>,
    /// Date of the verdicts before and after the change.
    pub as_of: AsOf,
}

/// Report that a change touches.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct ReportChange {
    /// Path of the report. For a deleted report, its former path.
    pub path: String,
    /// Kind of change to the report.
    pub kind: ReportChangeKind,
    /// Path of the earlier version or the predecessor that the report is compared with. Null if
    /// there is none.
    pub previous_path: Option<String>,
    /// Reason why the compared report has another channel or mode. Null if both are equal.
    #[schemars(extend("examples" = ["first standard report since v1.0"]))]
    pub reason: Option<First>,
    /// Regressions, gains and other differences.
    #[serde(flatten)]
    pub diff: Diff,
    /// Results of the first report of an implementation. `None` for other reports.
    #[serde(skip)]
    pub first_report: Option<FirstReport>,
}

/// Kind of change to a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReportChangeKind {
    /// The change adds the report.
    New,
    /// The path is the same, but the content differs.
    Changed,
    /// The content is the same, but the path differs.
    Moved,
    /// The content and the path differ.
    MovedAndChanged,
    /// The report replaces another report, such as the report for a release candidate.
    Replaced,
    /// The change deletes the report.
    Deleted,
}

impl ReportChangeKind {
    /// Text of the value in all output formats.
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

/// Safe fix of changed lines in a README.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// Relative to the repository root, with `/` as the separator.
    pub path: String,
    /// First replaced line, from 1.
    pub first_line: usize,
    /// Last replaced line, inclusive.
    pub last_line: usize,
    /// Replacement lines without line breaks.
    pub lines: Vec<String>,
    /// Messages of the fixed findings.
    pub messages: Vec<Message>,
}

/// Verdict on an implementation in a family, before and after a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct VerdictChange {
    /// Implementation, with its name after the change.
    #[serde(flatten)]
    pub implementation: ImplementationRef,
    /// Family that the verdicts cover.
    pub family: Family,
    /// Former `organization/project`, if the change renames the implementation in all reports.
    pub renamed_from: Option<String>,
    /// Verdict before the change. Null if no report had a profile of the family.
    #[schemars(with = "Option<document::Verdict>")]
    pub before: Option<Verdict>,
    /// Verdict after the change. Null if no report has a profile of the family.
    #[schemars(with = "Option<document::Verdict>")]
    pub after: Option<Verdict>,
    /// True if only the configuration of the change alters the verdict.
    #[serde(rename = "by_configuration")]
    pub is_of_configuration: bool,
    /// True if the change touches a submission of the implementation.
    #[serde(skip)]
    pub is_touched: bool,
}

impl VerdictChange {
    /// `None` if no report had a profile of the family.
    pub(crate) fn standing_before(&self) -> Option<Standing> {
        self.before.as_ref().map(|verdict| verdict.shown.standing)
    }

    /// `None` if no report has a profile of the family.
    pub fn standing(&self) -> Option<Standing> {
        self.after.as_ref().map(|verdict| verdict.shown.standing)
    }
}

/// Inputs of a review.
#[derive(Clone, Copy)]
pub struct ReviewContext<'a> {
    /// Absolute path of the tree.
    pub root: &'a Path,
    /// Formats paths for output.
    pub display: &'a dyn Fn(&Path) -> String,
    /// Rules that are selected, with their severities.
    pub settings: &'a Settings,
    /// Release data for verdicts and comparisons.
    pub registry: &'a Registry,
    /// Configuration for all verdicts.
    pub config: &'a Config,
    /// Configuration for URLs before the change.
    pub config_before: &'a Config,
    /// Configuration for URLs after the change.
    pub config_after: &'a Config,
    /// Printed path, if the change contains only the configuration.
    pub config_alone: Option<&'a str>,
    /// Files of the implementation list next to the tree.
    pub details: &'a [Details],
    /// Date of the verdicts before and after the change.
    pub as_of: AsOf,
    /// True for reports outside of a reports tree, which get no verdicts and no rules about changes
    /// of a tree.
    pub is_loose: bool,
}

/// Verdicts before and after a change, and what the change touches.
struct Compared<'f> {
    catalogs: [Catalog<'f>; 2],
    pairs: Vec<Pair<'f>>,
    renames: Vec<Rename<'f>>,
    /// Current and former names of the implementations with a touched submission.
    touched: BTreeSet<(&'f str, &'f str)>,
}

impl<'f> Compared<'f> {
    fn new([before, now]: [Parts<'f>; 2], earlier: &'f BaseRevision) -> Self {
        let changed = earlier.shown(|_| true);
        let reports = now.outcome.reports.iter();
        let touched_now: Vec<&ReportFacts> = reports
            .filter(|facts| changed.contains(facts.path.as_str()))
            .collect();
        let pairs = pairs::of(
            &earlier.reports,
            &touched_now,
            &now.config.configured_names(),
        );
        let files = earlier.files.iter();
        let folders: BTreeSet<&PathBuf> =
            files.filter_map(|file| file.submission.as_ref()).collect();
        let catalogs = [before, now].map(Catalog::new);
        let all = now.outcome.reports.iter().chain(&earlier.reports);
        let touched = all.filter(|facts| folders.contains(&facts.submission));
        let touched = touched.filter_map(ReportFacts::name).collect();
        Self {
            renames: renames::of(
                &pairs,
                &before.outcome.reports,
                &now.outcome.reports,
                &before.config.configured_names(),
            ),
            touched: implementations(touched, &[&catalogs[1], &catalogs[0]]),
            pairs,
            catalogs,
        }
    }

    fn verdicts(&self) -> Vec<VerdictChange> {
        let [before, after] = &self.catalogs;
        verdicts::all(before, after, &self.touched, &self.renames)
    }
}

impl Review {
    /// Previews the verdicts of a change that alters its own configuration or statements: `before`
    /// has the earlier ones, and `now` those of the change.
    pub fn preview(
        &mut self,
        [before, now]: [Parts<'_>; 2],
        earlier: &BaseRevision,
        has_new_configuration: bool,
    ) {
        type Key<'v> = (&'v str, &'v str, Family);
        fn key(change: &VerdictChange) -> Key<'_> {
            (
                &change.implementation.organization,
                &change.implementation.project,
                change.family,
            )
        }
        // Loose reports have no verdicts.
        if self.all_verdicts.is_empty() {
            return;
        }
        let mut all = Compared::new([before, now], earlier).verdicts();
        let own: BTreeMap<Key<'_>, &VerdictChange> = self
            .all_verdicts
            .iter()
            .map(|change| (key(change), change))
            .collect();
        for change in &mut all {
            let with_earlier = own.get(&key(change)).copied();
            let is_same = with_earlier.is_none_or(VerdictChange::is_unchanged);
            let name = with_earlier.map(|change| change.implementation.name.clone());
            change.is_of_configuration = has_new_configuration && is_same && !change.is_unchanged();
            // A change cannot rename an implementation in its own review.
            if let Some(name) = name {
                change.implementation.name = name;
            }
        }
        self.verdicts = verdicts::of_interest(&all);
        self.all_verdicts = all;
    }
}

/// Reviews a change. `before` contains all earlier reports that the change can affect.
pub fn review(
    outcome: &mut CheckReport,
    earlier: &BaseRevision,
    before: &CheckReport,
    with: ReviewContext<'_>,
) -> (Review, Moves) {
    let now = CheckReport {
        reports: std::mem::take(&mut outcome.reports),
        ..CheckReport::default()
    };
    let changed = earlier.shown(|_| true);
    let touched: BTreeMap<PathBuf, String> = earlier
        .files
        .iter()
        .filter_map(|file| file.submission.as_ref())
        .map(|folder| (folder.clone(), (with.display)(folder)))
        .collect();
    let others = Vec::from_iter(earlier.shown(|file| role(file, with.root) == Role::Other));
    let attributes = Vec::from_iter(earlier.shown(|file| is_attributes_of(file, with.root)));
    let shown_root = (with.display)(with.root);
    let parts = |outcome| parts(outcome, with.config, with);
    let compared = Compared::new([parts(before), parts(&now)], earlier);
    let all_verdicts = if with.is_loose {
        Vec::new()
    } else {
        compared.verdicts()
    };
    let Compared {
        catalogs: [catalog_before, catalog_after],
        pairs,
        renames,
        touched: implementations,
    } = compared;
    // A new report can have a deleted report as its predecessor.
    let gone = pairs.iter().filter(|pair| pair.after.is_none());
    let gone: Vec<ReportFacts> = gone.filter_map(|pair| pair.before.cloned()).collect();
    let with_gone = (!gone.is_empty()).then(|| CheckReport {
        reports: (now.reports.iter().cloned()).chain(gone).collect(),
        ..CheckReport::default()
    });
    let catalog_with_gone = (with_gone.as_ref()).map(|all| Catalog::new(parts(all)));
    let catalog_of_both = catalog_with_gone.as_ref().unwrap_or(&catalog_after);
    let catalogs = [&catalog_before, &catalog_after];
    let moved = addresses::moved(catalogs, [before, &now], &pairs, &changed, with);
    let names_before = with.config_before.configured_names();
    let known = known_implementations(&before.reports, &names_before, with);
    let cx = ChangeContext {
        revision: &earlier.revision,
        root: &shown_root,
        pairs: &pairs,
        others: &others,
        attributes: &attributes,
        implementations: &implementations,
        moved: &moved,
        renames: &renames,
        known: &known,
        names: &names_before,
        config_alone: with.config_alone,
        committed: earlier.committed,
        registry: with.registry,
    };
    if !with.is_loose {
        check::apply_changes(outcome, &cx, with.settings, &shown_root);
        leave_to_change_rules(&mut outcome.findings);
    }
    let review = Review {
        revision: earlier.revision.clone(),
        commit: earlier.commit.clone(),
        touched: touched.into_values().collect(),
        before: KnownFindings::default(),
        reports: report_changes(&pairs, [&catalog_before, catalog_of_both], with.registry),
        verdicts: verdicts::of_interest(&all_verdicts),
        suggestions: Vec::new(),
        as_of: with.as_of,
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
        as_of: with.as_of,
        details: with.details,
    }
}

fn implementations<'f>(
    names: BTreeSet<(&'f str, &'f str)>,
    catalogs: &[&Catalog<'f>],
) -> BTreeSet<(&'f str, &'f str)> {
    let known: Vec<_> = catalogs.iter().map(|catalog| catalog.names()).collect();
    let usual = |name| {
        let one = known
            .iter()
            .find_map(|names| names.get(&folded_pair(name)))?;
        Some((one.organization, one.project))
    };
    names
        .into_iter()
        .map(|name| usual(name).unwrap_or(name))
        .collect()
}

impl BaseRevision {
    /// Printed paths of changed files.
    pub fn shown(&self, which: impl Fn(&File) -> bool) -> BTreeSet<&str> {
        let files = self.files.iter().filter(|file| which(file));
        files.map(|file| file.shown.as_str()).collect()
    }
}

/// Implementations of the earlier revision, with their reports from the oldest release to the newest.
fn known_implementations<'f>(
    before: &'f [ReportFacts],
    names: &ConfiguredNames,
    with: ReviewContext<'f>,
) -> BTreeMap<(String, String), Known<'f>> {
    let mut known: BTreeMap<_, Known<'f>> = BTreeMap::new();
    for facts in before.iter().filter(|facts| facts.is_report) {
        if let Some(name) = names.folded(facts) {
            let one = known.entry(name).or_default();
            one.reports.push(facts);
            one.spellings.extend(facts.name());
        }
    }
    for (name, entry) in with.config_before.names() {
        if let Some(one) = known.get_mut(&folded_pair(entry.pair())) {
            one.spellings.insert(name);
        }
    }
    for one in known.values_mut() {
        (one.reports).sort_by_key(|facts| (&facts.release.version, facts.ran_at));
        let is_sound = |facts: &&&ReportFacts| !judged(facts, with.registry).is_refused();
        one.newest = one.reports.iter().rev().find(is_sound).copied();
    }
    known
}

/// Rules about a tree, with rules about a change that report the same and know the earlier names
/// and folders.
const MORE_PRECISE: [(&str, &str); 2] = [
    ("tree/folder-name", "change/other-folder"),
    ("tree/project-spelling", "change/other-spelling"),
];

/// Removes findings of a tree that a rule about the change repeats for the same report.
fn leave_to_change_rules(findings: &mut Vec<Diagnostic>) {
    for (of_tree, of_change) in MORE_PRECISE {
        let reported = findings.iter().filter(|finding| finding.rule == of_change);
        let reported: Vec<_> = reported.map(|one| Arc::clone(&one.place.path)).collect();
        // A finding about a folder covers its reports.
        let is_reported = |place: &Place| {
            let mut reports = reported.iter();
            reports.any(|report| Path::new(&**report).starts_with(&*place.path))
        };
        findings.retain(|finding| {
            let labels = finding.labels.iter().map(|label| &label.place);
            let mut places = labels.chain([&finding.place]);
            finding.rule != of_tree || !places.any(is_reported)
        });
    }
}

/// Returns the organization and project of each report before the change: unchanged reports in
/// `now`, and earlier versions of changed reports.
pub fn known_before<'f>(
    now: &'f [ReportFacts],
    earlier: &'f BaseRevision,
) -> BTreeSet<(&'f str, &'f str)> {
    let changed = earlier.shown(|_| true);
    let kept = now
        .iter()
        .filter(|facts| !changed.contains(facts.path.as_str()));
    kept.chain(&earlier.reports)
        .filter_map(ReportFacts::name)
        .collect()
}

fn report_changes(
    pairs: &[Pair<'_>],
    [catalog_before, catalog]: [&Catalog<'_>; 2],
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
    let known = catalog_before.names();
    let changes = pairs.iter().filter_map(|pair| {
        let (kind, path) = match (pair.before, pair.after) {
            // The content is identical, for example if only the file mode changed.
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
        let is_first = |facts: &&ReportFacts| {
            let name = facts.name().map(folded_pair);
            pair.before.is_none() && !name.is_some_and(|name| known.contains_key(&name))
        };
        Some(ReportChange {
            first_report: pair.after.filter(is_first).map(FirstReport::new),
            path: path.path.clone(),
            kind,
            previous_path: before.as_ref().map(|(before, _)| before.path.clone()),
            reason: before.and_then(|(_, first)| first),
            diff: compared.map_or_else(Diff::default, |(before, after)| {
                diff(before, after, registry)
            }),
        })
    });
    let mut sorted: Vec<_> = changes.collect();
    sorted.sort_by(|a, b| a.path.cmp(&b.path));
    sorted
}

fn folders_of(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[..at])
}

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

/// Paths that a change touches: its files, and all files of its submissions.
pub struct Touched<'r> {
    files: BTreeSet<&'r str>,
    submissions: BTreeSet<&'r str>,
}

impl<'r> Touched<'r> {
    /// Paths that `review` touches.
    pub fn new(review: &'r Review, earlier: &'r BaseRevision) -> Self {
        Self {
            files: earlier.shown(|_| true),
            submissions: review.touched.iter().map(String::as_str).collect(),
        }
    }

    /// True if the change touches the path or its submission.
    pub fn has(&self, path: &str) -> bool {
        let submissions = &self.submissions;
        let mut folders = folders_of(path);
        self.files.contains(path)
            || submissions.contains(path)
            || folders.any(|folder| submissions.contains(folder))
            // If the command runs inside a submission, paths outside of it start with `/`.
            || (submissions.contains(".") && !path.starts_with('/'))
    }
}

impl Review {
    /// Reason why the change was not checked, without a full stop. `None` if it was checked.
    /// `report` is the result for the whole tree.
    pub fn nothing_read(&self, report: &CheckReport) -> Option<String> {
        let touched: BTreeSet<&str> = self.reports.iter().map(|one| one.path.as_str()).collect();
        let reports = report.reports.iter();
        let touched: Vec<_> = reports
            .filter(|facts| touched.contains(facts.path.as_str()))
            .collect();
        let is_other = |facts: &&ReportFacts| facts.other_project.is_some();
        if touched.iter().any(is_other) {
            let of_change = CheckReport {
                reports: touched.into_iter().cloned().collect(),
                ..CheckReport::default()
            };
            return of_change.nothing_read();
        }
        // An unrelated change in a repository with reports of another project was checked.
        let is_unrelated = self.touched.is_empty() && !report.reports.is_empty();
        report.nothing_checked().filter(|_| !is_unrelated)
    }

    /// Keeps the touched parts of the outcome.
    pub fn restrict_to_touched(&self, outcome: &mut CheckReport, earlier: &BaseRevision) {
        let touched = Touched::new(self, earlier);
        for finding in &mut outcome.findings {
            turn_to_change(finding, &touched.files);
        }
        outcome.sort();
        // Moving a finding to the place of its label can make two findings equal.
        outcome.findings.dedup_by(|a, b| {
            let is_same_place = a.place.sort_key() == b.place.sort_key();
            is_same_place && (a.rule, &a.subject, &a.message) == (b.rule, &b.subject, &b.message)
        });
        merge::by_action(&mut outcome.findings);
        let others: BTreeSet<String> = outcome
            .checked
            .iter()
            .map(|checked| checked.submission.clone())
            .collect();
        let is_of_other = |path: &str| {
            let mut folders = folders_of(path);
            !touched.has(path) && folders.any(|folder| others.contains(folder))
        };
        outcome.checked.retain(|checked| touched.has(&checked.path));
        // Skipped files outside of submissions remain listed.
        outcome
            .skipped
            .retain(|left_out| !is_of_other(&left_out.path));
    }
}
