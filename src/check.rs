//! Runs the rules: loads each submission, checks it, keeps its facts, drops its text.

mod load;
mod settings;

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::config::Ignores;
use crate::diagnostic::{Diagnostic, Place, Severity};
use crate::facts::{Digest, ReportFacts};
use crate::readme::Readme;
use crate::registry::Registry;
use crate::release::{self, ReportRelease};
use crate::report::schema::{self, Extent};
use crate::report::view::Report;
use crate::rules::{
    self, Check, ConfigContext, EntryContext, Findings, Listing, ReadmeContext, ReportContext,
    Rule, SubmissionContext, TextContext, TreeContext, YamlContext,
};
use crate::source::Source;
use crate::tree::{FolderRelease, Lead, OddityKind, Submission, Tree};
use crate::yaml;

pub use load::{Loaded, load_submission, read_bounded};
pub use settings::{Selection, Settings, UnknownSelector};

/// What a check found.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Findings by path, position and rule.
    pub findings: Vec<Diagnostic>,
    /// What was not checked and why, by path.
    pub not_checked: Vec<NotChecked>,
    /// The facts of every report that was read, by path and document.
    pub reports: Vec<ReportFacts>,
    /// Files of reports without any facts, by path: they could not be read, or nothing is in them.
    pub without_facts: Vec<NotChecked>,
    /// What was looked at.
    pub counts: Counts,
    /// How many findings the configuration left out.
    pub ignored: usize,
}

/// Something that was not checked.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NotChecked {
    /// The path as it is printed.
    pub path: String,
    /// Why, and what of it.
    pub reason: String,
}

/// How much was looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Release folders; an alias is none.
    pub releases: usize,
    /// Folders of submissions.
    pub submissions: usize,
    /// Reports: documents, not files.
    pub reports: usize,
    /// READMEs of submissions.
    pub readmes: usize,
}

impl Outcome {
    /// How many findings have a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings
            .iter()
            .filter(|finding| finding.severity == severity)
            .count()
    }

    /// Puts another outcome's findings to this one's, as of two trees named in one command.
    pub fn merge(&mut self, other: Self) {
        self.findings.extend(other.findings);
        self.not_checked.extend(other.not_checked);
        self.reports.extend(other.reports);
        self.without_facts.extend(other.without_facts);
        self.counts.add(other.counts);
        self.ignored += other.ignored;
        self.sort();
    }

    fn sort(&mut self) {
        self.findings.sort_by(|a, b| {
            (a.place.sort_key(), a.rule, &a.message).cmp(&(b.place.sort_key(), b.rule, &b.message))
        });
        self.not_checked.sort();
        self.not_checked.dedup();
        self.without_facts.sort();
    }

    fn not_checked(&mut self, path: impl Into<String>, reason: impl Into<String>) {
        self.not_checked.push(NotChecked {
            path: path.into(),
            reason: reason.into(),
        });
    }

    /// Runs one rule, unless it is not selected or does not hold here.
    fn run(
        &mut self,
        rule: &'static Rule,
        severity: Option<Severity>,
        path: &str,
        check: impl FnOnce(&mut Findings),
    ) {
        let Some(severity) = severity else { return };
        let mut findings = Findings::new(rule, severity);
        check(&mut findings);
        let (found, surplus) = findings.finish();
        self.findings.extend(found);
        if surplus > 0 {
            self.not_checked(
                path,
                format!("{surplus} more findings of {} are not shown", rule.id),
            );
        }
    }
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.releases += other.releases;
        self.submissions += other.submissions;
        self.reports += other.reports;
        self.readmes += other.readmes;
    }
}

/// Checks a tree, or the parts of it that were walked. `done` is called with the number of
/// submissions checked so far, from any thread.
pub fn check_tree(
    tree: &Tree,
    settings: &Settings,
    registry: &Registry,
    done: &(dyn Fn(usize) + Sync),
) -> Outcome {
    let checked = AtomicUsize::new(0);
    let outcomes: Vec<Outcome> = tree
        .submissions
        .par_iter()
        .map(|submission| {
            let loaded = load_submission(submission, Some(tree), &|path| tree.display(path));
            let outcome = Run {
                submission,
                is_in_tree: true,
                settings,
                registry,
            }
            .check(loaded);
            done(checked.fetch_add(1, Ordering::Relaxed) + 1);
            outcome
        })
        .collect();
    let mut all = Outcome::default();
    let named = tree
        .releases
        .iter()
        .filter(|folder| folder.release.is_some());
    all.counts.releases = named.count();
    for outcome in outcomes {
        all.findings.extend(outcome.findings);
        all.not_checked.extend(outcome.not_checked);
        all.reports.extend(outcome.reports);
        all.without_facts.extend(outcome.without_facts);
        all.counts.add(outcome.counts);
    }
    for oddity in &tree.oddities {
        let cx = EntryContext { oddity, tree };
        if let Some(reason) = rules::tree::unreadable::reason(&oddity.kind) {
            all.not_checked(cx.path(), format!("not read: {reason}"));
        }
        if let Some(reason) = hides(&oddity.kind) {
            all.without_facts.push(NotChecked {
                path: cx.path(),
                reason,
            });
        }
        for &rule in settings.selected() {
            if let Check::Entry(check) = rule.check {
                all.run(
                    rule,
                    settings.severity(rule, false, None),
                    &cx.path(),
                    |out| check(&cx, out),
                );
            }
        }
    }
    let root = tree.display(&tree.root);
    if tree.is_whole {
        let reports = std::mem::take(&mut all.reports);
        let cx = TreeContext {
            tree,
            reports: &reports,
        };
        for &rule in settings.selected() {
            if let Check::Tree(check) = rule.check {
                all.run(rule, settings.severity(rule, false, None), &root, |out| {
                    check(&cx, out)
                });
            }
        }
        all.reports = reports;
    } else {
        all.not_checked(
            root,
            "rules over the whole tree: only a part of it was given",
        );
    }
    all.sort();
    all
}

