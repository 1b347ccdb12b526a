//! Output of `certify --check`: required changes in a hand-maintained list of implementations.

use serde::Serialize;

use super::page::{Cut, Inline, Page, code, words};
use crate::review::lists::Problem;
use crate::text::counted;
use crate::text::message::Message;

/// Output of `gwconform certify --check LIST --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Differences between a list and the verdicts"))]
pub struct ListCheck {
    /// Format version, always 1.
    #[cfg_attr(test, schemars(extend("const" = 1)))]
    version: u32,
    /// Path of the list: a page, or a folder that contains `details.yaml` files.
    list: String,
    /// Required changes, sorted by path and line.
    problems: Vec<Problem>,
}

impl ListCheck {
    /// `list` is the path of the list.
    pub fn new(list: String, problems: Vec<Problem>) -> Self {
        Self {
            version: 1,
            list,
            problems,
        }
    }

    /// True if no changes are required.
    pub fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }
}

/// Renders each problem with its location and the replacement text.
pub fn page(check: &ListCheck) -> Page {
    let mut page = Page::cut(Cut {
        lines: usize::MAX,
        all: "`--format json` lists",
    });
    add(&mut page, &check.problems);
    page.gap();
    let list = code(&check.list);
    page.paragraph(match check.problems.len() {
        0 => list.with(words(" agrees with the verdicts")),
        count => words(format!("{} to make in ", counted(count, "change"))).with(list),
    });
    page
}

/// Adds each problem with its location and the replacement text.
pub(super) fn add(page: &mut Page, problems: &[Problem]) {
    for problem in problems {
        let place = match problem.line {
            Some(line) => format!("{}:{line}", problem.path),
            None => problem.path.clone(),
        };
        let message = Inline::message(&Message::of_text(&problem.message));
        let text = code(place).with(words(": ")).with(message);
        page.change(text, problem.write.as_deref());
    }
}
