//! Renders `/features/`, and a page for each feature at `/features/<F>/`.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use askama::Template;
use rayon::prelude::*;

use super::badges::BadgeImage;
use super::chart;
use super::coming::{self, Coming};
use super::layout::{self, Head, SiteContext};
use super::mark::Mark;
use super::{MAX_ROWS, Out};
use crate::site::File;
use crate::site::model::{
    FeatureView, FeatureWord, ImplementationView, ReportView, Share, StateIn, Support, is_claimed,
    is_proved, resource, tests_in,
};
use crate::site::paths;
use gwconform_base::api::{Channel, Family, Level, Minor, NameKind};
use gwconform_base::text::{capitalized, counted};
use gwconform_report::certify::Standing;
use gwconform_report::certify::catalog::StateKind;

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

const TERMS_OF_FEATURES: &[&str] = &["supported-by", "proved", "since"];

#[derive(Template)]
#[template(path = "feature.html")]
struct FeaturePage<'s> {
    head: Head<'s>,
    feature: &'s FeatureView<'s>,
    word: FeatureWord,
    /// Such as `10 of 20 gateways support it`; current implementations count.
    answer: String,
    bar: String,
    counts: Vec<(Mark, usize)>,
    /// Newest minor first.
    shares: Vec<(Minor, Share)>,
    /// Minors with a column, newest first.
    minors: Vec<Minor>,
    rows: Vec<SupportRow<'s>>,
    former: Vec<SupportRow<'s>>,
    badge: BadgeImage,
    data: String,
    tests: Vec<(String, Vec<String>)>,
    /// Enhancement proposals (GEPs) for the fields and tests of the feature.
    proposals: Vec<(u32, String)>,
    reference: Option<String>,
    tests_of: String,
    /// Change of the feature in an unreleased version.
    coming: Option<String>,
}

struct SupportRow<'s> {
    implementation: &'s ImplementationView<'s>,
    kind: Option<StateKind>,
    /// Yes, no or the reason why neither is known.
    answer: Mark,
    /// Newest report that decides the answer.
    report: &'s ReportView<'s>,
    since: Option<&'s ReportView<'s>>,
    channels: String,
    cells: Vec<Option<SupportCell<'s>>>,
}

impl SupportRow<'_> {
    /// Rank of the answer, best first.
    fn group(&self) -> usize {
        let is_in = |states: &[StateKind]| self.kind.is_some_and(|kind| states.contains(&kind));
        let groups = [
            is_in(&[StateKind::Proved, StateKind::ProvedByLog]),
            self.since.is_some(),
            is_in(&[StateKind::Unsupported, StateKind::NotClaimed]),
            self.kind.is_some(),
        ];
        groups
            .iter()
            .position(|is_of| *is_of)
            .unwrap_or(groups.len())
    }
}

struct SupportCell<'s> {
    mark: Mark,
    version: &'s str,
    page: String,
}

/// Most minors in the list of features.
const STRIP: usize = 6;

/// Minors with a column on the page of a feature.
const COLUMNS: usize = 3;

/// Most tests of a profile that are not folded.
const OPEN_TESTS: usize = 4;

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
        let rows = groups.entry(resource).or_default();
        let own = model.states(feature.name);
        let adoption = minors.iter().map(|minor| Share::try_new(own, *minor));
        rows.push(FeatureRow {
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
        let own = site.model.states(feature.name);
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
    let states = model.states(feature.name);
    let minors = Vec::from_iter(states.minors().into_iter().rev());
    let shares = minors.iter().take(STRIP);
    let shares = shares.filter_map(|minor| Some((*minor, Share::try_new(states, *minor)?)));
    let shares = shares.collect();
    let minors = minors[..minors.len().min(COLUMNS)].to_vec();
    let (rows, former) = support_rows(site, feature.name, &minors);
    let word = model.adoption(feature.name).word();
    let meaning = feature.meaning().unwrap_or("Not part of any release.");
    let description = format!("{}: {meaning}", feature.name);
    let mut terms = vec![word.term(), "current", "channel", "proved"];
    terms.extend(feature.level().map(Level::as_str));
    let head = site
        .head(path, feature.name, &description)
        .with_terms(&terms);
    let feed_title = || format!("{}: Gateway API conformance", feature.name);
    let releases = model.registry.known_in(NameKind::Feature, feature.name);
    let newest = releases.last().map(|release| release.version().to_string());
    let counts = counts(&rows);
    let page = FeaturePage {
        head: match &feature.feed {
            Some(feed) => head.with_feed(feed_title(), feed),
            None => head,
        },
        answer: answer(site, feature, &rows),
        bar: chart::share(&counts[..counts.len() - 1]),
        counts,
        shares,
        minors,
        rows,
        former,
        tests: tests(site, feature.name),
        tests_of: newest.unwrap_or_default(),
        coming: coming::change(site, feature.name),
        proposals: model.registry.references().proposals(feature.name),
        reference: feature
            .resource()
            .and_then(|resource| model.registry.references().reference(resource)),
        badge: BadgeImage::of_feature(feature.name, &word),
        data: paths::data_file(&(paths::feature_data(feature.name) + ".json")),
        word,
        feature,
    };
    layout::file(path, &page)
}

impl FeaturePage<'_> {
    fn word_text(&self) -> String {
        capitalized(&self.word.text())
    }
}

