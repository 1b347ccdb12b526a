//! Fixes the findings of a submission in memory. Each round applies compatible fixes and checks the
//! result.
//!
//! Fixes that add a finding of any rule are rejected. Each round therefore reduces the findings or
//! shortens their messages, so fixing terminates and is idempotent.

use std::collections::{BTreeMap, BTreeSet};

use super::submission::Run;
use super::{CheckReport, Settings, Skipped};
use crate::rules::{self, ALL};
use crate::tree::load::Loaded;
use crate::tree::{LinkTarget, Submission, Tree};
use gwconform_base::files::name_of;
use gwconform_base::release::Registry;
use gwconform_base::text::change::{ChangeSet, Edit, Fix, fitting, replaced};
use gwconform_base::text::diagnostic::Diagnostic;
use gwconform_base::text::source::{Source, display_path};

/// Fixes that a caller requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Applicability {
    /// Only fixes that cannot lose or change intended content.
    Safe,
    /// All fixes.
    Unsafe,
}

/// Input of [`apply_fixes`].
pub struct FixContext<'a> {
    /// Tree that contains the submission, if any.
    pub tree: Option<&'a Tree>,
    /// Rules to fix. Others run too, to detect new findings.
    pub settings: &'a Settings,
    /// Release data for the checks.
    pub registry: &'a Registry,
    /// Fixes that may be applied.
    pub level: Applicability,
    /// False if another README links to a report that a fix would rename.
    pub may_rename: bool,
    /// Removes ignored findings, which are not fixed.
    pub ignore: &'a dyn Fn(&mut Vec<Diagnostic>),
}

/// Changes and remaining fixes of a submission.
#[derive(Debug, Default)]
pub struct FixResult {
    /// Changes relative to the files that were read.
    pub changes: ChangeSet,
    /// Number of fixed findings by rule.
    pub fixed: BTreeMap<&'static str, usize>,
    /// Fixes that were not applied, each with the reason.
    pub skipped: Vec<Skipped>,
    /// True if a limit was exceeded, which prevents all changes.
    pub is_too_much: bool,
}

impl FixResult {
    /// Merges the result of another submission.
    pub fn absorb(&mut self, other: Self) {
        self.changes.extend(other.changes);
        self.is_too_much |= other.is_too_much;
        for (rule, count) in other.fixed {
            *self.fixed.entry(rule).or_default() += count;
        }
        self.skipped.extend(other.skipped);
    }
}

fn skipped(path: String, rule: &str, reason: &str) -> Skipped {
    let reason = format!("{rule}: {reason}");
    Skipped { path, reason }
}

/// Limits the work for hostile input. If a limit is exceeded, nothing is changed.
const MAX_CHECKS: usize = 300;

/// Limits for all checks of a submission together.
const MAX_BYTES: usize = 256 * 1024 * 1024;
const MAX_FILES: usize = 3_000;

/// Applies fixes until no compatible fix remains.
pub fn apply_fixes(submission: &Submission, files: Vec<Loaded>, cx: &FixContext<'_>) -> FixResult {
    let all_rules = cx.settings.with_all_rules();
    let start = State {
        submission: submission.clone(),
        files: files.clone(),
        renamed: BTreeMap::new(),
    };
    let mut work = Work {
        cx,
        all_rules: &all_rules,
        checks: 0,
        max_checks: max_checks(&files),
        refused: BTreeMap::new(),
    };
    let first = work.check(&start);
    if first.findings.iter().all(|finding| finding.fix.is_none()) {
        return FixResult::default();
    }
    let before = first.counts.clone();
    let (state, last) = work.until_nothing_fits(start, first);
    if work.is_spent() {
        // A partial fix would not be idempotent.
        return FixResult {
            skipped: work.too_much(&last.findings),
            is_too_much: true,
            ..FixResult::default()
        };
    }
    let after = &last.counts;
    let mut fixed = BTreeMap::new();
    for (rule, count) in before {
        let gone = count - after.get(rule).copied().unwrap_or_default().min(count);
        if gone > 0 && work.is_selected(rule) {
            fixed.insert(rule, gone);
        }
    }
    let candidates = work.candidates(&last);
    let offered: BTreeSet<Key> = (work.offered(&candidates).into_iter())
        .map(|offer| offer.key)
        .collect();
    let refused = work
        .refused
        .into_iter()
        .filter(|(key, _)| offered.contains(key));
    FixResult {
        changes: state.changes(&files),
        fixed,
        skipped: refused
            .map(|((path, rule, ..), reason)| skipped(path, rule, &reason))
            .collect(),
        is_too_much: false,
    }
}