/// Why reports may be missing behind an odd name of the tree; `None` where none can be.
fn hides(kind: &OddityKind) -> Option<String> {
    match kind {
        OddityKind::Link { .. } => Some("not read: it is a link".to_owned()),
        kind => rules::tree::unreadable::reason(kind).map(|reason| format!("not read: {reason}")),
    }
}

/// Takes out the findings that the configuration leaves out, and runs the rules about it.
pub fn apply_ignores(
    outcome: &mut Outcome,
    ignores: &mut Ignores<'_>,
    settings: &Settings,
    is_whole: bool,
) {
    outcome.ignored = ignores.apply(&mut outcome.findings);
    let unused: Vec<(Place, &str)> = ignores
        .unused()
        .map(|(place, ignore)| (place, ignore.rule.get_ref().as_str()))
        .collect();
    let cx = ConfigContext {
        unused_ignores: &unused,
        selected: settings.selected(),
    };
    for &rule in settings.selected() {
        if let Check::Config(check) = rule.check
            && is_whole
        {
            outcome.run(rule, settings.severity(rule, false, None), "", |out| {
                check(&cx, out)
            });
        }
    }
    outcome.sort();
}

/// Checks files that stand in no tree, or whose text is given: the rules for one file only, and
/// those about the name of a report when `submission` says where it stands.
pub fn check_lone(
    submission: &Submission,
    is_in_tree: bool,
    loaded: Vec<Loaded>,
    settings: &Settings,
    registry: &Registry,
) -> Outcome {
    let mut outcome = Run {
        submission,
        is_in_tree,
        settings,
        registry,
    }
    .check(loaded);
    outcome.sort();
    outcome
}

/// One submission's check.
struct Run<'a> {
    submission: &'a Submission,
    is_in_tree: bool,
    settings: &'a Settings,
    registry: &'a Registry,
}

