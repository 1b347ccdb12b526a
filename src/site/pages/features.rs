//! Renders `/features/`, and a page for each feature at `/features/<F>/`.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use askama::Template;
use rayon::prelude::*;

use super::badges::BadgeImage;
use super::chart::{self, Line};
use super::coming::{self, Coming};
use super::implementation::profile_name;
use super::layout::{self, Head, SiteContext};
use super::mark::{self, Mark};
use super::{MAX_ROWS, Out};
use crate::site::File;
use crate::site::model::{
    Adoption, BestStates, ByImplementation, FeatureStates, FeatureView, ImplementationView, Share,
    StateIn, is_claimed, is_proved, is_reported, label, resource, tests_in, text,
};
use crate::site::paths;
use gwconform_base::api::{Channel, Level, Minor, NameKind};
use gwconform_base::release::Release;
use gwconform_base::text::{breakable, capitalized};
use gwconform_report::certify::catalog::{Absence, State, StateKind, state_in_words};

#[derive(Template)]
#[template(path = "features.html")]
struct FeaturesPage<'s> {
    head: Head<'s>,
    minors: Vec<Minor>,
    count: usize,
    groups: Vec<(&'s str, Vec<FeatureRow<'s>>)>,
    /// Experimental features, sorted by the number of implementations that proved them.
    graduating: Vec<&'s Graduating<'s>>,
    untested: Vec<&'s Graduating<'s>>,
    removed: Vec<&'s FeatureView<'s>>,
    coming: Option<Coming>,
}

struct FeatureRow<'s> {
    feature: &'s FeatureView<'s>,
    label: String,
    level: Option<&'static str>,
    channel: Option<&'static str>,
    words: String,
    adoption: Vec<Option<Share>>,
}

struct Graduating<'s> {
    feature: &'s FeatureView<'s>,
    proved: usize,
    supported: usize,
    reported: usize,
    has_test: bool,
}

const TERMS_OF_FEATURES: &[&str] = &[
    "supported-by",
    "proved",
    "core",
    "extended",
    "experimental",
    "widely",
    "limited",
    "newly",
    "no-test",
    "current",
];

#[derive(Template)]
#[template(path = "feature.html")]
struct FeaturePage<'s> {
    head: Head<'s>,
    feature: &'s FeatureView<'s>,
    minors: Vec<Minor>,
    chart: String,
    settings: Vec<(&'static str, Vec<Option<Share>>)>,
    proving: Vec<usize>,
    rows: Vec<SupportRow<'s>>,
    others: Vec<SupportRow<'s>>,
    /// Implementations without a report about the feature, by reason.
    absent: Vec<(String, Vec<&'s ImplementationView<'s>>)>,
    absent_count: usize,
    adoption: Adoption,
    badge: BadgeImage,
    tests: Vec<(String, Vec<String>)>,
    /// Enhancement proposals (GEPs) for the fields and tests of the feature.
    proposals: Vec<(u32, String)>,
    reference: Option<String>,
    tests_of: String,
    channel: Option<String>,
    /// Release that removed the feature, such as `v0.8`.
    removed: Option<String>,
    /// Change of the feature in an unreleased version.
    coming: Option<String>,
    key: Vec<(Mark, &'static str)>,
}

struct SupportRow<'s> {
    implementation: &'s ImplementationView<'s>,
    first: Option<Minor>,
    cells: Vec<Option<SupportCell>>,
    now: Mark,
    now_in: Option<String>,
    is_supported: bool,
}

impl<'s> SupportRow<'s> {
    fn parts(&self) -> Vec<&'s str> {
        breakable(self.implementation.name)
    }
}

#[derive(Clone)]
struct SupportCell {
    mark: Mark,
    page: String,
}

const STRIP: usize = 6;

const TERMS_OF_FEATURE: &[&str] = &[
    "supported",
    "proved",
    "not-seen",
    "supported-by",
    "current",
    "channel",
    "mode",
    "profile",
    "minor",
];

pub(super) fn make(site: &SiteContext<'_>, out: &Out<'_>) {
    out(vec![features_page(site)]);
    site.model.features.par_iter().for_each(|feature| {
        if let Some(path) = &feature.page {
            out(vec![feature_page(site, feature, path)]);
        }
    });
}

