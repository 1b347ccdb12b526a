//! What manifests need, for a terminal.

use std::io::{self, Write};

use crate::needs_check::{NeedsReport, ResolvedPlaces};
use crate::text::visible;

/// Writes what is needed.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write(report: &NeedsReport, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "Needs of {}", crate::render::resources(&report.counts))?;
    for need in &report.certain {
        writeln!(out, "  {} {}", need.feature, first(&need.places))?;
    }
    for need in &report.perhaps {
        writeln!(out, "  perhaps {} {}", need.feature, first(&need.places))?;
    }
    for need in &report.beyond {
        writeln!(
            out,
            "  beyond {} {}",
            visible(&need.title.to_string()),
            first(&need.places)
        )?;
    }
    for field in &report.uncovered {
        writeln!(out, "  uncovered {} {}", field.name, first(&field.places))?;
    }
    Ok(())
}

fn first(places: &ResolvedPlaces) -> String {
    let Some(place) = places.kept.first() else {
        return String::new();
    };
    let text = format!(
        "{} {}:{}:{}  {}",
        places.count, place.path, place.line, place.column, place.title
    );
    visible(&text)
}
