//! What a change does, for people, programs and comments. JSON as in [`super::json`].

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Serialize;

use super::diff::{OneChange, one, sentence};
use super::json::Finding;
use crate::diff::Change;
use crate::review::{Kind, ReportChange, Review, Verdict, VerdictChange};
use crate::text::escape::{markdown_code, markdown_text};
use crate::text::{counted, visible};

/// What changed since a revision.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Since {
    /// The revision, as it was named.
    revision: String,
    /// The commit that is compared with: the last one that the revision and the checked work share.
    commit: String,
    /// The submissions that the change touches.
    touched: Vec<String>,
    /// Findings that were there before; none of them is in `findings`.
    known: Known,
    /// How much was not checked in submissions that it does not touch.
    skipped_elsewhere: usize,
    /// The reports that it touches, by path.
    reports: Vec<OneReport>,
    /// What the site will show of implementations: those it touches, and those whose verdict is
    /// another.
    verdicts: Vec<OneVerdictChange>,
}

/// The findings that were there before.
#[derive(Debug, Serialize, JsonSchema)]
struct Known {
    /// Errors.
    errors: usize,
    /// Warnings.
    warnings: usize,
    /// Infos.
    infos: usize,
    /// The findings, with `--all`; null without it.
    findings: Option<Vec<Finding>>,
}

/// A report that the change touches.
#[derive(Debug, Serialize, JsonSchema)]
struct OneReport {
    /// Its path; of a deleted one, its former path.
    path: String,
    /// What happened to it.
    kind: JsonKind,
    /// The report that it is compared with: its earlier version, else the one that came before it.
    before: Option<String>,
    /// What it shows less of.
    regressions: Vec<OneChange>,
    /// What it shows more of.
    gains: Vec<OneChange>,
    /// What it says otherwise of itself, and what its release has otherwise.
    metadata: Vec<OneChange>,
}

/// What happened to a report.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum JsonKind {
    /// It is new.
    New,
    /// It is another text under the same path.
    Changed,
    /// It is the same text under another path.
    Moved,
    /// It is another text under another path.
    MovedAndChanged,
    /// It is gone.
    Deleted,
}

/// What an implementation was and will be in a family of profiles.
#[derive(Debug, Serialize, JsonSchema)]
struct OneVerdictChange {
    /// The name to show.
    name: String,
    /// As in its reports.
    organization: String,
    /// As in its reports.
    project: String,
    /// `gateway` or `mesh`.
    family: &'static str,
    /// Before; null when it had no profile of the family.
    before: Option<OneVerdict>,
    /// After.
    after: Option<OneVerdict>,
}

/// What an implementation is.
#[derive(Debug, Serialize, JsonSchema)]
struct OneVerdict {
    /// `conformant`, `partially conformant` or `not current`.
    verdict: &'static str,
    /// Why.
    reason: String,
    /// Path of the report that it rests on.
    path: String,
}

/// A review for programs; `known` are the findings that were there before, where they are listed.
pub fn json(review: &Review, known: Option<Vec<Finding>>) -> Since {
    let counts = review.before.counts;
    let verdict = |side: &Option<Verdict>| {
        side.as_ref().map(|one| OneVerdict {
            verdict: one.standing.as_str(),
            reason: one.reason.clone(),
            path: one.path.clone(),
        })
    };
    let changes = |list: &[Change]| list.iter().map(one).collect();
    Since {
        revision: review.revision.clone(),
        commit: review.commit.clone(),
        touched: review.touched.clone(),
        known: Known {
            errors: counts.errors,
            warnings: counts.warnings,
            infos: counts.infos,
            findings: known,
        },
        skipped_elsewhere: review.not_checked_elsewhere,
        reports: review
            .reports
            .iter()
            .map(|report| OneReport {
                path: report.path.clone(),
                kind: match report.kind {
                    Kind::New => JsonKind::New,
                    Kind::Changed => JsonKind::Changed,
                    Kind::Moved => JsonKind::Moved,
                    Kind::MovedAndChanged => JsonKind::MovedAndChanged,
                    Kind::Deleted => JsonKind::Deleted,
                },
                before: report.before.clone(),
                regressions: changes(&report.diff.regressions),
                gains: changes(&report.diff.gains),
                metadata: changes(&report.diff.metadata),
            })
            .collect(),
        verdicts: review
            .verdicts
            .iter()
            .map(|change| OneVerdictChange {
                name: change.name.clone(),
                organization: change.organization.clone(),
                project: change.project.clone(),
                family: change.family.as_str(),
                before: verdict(&change.before),
                after: verdict(&change.after),
            })
            .collect(),
    }
}

