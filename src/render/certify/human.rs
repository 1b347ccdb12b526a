//! The verdict table for a terminal.

use std::collections::BTreeSet;
use std::io::{self, Write};

use super::{FAMILIES, Listing, STANDINGS, listed, resting_on};
use crate::catalog::{Catalog, Implementation, Results, UnseenTests};
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
    let mut footnotes = BTreeSet::new();
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
                footnotes.extend(write_one(catalog, one, family, certified, out)?);
            }
        }
    }
    if !footnotes.is_empty() {
        writeln!(out)?;
    }
    for footnote in footnotes {
        writeln!(out, "{footnote}")?;
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

/// What the note on a report refers to.
const fn footnote(results: Results) -> &'static str {
    match results {
        Results::NotSeen => {
            "* These reports are written before the tests finish: they show as passed, whatever the result."
        }
        Results::NotKnown => {
            "** This patch is not known: its reports may be written before the tests finish."
        }
    }
}

/// The note on a report with tests whose results it does not show.
fn note(unseen: &UnseenTests) -> String {
    let UnseenTests { tests, of, results } = unseen;
    match results {
        Results::NotSeen => format!("results of {tests} of {of} tests not seen*"),
        Results::NotKnown => {
            format!("not known whether results of {tests} of {of} tests were seen**")
        }
    }
}

/// Returns the footnote that it needs.
fn write_one(
    catalog: &Catalog<'_>,
    one: &Implementation<'_>,
    family: Family,
    certified: &Certified,
    out: &mut dyn Write,
) -> io::Result<Option<&'static str>> {
    let facts = one.reports[certified.basis.report].judged.facts;
    writeln!(out, "\n  {}", visible(&one.name))?;
    if let Some(names) = one.other_names_in_words() {
        writeln!(out, "    {}", visible(&names))?;
    }
    let until = certified.until.map_or(String::new(), |minor| {
        format!("; valid until the review after {minor}")
    });
    writeln!(out, "    {}{until}", certified.reason)?;
    for verdict in resting_on(one, family, certified) {
        write_profile(verdict, out)?;
    }
    let unseen = catalog.proofs.unseen(facts);
    if let Some(unseen) = &unseen {
        writeln!(out, "    {}", note(unseen))?;
    }
    writeln!(
        out,
        "    {}{}",
        visible(&facts.path),
        document(facts.document)
    )?;
    Ok(unseen.map(|unseen| footnote(unseen.results)))
}

fn write_profile(verdict: &ProfileVerdict, out: &mut dyn Write) -> io::Result<()> {
    let name = visible(short_name(&verdict.profile));
    writeln!(
        out,
        "      {name} {}: {}",
        verdict.status.as_str(),
        visible(&verdict.reason)
    )
}
