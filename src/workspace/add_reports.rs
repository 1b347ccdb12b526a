use std::path::{Path, PathBuf};

use super::error::{ReportError, RunError};
use super::{PartlyRead, Workspace, engine};
use crate::workspace::add::{self, AddError, Input, SubmissionTarget};
use gwconform_base::files::name_of;
use gwconform_base::text::diagnostic::Diagnostic;
use gwconform_base::text::source::Source;
use gwconform_report::certify::details;
use gwconform_report::report::facts::ReportFacts;
use gwconform_report::review::diff::{Diff, diff};
use gwconform_report::rules::check::{self, Placement, Selection, Settings};
use gwconform_report::rules::configuration::Ignores;
use gwconform_report::tree::load::{Loaded, read_in};
use gwconform_report::tree::{Parts, Submission};

/// Result of [`Workspace::add`]. The planned changes are not written yet.
#[derive(Debug)]
pub struct AddPlan {
    /// Changes and manual steps.
    pub plan: add::Plan,
    /// Printed path of the tree.
    pub tree: String,
    /// Absolute paths of the changed folders.
    pub roots: Vec<PathBuf>,
    /// Printed path of the repository that contains the tree, if it does not contain the working
    /// directory.
    pub repository: Option<String>,
}

impl Workspace {
    /// Plans additions without changing files.
    ///
    /// # Errors
    /// If the tree cannot be listed or is not a whole tree. The inner result lists refused reports.
    pub fn add(
        &self,
        inputs: Vec<Input>,
        options: &add::Options,
    ) -> Result<PartlyRead<Result<AddPlan, Vec<AddError>>>, RunError> {
        let root = self.whole_tree()?;
        let settings = Settings::new(&Selection::default(), self.config());
        let tree = engine::discover(root, &Parts::Whole, &self.base, self.base.shown_from())?;
        let checked = engine::check_tree(&tree, &settings, self.registry(), None);
        let list = details::folder(self.base.files(), root);
        let display = |path: &Path| self.base.display(path);
        let details = |list| {
            (
                list,
                details::load(self.base.files(), root, &display).details,
            )
        };
        let ignore = |findings: &mut Vec<Diagnostic>| {
            if let Some(file) = &self.inputs.config {
                Ignores::new(file, self.base.shown_from()).apply(findings);
            }
        };
        let target = SubmissionTarget {
            tree: &tree,
            reports: &checked.reports,
            list: list.clone().map(details),
            registry: self.registry(),
            config: self.config(),
            settings: &settings,
            read: &|path| read_in(&tree, path).ok(),
            ignore: &ignore,
        };
        let is_elsewhere = |repository: &&Path| !self.base.path().starts_with(repository);
        let repository = self.base.repository_of(root).filter(is_elsewhere);
        let plan = add::plan(inputs, &target, options).map(|plan| AddPlan {
            repository: repository.map(|folder| self.base.display(folder)),
            plan,
            tree: tree.display(root),
            roots: std::iter::once(root.to_owned()).chain(list).collect(),
        });
        Ok(PartlyRead::new(plan, checked.unread))
    }

    /// Reads the only report in a file. `name` is the printed path.
    pub fn facts(
        &self,
        name: &str,
        path: &Path,
        bytes: Vec<u8>,
    ) -> Result<ReportFacts, ReportError> {
        let submission = Submission::holding_in(self.base.files(), path);
        let is_empty = bytes.trim_ascii().is_empty();
        let loaded = Loaded::Report {
            source: Source::new(name.to_owned(), bytes),
            name: name_of(path),
        };
        let settings = Settings::default();
        let registry = self.registry();
        let report = check::check_lone(
            &submission,
            Placement::Alone,
            vec![loaded],
            &settings,
            registry,
        );
        let mut reports = report.reports;
        let facts = reports.pop().ok_or(if is_empty {
            ReportError::Empty
        } else {
            ReportError::NotAReport
        })?;
        match reports.len() {
            0 if facts.is_report && !facts.is_cut => Ok(facts),
            0 if facts.is_cut => Err(ReportError::Unreadable),
            0 => Err(ReportError::NotAReport),
            others => Err(ReportError::Several(others + 1)),
        }
    }

    /// Compares two reports, with the workspace's release data.
    pub fn diff(&self, old: &ReportFacts, new: &ReportFacts) -> Diff {
        diff(old, new, self.registry())
    }
}
