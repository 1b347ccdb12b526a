//! Checks the list that the configuration names, as a change leaves it.

use std::collections::HashSet;
use std::path::Path;

use serde::Serialize;

use super::{Problem, check_details, check_page};
use crate::certify::catalog::Catalog;
use crate::certify::details::{self, Details};
use crate::rules::check::Skipped;
use crate::text::source::{MAX_FILE_BYTES, Source};
use crate::tree::files::{Files, PathError};

/// Content of a list.
#[derive(Debug)]
pub enum ListContent {
    /// Markdown page.
    Page(Source),
    /// Folder with `details.yaml` files, and unusable files.
    Details(Vec<Details>, Vec<Skipped>),
}

/// List that the configuration names.
#[derive(Debug)]
pub struct ListFile {
    /// Printed path of the list.
    pub path: String,
    /// True if the change adds, edits or deletes files of the list.
    pub is_changed: bool,
    /// Content after the change, or the reason why it cannot be read.
    pub content: Result<ListContent, String>,
}

/// Changes that a list needs after a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ListReview {
    /// Printed path of the list.
    pub path: String,
    /// Reason why the list was not checked. Null if it was checked.
    pub not_checked: Option<String>,
    /// Required changes. If the change does not touch the list, only those that it causes.
    pub problems: Vec<Problem>,
    /// Number of omitted changes that the list also needs without the change.
    pub known: usize,
}

/// Reads a list without following links, because the output quotes it. `below` is the path from
/// `folder`.
pub fn read(
    files: &Files,
    folder: &Path,
    below: &Path,
    display: &dyn Fn(&Path) -> String,
) -> Result<ListContent, String> {
    let shown = display(&folder.join(below));
    let failed = |error| PathError::new(&shown, error, "a list of implementations").to_string();
    let start = files.folder(folder).map_err(failed)?;
    if let Ok(list) = start.folder(below) {
        let (details, unused) = details::parse_all(Some(list), display);
        return Ok(ListContent::Details(details, unused));
    }
    match start.read(below, MAX_FILE_BYTES) {
        Ok(bytes) => Ok(ListContent::Page(Source::new(shown, bytes))),
        Err(error) => Err(PathError::new(&shown, error, "a list of implementations").to_string()),
    }
}

impl ListFile {
    pub(in crate::review) fn review(
        &self,
        before: &Catalog<'_>,
        after: &Catalog<'_>,
    ) -> ListReview {
        let found = self.problems(after);
        let not_checked = found.as_ref().err().cloned();
        let mut problems = found.unwrap_or_default();
        let all = problems.len();
        if !self.is_changed {
            let earlier = self.problems(before).unwrap_or_default();
            let earlier: HashSet<_> = earlier.iter().map(identity).collect();
            problems.retain(|problem| !earlier.contains(&identity(problem)));
        }
        ListReview {
            path: self.path.clone(),
            not_checked,
            known: all - problems.len(),
            problems,
        }
    }

    fn problems(&self, catalog: &Catalog<'_>) -> Result<Vec<Problem>, String> {
        match self.content.as_ref().map_err(Clone::clone)? {
            ListContent::Page(page) => {
                check_page(page, catalog).map_err(|reason| format!("{}: {reason}", self.path))
            }
            ListContent::Details(details, unused) => {
                Ok(check_details(details, unused, &self.path, catalog))
            }
        }
    }
}

/// The text of the list is the same for both catalogs, so lines identify entries.
fn identity(problem: &Problem) -> (&str, Option<u32>, &str) {
    (&problem.path, problem.line, &problem.message)
}
