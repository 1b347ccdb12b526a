//! Renders findings as one line each, as compilers do, for editors, grep and reviewdog:
//! `path:line:column: severity: rule: message`.

use std::io::{self, Write};

use super::{RenderInput, newest_first, summary, verdict_by_log};
use gwconform_base::text::diagnostic::Diagnostic;
use gwconform_base::text::visible;

/// Writes the findings, then skipped checks and the summary.
pub fn write(shown: RenderInput<'_>, out: &mut dyn Write) -> io::Result<()> {
    for finding in newest_first(shown.outcome) {
        writeln!(out, "{}", visible(&line(finding)))?;
    }
    for left_out in &shown.outcome.skipped {
        let text = format!("not checked: {}: {}", left_out.path, left_out.reason);
        writeln!(out, "{}", visible(&text))?;
    }
    if let Some(evidence) = shown.evidence {
        writeln!(out, "{}", visible(&verdict_by_log(evidence)))?;
    }
    writeln!(out, "{}", visible(&summary(shown)))
}

fn line(finding: &Diagnostic) -> String {
    let place = &finding.place;
    let start = place.region.as_ref().map(|region| region.start);
    // Readers of this format expect a position, also for a finding about the whole file.
    let (line, column) = start.map_or((1, 1), |start| (start.line, start.column));
    let (severity, rule) = (finding.severity.as_str(), finding.rule);
    let (path, message) = (&place.path, &finding.message);
    format!("{path}:{line}:{column}: {severity}: {rule}: {message}")
}
