use std::collections::BTreeMap;
use std::ops::Range;

use askama::Template;

use super::assets::{Asset, Assets, BrowserAssets, PREVIEW_SIZE};
use super::inline::Inline;
use crate::site::api::PartCounts;
use crate::site::model::{FindingView, Parts, ReportSet, SiteModel, Term, term};
use crate::site::paths::{self, BaseUrl};
use crate::site::{File, Input, SourceRevision};
use gwconform_base::release::{Registry, Release};
use gwconform_base::text::counted;
use gwconform_base::text::diagnostic::Diagnostic;
use gwconform_report::document::GENERATOR;
use gwconform_report::rules::configuration::About;
use gwconform_report::rules::conflicts::is_conflict;
use gwconform_report::tree::load::Sections;

pub(super) struct SiteContext<'c> {
    pub(super) model: &'c SiteModel<'c>,
    /// Parts of the data files.
    pub(super) data: &'c PartCounts,
    pub(super) base: Option<&'c BaseUrl>,
    pub(super) next_review: Option<&'c str>,
    pub(super) about: &'c About,
    pub(super) findings: BTreeMap<&'c str, Vec<&'c Diagnostic>>,
    pub(super) findings_of: BTreeMap<&'c str, Vec<&'c FindingView<'c>>>,
    pub(super) found_by_rule: BTreeMap<&'static str, usize>,
    pub(super) source: Option<&'c str>,
    pub(super) sections: Option<&'c Sections>,
    pub(super) revision: Option<&'c SourceRevision>,
    /// Unreleased version with the data to compare it with.
    pub(super) coming: Option<(&'c Registry, &'c Release)>,
    pub(super) assets: Assets,
    /// Source data for the footer, such as `146 reports of 25 implementations, as of 2026-07-16`.
    pub(super) made_from: String,
}

pub(super) struct Head<'s> {
    pub(super) title: String,
    pub(super) description: String,
    to_root: String,
    pub(super) canonical: Option<String>,
    /// URL of the page that replaces an outdated one.
    pub(super) newer: Option<String>,
    /// URL of the preview image. It is absolute, because link previews do not support relative
    /// URLs.
    pub(super) picture: Option<String>,
    pub(super) revision: Option<&'s str>,
    /// Base for links, set only on a page that is served at any URL.
    root: Option<&'s BaseUrl>,
    pub(super) feed: Option<Feed>,
    pub(super) scripts: Vec<&'s str>,
    pub(super) style: &'s str,
    pub(super) icon: &'s str,
    pub(super) search: &'s str,
    pub(super) index: &'s str,
    pub(super) made_from: &'s str,
    parts: &'s Parts<'s>,
    set: &'s ReportSet<'s>,
    section: String,
    is_section: bool,
    has_outlook: bool,
    has_check: bool,
    pub(super) module_style: Option<&'s str>,
    pub(super) notices: Option<&'s str>,
    /// Style and script of a page that is served at any URL.
    pub(super) inline: Option<Inline>,
    /// Terms that the page explains.
    pub(super) terms: Vec<&'static Term>,
}

pub(super) struct Feed {
    pub(super) title: String,
    pub(super) path: String,
}

const SECTIONS: &[(&str, &str)] = &[
    (paths::HOME_PAGE, "Implementations"),
    (paths::MATRICES_PAGE, "Matrix"),
    (paths::FEATURES_PAGE, "Features"),
    (paths::FIND_PAGE, "Find"),
    (paths::COMPARE_PAGE, "Compare"),
    (paths::CHECK_PAGE, "Check"),
    (paths::OUTLOOK_PAGE, "Outlook"),
    (paths::CHANGES_PAGE, "Changes"),
    (paths::BADGES_PAGE, "Badges"),
];

