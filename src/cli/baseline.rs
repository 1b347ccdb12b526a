use std::path::Path;

use anyhow::Context;

use super::output::temporary_file;
use super::{Failure, write};
use crate::rules;
use crate::workspace::{Base, places};
use gwconform_base::text::counted;
use gwconform_base::text::source::Source;
use gwconform_report::rules::baseline;
use gwconform_report::rules::check::CheckReport;

/// Returns what was written, for standard error.
pub fn write(path: &Path, outcome: &CheckReport, base: &Base) -> Result<String, Failure> {
    let path = base.destination(path);
    let shown = base.display(&path);
    refuse_others(&path, &shown, base)?;
    // Findings about unused entries of the previous baseline are not accepted, because the new
    // baseline resolves them.
    let about_itself = gwconform_report::rules::config::UNUSED_BASELINE_ENTRY
        .about()
        .id;
    let findings: Vec<_> = outcome
        .findings
        .iter()
        .filter(|finding| finding.rule != about_itself)
        .collect();
    let count: usize = findings.iter().map(|finding| finding.count()).sum();
    let text = baseline::of(findings, &places(&path, base)).to_json();
    let written = text
        .map_err(anyhow::Error::from)
        .and_then(|text| Ok(temporary_file::replace(&path, text.as_bytes())?));
    written.with_context(|| format!("{shown} cannot be written"))?;
    let count = counted(count, "finding");
    Ok(format!(
        "wrote {count} to {shown}, which `--baseline` reads"
    ))
}

fn refuse_others(path: &Path, shown: &str, base: &Base) -> Result<(), Failure> {
    write::refuse_others(
        path,
        "--write-baseline",
        (shown, "a gwconform baseline"),
        |bytes| {
            let source = Source::new(shown.to_owned(), bytes);
            baseline::is_older(source.text())
                || baseline::parse(source, places(path, base), &rules::ALL).is_ok()
        },
    )
}
