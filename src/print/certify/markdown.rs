//! The verdict table as the page that lists implementations.

use std::io::{self, Write};

use super::{FAMILIES, Listing, STANDINGS, listed};
use crate::api::Family;
use crate::certify::catalog::{Catalog, Implementation, Results, UnseenTests};
use crate::certify::{Certified, Standing};
use crate::text::counted;
use crate::text::escape::{markdown_address, markdown_text};

/// Where the pages and badges of a site are.
#[derive(Debug, Clone, Default)]
pub struct Addresses {
    base: String,
}

impl Addresses {
    /// Addresses below `base`; relative ones without it.
    pub fn below(base: Option<&str>) -> Self {
        Self {
            base: base
                .map(|base| format!("{}/", base.trim_end_matches('/')))
                .unwrap_or_default(),
        }
    }

    /// A file of the site, by its path below it.
    pub fn file(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// The page of an implementation.
    pub fn implementation(&self, one: &Implementation<'_>) -> String {
        format!("{}implementations/{}/", self.base, one.slug)
    }

    /// The page of a report, by its place among the implementation's.
    pub fn report(&self, one: &Implementation<'_>, at: usize) -> String {
        let report = &one.reports[at];
        let release = report
            .judged
            .facts
            .release
            .version
            .as_ref()
            .map_or_else(|| "unknown".to_owned(), ToString::to_string);
        format!("{}{release}/{}/", self.implementation(one), report.slug)
    }

    /// The badge of a family: `badges/<slug>.svg` is gateway's, and mesh's where there is no gateway.
    pub fn badge(&self, one: &Implementation<'_>, family: Family) -> String {
        let is_only = family == Family::Gateway || one.family(Family::Gateway).is_none();
        let family = if is_only { "" } else { "/mesh" };
        format!("{}badges/{}{family}.svg", self.base, one.slug)
    }
}

/// Writes the page: gateway and mesh apart, conformant before partially conformant ones, those that
/// are not current only with [`Listing::All`].
///
/// # Errors
/// When `out` cannot be written to.
pub fn write(
    catalog: &Catalog<'_>,
    addresses: &Addresses,
    listing: Listing,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(
        out,
        "<!-- Written by `gwconform certify --format markdown`. -->\n"
    )?;
    writeln!(out, "# Implementations")?;
    if let Some(minor) = catalog.minors.newest() {
        let (conformant, partial) = (catalog.windows.conformant, catalog.windows.partial);
        writeln!(
            out,
            "\nThe newest minor release is {minor}. Conformant: with a conformant profile in {}. \
             Partially conformant: with at least a partial one in {}.",
            minors(conformant),
            minors(partial),
        )?;
    }
    for (family, title) in FAMILIES {
        if catalog
            .implementations
            .iter()
            .all(|one| one.family(family).is_none())
        {
            continue;
        }
        writeln!(out, "\n## {title}")?;
        for (standing, title) in STANDINGS {
            let listed = listed(catalog, family, standing);
            let is_asked_for = standing != Standing::NotCurrent || listing == Listing::All;
            if listed.is_empty() || !is_asked_for {
                continue;
            }
            writeln!(out, "\n### {title}\n")?;
            for (one, certified) in listed {
                write_one(catalog, one, family, certified, addresses, out)?;
            }
        }
    }
    Ok(())
}

fn minors(count: u32) -> String {
    match count {
        1 => "the newest minor".to_owned(),
        count => format!("the {count} newest minors"),
    }
}

fn write_one(
    catalog: &Catalog<'_>,
    one: &Implementation<'_>,
    family: Family,
    certified: &Certified,
    addresses: &Addresses,
    out: &mut dyn Write,
) -> io::Result<()> {
    let basis = &certified.basis;
    let name = markdown_text(&one.name);
    let mesh = if family == Family::Mesh { " Mesh" } else { "" };
    let minor = basis
        .minor
        .map_or(String::new(), |minor| format!(" {minor}"));
    let standing = certified.standing.words();
    let page = markdown_address(&addresses.implementation(one));
    let badge = markdown_address(&addresses.badge(one, family));
    let report = markdown_address(&addresses.report(one, basis.report));
    write!(
        out,
        "- [{name}]({page}) [![Gateway API{mesh}{minor}: {standing}]({badge})]({report})"
    )?;
    if let Some(description) = &one.description {
        write!(out, "\\\n  {}", markdown_text(description))?;
    }
    if let Some(names) = one.other_names_in_words() {
        write!(out, "\\\n  {}", markdown_text(&names))?;
    }
    let holds_for = markdown_text(&basis.holds_for());
    match certified.until {
        Some(minor) => write!(
            out,
            "\\\n  {holds_for}; valid until the review after {minor}"
        ),
        None => write!(
            out,
            "\\\n  {}; {holds_for}",
            markdown_text(&certified.reason)
        ),
    }?;
    if certified.until.is_some() {
        for rival in &certified.rivals {
            write!(out, "\\\n  {}", markdown_text(&rival.to_string()))?;
        }
    }
    let facts = one.reports[basis.report].judged.facts;
    match (catalog.proofs.unseen(facts), &facts.by_log) {
        (Some(unseen), _) => writeln!(out, "\\\n  {}", note(&unseen)),
        (None, Some(by_log)) => {
            let tests = counted(by_log.passed.len(), "test");
            writeln!(out, "\\\n  {tests} passed, as its log shows")
        }
        (None, None) => writeln!(out),
    }
}

/// The note on a report with tests whose results it does not show.
fn note(unseen: &UnseenTests) -> String {
    let UnseenTests { tests, of, results } = unseen;
    match results {
        Results::NotSeen => {
            format!(
                "results of {tests} of the report's {of} tests unknown: the report was written before they finished"
            )
        }
        Results::NotKnown => {
            format!(
                "results of {tests} of the report's {of} tests may be unknown: they may have finished after the report was written"
            )
        }
    }
}