/// `conformant (conformant in v1.5, one of the 2 newest minors)`.
fn words(verdict: &Option<Verdict>) -> String {
    match verdict {
        Some(verdict) => format!("{} ({})", verdict.standing.as_str(), verdict.reason),
        None => "none".to_owned(),
    }
}

/// The change of a verdict, in a word.
fn direction(change: &VerdictChange) -> &'static str {
    let standing = |verdict: &Option<Verdict>| verdict.as_ref().map(|verdict| verdict.standing);
    match standing(&change.after).cmp(&standing(&change.before)) {
        std::cmp::Ordering::Less => "worse",
        std::cmp::Ordering::Equal => "unchanged",
        std::cmp::Ordering::Greater => "better",
    }
}

fn groups(report: &ReportChange) -> [(&'static str, &[Change]); 3] {
    [
        ("regressions", report.diff.regressions.as_slice()),
        ("gains", report.diff.gains.as_slice()),
        ("metadata", report.diff.metadata.as_slice()),
    ]
}

/// The report that a report is compared with, unless it has the same path.
fn compared(report: &ReportChange) -> Option<&str> {
    let before = report.before.as_deref();
    before.filter(|before| *before != report.path)
}

/// The first characters of a commit's id, as git shows it.
fn short(commit: &str) -> &str {
    commit.get(..12).unwrap_or(commit)
}

/// Writes a review for a terminal, with an empty line behind.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_human(review: &Review, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "Since {} (commit {}): {} changed",
        visible(&review.revision),
        short(&review.commit),
        counted(review.touched.len(), "submission")
    )?;
    for report in &review.reports {
        writeln!(
            out,
            "\n  {}: {}",
            report.kind.as_str(),
            visible(&report.path)
        )?;
        if let Some(before) = compared(report) {
            writeln!(out, "    compared with {}", visible(before))?;
        }
        for (name, changes) in groups(report) {
            if !changes.is_empty() {
                writeln!(out, "    {name}: {}", changes.len())?;
            }
            for change in changes {
                writeln!(out, "      {}", sentence(change, &visible))?;
            }
        }
    }
    if !review.verdicts.is_empty() {
        writeln!(out, "\nVerdicts after merge\n")?;
    }
    for change in &review.verdicts {
        let family = change.family.as_str();
        writeln!(
            out,
            "  {}, {family}: {}",
            visible(&change.name),
            direction(change)
        )?;
        writeln!(out, "    before: {}", visible(&words(&change.before)))?;
        writeln!(out, "    after:  {}", visible(&words(&change.after)))?;
    }
    writeln!(out)
}

/// A review as lines of Markdown, most important first; each is independent, but the rows of
/// the table follow its head.
pub fn markdown(review: &Review) -> Vec<String> {
    let mut lines = Vec::new();
    if !review.verdicts.is_empty() {
        lines.push("\n### Verdicts after merge\n\n".to_owned());
        lines.push("| Implementation | Family | Before | After |\n|---|---|---|---|\n".to_owned());
    }
    for change in &review.verdicts {
        let standing = |verdict: &Option<Verdict>| match verdict {
            Some(verdict) => format!(
                "**{}**: {}",
                verdict.standing.as_str(),
                markdown_text(&verdict.reason)
            ),
            None => "none".to_owned(),
        };
        lines.push(format!(
            "| {} | {} | {} | {} |\n",
            markdown_text(&change.name),
            change.family.as_str(),
            standing(&change.before),
            standing(&change.after),
        ));
    }
    let (revision, commit) = (markdown_code(&review.revision), short(&review.commit));
    lines.push(format!(
        "\n### Reports\n\nSince {revision} (commit `{commit}`): {} changed.\n",
        counted(review.touched.len(), "submission")
    ));
    for report in &review.reports {
        let path = markdown_code(&report.path);
        let compared =
            compared(report).map(|before| format!(", compared with {}", markdown_code(before)));
        lines.push(format!(
            "\n**{}**: {path}{}\n\n",
            report.kind.as_str(),
            compared.unwrap_or_default()
        ));
        for (name, changes) in groups(report) {
            for (nth, change) in changes.iter().enumerate() {
                let head = match nth {
                    0 => format!("- {name}: {}\n", changes.len()),
                    _ => String::new(),
                };
                lines.push(format!("{head}  - {}\n", sentence(change, &markdown_text)));
            }
        }
    }
    lines
}
