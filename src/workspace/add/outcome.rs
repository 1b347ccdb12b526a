use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::{PlannedReport, SubmissionTarget};
use gwconform_base::files::name_of;
use gwconform_base::text::diagnostic::{Diagnostic, Severity};
use gwconform_base::text::source::{Source, display_path};
use gwconform_report::report::facts::ReportFacts;
use gwconform_report::rules::baseline::{Key, key};
use gwconform_report::rules::check::{Placement, check_lone, check_side_by_side};
use gwconform_report::tree::load::{Loaded, load_submission};
use gwconform_report::tree::{LinkTarget, Submission, Tree};

pub(super) struct PlannedSubmission<'a> {
    pub folder: &'a Path,
    pub planned: &'a [PlannedReport],
    pub readme: &'a str,
}

pub(super) struct Outcome<'a> {
    target: &'a SubmissionTarget<'a>,
    submissions: BTreeMap<PathBuf, Submission>,
    reports: BTreeMap<PathBuf, Vec<ReportFacts>>,
    errors: Vec<Diagnostic>,
}

impl<'a> Outcome<'a> {
    pub fn new(target: &'a SubmissionTarget<'a>) -> Self {
        Self {
            target,
            submissions: BTreeMap::new(),
            reports: BTreeMap::new(),
            errors: Vec::new(),
        }
    }

    pub fn has_readme(&self, folder: &Path) -> bool {
        let mut submissions = self.target.tree.submissions.iter();
        submissions.any(|submission| submission.path == folder && submission.readme.is_some())
    }

    /// True if the planned README has errors.
    pub fn has_errors(&self, planned: &PlannedSubmission<'_>) -> bool {
        let (tree, target) = (self.target.tree, self.target);
        let mut submissions = tree.submissions.iter();
        let known = submissions.find(|submission| submission.path == planned.folder);
        let submission = planned.submission(known);
        let files = planned.files(&submission, tree);
        let (settings, registry) = (target.settings, target.registry);
        let found = check_lone(&submission, Placement::InTree, files, settings, registry);
        let path = tree.display(&planned.folder.join("README.md"));
        let mut findings = found.findings.iter();
        findings.any(|finding| finding.severity == Severity::Error && *finding.place.path == *path)
    }

    pub fn take(&mut self, planned: &PlannedSubmission<'_>) {
        let target = self.target;
        let (tree, settings, registry) = (target.tree, target.settings, target.registry);
        let display = |path: &Path| tree.display(path);
        let mut submissions = tree.submissions.iter();
        let known = submissions.find(|submission| submission.path == planned.folder);
        let check = |submission: &Submission, files: Vec<Loaded>| {
            check_lone(submission, Placement::InTree, files, settings, registry)
        };
        let before = known.map(|known| {
            let files = load_submission(known, Some(tree), &display);
            check(known, files).findings
        });
        let submission = planned.submission(known);
        let after = check(&submission, planned.files(&submission, tree));
        let errors = self.new_errors(before.unwrap_or_default(), after.findings);
        self.errors.extend(errors);
        self.reports
            .insert(planned.folder.to_owned(), after.reports);
        self.submissions
            .insert(planned.folder.to_owned(), submission);
    }

    /// New errors, including errors that involve several submissions.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        let target = self.target;
        let (now, settings) = (target.tree, target.settings);
        let is_untouched = |folder: &PathBuf| !self.submissions.contains_key(folder);
        let submissions = now.submissions.iter().cloned();
        let mut submissions: Vec<Submission> = submissions
            .filter(|submission| is_untouched(&submission.path))
            .chain(self.submissions.values().cloned())
            .collect();
        submissions.sort_by(|a, b| a.path.cmp(&b.path));
        let reports = target.reports.iter().cloned();
        let mut reports: Vec<ReportFacts> = reports
            .filter(|report| is_untouched(&report.submission))
            .chain(self.reports.values().flatten().cloned())
            .collect();
        reports.sort_by(|a, b| (&a.path, a.document).cmp(&(&b.path, b.document)));
        let tree = Tree {
            root: now.root.clone(),
            base: now.base.clone(),
            is_whole: now.is_whole,
            is_loose: now.is_loose,
            aliases: now.aliases.clone(),
            releases: now.releases.clone(),
            submissions,
            unexpected: Vec::new(),
            folder: None,
        };
        let before = check_side_by_side(now, target.reports, settings).findings;
        let after = check_side_by_side(&tree, &reports, settings).findings;
        let errors = self.new_errors(before, after);
        self.errors.extend(errors);
        self.errors
    }

    fn new_errors(&self, before: Vec<Diagnostic>, mut after: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let known: BTreeSet<Key> = before.iter().map(key).collect();
        after.retain(|finding| {
            finding.severity == Severity::Error && !known.contains(&key(finding))
        });
        (self.target.ignore)(&mut after);
        after
    }
}

impl PlannedSubmission<'_> {
    fn submission(&self, known: Option<&Submission>) -> Submission {
        let mut submission = known.cloned().unwrap_or_else(|| Submission {
            path: self.folder.to_owned(),
            folder: Some(name_of(self.folder)),
            ..Submission::default()
        });
        let release = self.planned.first().map(|report| report.release.clone());
        submission.release = submission.release.or(release);
        submission.readme = Some(self.folder.join("README.md"));
        let filed = self.planned.iter().map(|report| report.path());
        submission.reports.extend(filed);
        submission.reports.sort();
        submission.reports.dedup();
        submission
    }

    fn files(&self, submission: &Submission, tree: &Tree) -> Vec<Loaded> {
        let display = |path: &Path| tree.display(path);
        let new: BTreeMap<PathBuf, &PlannedReport> = self
            .planned
            .iter()
            .map(|report| (report.path(), report))
            .collect();
        let mut files = vec![Loaded::Folder {
            shown: display(&submission.path),
        }];
        if let Some(path) = &submission.readme {
            files.push(self.loaded_readme(display(path), submission, tree));
        }
        for path in &submission.reports {
            match new.get(path) {
                Some(report) => files.push(Loaded::Report {
                    source: Source::new(display(path), report.bytes.clone()),
                    name: report.name.clone(),
                }),
                None => {
                    let alone = Submission {
                        reports: vec![path.clone()],
                        ..Submission::default()
                    };
                    files.extend(load_submission(&alone, Some(tree), &display));
                }
            }
        }
        files
    }

    fn loaded_readme(&self, shown: String, submission: &Submission, tree: &Tree) -> Loaded {
        let source = Source::new(shown, self.readme.as_bytes().to_vec());
        let mut loaded = Loaded::readme_in(source, tree, &submission.path);
        let reports = submission.reports.iter();
        let there: BTreeSet<String> = reports
            .map(|path| display_path(path, self.folder))
            .collect();
        if let Loaded::Readme { link_targets, .. } = &mut loaded {
            for target in link_targets {
                if let LinkTarget::Inside {
                    own: Some(own),
                    exists,
                    ..
                } = target
                {
                    *exists |= there.contains(own);
                }
            }
        }
        loaded
    }
}
