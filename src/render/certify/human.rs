//! The verdict table for a terminal.

use std::io::{self, Write};

use super::{FAMILIES, Listing, STANDINGS, listed, resting_on};
use crate::catalog::{Catalog, Implementation};
use crate::certify::{Certified, ProfileVerdict, Standing, short_name};
use crate::registry::Family;
use crate::text::visible;

/// Writes the verdicts, gateway and mesh apart; those that are not current only with [`Listing::All`], else
/// their number. Omissions are always named.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write(catalog: &Catalog<'_>, listing: Listing, out: &mut dyn Write) -> io::Result<()> {
    match catalog.minors.newest() {
        Some(minor) => writeln!(out, "Newest minor: {minor}")?,
        None => writeln!(out, "No reports")?,
    }
    let mut has_footnote = false;
    for (family, title) in FAMILIES {
        if catalog
            .implementations
            .iter()
            .all(|one| one.family(family).is_none())
        {
            continue;
        }
        writeln!(out, "\n{title}\n{}", "=".repeat(title.len()))?;
        for (standing, title) in STANDINGS {
            let listed = listed(catalog, family, standing);
            if listed.is_empty() {
                continue;
            }
            if standing == Standing::NotCurrent && listing == Listing::Current {
                writeln!(out, "\n{title}: {} (list them with --all)", listed.len())?;
                continue;
            }
            writeln!(out, "\n{title}: {}", listed.len())?;
            for (one, certified) in listed {
                has_footnote |= write_one(one, family, certified, out)?;
            }
        }
    }
    if has_footnote {
        writeln!(
            out,
            "\n* The suite writes the report before these tests have run."
        )?;
    }
    if !catalog.left_out.is_empty() {
        writeln!(out, "\nLeft out: {}\n", catalog.left_out.len())?;
    }
    for left_out in &catalog.left_out {
        writeln!(
            out,
            "  {}{}: {}",
            visible(&left_out.path),
            document(left_out.document),
            visible(&left_out.reason)
        )?;
    }
    Ok(())
}

fn document(document: usize) -> String {
    match document {
        0 => String::new(),
        more => format!(" (document {})", more + 1),
    }
}

/// True when a profile needs the footnote.
fn write_one(
    one: &Implementation<'_>,
    family: Family,
    certified: &Certified,
    out: &mut dyn Write,
) -> io::Result<bool> {
    let facts = one.reports[certified.basis.report].judged.facts;
    writeln!(out, "\n  {}", visible(&one.name))?;
    let until = certified.until.map_or(String::new(), |minor| {
        format!("; valid until the review after {minor}")
    });
    writeln!(out, "    {}{until}", certified.reason)?;
    let verdicts = resting_on(one, family, certified);
    for verdict in &verdicts {
        write_profile(verdict, out)?;
    }
    writeln!(
        out,
        "    {}{}",
        visible(&facts.path),
        document(facts.document)
    )?;
    Ok(verdicts
        .iter()
        .any(|verdict| verdict.always_passed.is_some()))
}

fn write_profile(verdict: &ProfileVerdict, out: &mut dyn Write) -> io::Result<()> {
    let name = visible(short_name(&verdict.profile));
    let always_passed = verdict.always_passed.map_or(String::new(), |(tests, of)| {
        format!(" ({tests} of {of} core tests always show as passed*)")
    });
    writeln!(
        out,
        "      {name} {}: {}{always_passed}",
        verdict.status.as_str(),
        visible(&verdict.reason)
    )
}
