//! Renders `/features/`, and a page for each feature at `/features/<F>/`.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use askama::Template;

use super::chart::{self, Line};
use super::coming::{self, Coming};
use super::implementation::profile_name;
use super::mark::{self, Mark};
use super::page::{self, Head, SiteContext};
use crate::api::{Channel, Level, Minor, NameKind};
use crate::certify::catalog::{Absence, State, StateKind, state_in_words};
use crate::release::Release;
use crate::site::File;
use crate::site::model::{
    FeatureView, ImplementationView, ReportView, Setting, is_claimed, label, rank, resource, text,
};
use crate::site::paths;

#[derive(Template)]
#[template(path = "features.html")]
struct FeaturesPage<'s> {
    head: Head<'s>,
    minors: Vec<Minor>,
    count: usize,
    groups: Vec<(String, Vec<FeatureRow<'s>>)>,
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
    releases: &'s str,
    channel: Option<&'static str>,
    adoption: Vec<Option<Share>>,
}

struct Share {
    supported: usize,
    /// Number of implementations that reported a profile with the feature for the minor.
    reported: usize,
}

impl Share {
    fn shade(&self) -> usize {
        (self.supported * 4).div_ceil(self.reported.max(1))
    }

    fn thousandths(&self) -> usize {
        self.supported * 1000 / self.reported.max(1)
    }
}

struct Graduating<'s> {
    feature: &'s FeatureView<'s>,
    proved: usize,
    supported: usize,
    reported: usize,
    has_test: bool,
}

/// Larger tables include only the newest [`MINORS_OF_MANY`] minors.
const MAX_ROWS: usize = 250;
const MINORS_OF_MANY: usize = 3;

#[derive(Template)]
#[template(path = "feature.html")]
struct FeaturePage<'s> {
    head: Head<'s>,
    feature: &'s FeatureView<'s>,
    minors: Vec<Minor>,
    shown_minors: Vec<Minor>,
    chart: String,
    settings: Vec<(&'static str, Vec<Option<Share>>)>,
    proving: Vec<usize>,
    rows: Vec<SupportRow<'s>>,
    others: Vec<SupportRow<'s>>,
    now: usize,
    now_proved: usize,
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
    is_proved: bool,
}

#[derive(Clone)]
struct SupportCell {
    mark: Mark,
    page: String,
}

#[derive(Clone, Copy)]
struct StateIn<'c> {
    state: &'c State,
    report: &'c ReportView<'c>,
    profile: usize,
}

type BestStates<'c> = BTreeMap<Minor, StateIn<'c>>;

type ByImplementation<'c> = BTreeMap<usize, BestStates<'c>>;

#[derive(Default)]
struct FeatureStates<'c> {
    all: ByImplementation<'c>,
    by_setting: BTreeMap<Setting, ByImplementation<'c>>,
}

const STRIP: usize = 9;

pub(super) fn files(site: &SiteContext<'_>) -> Vec<File> {
    let states = states_by_feature(site);
    let none = FeatureStates::default();
    let features = site.model.features.iter();
    let pages = features.filter_map(|feature| {
        let states = states.get(feature.name).unwrap_or(&none);
        Some(feature_page(site, feature, states, feature.page.as_ref()?))
    });
    let list = features_page(site, &states);
    [list].into_iter().chain(pages).collect()
}

