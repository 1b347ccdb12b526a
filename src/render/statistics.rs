//! How many findings each rule has, for people.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use super::{RenderInput, summary};
use crate::diagnostic::Severity;

/// Writes a line for each rule and severity that has findings, the most frequent first, and the
/// summary. Findings that are counted and not kept count too.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write(shown: RenderInput<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut counts: BTreeMap<(&str, Severity), usize> = BTreeMap::new();
    for finding in &shown.outcome.findings {
        *counts.entry((finding.rule, finding.severity)).or_default() += 1;
    }
    for (_, rule, cut) in shown.outcome.cut.iter() {
        for severity in [Severity::Error, Severity::Warning, Severity::Info] {
            let count = cut.of(severity);
            if count > 0 {
                *counts.entry((rule, severity)).or_default() += count;
            }
        }
    }
    let mut rows: Vec<_> = counts.into_iter().collect();
    rows.sort_by_key(|&(key, count)| (Reverse(count), key));
    if !rows.is_empty() {
        writeln!(out, "COUNT  SEVERITY  RULE")?;
    }
    for ((rule, severity), count) in &rows {
        writeln!(out, "{count:5}  {:8}  {rule}", severity.as_str())?;
    }
    if !rows.is_empty() {
        writeln!(out)?;
    }
    writeln!(out, "{}", summary(shown))
}