fn features_page(site: &SiteContext<'_>) -> File {
    let model = site.model;
    let minors = strip(site);
    let mut groups: BTreeMap<&str, Vec<FeatureRow<'_>>> = BTreeMap::new();
    for feature in &model.features {
        let resource = resource(model.registry, feature.name);
        let label = label(feature.name, resource);
        let rows = groups.entry(resource).or_default();
        let own = &model.states(feature.name).all;
        let adoption = minors.iter().map(|minor| Share::try_new(own, *minor));
        rows.push(FeatureRow {
            label,
            adoption: adoption.collect(),
            level: feature.level().map(Level::as_str),
            channel: feature.channel().map(Channel::as_str),
            words: capitalized(&model.adoption(feature.name).word().text()),
            feature,
        });
    }
    let mut experimental = graduating(site, minors.first().copied());
    experimental.sort_by_key(|one| (Reverse((one.proved, one.supported)), one.feature.name));
    let (graduating, untested) = experimental.iter().partition(|one| one.has_test);
    let about = "Every feature in Gateway API conformance reports: its meaning, and how many implementations support it in each release.";
    let page = FeaturesPage {
        head: site
            .head(paths::FEATURES_PAGE, "Features", about)
            .with_terms(TERMS_OF_FEATURES),
        minors,
        count: model.features.len(),
        groups: groups.into_iter().collect(),
        graduating,
        untested,
        removed: model
            .features
            .iter()
            .filter(|one| is_removed(one))
            .collect(),
        coming: Coming::new(site),
    };
    layout::file(paths::FEATURES_PAGE, &page)
}

/// Reported minors, newest first, up to the minor from which validity is counted back.
fn strip(site: &SiteContext<'_>) -> Vec<Minor> {
    let newest = site.model.catalog.newest_reported;
    let counted = site.model.minors_with_features().into_iter().rev();
    let counted = counted.filter(|minor| Some(*minor) <= newest);
    counted.take(STRIP).collect()
}

fn graduating<'s>(site: &'s SiteContext<'_>, newest: Option<Minor>) -> Vec<Graduating<'s>> {
    let experimental = site.model.features.iter().filter(|feature| {
        feature.channel() == Some(Channel::Experimental) && feature.until.is_none()
    });
    let all = experimental.map(|feature| {
        let own = &site.model.states(feature.name).all;
        let share = newest.and_then(|newest| Share::try_new(own, newest));
        let cells = own.values().filter_map(|cells| cells.get(newest?));
        Graduating {
            proved: cells.filter(|cell| is_proved(cell.state)).count(),
            supported: share.map_or(0, |share| share.supported),
            reported: share.map_or(0, |share| share.reported),
            has_test: tests(site, feature.name)
                .iter()
                .any(|(_, names)| !names.is_empty()),
            feature,
        }
    });
    all.collect()
}

fn is_removed(feature: &FeatureView<'_>) -> bool {
    feature.until.is_some() && feature.renamed_to.is_none()
}

