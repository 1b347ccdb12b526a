//! The verdict table for a terminal.

use std::collections::BTreeSet;
use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use super::{FAMILIES, Listing, STANDINGS, listed, resting_on};
use crate::api::Family;
use crate::certify::catalog::{Catalog, Implementation, Results, UnseenTests};
use crate::certify::{Certified, ProfileVerdict, Standing, short_name};
use crate::report::facts::{Block, ReportFacts};
use crate::rules::ownership::config_lines;
use crate::rules::{self, Rule};
use crate::text::visible;

/// The later minors that count against older reports only after their release reviews.
fn waiting(catalog: &Catalog<'_>) -> String {
    let newest = catalog.minors.newest_reported();
    let later = newest.filter(|newest| Some(*newest) > catalog.minors.newest());
    let day = later.zip(catalog.day);
    day.map_or_else(String::new, |(minor, day)| {
        format!(" (no release review of {minor} by {day})")
    })
}

/// Writes the verdicts, gateway and mesh apart. [`Listing::Current`]: a line for each implementation,
/// and how many are not current or left out. [`Listing::All`]: each one with the reasons and the
/// report that its verdict rests on, and all that is left out.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write(catalog: &Catalog<'_>, listing: Listing, out: &mut dyn Write) -> io::Result<()> {
    match catalog.minors.newest() {
        Some(minor) => writeln!(out, "Newest minor: {minor}{}", waiting(catalog))?,
        None if catalog.implementations.is_empty() => writeln!(out, "No reports")?,
        None => writeln!(out, "No report for a release that is known and out")?,
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
            writeln!(out, "\n{title}: {}", listed.len())?;
            match listing {
                Listing::All => {
                    for (one, certified) in listed {
                        footnotes.extend(write_one(catalog, one, family, certified, out)?);
                    }
                }
                Listing::Current if standing == Standing::NotCurrent => {}
                Listing::Current => footnotes.extend(write_lines(catalog, &listed, out)?),
            }
        }
    }
    if !footnotes.is_empty() {
        writeln!(out)?;
    }
    for footnote in footnotes {
        writeln!(out, "{footnote}")?;
    }
    if listing == Listing::Current {
        return write_end(catalog, out);
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

/// Widest column of names; a longer name moves the rest of its line.
const WIDEST_NAME: usize = 40;

/// A line for each implementation: its name, the minor of the report that its verdict rests on, until
/// when it is valid, and its profiles. Returns the footnotes that they need.
fn write_lines(
    catalog: &Catalog<'_>,
    listed: &[(&Implementation<'_>, &Certified)],
    out: &mut dyn Write,
) -> io::Result<BTreeSet<&'static str>> {
    let names: Vec<String> = listed.iter().map(|(one, _)| visible(&one.name)).collect();
    let widest = names.iter().map(|name| name.width()).max();
    let column = widest.unwrap_or_default().min(WIDEST_NAME);
    let mut footnotes = BTreeSet::new();
    for ((one, certified), name) in listed.iter().zip(&names) {
        let basis = &certified.basis;
        let minor = basis
            .minor
            .map_or_else(String::new, |minor| minor.to_string());
        let until = certified
            .until
            .map_or_else(String::new, |minor| format!("until {minor}"));
        let holds_for = basis.holds_for();
        let profiles = holds_for.strip_prefix("conformant: ").unwrap_or(&holds_for);
        let facts = one.reports[basis.report].judged.facts;
        let unseen = catalog.proofs.unseen(facts);
        let mark = match unseen.map(|unseen| unseen.results) {
            Some(Results::NotSeen) => "*",
            Some(Results::NotKnown) => "**",
            None if facts.by_log.is_some() => "+",
            None => "",
        };
        footnotes.extend(match unseen {
            Some(unseen) => Some(footnote(unseen.results)),
            None => facts.by_log.as_ref().map(|_| BY_LOG),
        });
        let room = column.saturating_sub(name.width());
        writeln!(
            out,
            "  {name}{:room$}  {minor:5} {until:11}  {}{mark}",
            "",
            visible(profiles)
        )?;
        for rival in &certified.rivals {
            writeln!(out, "    {}", visible(&rival.to_string()))?;
        }
    }
    Ok(footnotes)
}

/// The end of the short list: what its columns mean, what is not listed, and how to see more.
fn write_end(catalog: &Catalog<'_>, out: &mut dyn Write) -> io::Result<()> {
    if !catalog.left_out.is_empty() {
        writeln!(out, "\nLeft out: {}", catalog.left_out.len())?;
    }
    writeln!(
        out,
        "\nThe minor is that of the last report; a verdict expires with the review after its `until` \
         minor. `gwconform certify NAME` gives the reasons, `--all` lists everything."
    )
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
            "* Some tests finish after the report is written: they show as passed, whatever the result."
        }
        Results::NotKnown => {
            "** The patch release is unknown here: some tests may finish after the report is written."
        }
    }
}

/// What the mark of a report with a statement refers to.
const BY_LOG: &str = "+ The log of the run shows these results, by a statement.";

/// The note on a report with tests whose results it does not show.
fn note(unseen: &UnseenTests) -> String {
    let UnseenTests { tests, of, results } = unseen;
    match results {
        Results::NotSeen => format!("results of {tests} of the report's {of} tests unknown*"),
        Results::NotKnown => {
            format!("results of {tests} of the report's {of} tests may be unknown**")
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
    writeln!(out, "    {}{until}", visible(&certified.reason))?;
    for verdict in resting_on(one, family, certified) {
        write_profile(verdict, out)?;
    }
    for (facts, message) in contradicted(one) {
        let place = format!("{}{}", facts.path, document(facts.document));
        writeln!(
            out,
            "    contradicted: {}: {}",
            visible(&place),
            visible(message)
        )?;
    }
    let unseen = catalog.proofs.unseen(facts);
    if let Some(unseen) = &unseen {
        writeln!(out, "    {}", note(unseen))?;
    }
    if !certified.rivals.is_empty() {
        writeln!(
            out,
            "    If {} is the owner, add these lines to gwconform.toml:",
            visible(&format!("{}/{}", one.organization, one.project))
        )?;
        let lines = config_lines(one.organization, one.project);
        for line in ["[[implementation]]"]
            .into_iter()
            .chain(lines.iter().map(String::as_str))
        {
            writeln!(out, "      {}", visible(line))?;
        }
    }
    writeln!(
        out,
        "    {}{}",
        visible(&facts.path),
        document(facts.document)
    )?;
    Ok(unseen.map(|unseen| footnote(unseen.results)))
}

/// The reports that statements of logs contradict, and how.
fn contradicted<'i>(
    one: &'i Implementation<'_>,
) -> impl Iterator<Item = (&'i ReportFacts, &'i str)> {
    let reports = one.reports.iter().map(|report| report.judged.facts);
    reports.flat_map(|facts| {
        let by_log = facts.blocks.iter().filter(|block| is_about_logs(block));
        by_log.map(move |block| (facts, block.message.as_str()))
    })
}

fn is_about_logs(block: &Block) -> bool {
    rules::find(block.rule).is_some_and(Rule::is_about_logs)
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
