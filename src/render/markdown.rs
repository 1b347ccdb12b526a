//! Findings as Markdown of GitHub's kind, for the summary of a job or a comment: the verdict, what
//! the site will show when that is known, then findings by file, the worst files first.

use std::cmp::Reverse;
use std::io::{self, Write};

use super::checks::{OneCheck, checks, verdict};
use super::{RenderInput, health, review, summary, verdict_by_log};
use crate::config::Config;
use crate::diagnostic::Diagnostic;
use crate::message::Message;
use crate::resource::Health;
use crate::text::counted;
use crate::text::escape::{markdown_address, markdown_code, markdown_comment};

/// Longest output, in characters: a comment on GitHub takes 65,536, and who posts it adds a few.
pub const MAX_CHARACTERS: usize = 60_000;

/// How much of it the part about the site may have, so that findings have room.
const MAX_OF_SITE: usize = 25_000;

/// What the line that counts what was cut needs at most.
const MAX_LAST_LINE: usize = 300;

/// Writes the outcome as Markdown.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write(shown: RenderInput<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut checks = checks(shown);
    let mut page = Page::new(format!("## {}\n", verdict(&checks, shown.fail_on)));
    page.add(format!(
        "\n{}.\n",
        markdown_comment(&Message::of_text(&summary(shown)))
    ));
    if let Some(evidence) = shown.evidence {
        let verdict = markdown_comment(&Message::of_text(&verdict_by_log(evidence)));
        page.add(format!("\n{verdict}\n\n{}.\n", evidence.limits));
    }
    if let Some(cluster) = shown.cluster {
        add_health(&cluster.health, &mut page);
    }
    if let Some(review) = shown.review {
        page.limit = MAX_OF_SITE;
        // A line may need the one before it, so that the first that does not fit is the end.
        let lines = review::markdown(review);
        let all = lines.len();
        let shown = lines.into_iter().take_while(|line| page.add(line.clone()));
        let cut = all - shown.count();
        page.limit = MAX_CHARACTERS - MAX_LAST_LINE;
        if cut > 0 {
            let lines = counted(cut, "more line");
            page.add(format!("\nCut to fit a comment: {lines} of this.\n"));
        }
    }
    checks.retain(|check| !check.findings.is_empty());
    checks.sort_by_key(|check| {
        let worst = check.findings.iter().map(|finding| finding.severity).max();
        (Reverse(worst), check.path)
    });
    let mut cut = (0, 0);
    if !checks.is_empty() {
        page.add("\n### Findings\n".to_owned());
    }
    for check in &checks {
        let left = page.add_file(check, shown.config);
        cut.0 += left;
        cut.1 += usize::from(left > 0);
    }
    let mut skipped = 0;
    let all_left_out = shown.outcome.left_out();
    if shown.cluster.is_some() && !shown.is_verbose && !all_left_out.is_empty() {
        let parts = counted(all_left_out.len(), "part");
        page.add(format!("\nNot checked: {parts} (list them with `-v`).\n"));
    } else if !all_left_out.is_empty() {
        page.add("\n### Not checked\n\n".to_owned());
        let items = all_left_out.iter().map(|left_out| {
            let (path, reason) = (&left_out.path, &left_out.reason);
            format!(
                "- {}: {}\n",
                markdown_code(path),
                markdown_comment(&Message::of_text(reason))
            )
        });
        skipped = page.add_all(items);
    }
    out.write_all(page.text.as_bytes())?;
    let mut left_out = Vec::new();
    if cut.0 > 0 {
        let (findings, files) = (counted(cut.0, "finding"), counted(cut.1, "file"));
        left_out.push(format!("{findings} in {files}"));
    }
    if skipped > 0 {
        left_out.push(format!("{skipped} of what was not checked"));
    }
    if !left_out.is_empty() {
        let kinds = left_out.join(" and ");
        let command = shown.cluster.map_or("check", |_| "resources");
        writeln!(
            out,
            "\n_Cut to fit a comment: {kinds}; `gwconform {command}` shows all._"
        )?;
    }
    Ok(())
}

/// Adds what works of a cluster, above all findings.
fn add_health(health: &Health, page: &mut Page) {
    let lines = health::lines(health);
    if lines.is_empty() {
        return;
    }
    page.add("\n### Health\n\n".to_owned());
    page.add_all(lines.iter().map(|line| {
        let line = Message::of_text(&line.to_string());
        format!("- {}\n", markdown_comment(&line))
    }));
}

/// Text that does not grow beyond what it is for.
struct Page {
    text: String,
    characters: usize,
    limit: usize,
}

impl Page {
    fn new(text: String) -> Self {
        Self {
            characters: text.chars().count(),
            limit: MAX_CHARACTERS - MAX_LAST_LINE,
            text,
        }
    }

    /// Adds a text where it fits; false where it does not.
    fn add(&mut self, text: String) -> bool {
        let characters = text.chars().count();
        let fits = self.characters + characters <= self.limit;
        if fits {
            self.characters += characters;
            self.text.push_str(&text);
        }
        fits
    }

    /// Adds the lines that fit, and counts the rest.
    fn add_all(&mut self, texts: impl IntoIterator<Item = String>) -> usize {
        texts
            .into_iter()
            .filter(|text| !self.add(text.clone()))
            .count()
    }

    /// Adds the findings of a file, under its path, and counts those that did not fit.
    fn add_file(&mut self, check: &OneCheck<'_>, config: &Config) -> usize {
        let mut heading = format!("\n#### {}\n\n", markdown_code(check.path));
        let mut left = 0;
        for finding in &check.findings {
            let item = item(finding, config);
            // A heading is written only above a finding.
            if self.add(format!("{heading}{item}")) {
                heading.clear();
            } else {
                left += 1;
            }
        }
        left
    }
}

fn item(finding: &Diagnostic, config: &Config) -> String {
    let rule = match config.rule_url(finding.rule) {
        Some(url) => format!("[`{}`]({})", finding.rule, markdown_address(&url)),
        None => format!("`{}`", finding.rule),
    };
    let mut text = format!("- **{}** {rule}", finding.severity.as_str());
    if let Some(region) = &finding.place.region {
        let start = region.start;
        text.push_str(&format!(" line {}, column {}", start.line, start.column));
    }
    text.push_str(&format!(": {}\n", markdown_comment(&finding.message)));
    if let Some(help) = &finding.help {
        text.push_str(&format!("  <br>{}\n", markdown_comment(help)));
    }
    text
}
