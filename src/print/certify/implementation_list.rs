//! Renders the list of implementations as a Markdown page.

use super::{Listing, STANDINGS, families, listed};
use crate::print::page::{Inline, Page, words};
use gwconform_base::api::Family;
use gwconform_base::text::counted;
use gwconform_report::certify::catalog::{Catalog, Implementation, Results, UnseenTests};
use gwconform_report::certify::{Certified, Standing};

/// Builds URLs of site pages and badges.
#[derive(Debug, Clone, Default)]
pub struct Addresses {
    base: String,
}

impl Addresses {
    /// URLs below `base`, or relative URLs if `base` is `None`.
    pub fn below(base: Option<&str>) -> Self {
        Self {
            base: base
                .map(|base| format!("{}/", base.trim_end_matches('/')))
                .unwrap_or_default(),
        }
    }

    /// URL of a file, such as `feed.atom`.
    pub fn file(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// URL of the page about an implementation.
    pub fn implementation(&self, one: &Implementation<'_>) -> String {
        format!("{}implementations/{}/", self.base, one.slug)
    }

    /// URL of a report page. `at` is the index in `one.reports`.
    pub fn report(&self, one: &Implementation<'_>, at: usize) -> String {
        format!("{}{}/", self.implementation(one), one.reports[at].address())
    }

    /// URL of a family's badge. The main family, which is gateway if a gateway verdict exists, uses
    /// `badges/<organization>/<project>.svg`.
    pub fn badge(&self, one: &Implementation<'_>, family: Family) -> String {
        let is_only = family == Family::Gateway || one.family(Family::Gateway).is_none();
        let family = if is_only { "" } else { "/mesh" };
        format!("{}badges/{}{family}.svg", self.base, one.slug)
    }
}

/// Lists conformant implementations first. [`Listing::All`] also lists implementations that are not
/// current.
pub fn list(catalog: &Catalog<'_>, addresses: &Addresses, listing: Listing) -> Page {
    let mut page = Page::default();
    page.mark("Written by `gwconform certify --format markdown`.");
    page.heading(1, words("Implementations"));
    if let Some(minor) = catalog.minors.newest() {
        let (conformant, partial) = (catalog.windows.conformant, catalog.windows.partial);
        page.paragraph(words(format!(
            "The newest minor release is {minor}. Conformant: with a conformant profile in {}. \
             Partially conformant: with at least a partial one in {}.",
            minors(conformant),
            minors(partial),
        )));
    } else {
        page.paragraph(words(
            "No release review is over, so no verdict is current.",
        ));
    }
    for (family, title) in families(catalog) {
        page.heading(2, words(title));
        for (standing, title) in STANDINGS {
            let listed = listed(catalog, family, standing);
            let is_asked_for = standing != Standing::NotCurrent || listing == Listing::All;
            if listed.is_empty() || !is_asked_for {
                continue;
            }
            page.heading(3, words(title));
            for (one, certified) in listed {
                let title = title_of(one, family, certified, addresses);
                page.entry(title, lines(catalog, one, certified));
            }
        }
    }
    page
}

fn minors(count: u32) -> String {
    match count {
        1 => "the newest minor".to_owned(),
        count => format!("the {count} newest minors"),
    }
}

fn title_of(
    one: &Implementation<'_>,
    family: Family,
    certified: &Certified,
    addresses: &Addresses,
) -> Inline {
    let basis = &certified.basis;
    let mesh = if family == Family::Mesh { " Mesh" } else { "" };
    let minor = basis
        .minor
        .map_or(String::new(), |minor| format!(" {minor}"));
    let standing = certified.standing.words();
    let name = Inline::link(one.name.as_str(), addresses.implementation(one));
    name.with(words(" ")).image([
        format!("Gateway API{mesh}{minor}: {standing}"),
        addresses.badge(one, family),
        addresses.report(one, basis.report),
    ])
}

fn lines(catalog: &Catalog<'_>, one: &Implementation<'_>, certified: &Certified) -> Vec<Inline> {
    let basis = &certified.basis;
    let holds_for = basis.holds_for();
    let mut lines: Vec<Inline> = Vec::new();
    lines.extend(one.description.as_deref().map(Inline::from));
    lines.extend(one.other_names_in_words().map(Inline::from));
    match certified.until {
        Some(minor) => {
            let until = words(format!("; valid until the review after {minor}"));
            lines.push(Inline::from(holds_for).with(until));
        }
        None => {
            let reason = Inline::from(certified.reason.as_str());
            lines.push(reason.with(words("; ")).then(holds_for));
        }
    }
    let facts = one.reports[basis.report].judged.facts;
    match (catalog.proofs.unseen(facts), &facts.by_log) {
        (Some(unseen), _) => lines.push(words(note(&unseen))),
        (None, Some(by_log)) => {
            let tests = counted(by_log.passed.len(), "test");
            lines.push(words(format!("{tests} passed, as its log shows")));
        }
        (None, None) => {}
    }
    lines
}

fn note(unseen: &UnseenTests) -> String {
    let (tests, of) = (unseen.count, unseen.of);
    match unseen.visibility {
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
