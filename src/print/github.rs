//! Renders findings as GitHub Actions workflow commands. For each step, GitHub annotates at most
//! ten errors, ten warnings and ten notices, so the most severe findings are first. A final line
//! counts the other findings.

use std::io::{self, Write};

use super::{RenderInput, by_severity, further_places, summary, verdict_by_log};
use gwconform_base::text::diagnostic::{Diagnostic, Severity};
use gwconform_base::text::escape::{github_data, github_property, text_line};
use gwconform_base::text::{counted, visible};

/// Maximum annotations per level and step, a limit of GitHub.
const MAX_SHOWN: usize = 10;

/// Writes one command per finding, then skipped checks and the summary.
pub fn write(shown: RenderInput<'_>, out: &mut dyn Write) -> io::Result<()> {
    let outcome = shown.outcome;
    for finding in by_severity(outcome) {
        writeln!(out, "{}", command(finding))?;
    }
    for left_out in &outcome.skipped {
        let text = format!("not checked: {}: {}", left_out.path, left_out.reason);
        writeln!(out, "{}", text_line(&text))?;
    }
    let kinds = [Severity::Error, Severity::Warning, Severity::Info];
    let hidden: Vec<String> = kinds
        .into_iter()
        .filter_map(|severity| {
            let surplus = outcome.count_kept(severity).checked_sub(MAX_SHOWN)?;
            (surplus > 0).then(|| counted(surplus, severity.as_str()))
        })
        .collect();
    if !hidden.is_empty() {
        writeln!(
            out,
            "only in this log, as a step shows {MAX_SHOWN} annotations of a kind: {}",
            hidden.join(", ")
        )?;
    }
    if let Some(evidence) = shown.evidence {
        let verdict = verdict_by_log(evidence);
        if shown.is_failed_by_log() {
            writeln!(
                out,
                "::error title=verify::{}",
                github_data(&visible(&verdict))
            )?;
        } else {
            writeln!(out, "{}", text_line(&verdict))?;
        }
    }
    writeln!(out, "{}", text_line(&summary(shown)))
}

fn command(finding: &Diagnostic) -> String {
    let name = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    let mut properties = vec![("file", visible(&finding.place.path))];
    if let Some(region) = &finding.place.region {
        properties.push(("line", region.start.line.to_string()));
        // GitHub rejects columns in multi-line annotations.
        let is_one_line = region.start.line == region.end.line;
        if is_one_line {
            properties.push(("col", region.start.column.to_string()));
        }
        properties.push(("endLine", region.end.line.to_string()));
        if is_one_line {
            properties.push(("endColumn", region.end.column.to_string()));
        }
    }
    properties.push(("title", finding.rule.to_owned()));
    let properties: Vec<String> = properties
        .iter()
        .map(|(key, value)| format!("{key}={}", github_property(value)))
        .collect();
    let mut text = visible(&finding.message.to_string());
    for (place, label) in further_places(finding) {
        text.push_str(&format!("\nsee {}", visible(&format!("{place}: {label}"))));
    }
    if let Some(help) = &finding.help {
        text.push_str(&format!("\nhelp: {}", visible(&help.to_string())));
    }
    format!("::{name} {}::{}", properties.join(","), github_data(&text))
}