type Key = (String, &'static str, String, usize);

struct Offer<'f> {
    key: Key,
    fix: &'f Fix,
}

struct CheckState {
    findings: Vec<Diagnostic>,
    counts: BTreeMap<&'static str, usize>,
    /// Length of all messages.
    length: usize,
}

impl CheckState {
    fn new(outcome: CheckReport) -> Self {
        let (mut counts, mut length) = (BTreeMap::new(), 0);
        for finding in &outcome.findings {
            *counts.entry(finding.rule).or_default() += finding.count();
            length += finding.message.to_string().len();
        }
        Self {
            findings: outcome.findings,
            counts,
            length,
        }
    }

    fn adds_to(&self, before: &Self) -> Option<&'static str> {
        let count_before = |rule: &str| before.counts.get(rule).copied().unwrap_or_default();
        let mut counts = self.counts.iter();
        let more = counts.find(|(rule, count)| **count > count_before(rule));
        more.map(|(rule, _)| *rule)
    }
}

fn max_checks(files: &[Loaded]) -> usize {
    let sizes = files.iter().map(|file| match file {
        Loaded::Readme { source, .. } | Loaded::Report { source, .. } => source.text().len(),
        Loaded::Folder { .. } | Loaded::Unreadable { .. } => 0,
    });
    let by_size = MAX_BYTES / sizes.sum::<usize>().max(1);
    by_size
        .min(MAX_FILES / files.len().max(1))
        .clamp(10, MAX_CHECKS)
}

struct Work<'a> {
    cx: &'a FixContext<'a>,
    all_rules: &'a Settings,
    checks: usize,
    max_checks: usize,
    refused: BTreeMap<Key, String>,
}

impl Work<'_> {
    fn check(&mut self, state: &State) -> CheckState {
        self.checks += 1;
        let mut outcome: CheckReport = Run {
            submission: &state.submission,
            is_in_tree: self.cx.tree.is_some(),
            settings: self.all_rules,
            registry: self.cx.registry,
            is_to_fix: true,
        }
        .check(state.files.clone());
        outcome.sort();
        if outcome.hidden.sum() > 0 {
            self.checks = self.max_checks;
        }
        CheckState::new(outcome)
    }

    fn too_much(&self, findings: &[Diagnostic]) -> Vec<Skipped> {
        let first = self.offered(findings).into_iter().next();
        let reason = "too much to fix in this submission; nothing in it was changed";
        let skipped = first.map(|offer| skipped(offer.key.0, offer.key.1, reason));
        skipped.into_iter().collect()
    }

    fn is_selected(&self, rule: &str) -> bool {
        let rule = rules::find(&ALL, rule);
        rule.is_some_and(|rule| self.cx.settings.is_selected(rule))
    }

    fn candidates(&self, current: &CheckState) -> Vec<Diagnostic> {
        let mut candidates = current.findings.clone();
        (self.cx.ignore)(&mut candidates);
        candidates
    }

    fn offered<'f>(&self, findings: &'f [Diagnostic]) -> Vec<Offer<'f>> {
        let mut numbers: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
        let mut offered = Vec::new();
        for finding in findings {
            let (path, rule) = (&*finding.place.path, finding.rule);
            let subject = finding.subject.as_str();
            let number = numbers.entry((path, rule, subject)).or_default();
            *number += 1;
            let Some(fix) = &finding.fix else { continue };
            let is_meant = (self.cx.level == Applicability::Unsafe || fix.safe)
                && (self.cx.may_rename || !fix.renames());
            if is_meant && self.is_selected(rule) {
                let key = (path.to_owned(), rule, subject.to_owned(), *number);
                offered.push(Offer { key, fix });
            }
        }
        offered
    }

    fn until_nothing_fits(
        &mut self,
        mut state: State,
        mut current: CheckState,
    ) -> (State, CheckState) {
        loop {
            let candidates = self.candidates(&current);
            let mut offered = self.offered(&candidates);
            offered.retain(|offer| !self.refused.contains_key(&offer.key));
            // Renames must also update links that text fixes add.
            let (names, texts): (Vec<_>, Vec<_>) =
                offered.into_iter().partition(|offer| offer.fix.renames());
            let step = self
                .step(&state, &current, &texts)
                .or_else(|| self.step(&state, &current, &names));
            match step {
                Some(next) => (state, current) = next,
                None => return (state, current),
            }
        }
    }

    /// Applies all compatible fixes or, if these introduce a finding, a subset.
    fn step(
        &mut self,
        state: &State,
        current: &CheckState,
        offered: &[Offer<'_>],
    ) -> Option<(State, CheckState)> {
        let mut fitting = fitting(offered.iter().map(|offer| offer.fix))
            .into_iter()
            .peekable();
        let is_fitting = |offer: &&Offer<'_>| {
            let next = fitting.next_if(|next| std::ptr::eq(*next, offer.fix));
            next.is_some()
        };
        let chosen: Vec<&Offer<'_>> = offered.iter().filter(is_fitting).collect();
        self.halves(state, current, &chosen)
    }

    fn halves(
        &mut self,
        state: &State,
        current: &CheckState,
        chosen: &[&Offer<'_>],
    ) -> Option<(State, CheckState)> {
        if chosen.is_empty() || self.is_spent() {
            return None;
        }
        let fixes: Vec<&Fix> = chosen.iter().map(|offer| offer.fix).collect();
        match (self.attempt(state, current, &fixes), chosen) {
            (Ok(next), _) => {
                // A fix that was rejected earlier may succeed after other fixes.
                self.refused.clear();
                Some(next)
            }
            (Err(reason), [offer]) => {
                self.refused.insert(offer.key.clone(), reason);
                None
            }
            (Err(_), chosen) => {
                let (first, second) = chosen.split_at(chosen.len() / 2);
                let next = self.halves(state, current, first);
                next.or_else(|| self.halves(state, current, second))
            }
        }
    }

    fn is_spent(&self) -> bool {
        self.checks >= self.max_checks
    }

    fn attempt(
        &mut self,
        state: &State,
        current: &CheckState,
        fixes: &[&Fix],
    ) -> Result<(State, CheckState), String> {
        let Some(next) = state.with(fixes, self.cx.tree) else {
            return Err("the text changed meanwhile".to_owned());
        };
        let after = self.check(&next);
        match after.adds_to(current) {
            Some(rule) => Err(format!("it would add a finding of {rule}")),
            // A finding about several parts may lose one of them.
            None if after.counts == current.counts && after.length >= current.length => {
                Err("it would fix nothing".to_owned())
            }
            None => Ok((next, after)),
        }
    }
}

