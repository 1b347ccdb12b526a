//! `/features/` and `/features/<F>/`: what a feature is, who supports it since when, who says no,
//! who is silent.

use std::collections::{BTreeMap, BTreeSet};

use askama::Template;

use crate::catalog::State;
use crate::registry::{Kind, Level, Minor, Release};
use crate::site::File;
use crate::site::api::Feature;
use crate::site::chart::{self, Line};
use crate::site::features::{label, rank, resource};
use crate::site::implementation_view::ImplementationView;
use crate::site::mark::{self, Mark};
use crate::site::page::{self, Head, Page, SiteContext};
use crate::site::paths;
use crate::site::view::{ReportView, text};
use crate::site::words::is_claimed;

#[derive(Template)]
#[template(path = "features.html")]
struct All<'s> {
    head: Head<'s>,
    newest: Option<Minor>,
    count: usize,
    groups: Vec<(String, Vec<Row<'s>>)>,
}

struct Row<'s> {
    feature: &'s Feature<'s>,
    label: String,
    path: Option<String>,
}

#[derive(Template)]
#[template(path = "feature.html")]
struct One<'s> {
    head: Head<'s>,
    feature: &'s Feature<'s>,
    minors: Vec<Minor>,
    chart: String,
    supporting: Vec<usize>,
    reporting: Vec<usize>,
    rows: Vec<Who<'s>>,
    /// Those whose newest report does not support it, and that never did.
    others: Vec<Who<'s>>,
    now: usize,
    tests: Vec<(String, Vec<String>)>,
    /// The release that these are the tests of.
    tests_of: String,
    /// Its channel, and since when where that is not from the beginning.
    channel: Option<String>,
    key: Vec<(Mark, &'static str)>,
}

/// An implementation and what it said of a feature, minor by minor.
struct Who<'s> {
    shown: &'s ImplementationView<'s>,
    first: Option<Minor>,
    cells: Vec<Option<Cell>>,
    /// What its newest report says.
    now: Mark,
    rank: u8,
}

#[derive(Clone)]
struct Cell {
    mark: Mark,
    path: String,
}

/// What an implementation says of a feature in its best report of each minor.
type Said<'c> = BTreeMap<Minor, (&'c State, &'c ReportView<'c>)>;

pub(super) fn files(site: &SiteContext<'_>) -> Vec<File> {
    let said = said(site);
    let none = BTreeMap::new();
    let features = site.data.features.features.iter();
    let pages = features.filter_map(|feature| {
        let path = site.view.feature_path(feature.feature)?;
        Some(one(
            site,
            feature,
            said.get(feature.feature).unwrap_or(&none),
            &path,
        ))
    });
    [all(site)].into_iter().chain(pages).collect()
}

fn all(site: &SiteContext<'_>) -> File {
    let mut groups: BTreeMap<String, Vec<Row<'_>>> = BTreeMap::new();
    for feature in &site.data.features.features {
        let resource = resource(site.view.registry, feature.feature);
        groups.entry(resource.clone()).or_default().push(Row {
            label: label(feature.feature, &resource),
            path: site.view.feature_path(feature.feature),
            feature,
        });
    }
    let page = All {
        head: site.head(
            &Page {
                path: paths::FEATURES_PAGE,
                title: "Features",
                description: "Every feature that Gateway API conformance reports name: what it means, since which release, and how many implementations support it.",
            },
            &[],
        ),
        newest: site.view.catalog.minors.newest(),
        count: site.data.features.features.len(),
        groups: groups.into_iter().collect(),
    };
    page::file(paths::FEATURES_PAGE, &page)
}

/// For each feature, for each implementation by its place, what it says: once over all reports.
fn said<'s>(site: &'s SiteContext<'_>) -> BTreeMap<&'s str, BTreeMap<usize, Said<'s>>> {
    let mut said: BTreeMap<&str, BTreeMap<usize, Said<'_>>> = BTreeMap::new();
    for (nth, shown) in site.shown.iter().enumerate() {
        for seen in site.view.reports_of(shown.at) {
            let Some(minor) = seen.minor() else { continue };
            let lists = seen.features.iter().flat_map(|profile| {
                let all = profile.core.iter().chain(&profile.extended);
                all.map(|(name, _)| (profile.profile, &**name))
            });
            for (profile, name) in lists {
                let state = seen.state(profile, name, site.view.registry);
                let cells = said.entry(name).or_default().entry(nth).or_default();
                let cell = cells.entry(minor).or_insert((state, seen));
                if rank(state) < rank(cell.0) {
                    *cell = (state, seen);
                }
            }
        }
    }
    said
}

