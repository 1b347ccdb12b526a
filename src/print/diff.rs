//! Output of `diff`: changes between two reports.

use serde::Serialize;

use super::page::{Cut, Inline, Page, code, words};
use gwconform_base::text::message::cut;
use gwconform_report::review::diff::{Change, Diff, TestOutcome};

/// Output of `gwconform diff --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Differences between two reports"))]
pub struct Changes<'d> {
    /// Path of the older report. With its revision, as in `REV:PATH`, if it was read from git.
    previous_path: &'d str,
    /// Path of the newer report, likewise.
    path: &'d str,
    #[serde(flatten)]
    diff: &'d Diff,
}

impl<'d> Changes<'d> {
    /// The names of the reports, older first.
    pub fn new(diff: &'d Diff, [previous_path, path]: [&'d str; 2]) -> Self {
        Self {
            previous_path,
            path,
            diff,
        }
    }
}

fn sentence(change: &Change) -> Inline {
    match change.profile() {
        Some(profile) => profile_name(profile).with(words(": ")).with(fact(change)),
        None => fact(change),
    }
}

pub(super) fn fact(change: &Change) -> Inline {
    let of = |noun: &str, name: &str, rest: String| words(noun).with(value(name)).with(words(rest));
    match change {
        Change::Verdict { old, new, .. } => words(format!("{new}, was {old}")),
        Change::ProfileGone { .. } => words("profile removed"),
        Change::ProfileNew { .. } => words("new profile"),
        Change::Test { test, old, new, .. } => {
            let (old, new_word) = (old.in_words(), new.in_words());
            let rest = match new {
                TestOutcome::NotNamed => format!(" no longer {old}"),
                _ => format!(" {new_word}, was {old}"),
            };
            of("test ", test, rest)
        }
        Change::Feature {
            feature, old, new, ..
        } => {
            let rest = match change.removed_in() {
                Some(release) => format!(" removed in {release}"),
                None => format!(" {}, was {}", new.in_words(), old.in_words()),
            };
            of("feature ", feature, rest)
        }
        Change::Field { field, old, new } => {
            let [new, old] = [new, old].map(|side| side.as_deref().map_or(words("none"), value));
            words(format!("{field}: "))
                .with(new)
                .with(words(", was "))
                .with(old)
        }
    }
}

/// Maximum characters of a value in human output. JSON values are not truncated.
const MAX_VALUE: usize = 300;

pub(super) fn value(value: &str) -> Inline {
    match value.trim() {
        "" => words("an empty value"),
        _ => code(cut(value, MAX_VALUE)),
    }
}

/// Name of a profile. A profile without a name gets a description.
pub(super) fn profile_name(profile: &str) -> Inline {
    match profile.trim() {
        "" => words("unnamed profile"),
        _ => value(profile),
    }
}

/// Renders regressions first.
pub fn page(diff: &Diff) -> Page {
    let mut page = Page::cut(Cut {
        lines: usize::MAX,
        all: "`gwconform diff` shows",
    });
    if diff.is_empty() {
        page.paragraph("No changes");
    }
    let groups = [
        ("Regressions", &diff.regressions),
        ("Gains", &diff.gains),
        ("Metadata", &diff.metadata),
    ];
    for (title, changes) in groups {
        if !changes.is_empty() {
            page.heading(3, format!("{title}: {}", changes.len()));
        }
        for change in changes {
            page.item(sentence(change));
        }
    }
    page
}
