//! Number of findings by rule.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use super::RenderInput;
use gwconform_base::text::diagnostic::Severity;

/// Rules and severities with their number of findings, the most findings first.
pub(super) fn by_count(shown: RenderInput<'_>) -> Vec<((&str, Severity), usize)> {
    let mut counts: BTreeMap<(&str, Severity), usize> = BTreeMap::new();
    for finding in &shown.outcome.findings {
        *counts.entry((finding.rule, finding.severity)).or_default() += finding.count();
    }
    let mut rows: Vec<_> = counts.into_iter().collect();
    rows.sort_by_key(|&(key, count)| (Reverse(count), key));
    rows
}

/// Writes the number of findings by rule, and an empty line.
pub(super) fn write(shown: RenderInput<'_>, out: &mut dyn Write) -> io::Result<()> {
    let rules = by_count(shown);
    if !rules.is_empty() {
        writeln!(out, "COUNT  SEVERITY  RULE")?;
    }
    for ((rule, severity), count) in &rules {
        writeln!(out, "{count:5}  {:8}  {rule}", severity.as_str())?;
    }
    if !rules.is_empty() {
        writeln!(out)?;
    }
    Ok(())
}
