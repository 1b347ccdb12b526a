//! What all pages share: their head, their addresses, and what is known of the whole site.

use std::collections::BTreeMap;
use std::path::PathBuf;

use askama::Template;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::api::Data;
use super::assets::{Asset, Assets};
use super::implementation_view::ImplementationView;
use super::view::View;
use super::{BaseUrl, File, Input, paths};
use crate::badge::Issued;
use crate::diagnostic::Diagnostic;
use crate::registry::Release;
use crate::text::counted;

/// What pages are made of.
pub(super) struct SiteContext<'c> {
    /// The reports and what is known of them.
    pub(super) view: &'c View<'c>,
    /// Features and matrices, as the data of the site has them.
    pub(super) data: &'c Data<'c>,
    /// The address at which the site is served.
    pub(super) base: Option<&'c BaseUrl>,
    /// The day of the next review, as it is configured.
    pub(super) next_review: Option<&'c str>,
    /// The findings by path.
    pub(super) findings: BTreeMap<&'c str, Vec<&'c Diagnostic>>,
    /// How many findings each rule has.
    pub(super) found_by_rule: BTreeMap<&'static str, usize>,
    /// How to reproduce the reports of a submission, by the path of its folder: Markdown.
    pub(super) reproduce: &'c BTreeMap<PathBuf, String>,
    /// What there are badges for.
    pub(super) issued: Issued,
    /// The implementations, as all pages show them.
    pub(super) shown: Vec<ImplementationView<'c>>,
    pub(super) assets: Assets,
    /// `146 reports of 25 implementations, as of 2026-07-16`
    pub(super) made_from: String,
}

/// A page of the site.
pub(super) struct Page<'p> {
    /// Its folder below the site's, with a slash at its end; empty for the first page.
    pub(super) path: &'p str,
    pub(super) title: &'p str,
    /// What it is about, for search engines and previews.
    pub(super) description: &'p str,
}

/// The head, the navigation and the foot of a page.
pub(super) struct Head<'s> {
    pub(super) title: String,
    pub(super) description: String,
    /// From the page to the site's folder: `./`, `../`, `../../`, …
    pub(super) root: String,
    pub(super) canonical: Option<String>,
    pub(super) feed: Option<Feed>,
    pub(super) scripts: Vec<&'s str>,
    pub(super) style: &'s str,
    pub(super) icon: &'s str,
    pub(super) made_from: &'s str,
    /// The first folder of the page's address.
    section: String,
    is_section: bool,
}

/// A feed that a page names.
pub(super) struct Feed {
    pub(super) title: String,
    /// Below the site's folder.
    pub(super) path: String,
}

/// The parts of the site: address and name.
const SECTIONS: &[(&str, &str)] = &[
    (paths::IMPLEMENTATIONS_PAGE, "Implementations"),
    (paths::MATRICES_PAGE, "Matrix"),
    (paths::FEATURES_PAGE, "Features"),
    (paths::FIND_PAGE, "Find"),
    (paths::COMPARE_PAGE, "Compare"),
    (paths::CALENDAR_PAGE, "Calendar"),
    (paths::CHANGES_PAGE, "Changes"),
    (paths::BADGES_PAGE, "Badges"),
];

impl<'c> SiteContext<'c> {
    /// What the pages of a site are made of.
    pub(super) fn of(input: &Input<'c>, view: &'c View<'c>, data: &'c Data<'c>) -> Self {
        let mut findings: BTreeMap<&str, Vec<&Diagnostic>> = BTreeMap::new();
        for finding in input.findings {
            findings
                .entry(&finding.place.path)
                .or_default()
                .push(finding);
        }
        let mut found_by_rule = BTreeMap::new();
        for finding in input.findings {
            *found_by_rule.entry(finding.rule).or_default() += 1;
        }
        let counts = [
            counted(view.reports.len(), "report"),
            counted(view.catalog.implementations.len(), "implementation"),
        ];
        let issued = Issued::of(view.catalog);
        let today = input.today.or_else(|| newest_day(view));
        let as_of = today.map(|day| format!(", as of {day}"));
        Self {
            view,
            data,
            base: input.base,
            next_review: input.next_review,
            findings,
            found_by_rule,
            reproduce: input.reproduce,
            shown: ImplementationView::all(view, &issued),
            issued,
            assets: Assets::embedded(),
            made_from: counts.join(" of ") + &as_of.unwrap_or_default(),
        }
    }

    /// The head of a page; `scripts` besides the one that all pages have.
    pub(super) fn head<'s>(&'s self, page: &Page<'_>, scripts: &[&'s Asset]) -> Head<'s> {
        let depth = page.path.matches('/').count();
        let section = page.path.split_inclusive('/').next().unwrap_or_default();
        let all = [&self.assets.page]
            .into_iter()
            .chain(scripts.iter().copied());
        Head {
            title: page.title.to_owned(),
            description: page.description.to_owned(),
            root: paths::relative(page.path, paths::HOME_PAGE),
            canonical: self.base.map(|base| base.join(page.path)),
            feed: None,
            scripts: all.map(|asset| asset.path.as_str()).collect(),
            style: &self.assets.style.path,
            icon: &self.assets.icon.path,
            made_from: &self.made_from,
            section: section.to_owned(),
            is_section: depth == 1,
        }
    }
}

/// `Gateway API v1.6 is out since 2026-06-29, and no report is for it yet.`: of the newest minor
/// without a report, when one is newer than all reports.
pub(super) fn unreported(site: &SiteContext<'_>) -> Option<String> {
    let newest = site.view.catalog.minors.newest()?;
    let releases = site.view.registry.releases().iter();
    let later = releases
        .filter(|release| release.version().minor() > newest && release.version().pre().is_none());
    let minor = later
        .clone()
        .map(|release| release.version().minor())
        .max()?;
    let first = later
        .filter(|release| release.version().minor() == minor)
        .map(Release::date)
        .min()?;
    Some(format!(
        "Gateway API {minor} is out since {first}, and no report is for it yet."
    ))
}

impl Head<'_> {
    /// The navigation: address, name, and where we are: `page` or `true` (in a part of it).
    pub(super) fn nav(&self) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
        SECTIONS.iter().map(|(path, name)| {
            let here = match (*path == self.section, self.is_section) {
                (false, _) => "",
                (true, true) => "page",
                (true, false) => "true",
            };
            (*path, *name, here)
        })
    }

    /// The same head with a feed.
    pub(super) fn with_feed(self, title: impl Into<String>, path: impl Into<String>) -> Self {
        let feed = Feed {
            title: title.into(),
            path: path.into(),
        };
        Self {
            feed: Some(feed),
            ..self
        }
    }
}

/// The newest day in the reports and the registry.
fn newest_day(view: &View<'_>) -> Option<Date> {
    let reports = view.reports.iter().filter_map(|seen| seen.date);
    let reports = reports.map(|date| date.to_zoned(TimeZone::UTC).date());
    let releases = view.registry.releases().iter().map(Release::date);
    reports.chain(releases).max()
}

/// A page as a file. Rendering into a string cannot fail: no value that is shown returns an error.
pub(super) fn file(path: &str, template: &impl Template) -> File {
    let html = template.render();
    debug_assert!(html.is_ok());
    File::new(paths::page_file(path), html.unwrap_or_default())
}
