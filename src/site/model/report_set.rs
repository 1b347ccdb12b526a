use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

use jiff::Timestamp;

use super::events::feature_events;
use super::report::{ReportView, text};
use crate::site::paths;
use gwconform_base::api::NameKind;
use gwconform_base::release::Registry;
use gwconform_report::certify::catalog::{Catalog, Implementation, State, file_names};
use gwconform_report::report::facts::ReportFacts;
use gwconform_report::report::formats::{is_rfc3339, rfc3339};
use gwconform_report::review::diff::diff;

#[derive(Debug)]
pub struct ReportSet<'c> {
    pub catalog: &'c Catalog<'c>,
    pub registry: &'c Registry,
    pub reports: Vec<ReportView<'c>>,
    pages: HashSet<String>,
    with_events: BTreeSet<String>,
    profiles: BTreeSet<&'c str>,
    pub(super) tests: BTreeSet<&'c str>,
    /// Display names that several implementations share, in lowercase.
    shared_names: BTreeSet<String>,
    /// Ranges in `reports`, one per implementation of the catalog.
    places: Vec<Range<usize>>,
}

impl<'c> ReportSet<'c> {
    /// `tree` is the folder of the tree in its repository, as in the paths of the reports.
    pub fn new(catalog: &'c Catalog<'c>, registry: &'c Registry, tree: &str) -> Self {
        let mut remarks: BTreeMap<(&str, Option<usize>), Vec<&str>> = BTreeMap::new();
        for left_out in &catalog.left_out {
            let key = (left_out.path.as_str(), left_out.document);
            remarks.entry(key).or_default().push(&left_out.reason);
        }
        let all = catalog.implementations.iter();
        let count = all.map(|implementation| implementation.reports.len()).sum();
        let (mut reports, mut places) = (Vec::with_capacity(count), Vec::new());
        for implementation in &catalog.implementations {
            let first = reports.len();
            for report in &implementation.reports {
                let facts = report.judged.facts;
                let chosen = report.before.as_ref();
                let before = chosen.and_then(|before| implementation.reports.get(before.at));
                let diff = before.map(|before| diff(before.judged.facts, facts, registry));
                reports.push(ReportView {
                    implementation,
                    entry: report,
                    id: implementation.key_of(report),
                    path_in_tree: below(&facts.path, tree),
                    features: catalog.proofs.features(facts),
                    unseen: catalog.proofs.unseen(facts),
                    difference: None,
                    next: None,
                    previous: chosen.map(|before| first + before.at),
                    diff: diff.unwrap_or_default(),
                    date: date(facts),
                    remarks: remarks
                        .remove(&(facts.path.as_str(), Some(facts.document)))
                        .unwrap_or_default(),
                });
            }
            tell_apart(&mut reports[first..]);
            places.push(first..reports.len());
        }
        link_next(&mut reports);
        Self {
            catalog,
            registry,
            pages: features_with_page(&reports, registry),
            with_events: features_with_events(&reports),
            profiles: profiles_with_file(&reports),
            tests: file_names(registry.names(NameKind::Test)),
            shared_names: shared_names(catalog),
            reports,
            places,
        }
    }

    /// Display name, with organization and project if the name is not unique.
    pub fn title(&self, implementation: &Implementation<'_>) -> String {
        let name = &implementation.name;
        if self.shared_names.contains(&name.to_lowercase()) {
            let (organization, project) = (implementation.organization, implementation.project);
            format!("{name} [{organization}/{project}]")
        } else {
            name.clone()
        }
    }

    pub fn feature_page(&self, name: &str) -> Option<String> {
        let has_page = self.pages.contains(name);
        has_page.then(|| paths::feature_page(name))
    }

    pub fn feature_feed(&self, name: &str) -> Option<String> {
        let has_feed = self.pages.contains(name) && self.with_events.contains(name);
        has_feed.then(|| paths::feature_feed(name))
    }