fn feature_page(site: &SiteContext<'_>, feature: &FeatureView<'_>, path: &str) -> File {
    let model = site.model;
    let FeatureStates {
        all: states,
        by_setting,
    } = model.states(feature.name);
    let minors = Vec::from_iter(states.minors());
    let newest_first: Vec<Minor> = minors.iter().rev().copied().collect();
    let (rows, others) = support_rows(site, feature, states, &newest_first);
    let absent = absent(site, feature.name, states);
    let adoption = model.adoption(feature.name);
    let word = adoption.word();
    let counts = |is_wanted: &dyn Fn(&State) -> bool| {
        let count = |minor: &Minor| {
            let cells = states.values().filter_map(|cells| cells.get(*minor));
            cells.filter(|cell| is_wanted(cell.state)).count()
        };
        minors.iter().map(count).collect::<Vec<_>>()
    };
    let settings = by_setting.iter().map(|(setting, states)| {
        let shares = minors
            .iter()
            .rev()
            .map(|minor| Share::try_new(states, *minor));
        (setting.as_str(), shares.collect())
    });
    let settings = settings.collect();
    let supporting = counts(&|state| is_claimed(state));
    let proving = counts(&|state| is_proved(state));
    let reporting = counts(&|state| is_reported(state));
    let meaning = feature.meaning().unwrap_or("Not part of any release.");
    let description = format!("{}: {meaning}", feature.name);
    let mut terms = vec![word.term()];
    terms.extend(feature.level().map(Level::as_str));
    terms.extend(TERMS_OF_FEATURE.iter().filter(|term| **term != word.term()));
    let head = site
        .head(path, feature.name, &description)
        .with_terms(&terms);
    let feed_title = || format!("{}: Gateway API conformance", feature.name);
    let releases = model.registry.known_in(NameKind::Feature, feature.name);
    let newest = releases.last().map(|release| release.version().to_string());
    let page = FeaturePage {
        head: match &feature.feed {
            Some(feed) => head.with_feed(feed_title(), feed),
            None => head,
        },
        chart: adoption_chart(&minors, &reporting, &supporting),
        tests: tests(site, feature.name),
        tests_of: newest.unwrap_or_default(),
        channel: channel(&releases, feature.name),
        removed: model.registry.removed_in(NameKind::Feature, feature.name),
        coming: coming::change(site, feature.name),
        proposals: model.registry.references().proposals(feature.name),
        reference: feature
            .resource()
            .and_then(|resource| model.registry.references().reference(resource)),
        key: mark::key(),
        proving: proving.into_iter().rev().collect(),
        settings,
        minors: newest_first,
        rows,
        others,
        absent_count: absent.iter().map(|(_, names)| names.len()).sum(),
        absent,
        badge: BadgeImage::of_feature(feature.name, &word),
        adoption,
        feature,
    };
    layout::file(path, &page)
}

impl FeaturePage<'_> {
    fn word_text(&self) -> String {
        capitalized(&self.adoption.word().text())
    }

    /// Counts of current implementations, as HTML without text from reports.
    fn answer(&self) -> String {
        let Adoption {
            reported,
            supported,
            ..
        } = self.adoption;
        let proved = self.adoption.proved_since.len();
        let proof = match (supported, proved) {
            (0, _) => String::new(),
            (_, 0) => ", not proved by tests".to_owned(),
            (all, proved) if all == proved => ", proved by tests".to_owned(),
            (_, proved) => format!(", proved by tests for {proved} of them"),
        };
        match reported {
            0 => "No current implementation reports a profile with the feature.".to_owned(),
            1 if supported == 1 => format!(
                "The only <b>current implementation</b> that reports a profile with the feature supports it{proof}."
            ),
            _ => format!(
                "<b>{supported} of {reported}</b> current implementations that report a profile with the feature support it{proof}."
            ),
        }
    }
}

fn adoption_chart(minors: &[Minor], reporting: &[usize], supporting: &[usize]) -> String {
    let known = |counts: &[usize]| counts.iter().copied().map(Some).collect::<Vec<_>>();
    let names: Vec<_> = minors.iter().map(ToString::to_string).collect();
    let (reporting, supporting) = (known(reporting), known(supporting));
    let lines = [
        Line {
            class: "all",
            name: "reporting",
            values: &reporting,
        },
        Line {
            class: "extended",
            name: "supporting",
            values: &supporting,
        },
    ];
    chart::steps(&names, &lines)
}

fn support_rows<'s>(
    site: &'s SiteContext<'_>,
    feature: &FeatureView<'_>,
    states: &ByImplementation<'_>,
    minors: &[Minor],
) -> (Vec<SupportRow<'s>>, Vec<SupportRow<'s>>) {
    let mut rows: Vec<_> = states
        .iter()
        .filter_map(|(nth, cells)| {
            let implementation = site.model.implementations.get(nth)?;
            support_row(site, feature.name, implementation, cells, minors)
        })
        .collect();
    rows.sort_by_cached_key(|row| {
        (
            !row.is_supported,
            row.first.is_none(),
            row.first,
            row.implementation.name.to_lowercase(),
        )
    });
    let others = rows.split_off(rows.partition_point(|row| row.first.is_some()));
    (rows, others)
}

