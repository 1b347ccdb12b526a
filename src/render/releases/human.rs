//! Releases for a terminal.

use std::io::{self, Write};

use super::{Comparison, Field, OneName, Releases};
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

/// Writes what is new, what changed and what is gone, kind by kind.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_changes(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "Changes from {} to {}",
        visible(&comparison.from),
        visible(&comparison.to)
    )?;
    for note in &comparison.notes {
        writeln!(out, "{}", visible(note))?;
    }
    if comparison.is_empty() {
        return writeln!(out, "\nNone");
    }
    if !comparison.general.is_empty() {
        writeln!(out, "\nGeneral")?;
    }
    for field in &comparison.general {
        writeln!(out, "  {}", visible(&field.of_changed()))?;
    }
    for (kind, names) in comparison.kinds() {
        write_names(&format!("New {kind}s"), &names.new, Field::of_new, out)?;
        write_names(
            &format!("Changed {kind}s"),
            &names.changed,
            Field::of_changed,
            out,
        )?;
        if !names.removed.is_empty() {
            writeln!(out, "\nRemoved {kind}s: {}", names.removed.len())?;
        }
        for name in &names.removed {
            writeln!(out, "  {}", visible(name))?;
        }
    }
    Ok(())
}

fn write_names(
    title: &str,
    names: &[OneName],
    field: fn(&Field) -> String,
    out: &mut dyn Write,
) -> io::Result<()> {
    if !names.is_empty() {
        writeln!(out, "\n{title}: {}", names.len())?;
    }
    for name in names {
        let was = name.renamed_from.as_ref();
        let was = was.map_or_else(String::new, |older| format!(", was {older}"));
        writeln!(out, "  {}", visible(&format!("{}{was}", name.name)))?;
        for one in &name.fields {
            writeln!(out, "    {}", visible(&field(one)))?;
        }
    }
    Ok(())
}
