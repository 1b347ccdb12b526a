//! Output of `check --statistics`: the number of findings by rule.

use std::io::{self, Write};

use serde::Serialize;

use super::json::Summary;
use super::{Format, RenderInput, rule_counts, summary};
use gwconform_base::text::diagnostic::Severity;
use gwconform_base::text::escape::{markdown_address, markdown_comment};
use gwconform_base::text::message::Message;

/// Output of `gwconform check --statistics --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Findings by rule"))]
pub struct Statistics {
    /// Entries with the most findings first, then sorted by rule.
    rules: Vec<Count>,
    /// Totals, which are the same as in the output of `check --format json`.
    summary: Summary,
}

/// Number of findings of one rule with one severity.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Count {
    /// Rule ID, such as `report/date`.
    rule: String,
    /// Severity of these findings. A rule can have one entry per severity.
    severity: Severity,
    /// Number of findings, at least 1. Includes findings omitted because of the output limit.
    count: usize,
    /// URL of the rule documentation; null if no rule pages are published.
    rule_url: Option<String>,
}

impl Statistics {
    /// Counts findings by rule and severity.
    pub fn new(shown: RenderInput<'_>) -> Self {
        let count = |((rule, severity), count): ((&str, Severity), usize)| Count {
            rule: String::from(rule),
            severity,
            count,
            rule_url: shown.config.rule_url(rule),
        };
        Self {
            rules: rule_counts::by_count(shown)
                .into_iter()
                .map(count)
                .collect(),
            summary: Summary::new(shown.outcome),
        }
    }
}

/// Formats that statistics support.
pub const FORMATS: [Format; 3] = [Format::Human, Format::Json, Format::Markdown];

/// Writes statistics in one of [`FORMATS`].
pub fn write(format: Format, shown: RenderInput<'_>, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Json => write_json(shown, out),
        Format::Markdown => write_markdown(shown, out),
        _ => write_human(shown, out),
    }
}

fn write_human(shown: RenderInput<'_>, out: &mut dyn Write) -> io::Result<()> {
    rule_counts::write(shown, out)?;
    writeln!(out, "{}", summary(shown))
}

fn write_markdown(shown: RenderInput<'_>, out: &mut dyn Write) -> io::Result<()> {
    let rules = rule_counts::by_count(shown);
    let summary = markdown_comment(&Message::of_text(&summary(shown)));
    writeln!(out, "{summary}.")?;
    if !rules.is_empty() {
        writeln!(out, "\n| Count | Severity | Rule |\n|---:|---|---|")?;
    }
    for ((rule, severity), count) in &rules {
        let rule = match shown.config.rule_url(rule) {
            Some(url) => format!("[`{rule}`]({})", markdown_address(&url)),
            None => format!("`{rule}`"),
        };
        writeln!(out, "| {count} | {} | {rule} |", severity.as_str())?;
    }
    Ok(())
}

fn write_json(shown: RenderInput<'_>, out: &mut dyn Write) -> io::Result<()> {
    gwconform_base::text::json::write(&shown.document(Statistics::new(shown)), out)
}