struct State {
    submission: Submission,
    files: Vec<Loaded>,
    renamed: BTreeMap<String, String>,
}

impl State {
    fn with(&self, fixes: &[&Fix], tree: Option<&Tree>) -> Option<Self> {
        let mut submission = self.submission.clone();
        let mut files = self.files.clone();
        let edits = fixes.iter().flat_map(|fix| &fix.edits);
        let new_names = edits.filter_map(|edit| match edit {
            Edit::Rename { path, to, .. } => Some((path.as_str(), to.as_str())),
            Edit::Replace { .. } => None,
        });
        // Two reports can exchange names, so collect all renames first.
        let renames: BTreeMap<&str, &str> = new_names.collect();
        for (file, report) in reports(&mut files).zip(&mut submission.reports) {
            let Loaded::Report { source, name: old } = file else {
                continue;
            };
            if let Some(to) = renames.get(source.path()) {
                let name = to.rsplit('/').next().unwrap_or(to);
                *source = source.renamed(*to);
                name.clone_into(old);
                report.set_file_name(name);
            }
        }
        let mut renamed = self.renamed.clone();
        let firsts: Vec<(String, String)> = renames
            .iter()
            .map(|(path, to)| {
                let first = renamed.remove(*path).unwrap_or_else(|| (*path).to_owned());
                ((*to).to_owned(), first)
            })
            .collect();
        renamed.extend(firsts);
        let next = Self {
            files: Vec::new(),
            submission,
            renamed,
        };
        for file in &mut files {
            if let Loaded::Readme { source, .. } = file {
                // Edit only if the text contains all bytes of the file.
                let fixed = if source.is_exact() {
                    let text = replaced(source.text(), source.path(), fixes)?;
                    Source::new(source.path(), text.into_bytes())
                } else {
                    source.clone()
                };
                *file = next.readme(fixed, tree);
            }
        }
        Some(Self { files, ..next })
    }

