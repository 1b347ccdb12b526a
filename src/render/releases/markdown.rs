//! What changed between two releases, as the text of a pull request.

use std::io::{self, Write};

use super::{Comparison, Field, OneName};
use crate::text::escape::{markdown_code, markdown_text};

/// Writes what is new, what changed and what is gone, kind by kind, below a heading of the second
/// level.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_changes(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let (from, to) = (&comparison.from, &comparison.to);
    writeln!(
        out,
        "## Changes from {} to {}",
        markdown_text(from),
        markdown_text(to)
    )?;
    for note in &comparison.notes {
        writeln!(out, "\n{}.", markdown_text(note))?;
    }
    if comparison.is_empty() {
        return writeln!(out, "\nNone.");
    }
    if !comparison.general.is_empty() {
        writeln!(out, "\n### General\n")?;
    }
    for field in &comparison.general {
        writeln!(out, "- {}", markdown_text(&field.of_changed()))?;
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
            writeln!(out, "\n### Removed {kind}s: {}\n", names.removed.len())?;
        }
        for name in &names.removed {
            writeln!(out, "- {}", markdown_code(name))?;
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
        writeln!(out, "\n### {title}: {}\n", names.len())?;
    }
    for name in names {
        let was = name.renamed_from.as_ref();
        let was = was.map_or_else(String::new, |older| {
            format!(", was {}", markdown_code(older))
        });
        writeln!(out, "- {}{was}", markdown_code(&name.name))?;
        for one in &name.fields {
            writeln!(out, "  - {}", markdown_text(&field(one)))?;
        }
    }
    Ok(())
}