fn support_row<'s>(
    site: &SiteContext<'_>,
    feature: &str,
    implementation: &'s ImplementationView<'s>,
    cells: BestStates<'_, '_>,
    minors: &[Minor],
) -> Option<SupportRow<'s>> {
    let newest = newest_state(cells, implementation);
    let registry = site.model.registry;
    let mark = |one: &StateIn<'_>| {
        let words = one
            .report
            .in_words(one.profile as usize, feature, one.state, registry);
        Mark::state(one.state.kind(), words)
    };
    let absent = || {
        let facts = implementation.newest.facts();
        let absence = Absence::try_new(facts, feature, None, registry);
        let words = absence.map_or_else(
            || state_in_words(&State::NotInRelease),
            |absence| absence.to_string(),
        );
        Mark::state(StateKind::NotInRelease, words)
    };
    let now = newest.map_or(&State::NotInRelease, |newest| newest.state);
    let first = cells.iter().find(|(_, cell)| is_claimed(cell.state));
    let cell = |minor: &Minor| {
        let cell = cells.get(*minor)?;
        Some(SupportCell {
            mark: mark(cell),
            page: cell.report.page(),
        })
    };
    Some(SupportRow {
        implementation,
        first: first.map(|(minor, _)| minor),
        cells: minors.iter().map(cell).collect(),
        now: newest.map_or_else(absent, mark),
        now_in: newest.map(where_stated),
        is_supported: is_claimed(now),
    })
}

/// Implementations that no row shows, with the reason why their newest report does not have the
/// feature.
fn absent<'s>(
    site: &'s SiteContext<'_>,
    feature: &str,
    states: &ByImplementation<'_>,
) -> Vec<(String, Vec<&'s ImplementationView<'s>>)> {
    let mut absent: BTreeMap<String, Vec<&ImplementationView<'_>>> = BTreeMap::new();
    let known: BTreeSet<usize> = states.iter().map(|(nth, _)| nth).collect();
    let all = site.model.implementations.iter().enumerate();
    for (_, implementation) in all.filter(|(nth, _)| !known.contains(nth)) {
        let facts = implementation.newest.facts();
        let why = Absence::try_new(facts, feature, None, site.model.registry);
        let why = why.map_or_else(
            || "its release is unknown".to_owned(),
            |why| why.to_string(),
        );
        absent.entry(why).or_default().push(implementation);
    }
    let mut absent = Vec::from_iter(absent);
    absent.sort_by_key(|(_, names)| Reverse(names.len()));
    absent
}

fn channel(releases: &[&Release], name: &str) -> Option<String> {
    let of = |release: &&Release| release.feature(name).map(|feature| feature.channel);
    let (first, last) = (of(releases.first()?)?, of(releases.last()?)?);
    if first == last {
        return Some(last.as_str().to_owned());
    }
    let newest_first = releases.iter().rev();
    let since = newest_first
        .take_while(|release| of(release) == Some(last))
        .last()?;
    let (first, from) = (first.as_str(), releases.first()?.version());
    Some(format!(
        "{first} from {from}, {} since {}",
        last.as_str(),
        since.version()
    ))
}

/// State for the newest minor of the implementation. `None` if no such report has a profile with
/// the feature.
fn newest_state<'b, 's>(
    cells: BestStates<'b, 's>,
    implementation: &ImplementationView<'_>,
) -> Option<&'b StateIn<'s>> {
    cells.get(implementation.newest.minor()?)
}

fn where_stated(found: &StateIn<'_>) -> String {
    let facts = found.report.facts();
    let verdict = found
        .report
        .entry
        .judged
        .verdicts
        .get(found.profile as usize);
    let profile = verdict.map(|verdict| profile_name(verdict.family, &verdict.profile));
    let channel = text(&facts.channel).map(str::to_owned);
    let parts: Vec<String> = channel.into_iter().chain(profile).collect();
    parts.join(", ")
}

/// Lists the tests by profile in the newest release with the feature.
pub(super) fn tests(site: &SiteContext<'_>, feature: &str) -> Vec<(String, Vec<String>)> {
    let releases = site.model.registry.known_in(NameKind::Feature, feature);
    let newest = releases.last().into_iter();
    let tests = newest.flat_map(|release| tests_in(feature, release));
    let names = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
    tests
        .map(|(profile, tests)| (profile.to_owned(), names(tests)))
        .collect()
}
