use std::collections::BTreeSet;

use super::{Listing, STANDINGS, conflicts_in_words, families, listed, resting_on};
use crate::print::page::{Inline, Page, Row, words};
use crate::rules;
use gwconform_base::api::Family;
use gwconform_report::certify::catalog::{Catalog, Implementation, Results, UnseenTests};
use gwconform_report::certify::{Certified, DaySource, Standing, short_name};
use gwconform_report::report::facts::{Block, ReportFacts};

/// Newest minor, and a later minor that does not count against older reports yet.
fn newest_minor(catalog: &Catalog<'_>) -> String {
    let source = match catalog.as_of.from {
        DaySource::Environment => ", the date in SOURCE_DATE_EPOCH",
        DaySource::Commit => ", the date of the last commit",
        DaySource::Option | DaySource::None => "",
    };
    let by = catalog.as_of.day.map(|day| format!("by {day}{source}"));
    let by = by.unwrap_or_default();
    match (catalog.minors.newest(), catalog.minors.pending()) {
        (None, _) => format!("No release review {by}: no verdict is current"),
        (Some(newest), None) => format!("Newest minor: {newest}"),
        (Some(newest), Some(later)) => {
            format!("Newest minor: {newest} (no release review of {later} {by})")
        }
    }
}

/// [`Listing::Current`] prints one line per implementation and counts the others. [`Listing::All`]
/// adds all reasons and reports, and everything that was left out.
pub fn page(catalog: &Catalog<'_>, listing: Listing) -> Page {
    let mut page = Page::default();
    page.paragraph(if catalog.implementations.is_empty() {
        "No reports".to_owned()
    } else {
        newest_minor(catalog)
    });
    let mut footnotes = BTreeSet::new();
    for (family, title) in families(catalog) {
        page.heading(2, words(title));
        for (standing, title) in STANDINGS {
            let listed = listed(catalog, family, standing);
            if listed.is_empty() {
                continue;
            }
            page.heading(3, words(format!("{title}: {}", listed.len())));
            match listing {
                Listing::All => {
                    for (one, certified) in listed {
                        let footnote = footnote(catalog, one, certified);
                        footnotes.extend(footnote.filter(|text| *text != BY_LOG));
                        page.entry(one.name.as_str(), details(catalog, one, family, certified));
                    }
                }
                Listing::Current if standing == Standing::NotCurrent => {}
                Listing::Current => {
                    let rows = listed.iter().map(|(one, certified)| {
                        footnotes.extend(footnote(catalog, one, certified));
                        row(catalog, one, certified)
                    });
                    let rows = rows.collect();
                    page.table(&[], rows);
                }
            }
        }
    }
    page.gap();
    for footnote in footnotes {
        page.paragraph(words(footnote));
    }
    if let Some(conflicts) = conflicts_in_words(catalog) {
        page.paragraph(words(conflicts));
    }
    if !catalog.left_out.is_empty() {
        page.heading(3, words(format!("Left out: {}", catalog.left_out.len())));
    }
    if listing == Listing::Current {
        page.gap();
        page.paragraph(words(LEGEND));
        return page;
    }
    for left_out in &catalog.left_out {
        let (path, document) = (
            &left_out.path,
            document(left_out.document.unwrap_or_default()),
        );
        page.item(format!("{path}{document}: {}", left_out.reason));
    }
    page
}

const LEGEND: &str = "Each line shows the release of the latest report and the release until which the verdict is valid. `gwconform certify NAME` shows the reasons, `--all` lists everything.";

fn row(catalog: &Catalog<'_>, one: &Implementation<'_>, certified: &Certified) -> Row {
    let basis = &certified.basis;
    let minor = basis.minor.map(|minor| minor.to_string());
    let until = certified.until.map(|minor| format!("until {minor}"));
    let holds_for = basis.holds_for();
    let profiles = holds_for.strip_prefix("conformant: ").unwrap_or(&holds_for);
    let mark = footnote(catalog, one, certified).and_then(|text| text.split(' ').next());
    let cells: Vec<Inline> = vec![
        one.name.as_str().into(),
        minor.unwrap_or_default().into(),
        until.unwrap_or_default().into(),
        format!("{profiles}{}", mark.unwrap_or_default()).into(),
    ];
    cells.into()
}

fn footnote(
    catalog: &Catalog<'_>,
    one: &Implementation<'_>,
    certified: &Certified,
) -> Option<&'static str> {
    let facts = one.reports[certified.basis.report].judged.facts;
    match catalog.proofs.unseen(facts).map(|unseen| unseen.visibility) {
        Some(Results::NotSeen) => Some(NOT_SEEN),
        Some(Results::NotKnown) => Some(NOT_KNOWN),
        None => facts.by_log.as_ref().map(|_| BY_LOG),
    }
}

const NOT_SEEN: &str = "* Some tests finish after the report is written: the report counts them as passed, whatever the result.";
const NOT_KNOWN: &str = "** Unknown patch: some tests may finish after the report is written.";
const BY_LOG: &str = "+ A statement proves these results from the log of the run.";

fn document(document: usize) -> String {
    match document {
        0 => String::new(),
        more => format!(" (document {})", more + 1),
    }
}

fn note(unseen: &UnseenTests) -> String {
    let (tests, of) = (unseen.count, unseen.of);
    match unseen.visibility {
        Results::NotSeen => format!("results of {tests} of the report's {of} tests unknown*"),
        Results::NotKnown => {
            format!("results of {tests} of the report's {of} tests may be unknown**")
        }
    }
}

fn details(
    catalog: &Catalog<'_>,
    one: &Implementation<'_>,
    family: Family,
    certified: &Certified,
) -> Vec<Inline> {
    let facts = one.reports[certified.basis.report].judged.facts;
    let until = certified.until.map_or(String::new(), |minor| {
        format!("; valid until the review after {minor}")
    });
    let mut lines: Vec<String> = one.other_names_in_words().into_iter().collect();
    lines.push(format!("{}{until}", certified.reason));
    lines.extend(
        resting_on(one, family, certified)
            .into_iter()
            .map(|verdict| {
                let (name, status) = (short_name(&verdict.profile), verdict.status);
                format!("  {name} {status}: {}", verdict.reason)
            }),
    );
    lines.push(format!(
        "history: {}",
        catalog.history_in_words(one, family)
    ));
    let unsubmitted = catalog.unsubmitted(one, family).into_iter();
    lines.extend(unsubmitted.map(|one| {
        let words = one.in_words();
        format!("could also submit {}: {words} ({})", one.profile, one.path)
    }));
    lines.extend(contradicted(one).map(|(facts, message)| {
        format!(
            "contradicted: {}{}: {message}",
            facts.path,
            document(facts.document)
        )
    }));
    lines.extend(catalog.proofs.unseen(facts).as_ref().map(note));
    lines.push(format!("{}{}", facts.path, document(facts.document)));
    lines.into_iter().map(Inline::from).collect()
}

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
    rules::find(gwconform_evidence::rules::evidence::ABOUT, block.rule).is_some()
}
