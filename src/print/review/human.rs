//! A review for a terminal.

use std::io::{self, Write};

use super::facts::{self, SiteChanges, Style};
use crate::print::diff::shortened;
use crate::review::Review;
use crate::text::{counted, visible};

/// Most lines of one kind.
const MAX_LINES: usize = 20;

const STYLE: Style = Style {
    text: |value| visible(&shortened(value)),
    code: visible,
};

/// Writes a review, with an empty line behind.
///
/// # Errors
/// When `out` cannot be written to.
pub(in crate::print) fn write(review: &Review, out: &mut dyn Write) -> io::Result<()> {
    let site = SiteChanges::of(review, STYLE);
    if !review.verdicts.is_empty() {
        writeln!(out, "What the site will show\n")?;
        list(&site.touched, out)?;
        if !site.others.is_empty() {
            let gap = if site.touched.is_empty() { "" } else { "\n" };
            writeln!(out, "{gap}{}:\n", site.reason)?;
            list(&site.others, out)?;
        }
        writeln!(out)?;
    }
    writeln!(
        out,
        "Since {} (commit {}): {} changed",
        visible(&review.revision),
        short(&review.commit),
        counted(review.touched.len(), "submission")
    )?;
    if !review.reports.is_empty() {
        writeln!(out)?;
    }
    let reports = review.reports.iter();
    let reports: Vec<String> = reports.map(|one| facts::report(one, STYLE)).collect();
    list(&reports, out)?;
    for (name, lines) in facts::groups(review, STYLE) {
        if !lines.is_empty() {
            writeln!(out, "\n{name}: {}\n", lines.len())?;
            list(&lines, out)?;
        }
    }
    writeln!(out)
}

fn list(lines: &[String], out: &mut dyn Write) -> io::Result<()> {
    for line in lines.iter().take(MAX_LINES) {
        writeln!(out, "  {line}")?;
    }
    match lines.len().saturating_sub(MAX_LINES) {
        0 => Ok(()),
        more => writeln!(out, "  {more} more; `--format json` lists all"),
    }
}

/// The first characters of a commit's id, as git shows it.
pub(super) fn short(commit: &str) -> &str {
    commit.get(..12).unwrap_or(commit)
}