/// Numbers of answers by [`SupportRow::group`]. The last ones are not part of any share.
fn counts(rows: &[SupportRow<'_>]) -> Vec<(Mark, usize)> {
    let words = [
        (StateKind::Proved, "proved by its tests"),
        (StateKind::Claimed, "without proof"),
        (StateKind::Unsupported, "no"),
        (StateKind::NotStated, "not stated"),
        (StateKind::NotInRelease, "not reported"),
    ];
    let counts = words.into_iter().enumerate().map(|(group, (kind, word))| {
        let own = rows.iter().filter(|row| row.group() == group);
        (Mark::state(kind, word.to_owned()), own.count())
    });
    counts.collect()
}

fn answer(site: &SiteContext<'_>, feature: &FeatureView<'_>, rows: &[SupportRow<'_>]) -> String {
    let families = feature.profiles.iter().filter_map(|(name, _)| {
        let profile = site.model.registry.profile(name)?;
        Some(profile.family)
    });
    let noun = match Vec::from_iter(families.collect::<BTreeSet<_>>())[..] {
        [Family::Gateway] => "gateway",
        [Family::Mesh] => "mesh",
        _ => "implementation",
    };
    let reported = rows.iter().filter(|row| row.kind.is_some()).count();
    let supported = rows.iter().filter(|row| row.since.is_some()).count();
    if reported == 0 {
        return format!("No current {noun} reports a profile with it");
    }
    let all = counted(reported, noun);
    let verb = if supported == 1 {
        "supports"
    } else {
        "support"
    };
    format!("{supported} of {all} {verb} it")
}

/// Rows of current implementations, then of the others. Each list starts with the best answers.
fn support_rows<'s>(
    site: &'s SiteContext<'_>,
    feature: &str,
    minors: &[Minor],
) -> (Vec<SupportRow<'s>>, Vec<SupportRow<'s>>) {
    let all = site.model.support(feature).into_iter();
    let mut rows: Vec<_> = all
        .map(|support| support_row(site, feature, support, minors))
        .collect();
    rows.sort_by_cached_key(|row| (row.group(), row.implementation.name.to_lowercase()));
    let is_current =
        |row: &SupportRow<'_>| row.implementation.standing() >= Standing::PartiallyConformant;
    rows.into_iter().partition(is_current)
}

fn support_row<'s>(
    site: &SiteContext<'_>,
    feature: &str,
    support: Support<'s, 's>,
    minors: &[Minor],
) -> SupportRow<'s> {
    let kind = support.now.map(|now| now.state.kind());
    let short = |now: &StateIn<'_>| {
        let word = now.state.kind().word();
        match (is_claimed(now.state), word.strip_prefix("supported")) {
            (true, Some(rest)) => format!("yes{rest}"),
            (true, None) => format!("yes, {word}"),
            _ if now.state.kind() == StateKind::NotStated => word.to_owned(),
            _ => format!("no: {word}"),
        }
    };
    let cell = |minor: &Minor| {
        let cell = support.states.get(*minor)?;
        let words = cell.in_words(feature, site.model.registry);
        Some(SupportCell {
            mark: Mark::state(cell.state.kind(), words),
            version: cell.report.version(),
            page: site.model.set.feature_row(cell.report, feature),
        })
    };
    let channels = Vec::from_iter(support.channels.keys());
    SupportRow {
        implementation: support.implementation,
        kind,
        answer: Mark::state(
            kind.unwrap_or(StateKind::NotInRelease),
            support.now.map_or_else(|| support.text.clone(), short),
        ),
        report: support.report(),
        since: support.since,
        cells: minors.iter().map(cell).collect(),
        channels: match channels[..] {
            [only] => (*only).to_owned(),
            [_, _] => "both".to_owned(),
            _ => String::new(),
        },
    }
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