fn features_page(site: &SiteContext<'_>, states: &BTreeMap<&str, FeatureStates<'_>>) -> File {
    let model = site.model;
    let minors = strip(model.catalog.minors.newest_reported(), states);
    let mut groups: BTreeMap<String, Vec<FeatureRow<'_>>> = BTreeMap::new();
    for feature in &model.features {
        let resource = resource(model.registry, feature.name);
        let label = label(feature.name, &resource);
        let rows = groups.entry(resource).or_default();
        let own = states.get(feature.name).map(|states| &states.all);
        let adoption = minors.iter().map(|minor| share(own?, *minor));
        rows.push(FeatureRow {
            label,
            adoption: adoption.collect(),
            level: feature.level().map(Level::as_str),
            releases: feature.lifetime.as_deref().unwrap_or("–"),
            channel: feature.channel().map(Channel::as_str),
            feature,
        });
    }
    let mut experimental = graduating(site, states, minors.first().copied());
    experimental.sort_by_key(|one| (Reverse((one.proved, one.supported)), one.feature.name));
    let (graduating, untested) = experimental.iter().partition(|one| one.has_test);
    let about = "Every feature in Gateway API conformance reports: its meaning, and how many implementations support it in each release.";
    let page = FeaturesPage {
        head: site.head(paths::FEATURES_PAGE, "Features", about),
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
    page::file(paths::FEATURES_PAGE, &page)
}

/// Reported minors, newest first, up to the minor from which validity is counted back.
fn strip(newest: Option<Minor>, states: &BTreeMap<&str, FeatureStates<'_>>) -> Vec<Minor> {
    let all = states.values().flat_map(|states| states.all.values());
    let minors: BTreeSet<Minor> = all.flat_map(|cells| cells.keys().copied()).collect();
    let counted = minors.into_iter().rev();
    let counted = counted.filter(|minor| Some(*minor) <= newest);
    counted.take(STRIP).collect()
}

fn share(states: &ByImplementation<'_>, minor: Minor) -> Option<Share> {
    let states = states.values().filter_map(|cells| cells.get(&minor));
    let reported: Vec<_> = states.filter(|cell| is_reported(cell.state)).collect();
    let supported = reported.iter().filter(|cell| is_claimed(cell.state));
    (!reported.is_empty()).then(|| Share {
        supported: supported.count(),
        reported: reported.len(),
    })
}

fn graduating<'s>(
    site: &'s SiteContext<'_>,
    states: &BTreeMap<&str, FeatureStates<'_>>,
    newest: Option<Minor>,
) -> Vec<Graduating<'s>> {
    let features = site.model.features.iter();
    let experimental = features.filter(|feature| {
        feature.channel() == Some(Channel::Experimental) && feature.until.is_none()
    });
    let all = experimental.map(|feature| {
        let own = states.get(feature.name).map(|states| &states.all);
        let newest = own
            .zip(newest)
            .and_then(|(own, newest)| share(own, newest).map(|share| (own, newest, share)));
        let proved = newest.as_ref().map_or(0, |(own, newest, _)| {
            let states = own.values().filter_map(|cells| cells.get(newest));
            states.filter(|cell| is_proved(cell.state)).count()
        });
        Graduating {
            proved,
            supported: newest.as_ref().map_or(0, |(.., share)| share.supported),
            reported: newest.as_ref().map_or(0, |(.., share)| share.reported),
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

fn is_reported(state: &State) -> bool {
    !matches!(state, State::NotInRelease)
}

fn states_by_feature<'s>(site: &'s SiteContext<'_>) -> BTreeMap<&'s str, FeatureStates<'s>> {
    let model = site.model;
    let mut states: BTreeMap<&str, FeatureStates<'_>> = BTreeMap::new();
    for (nth, implementation) in model.implementations.iter().enumerate() {
        for report in implementation.reports {
            let Some(minor) = report.minor() else {
                continue;
            };
            let lists = report.features.iter().flat_map(|profile| {
                let all = profile.core.iter().chain(&profile.extended);
                all.map(|(name, _)| (profile.profile, &**name))
            });
            for (profile, name) in lists {
                let found = StateIn {
                    state: report.state(profile, name, model.registry),
                    report,
                    profile,
                };
                let own = states.entry(name).or_default();
                better(&mut own.all, nth, minor, name, found);
                let verdict = report.entry.judged.verdicts.get(profile);
                if let Some(family) = verdict.and_then(|verdict| verdict.family) {
                    let setting = Setting::new(family, report);
                    let own = own.by_setting.entry(setting).or_default();
                    better(own, nth, minor, name, found);
                }
            }
        }
    }
    states
}

/// Keeps the better of two states. If they are equal, a state that is not carried over is
/// preferred, then the state in the later report.
fn better<'s>(
    states: &mut ByImplementation<'s>,
    nth: usize,
    minor: Minor,
    feature: &str,
    found: StateIn<'s>,
) {
    let order = |one: &StateIn<'_>| {
        let is_carried_over = one.report.is_carried_over(one.profile, feature);
        (rank(one.state), is_carried_over)
    };
    let cells = states.entry(nth).or_default();
    let cell = cells.entry(minor).or_insert(found);
    let is_same = std::ptr::eq(found.report, cell.report);
    if order(&found) < order(cell) || (!is_same && order(&found) == order(cell)) {
        *cell = found;
    }
}

