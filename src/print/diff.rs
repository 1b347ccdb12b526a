//! What changed between two reports, for people and programs. As in [`super::json`], fields are
//! only ever added, and `version` changes when one changes its meaning.

use std::borrow::Cow;
use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Serialize;

use crate::report::schema;
use crate::review::diff::{Change, ChangeKind, Diff, TestOutcome};
use crate::text::message::cut;
use crate::text::{counted, escape, visible};

use super::markdown::{MAX_CHARACTERS, MAX_ITEMS};

/// What `gwconform diff --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "What changed between two reports", transform = schema::with_id("diff"))]
pub struct Changes {
    /// Version of this format.
    #[schemars(extend("const" = 1))]
    version: u32,
    /// The old report, as it was named.
    old: String,
    /// The new report, as it was named.
    new: String,
    /// What the new report shows less of.
    regressions: Vec<OneChange>,
    /// What it shows more of.
    gains: Vec<OneChange>,
    /// What it says otherwise of itself, and what its release has otherwise.
    metadata: Vec<OneChange>,
}

/// One change; fields that do not apply are null.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OneChange {
    /// What changed.
    kind: ChangeKind,
    /// The profile, by its name in the new report.
    profile: Option<String>,
    /// The test, feature or field.
    name: Option<String>,
    /// What the old report says.
    old: Option<String>,
    /// What the new report says.
    new: Option<String>,
}

/// Writes the changes as one JSON document; `names` are the old report's and the new one's.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_json(diff: &Diff, names: [&str; 2], out: &mut dyn Write) -> io::Result<()> {
    let changes = |list: &[Change]| list.iter().map(one).collect();
    let document = Changes {
        version: 1,
        old: names[0].to_owned(),
        new: names[1].to_owned(),
        regressions: changes(&diff.regressions),
        gains: changes(&diff.gains),
        metadata: changes(&diff.metadata),
    };
    crate::text::json::to_writer_pretty(&mut *out, &document)?;
    out.write_all(b"\n")
}

/// A change for programs.
pub fn one(change: &Change) -> OneChange {
    let change_of =
        |kind, profile: Option<&str>, name: Option<&str>, old: Option<&str>, new: Option<&str>| {
            let owned = |text: Option<&str>| text.map(str::to_owned);
            OneChange {
                kind,
                profile: owned(profile),
                name: owned(name),
                old: owned(old),
                new: owned(new),
            }
        };
    match change {
        Change::Verdict { profile, old, new } => {
            let (old, new) = (Some(old.as_str()), Some(new.as_str()));
            change_of(ChangeKind::Verdict, Some(profile), None, old, new)
        }
        Change::ProfileGone { profile } => {
            change_of(ChangeKind::ProfileGone, Some(profile), None, None, None)
        }
        Change::ProfileNew { profile } => {
            change_of(ChangeKind::ProfileNew, Some(profile), None, None, None)
        }
        Change::Test {
            profile,
            test,
            old,
            new,
        } => {
            let (old, new) = (Some(old.as_str()), Some(new.as_str()));
            change_of(ChangeKind::Test, Some(profile), Some(test), old, new)
        }
        Change::Feature {
            profile,
            feature,
            old,
            new,
            ..
        } => {
            let (old, new) = (Some(old.as_str()), Some(new.as_str()));
            change_of(ChangeKind::Feature, Some(profile), Some(feature), old, new)
        }
        Change::Field { field, old, new } => change_of(
            ChangeKind::Field,
            None,
            Some(field),
            old.as_deref(),
            new.as_deref(),
        ),
    }
}

/// A change in a sentence; `text` escapes values of reports for the output.
pub fn sentence(change: &Change, text: &dyn Fn(&str) -> String) -> String {
    match change.profile() {
        Some(profile) => format!("{}: {}", text(profile), fact(change, text)),
        None => fact(change, text),
    }
}

/// The same without the profile.
pub(super) fn fact(change: &Change, text: &dyn Fn(&str) -> String) -> String {
    match change {
        Change::Verdict { old, new, .. } => format!("{}, was {}", new.as_str(), old.as_str()),
        Change::ProfileGone { .. } => "profile removed".to_owned(),
        Change::ProfileNew { .. } => "new profile".to_owned(),
        Change::Test { test, old, new, .. } => {
            let test = text(test);
            if *new == TestOutcome::NotNamed {
                return format!("test {test} no longer {}", old.as_str());
            }
            format!("test {test} {}, was {}", new.as_str(), old.as_str())
        }
        Change::Feature {
            feature, old, new, ..
        } => {
            let feature = text(feature);
            match change.removed_in() {
                Some(release) => format!("feature {feature} removed in {release}"),
                None => format!("feature {feature} {}, was {}", new.as_str(), old.as_str()),
            }
        }
        Change::Field { field, old, new } => {
            let value = |field_value: &Option<String>| match field_value {
                Some(known) => text(known),
                None => "none".to_owned(),
            };
            format!("{field}: {}, was {}", value(new), value(old))
        }
    }
}

/// Longest value of a report that people are shown; JSON has all of it.
const MAX_VALUE: usize = 300;

/// What headings and the line that counts what was cut need at most.
const MAX_LAST_LINE: usize = 300;

/// A value of a report as people are shown it.
pub(super) fn shortened(value: &str) -> Cow<'_, str> {
    cut(value, MAX_VALUE)
}

/// The kinds of changes that there are, by weight.
fn groups(diff: &Diff) -> impl Iterator<Item = (&'static str, &[Change])> {
    let groups = [
        ("Regressions", diff.regressions.as_slice()),
        ("Gains", diff.gains.as_slice()),
        ("Metadata", diff.metadata.as_slice()),
    ];
    groups
        .into_iter()
        .filter(|(_, changes)| !changes.is_empty())
}

/// Writes the changes for a terminal.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_human(diff: &Diff, out: &mut dyn Write) -> io::Result<()> {
    if diff.is_empty() {
        return writeln!(out, "No changes");
    }
    for (at, (title, changes)) in groups(diff).enumerate() {
        let gap = if at == 0 { "" } else { "\n" };
        writeln!(out, "{gap}{title}: {}", changes.len())?;
        for change in changes {
            let text = |value: &str| visible(&shortened(value));
            writeln!(out, "  {}", sentence(change, &text))?;
        }
    }
    Ok(())
}

/// Writes the changes as Markdown, for a comment or release notes: as many as a comment takes.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_markdown(diff: &Diff, out: &mut dyn Write) -> io::Result<()> {
    if diff.is_empty() {
        return writeln!(out, "No changes.");
    }
    let text = |value: &str| escape::markdown_text(&shortened(value));
    let mut room = MAX_CHARACTERS - MAX_LAST_LINE;
    let mut more = 0;
    for (at, (title, changes)) in groups(diff).enumerate() {
        let gap = if at == 0 { "" } else { "\n" };
        writeln!(out, "{gap}### {title}\n")?;
        more += changes.len().saturating_sub(MAX_ITEMS);
        for change in changes.iter().take(MAX_ITEMS) {
            let item = format!("- {}\n", sentence(change, &text));
            let characters = item.chars().count();
            if characters > room {
                more += 1;
                continue;
            }
            room -= characters;
            out.write_all(item.as_bytes())?;
        }
    }
    match more {
        0 => Ok(()),
        more => writeln!(
            out,
            "\n_Cut to fit a comment: {}; `gwconform diff` shows all._",
            counted(more, "change")
        ),
    }
}
