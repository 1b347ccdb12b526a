//! Releases for a terminal.

use std::io::{self, Write};

use super::Releases;
use crate::text::{counted, visible};

/// Writes a line for each release, then how many there are.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_list(listed: &Releases, out: &mut dyn Write) -> io::Result<()> {
    let names = listed.releases.iter().map(|one| one.release.len());
    let width = names.max().unwrap_or_default().max("RELEASE".len());
    writeln!(
        out,
        "{:width$}  {:10}  FEATURES  PROFILES  TESTS  NOTE",
        "RELEASE", "DATE"
    )?;
    for one in &listed.releases {
        let note = match (&one.same_as, one.is_released) {
            (_, false) => "not released".to_owned(),
            (Some(other), true) => format!("the same as {other}"),
            (None, true) => String::new(),
        };
        let line = format!(
            "{:width$}  {:10}  {:8}  {:8}  {:5}  {note}",
            one.release,
            one.date.as_deref().unwrap_or("-"),
            one.features,
            one.profiles,
            one.tests,
        );
        writeln!(out, "{}", visible(line.trim_end()))?;
    }
    let mut minors: Vec<&str> = listed
        .releases
        .iter()
        .map(|one| one.minor.as_str())
        .collect();
    minors.dedup();
    let newest = listed.newest.as_deref().unwrap_or("none");
    writeln!(
        out,
        "\n{} of {}; newest: {}",
        counted(listed.releases.len(), "release"),
        counted(minors.len(), "minor"),
        visible(newest)
    )
}