    pub fn has_file(&self, profile: &str) -> bool {
        self.profiles.contains(profile)
    }

    pub fn reports_of(&self, implementation: usize) -> &[ReportView<'c>] {
        let place = self.places.get(implementation).cloned();
        &self.reports[place.unwrap_or_default()]
    }

    /// Link to the feature row if the feature has a page and a profile lists it, or else to the
    /// feature section.
    pub fn feature_row(&self, report: &ReportView<'_>, feature: &str) -> String {
        let mut profiles = report.features.iter();
        let has_row = self.pages.contains(feature)
            && profiles.any(|profile| *profile.state(feature) != State::NotInRelease);
        if has_row {
            [&report.page(), "#", &paths::feature_row(feature)].concat()
        } else {
            [&report.page(), "#", paths::FEATURES_SECTION].concat()
        }
    }
}

fn tell_apart(reports: &mut [ReportView<'_>]) {
    let looks = |report: &ReportView<'_>| {
        let facts = report.facts();
        let run = [&facts.version, &facts.channel, &facts.mode];
        (
            report.release(),
            run.map(|fact| text(fact).map(str::to_owned)),
        )
    };
    let mut alike: BTreeMap<_, usize> = BTreeMap::new();
    for report in reports.iter() {
        *alike.entry(looks(report)).or_default() += 1;
    }
    for report in reports {
        if alike.get(&looks(report)) > Some(&1) {
            report.difference = Some(&report.entry.slug);
        }
    }
}

fn link_next(reports: &mut [ReportView<'_>]) {
    for at in 0..reports.len() {
        let previous = reports[at].previous;
        if let Some(before) = previous.and_then(|before| reports.get_mut(before)) {
            before.next.get_or_insert(at);
        }
    }
}

fn shared_names(catalog: &Catalog<'_>) -> BTreeSet<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for implementation in &catalog.implementations {
        *counts
            .entry(implementation.name.to_lowercase())
            .or_default() += 1;
    }
    let shared = counts.into_iter().filter(|(_, count)| *count > 1);
    shared.map(|(name, _)| name).collect()
}

fn features_with_page(reports: &[ReportView<'_>], registry: &Registry) -> HashSet<String> {
    let released = registry.released_names(NameKind::Feature);
    // Hashing is faster than sorting, because reports repeat the same names.
    let reported: HashSet<&str> = reports
        .iter()
        .flat_map(ReportView::states)
        .map(|(_, name, _)| &**name)
        .collect();
    // Names that no release has appear only on report pages.
    let upcoming = released.iter().copied().chain(reported);
    let names: BTreeSet<&str> = upcoming
        .filter(|name| released.contains(name) || registry.is_known(NameKind::Feature, name))
        .collect();
    file_names(names).into_iter().map(str::to_owned).collect()
}

fn features_with_events(reports: &[ReportView<'_>]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for event in reports.iter().flat_map(feature_events) {
        if !names.contains(event.feature) {
            names.insert(event.feature.to_owned());
        }
    }
    names
}

fn profiles_with_file<'c>(reports: &[ReportView<'c>]) -> BTreeSet<&'c str> {
    let verdicts = reports
        .iter()
        .flat_map(|report| &report.entry.judged.verdicts);
    let known = verdicts.filter(|verdict| verdict.family.is_some());
    let names: BTreeSet<&str> = known.map(|verdict| &*verdict.profile).collect();
    file_names(names)
}

fn below<'p>(path: &'p str, tree: &str) -> &'p str {
    let below = path.strip_prefix(tree);
    below.map_or(path, |below| below.trim_start_matches('/'))
}

fn date(facts: &ReportFacts) -> Option<Timestamp> {
    let date = rfc3339(&facts.date.as_ref()?.value)?;
    // In UTC, the year can be outside the range that RFC 3339 supports.
    is_rfc3339(&date.to_string()).then_some(date)
}