fn one(
    site: &SiteContext<'_>,
    feature: &Feature<'_>,
    said: &BTreeMap<usize, Said<'_>>,
    path: &str,
) -> File {
    let minors: BTreeSet<Minor> = said
        .values()
        .flat_map(|cells| cells.keys().copied())
        .collect();
    let minors: Vec<_> = minors.into_iter().collect();
    let mut rows: Vec<Who<'_>> = said
        .iter()
        .filter_map(|(nth, cells)| {
            who(site, feature.feature, site.shown.get(*nth)?, cells, &minors)
        })
        .collect();
    rows.sort_by_cached_key(|who| {
        (
            who.rank > 4,
            who.first.is_none(),
            who.first,
            who.shown.one.name.to_lowercase(),
        )
    });
    let others = rows.split_off(rows.partition_point(|who| who.first.is_some()));
    let counts = |is_wanted: &dyn Fn(&State) -> bool| {
        let count = |minor: &Minor| {
            said.values()
                .filter(|cells| cells.get(minor).is_some_and(|(state, _)| is_wanted(state)))
                .count()
        };
        minors.iter().map(count).collect::<Vec<_>>()
    };
    let supporting = counts(&|state| is_claimed(state));
    let reporting = counts(&|state| !matches!(state, State::NotInRelease));
    let known = |counts: &[usize]| counts.iter().copied().map(Some).collect::<Vec<_>>();
    let names: Vec<_> = minors.iter().map(ToString::to_string).collect();
    let (all, some) = (known(&reporting), known(&supporting));
    let lines = [
        Line {
            class: "all",
            name: "reporting",
            values: &all,
        },
        Line {
            class: "extended",
            name: "supporting",
            values: &some,
        },
    ];
    let meaning = feature.meaning.unwrap_or("No release has this feature.");
    let description = format!("{}: {meaning}", feature.feature);
    let with = site.view.registry.known_in(Kind::Feature, feature.feature);
    let head = site.head(
        &Page {
            path,
            title: feature.feature,
            description: &description,
        },
        &[],
    );
    let page = One {
        head: match &feature.feed {
            Some(feed) => head.with_feed(
                format!("{}: Gateway API conformance", feature.feature),
                feed,
            ),
            None => head,
        },
        chart: chart::steps(&names, &lines),
        now: rows.iter().filter(|who| who.rank <= 4).count(),
        tests: tests(site, feature.feature),
        tests_of: with
            .last()
            .map_or_else(String::new, |release| release.version().to_string()),
        channel: channel(&with, feature.feature),
        key: mark::key(),
        supporting,
        reporting,
        minors,
        rows,
        others,
        feature,
    };
    page::file(path, &page)
}

fn who<'s>(
    site: &SiteContext<'_>,
    feature: &str,
    shown: &'s ImplementationView<'s>,
    cells: &Said<'_>,
    minors: &[Minor],
) -> Option<Who<'s>> {
    let newest = newest(site, feature, shown)?;
    let first = cells.iter().find(|(_, (state, _))| is_claimed(state));
    let cell = |minor: &Minor| {
        let (state, seen) = cells.get(minor)?;
        Some(Cell {
            mark: Mark::state(state),
            path: seen.page(),
        })
    };
    Some(Who {
        shown,
        first: first.map(|(minor, _)| *minor),
        cells: minors.iter().map(cell).collect(),
        now: Mark::state(newest),
        rank: rank(newest),
    })
}

/// `standard`; `experimental from v1.4.0, standard since v1.5.0`
fn channel(with: &[&Release], name: &str) -> Option<String> {
    let of = |release: &&Release| release.feature(name).map(|feature| feature.channel);
    let (first, last) = (of(with.first()?)?, of(with.last()?)?);
    if first == last {
        return Some(last.as_str().to_owned());
    }
    let since = with
        .iter()
        .rev()
        .take_while(|release| of(release) == Some(last))
        .last()?;
    let (first, from) = (first.as_str(), with.first()?.version());
    Some(format!(
        "{first} from {from}, {} since {}",
        last.as_str(),
        since.version()
    ))
}

/// The best that the newest reports of an implementation say of a feature: those of the newest
/// version with the newest release, whatever their channel and mode.
fn newest<'s>(
    site: &'s SiteContext<'_>,
    feature: &str,
    shown: &ImplementationView<'_>,
) -> Option<&'s State> {
    let version = |seen: &ReportView<'_>| text(&seen.facts().version).map(str::to_owned);
    let reports = site.view.reports_of(shown.at).iter();
    let newest = reports.filter(|seen| {
        seen.release() == shown.newest.release() && version(seen) == version(shown.newest)
    });
    let states = newest.flat_map(|seen| {
        let profiles = seen.features.iter();
        profiles.map(|profile| seen.state(profile.profile, feature, site.view.registry))
    });
    states.min_by_key(|state| rank(state))
}

/// The tests that prove a feature in the newest release that has it, by profile: core tests are of
/// the profile, extended ones of the feature.
fn tests(site: &SiteContext<'_>, feature: &str) -> Vec<(String, Vec<String>)> {
    let with = site.view.registry.known_in(Kind::Feature, feature);
    let Some(release) = with.last() else {
        return Vec::new();
    };
    let profiles = release
        .profiles()
        .filter(|profile| profile.is_core(feature) || profile.is_extended(feature));
    let tests = profiles.map(|profile| {
        let members = release.members(profile).iter();
        let own = members.filter(|member| {
            member.test.features.iter().any(|of| of == feature)
                && (profile.is_core(feature) || member.level == Level::Extended)
        });
        let names = own.map(|member| member.test.name.clone()).collect();
        (profile.name.clone(), names)
    });
    tests.collect()
}