impl Run<'_> {
    fn check(&self, files: Vec<Loaded>) -> Outcome {
        let mut outcome = Outcome::default();
        let mut path = String::new();
        let mut readme = None;
        for file in files {
            match file {
                Loaded::Folder { shown } => {
                    outcome.counts.submissions += 1;
                    path = shown;
                }
                Loaded::Readme {
                    source,
                    readme: parts,
                    leads,
                } => {
                    outcome.counts.readmes += 1;
                    self.text(&source, false, &mut outcome);
                    readme = Some((source, parts, leads));
                }
                Loaded::Report { source, name } => self.report_file(&source, &name, &mut outcome),
                Loaded::Unreadable { shown, reason } => {
                    self.unreadable(&shown, &reason, &mut outcome)
                }
            }
        }
        outcome.counts.reports = outcome.reports.len();
        if let Some((source, parts, leads)) = readme {
            self.readme(&source, &parts, &leads, &mut outcome);
        }
        self.whole_submission(&path, &mut outcome);
        outcome
    }

    fn is_legacy(&self) -> bool {
        release::is_legacy_folder(self.submission.release.as_ref())
    }

    /// How bad a rule's findings are in the release of the submission's folder.
    fn folder_severity(&self, rule: &'static Rule) -> Option<Severity> {
        let minor = self.submission.release.as_ref().map(FolderRelease::minor);
        let policy = minor.and_then(|minor| self.registry.severity(rule.id, minor));
        self.settings.severity(rule, self.is_legacy(), policy)
    }

    fn unreadable(&self, path: &str, reason: &str, outcome: &mut Outcome) {
        outcome.not_checked(path, format!("not read: {reason}"));
        if !path.to_ascii_lowercase().ends_with("/readme.md") {
            outcome.without_facts.push(NotChecked {
                path: path.to_owned(),
                reason: format!("not read: {reason}"),
            });
        }
        let rule = &rules::tree::unreadable::RULE;
        if self
            .settings
            .selected()
            .iter()
            .any(|selected| selected.id == rule.id)
        {
            let severity = self.settings.severity(rule, self.is_legacy(), None);
            outcome.run(rule, severity, path, |out| {
                rules::tree::unreadable::report(Place::path(path), reason, out);
            });
        }
    }

    fn text(&self, source: &Source, is_report: bool, outcome: &mut Outcome) {
        let cx = TextContext { source, is_report };
        for &rule in self.settings.selected() {
            if let Check::Text(check) = rule.check {
                let severity = self.settings.severity(rule, self.is_legacy(), None);
                outcome.run(rule, severity, source.path(), |out| check(&cx, out));
            }
        }
        if source.valid_len() < source.text().len() {
            let position = source.position(source.valid_len());
            outcome.not_checked(
                source.path(),
                format!(
                    "what follows the first byte that is not UTF-8, at line {}, column {}",
                    position.line, position.column
                ),
            );
        }
    }

    fn report_file(&self, source: &Source, name: &str, outcome: &mut Outcome) {
        self.text(source, true, outcome);
        let text = &source.text()[..source.valid_len()];
        let yaml = yaml::load(text);
        let cx = YamlContext {
            source,
            yaml: &yaml,
            is_in_tree: self.is_in_tree,
        };
        for &rule in self.settings.selected() {
            if let Check::Yaml(check) = rule.check {
                let severity = self.settings.severity(rule, self.is_legacy(), None);
                outcome.run(rule, severity, source.path(), |out| check(&cx, out));
            }
        }
        if yaml.flaws_left_out > 0 {
            outcome.not_checked(
                source.path(),
                format!(
                    "{} more findings of the group yaml are not shown",
                    yaml.flaws_left_out
                ),
            );
        }
        if yaml.read_to < text.len() {
            let position = source.position(yaml.read_to);
            outcome.not_checked(
                source.path(),
                format!(
                    "what follows line {}, column {}: it could not be read as YAML",
                    position.line, position.column
                ),
            );
        }
        if yaml
            .documents
            .iter()
            .all(|document| document.root.is_none())
        {
            outcome.without_facts.push(NotChecked {
                path: source.path().to_owned(),
                reason: "nothing is in it".to_owned(),
            });
        }
        let last_root = yaml.documents.last().and_then(|document| document.root);
        let digest = Digest::of(source.text().as_bytes());
        for (document, root) in yaml
            .documents
            .iter()
            .filter_map(|document| document.root)
            .enumerate()
        {
            let report = Report::read(&yaml, root);
            let release = release::of(
                report.gateway_api_version.map(|text| text.value),
                self.submission.release.as_ref(),
                self.registry,
            );
            let is_cut = yaml.read_to < source.text().len() && last_root == Some(root);
            let extent = if is_cut {
                Extent::BrokenOff
            } else {
                Extent::Whole
            };
            let misfits = if report.is_recognizable() {
                schema::validate(release.shape, extent, &yaml, root)
            } else {
                Vec::new()
            };
            let cx = ReportContext {
                source,
                yaml: &yaml,
                root,
                report: &report,
                misfits: &misfits,
                release: &release,
                submission: self.submission,
                registry: self.registry,
                is_cut,
                shared: Default::default(),
            };
            self.report(&cx, outcome);
            outcome
                .reports
                .push(ReportFacts::of(&cx, name, document, digest));
        }
    }

    fn report(&self, cx: &ReportContext<'_>, outcome: &mut Outcome) {
        for &rule in self.settings.selected() {
            if let Check::Report(check) = rule.check {
                let severity = self.report_severity(rule, cx.release);
                outcome.run(rule, severity, cx.source.path(), |out| check(cx, out));
            }
        }
    }

    fn report_severity(&self, rule: &'static Rule, release: &ReportRelease) -> Option<Severity> {
        let minor = release
            .version
            .as_ref()
            .map(crate::registry::Version::minor);
        let policy = minor.and_then(|minor| self.registry.severity(rule.id, minor));
        self.settings.severity(rule, release.is_legacy(), policy)
    }

    fn readme(&self, source: &Source, readme: &Readme, leads: &[Lead], outcome: &mut Outcome) {
        for bound in &readme.truncated {
            let reason = format!("{}: there is too much of it", bound.as_str());
            outcome.not_checked(source.path(), reason);
        }
        let reports = std::mem::take(&mut outcome.reports);
        let is_folder_known = self.submission.folder.is_some();
        let known = is_folder_known.then_some(reports.as_slice());
        let cx = ReadmeContext {
            source,
            readme,
            submission: self.submission,
            reports: known,
            leads,
            listing: Listing::of(readme, leads, source.path(), self.submission, known),
        };
        for &rule in self.settings.selected() {
            if let Check::Readme(check) = rule.check {
                outcome.run(rule, self.folder_severity(rule), source.path(), |out| {
                    check(&cx, out)
                });
            }
        }
        outcome.reports = reports;
    }

    fn whole_submission(&self, path: &str, outcome: &mut Outcome) {
        let reports = std::mem::take(&mut outcome.reports);
        let cx = SubmissionContext {
            submission: self.submission,
            reports: &reports,
            path,
        };
        for &rule in self.settings.selected() {
            if let Check::Submission(check) = rule.check {
                if !self.is_in_tree {
                    continue;
                }
                outcome.run(rule, self.folder_severity(rule), path, |out| {
                    check(&cx, out)
                });
            }
        }
        outcome.reports = reports;
    }
}