fn feature_page(
    site: &SiteContext<'_>,
    feature: &FeatureView<'_>,
    states: &FeatureStates<'_>,
    path: &str,
) -> File {
    let model = site.model;
    let FeatureStates {
        all: states,
        by_setting,
    } = states;
    let distinct_minors: BTreeSet<Minor> = states
        .values()
        .flat_map(|cells| cells.keys().copied())
        .collect();
    let minors = Vec::from_iter(distinct_minors);
    let mut shown_minors = minors.clone();
    shown_minors.reverse();
    if states.len() > MAX_ROWS {
        shown_minors.truncate(MINORS_OF_MANY);
    }
    let (rows, others) = support_rows(site, feature, states, &shown_minors);
    let counts = |is_wanted: &dyn Fn(&State) -> bool| {
        let count = |minor: &Minor| {
            let cells = states.values().filter_map(|cells| cells.get(minor));
            cells.filter(|cell| is_wanted(cell.state)).count()
        };
        minors.iter().map(count).collect::<Vec<_>>()
    };
    let settings = by_setting.iter().map(|(setting, states)| {
        let shares = minors.iter().rev().map(|minor| share(states, *minor));
        (setting.as_str(), shares.collect())
    });
    let settings = settings.collect();
    let supporting = counts(&|state| is_claimed(state));
    let proving = counts(&|state| is_proved(state));
    let reporting = counts(&|state| is_reported(state));
    let meaning = feature.meaning().unwrap_or("Not part of any release.");
    let description = format!("{}: {meaning}", feature.name);
    let head = site.head(path, feature.name, &description);
    let feed_title = || format!("{}: Gateway API conformance", feature.name);
    let releases = model.registry.known_in(NameKind::Feature, feature.name);
    let newest = releases.last().map(|release| release.version().to_string());
    let page = FeaturePage {
        head: match &feature.feed {
            Some(feed) => head.with_feed(feed_title(), feed),
            None => head,
        },
        chart: adoption_chart(&minors, &reporting, &supporting),
        now: rows.iter().filter(|row| row.is_supported).count(),
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
        now_proved: rows.iter().filter(|row| row.is_proved).count(),
        proving: proving.into_iter().rev().collect(),
        settings,
        minors: minors.into_iter().rev().collect(),
        shown_minors,
        rows,
        others,
        feature,
    };
    page::file(path, &page)
}

fn is_proved(state: &State) -> bool {
    matches!(state, State::Proved { .. } | State::ProvedByLog { .. })
}

impl FeaturePage<'_> {
    fn proof(&self) -> String {
        match (self.now, self.now_proved) {
            (1, 0) => ", not proved by its tests".to_owned(),
            (1, _) => ", proved by its tests".to_owned(),
            (_, 0) => ", not proved by its tests for any of them".to_owned(),
            (all, proved) if all == proved => ", proved by its tests for all of them".to_owned(),
            (_, proved) => format!(", proved by its tests for {proved} of them"),
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
            let implementation = site.model.implementations.get(*nth)?;
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
    cells: &BestStates<'_>,
    minors: &[Minor],
) -> Option<SupportRow<'s>> {
    let newest = newest_state(cells, implementation);
    let registry = site.model.registry;
    let mark = |one: &StateIn<'_>| {
        let words = one.report.state_in_words(one.profile, feature, registry);
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
        let cell = cells.get(minor)?;
        Some(SupportCell {
            mark: mark(cell),
            page: cell.report.page(),
        })
    };
    Some(SupportRow {
        implementation,
        first: first.map(|(minor, _)| *minor),
        cells: minors.iter().map(cell).collect(),
        now: newest.map_or_else(absent, mark),
        now_in: newest.map(where_stated),
        is_supported: is_claimed(now),
        is_proved: is_proved(now),
    })
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
    cells: &'b BestStates<'s>,
    implementation: &ImplementationView<'_>,
) -> Option<&'b StateIn<'s>> {
    cells.get(&implementation.newest.minor()?)
}

fn where_stated(found: &StateIn<'_>) -> String {
    let facts = found.report.facts();
    let verdict = found.report.entry.judged.verdicts.get(found.profile);
    let profile = verdict.map(|verdict| profile_name(verdict.family, &verdict.profile));
    let channel = text(&facts.channel).map(str::to_owned);
    let parts: Vec<String> = channel.into_iter().chain(profile).collect();
    parts.join(", ")
}

/// Lists the tests by profile in the newest release with the feature. Core tests belong to a
/// profile, and extended tests to a feature.
pub(super) fn tests(site: &SiteContext<'_>, feature: &str) -> Vec<(String, Vec<String>)> {
    let releases = site.model.registry.known_in(NameKind::Feature, feature);
    let Some(release) = releases.last() else {
        return Vec::new();
    };
    let profiles = release.profiles().filter(|profile| profile.has(feature));
    let tests = profiles.map(|profile| {
        let members = release.members(profile).iter();
        let own = members.filter(|member| {
            member.test.features.iter().any(|name| name == feature)
                && (profile.is_core(feature) || member.level == Level::Extended)
        });
        let names = own.map(|member| member.test.name.clone());
        (profile.name.clone(), names.collect())
    });
    tests.collect()
}