    fn readme(&self, source: Source, tree: Option<&Tree>) -> Loaded {
        let Some(tree) = tree else {
            return Loaded::readme(source);
        };
        let mut loaded = Loaded::readme_in(source, tree, &self.submission.path);
        if let Loaded::Readme { link_targets, .. } = &mut loaded {
            let file_name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
            // Planned renames are not on disk yet.
            let (folder, reports) = (&self.submission.path, self.submission.reports.iter());
            let now: BTreeSet<String> = reports.map(|path| display_path(path, folder)).collect();
            let then = self.renamed.values().map(|path| file_name(path));
            let gone: BTreeSet<String> = then.filter(|name| !now.contains(name)).collect();
            for link_target in link_targets {
                if let LinkTarget::Inside {
                    own: Some(own),
                    exists,
                    ..
                } = link_target
                {
                    *exists = now.contains(own) || (*exists && !gone.contains(own));
                }
            }
        }
        loaded
    }

    fn changes(&self, files: &[Loaded]) -> ChangeSet {
        let mut changes = ChangeSet::default();
        for (file, was) in self.files.iter().zip(files) {
            match (file, was) {
                (Loaded::Readme { source, .. }, Loaded::Readme { source: was, .. }) => {
                    let _ = changes.edit(was.path(), was.text(), source.text());
                }
                (Loaded::Report { source, .. }, Loaded::Report { source: was, .. })
                    if source.path() != was.path() =>
                {
                    changes.rename(was.path(), source.path(), was.digest());
                }
                _ => {}
            }
        }
        changes
    }
}

fn reports(files: &mut [Loaded]) -> impl Iterator<Item = &mut Loaded> {
    let is_report = |file: &&mut Loaded| match file {
        Loaded::Report { .. } => true,
        Loaded::Unreadable { shown, .. } => {
            !crate::tree::is_readme(&name_of(std::path::Path::new(shown)))
        }
        Loaded::Folder { .. } | Loaded::Readme { .. } => false,
    };
    files.iter_mut().filter(is_report)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::PathBuf;

    use super::{Applicability, FixContext, State, Work, max_checks};
    use crate::rules::check::Settings;
    use crate::tree::load::Loaded;
    use crate::tree::{Submission, Tree};
    use gwconform_base::api::FolderRelease;
    use gwconform_base::release::Registry;
    use gwconform_base::text::source::Source;

    const REPORTS: usize = 400;

    #[test]
    fn how_often_a_submission_is_checked_does_not_grow_with_its_reports() {
        let tree = Tree {
            root: PathBuf::from("/no/reports"),
            base: PathBuf::from("/no"),
            is_whole: true,
            is_loose: false,
            aliases: BTreeMap::new(),
            releases: Vec::new(),
            submissions: Vec::new(),
            unexpected: Vec::new(),
            folder: None,
        };
        let folder = PathBuf::from("/no/reports/v1.5/acme-operator");
        let text = |number: usize| {
            format!(
                "apiVersion: gateway.networking.k8s.io/v1\nkind: ConformanceReport\ndate: \"2026-03-20T10:15:30Z\"\ngatewayAPIChannel: standard\ngatewayAPIVersion: v1.5.1\nimplementation:\n  contact: ['@acme/a']\n  organization: acme\n  project: operator\n  url: https://acme.example\n  version: v2.{number}.0\nmode: default\nprofiles: []\n"
            )
        };
        let mut files = vec![Loaded::Folder {
            shown: "reports/v1.5/acme-operator".to_owned(),
        }];
        files.extend((0..REPORTS).map(|number| {
            let name = format!("r{number}-report.yaml");
            let path = format!("reports/v1.5/acme-operator/{name}");
            let source = Source::new(path, text(number).into_bytes());
            Loaded::Report { source, name }
        }));
        let submission = Submission {
            folder: Some("acme-operator".to_owned()),
            release: FolderRelease::parse("v1.5"),
            readme: None,
            misnamed_readme: None,
            reports: (0..REPORTS)
                .map(|number| folder.join(format!("r{number}-report.yaml")))
                .collect(),
            path: folder,
        };
        let settings = Settings::default();
        let all_rules = settings.with_all_rules();
        let mut work = Work {
            cx: &FixContext {
                tree: Some(&tree),
                settings: &settings,
                registry: Registry::embedded(),
                level: Applicability::Unsafe,
                may_rename: true,
                ignore: &|_| {},
            },
            all_rules: &all_rules,
            checks: 0,
            max_checks: max_checks(&files),
            refused: BTreeMap::new(),
        };
        let start = State {
            submission,
            files,
            renamed: BTreeMap::new(),
        };
        let first = work.check(&start);
        let (state, _) = work.until_nothing_fits(start, first);
        assert_eq!(state.renamed.len(), REPORTS);
        assert!(work.checks <= 3, "{}", work.checks);
    }
}