impl<'c> SiteContext<'c> {
    pub(super) fn new(input: &Input<'c>, model: &'c SiteModel<'c>, data: &'c PartCounts) -> Self {
        let mut findings: BTreeMap<&str, Vec<&Diagnostic>> = BTreeMap::new();
        let of_both = |finding: &Diagnostic| is_conflict(finding, &model.catalog.conflicts);
        for finding in input.findings.iter().filter(|finding| !of_both(finding)) {
            findings
                .entry(&finding.place.path)
                .or_default()
                .push(finding);
        }
        let mut findings_of: BTreeMap<&str, Vec<&FindingView<'_>>> = BTreeMap::new();
        for view in model.findings.iter().filter(|view| !of_both(view.finding)) {
            if let Some(implementation) = view.implementation {
                let own = findings_of.entry(&implementation.slug).or_default();
                own.push(view);
            }
        }
        let mut found_by_rule = BTreeMap::new();
        for finding in input.findings {
            *found_by_rule.entry(finding.rule).or_default() += 1;
        }
        let counts = [
            counted(model.reports().len(), "report"),
            counted(model.catalog.implementations.len(), "implementation"),
        ];
        let as_of = model.catalog.as_of.day;
        let as_of = as_of.map(|day| format!(", as of {day}"));
        let next_review = input.config.policy.next_review.as_ref();
        let source = input.config.source_url.as_ref();
        Self {
            model,
            data,
            base: input.base,
            next_review: next_review.map(|day| day.get_ref().as_str()),
            about: &input.config.about,
            findings,
            findings_of,
            found_by_rule,
            source: source.map(|url| url.get_ref().as_str()),
            revision: input.revision,
            coming: coming(input),
            sections: input.sections,
            assets: Assets::new(
                input.modules,
                model,
                coming(input).map(|(_, release)| release),
            ),
            made_from: counts.join(" of ") + &as_of.unwrap_or_default(),
        }
    }

    pub(super) fn checker(&self) -> Option<(&BrowserAssets, &Asset, &Asset)> {
        let assets = self.assets.browser.as_ref()?;
        let (script, module) = assets.check.as_ref()?;
        Some((assets, script, module))
    }

    /// Builds the page head. `path` is empty for the home page; other paths end with a slash.
    /// Search engines and link previews show `description`.
    pub(super) fn head(&self, path: &str, title: &str, description: &str) -> Head<'_> {
        let section = match path.split_inclusive('/').next().unwrap_or_default() {
            paths::IMPLEMENTATIONS_PAGE => paths::HOME_PAGE,
            section => section,
        };
        Head {
            title: title.to_owned(),
            description: description.to_owned(),
            to_root: paths::to_root(path),
            canonical: self.base.map(|base| base.join(path)),
            newer: None,
            picture: self.base.map(|base| base.join(&self.assets.picture.path)),
            revision: self.revision.map(SourceRevision::as_str),
            root: None,
            feed: None,
            scripts: vec![&self.assets.page.path],
            style: &self.assets.style.path,
            icon: &self.assets.icon.path,
            search: &self.assets.search.path,
            index: &self.assets.index.path,
            made_from: &self.made_from,
            parts: &self.model.parts,
            set: self.model.set,
            section: section.to_owned(),
            is_section: path == section,
            has_outlook: self.coming.is_some(),
            has_check: self.checker().is_some(),
            module_style: None,
            notices: None,
            inline: None,
            terms: Vec::new(),
        }
    }
}

/// Notice for a newer release without reports, as in `Gateway API v1.6 was released on 2026-06-29;
/// no report covers it yet.`
pub(super) fn unreported(site: &SiteContext<'_>) -> Option<String> {
    let newest = site.model.catalog.newest_reported?;
    let releases = site.model.registry.released();
    let later = releases.filter(|release| release.version().minor() > newest);
    let minor = later
        .clone()
        .map(|release| release.version().minor())
        .max()?;
    let first = later
        .filter(|release| release.version().minor() == minor)
        .filter_map(Release::date)
        .min()?;
    Some(format!(
        "Gateway API {minor} was released on {first}; no report covers it yet."
    ))
}

const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; \
    connect-src 'self'; base-uri 'none'; form-action 'self'";

const POLICY_WITH_MODULE: &str = "default-src 'none'; style-src 'self'; \
    script-src 'self' 'wasm-unsafe-eval'; img-src 'self'; connect-src 'self'; base-uri 'none'; \
    form-action 'self'";

impl<'s> Head<'s> {
    pub(super) fn href(&self, path: impl AsRef<str>) -> String {
        match self.root {
            Some(root) => root.join(path.as_ref()),
            None => paths::relative(&self.to_root, path.as_ref()),
        }
    }

    /// URL of the page of a test.
    pub(super) fn test(&self, name: impl AsRef<str>) -> Option<String> {
        let page = self.set.test_page(name.as_ref())?;
        Some(self.href(page))
    }

    pub(super) fn generator(&self) -> &'static str {
        GENERATOR
    }

    pub(super) fn data(&self, name: &str) -> String {
        self.href(paths::data_file(name))
    }

    /// Addresses of all parts, with spaces in between.
    pub(super) fn support(&self) -> String {
        self.support_in(0..self.parts.all.len())
    }

    pub(super) fn current_support(&self) -> String {
        self.support_in(self.parts.older..self.parts.all.len())
    }

    pub(super) fn older_support(&self) -> Option<String> {
        (self.parts.older > 0).then(|| self.support_in(0..self.parts.older))
    }

    fn support_in(&self, range: Range<usize>) -> String {
        let names = paths::support_data(self.parts.all.len());
        let names = names.iter().take(range.end).skip(range.start);
        let parts = names.map(|name| self.data(&format!("{name}.json")));
        parts.collect::<Vec<_>>().join(" ")
    }

    pub(super) fn root(&self) -> String {
        self.href(paths::HOME_PAGE)
    }

    pub(super) fn picture_size(&self) -> (u32, u32) {
        PREVIEW_SIZE
    }

    pub(super) fn policy(&self) -> &str {
        match (&self.inline, self.module_style) {
            (Some(inline), _) => &inline.policy,
            (None, Some(_)) => POLICY_WITH_MODULE,
            (None, None) => POLICY,
        }
    }

    /// Navigation entries: URL, name and `aria-current`, which is `page`, or `true` for a page
    /// below the section.
    pub(super) fn nav(&self) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
        let sections = SECTIONS.iter();
        let has_page = |path: &str| match path {
            paths::OUTLOOK_PAGE => self.has_outlook,
            paths::CHECK_PAGE => self.has_check,
            _ => true,
        };
        let sections = sections.filter(move |(path, _)| has_page(path));
        sections.map(|(path, name)| {
            let here = match (*path == self.section, self.is_section) {
                (false, _) => "",
                (true, true) => "page",
                (true, false) => "true",
            };
            (*path, *name, here)
        })
    }

    /// Script that finds the root of the site and loads the first of the other scripts.
    pub(super) fn inline_script(&self) -> Option<&'static str> {
        self.inline.as_ref()?.script
    }

    /// Adapts the head to a page that is served at any URL. Links are absolute if the base URL is
    /// known, and the page has no canonical URL.
    pub(super) fn at_any_address(mut self, root: Option<&'s BaseUrl>, inline: Inline) -> Self {
        self.canonical = None;
        self.root = root;
        self.inline = Some(inline);
        self
    }

    pub(super) fn with_scripts(mut self, scripts: &[&'s Asset]) -> Self {
        let paths = scripts.iter().map(|asset| asset.path.as_str());
        self.scripts.extend(paths);
        self
    }

    /// Adds the definitions of these terms to the page.
    pub(super) fn with_terms(mut self, ids: &[&str]) -> Self {
        self.terms = ids.iter().filter_map(|id| term(id)).collect();
        self
    }

    /// Names the page that search engines show in place of an outdated one.
    pub(super) fn with_newer(mut self, base: Option<&BaseUrl>, newer: Option<&str>) -> Self {
        self.newer = base.zip(newer).map(|(base, path)| base.join(path));
        self
    }

    pub(super) fn with_module(mut self, assets: &'s BrowserAssets) -> Self {
        self.module_style = Some(&assets.style.path);
        self.notices = assets.notices.as_ref().map(|notices| notices.path.as_str());
        self
    }

    pub(super) fn with_feed(mut self, title: impl Into<String>, path: impl Into<String>) -> Self {
        self.feed = Some(Feed {
            title: title.into(),
            path: path.into(),
        });
        self
    }
}

fn coming<'c>(input: &Input<'c>) -> Option<(&'c Registry, &'c Release)> {
    let registry = input.unreleased.unwrap_or(input.registry);
    Some((registry, registry.upcoming()?))
}

/// Renders a page. Rendering cannot fail, because template values return no errors.
pub(super) fn file(path: &str, template: &impl Template) -> File {
    File::rendered(&paths::page_file(path), template)
}
