//! Differences from the suite in words that a submitter understands.

use super::{ReportContext, words};
use crate::diagnostic::{Anchor, in_code};
use crate::registry::{Kind, Level, Release};
use crate::report::view::{List, Profile, Text};
use crate::rules::recomputed::Recomputed;
use crate::suite::{Found, SuiteMismatch, UnexpectedName};
use crate::text::{counted, joined};

/// What [`home`] says of what no release has.
const NOWHERE: &str = "in no release";

/// One difference in words.
#[derive(Debug)]
pub struct Part {
    /// Where it shows.
    pub place: Anchor,
    /// What differs: the profile, or the report.
    pub subject: String,
    /// The whole sentence, for a difference that stands alone.
    pub long: String,
    /// The same in a list of several, without the subject and the release.
    pub short: String,
}

/// A difference in words. `None` for those that rules of their own report: missing core tests, an
/// absent `extended`, unknown profiles, and names that no release knows.
pub fn part(
    cx: &ReportContext<'_>,
    recomputed: &Recomputed<'_>,
    found: &Found<'_, '_>,
) -> Option<Part> {
    let facts = words::facts_of(cx, recomputed.release);
    let Some(at) = found.claim else {
        return provisional(cx, found, &facts.to_string());
    };
    let profile = cx.report.profiles.get(at)?;
    let subject = recomputed
        .report
        .profiles
        .get(at)?
        .name()
        .unwrap_or_default();
    let say = |place: Anchor, long: String, short: String| {
        Some(Part {
            place,
            subject: subject.to_owned(),
            long,
            short,
        })
    };
    match &found.difference {
        SuiteMismatch::CoreTotal { reported, expected } => {
            if *reported < recomputed.least_core_tests(at)? {
                return None;
            }
            let statistics = profile.core.as_ref()?.statistics?;
            let expected: Vec<_> = expected.iter().map(ToString::to_string).collect();
            let expected = joined(&expected, "or");
            let counted = counted(*reported, "core test");
            say(
                cx.head(statistics.node),
                format!("{subject} counts {counted}; the suite of {facts} has {expected}"),
                format!("{counted}, not {expected}"),
            )
        }
        SuiteMismatch::ExtendedTotal { reported, expected } => {
            let statistics = profile.extended.as_ref()?.statistics?;
            let counted = counted(*reported, "extended test");
            say(
                cx.head(statistics.node),
                format!(
                    "{subject} counts {counted}; the suite of {facts} has {expected} for the features it supports"
                ),
                format!("{counted}, not {expected} for the features it supports"),
            )
        }
        SuiteMismatch::FeaturesMissing { features } => {
            let extended = profile.extended.as_ref()?;
            let lists = [&extended.unsupported_features, &extended.supported_features];
            let list = lists.into_iter().flatten().next();
            let names = words::names(features.iter().copied());
            say(
                cx.head(list.map_or(extended.node, |list| list.node)),
                format!(
                    "{subject} lists neither as supported nor as unsupported {names}, which the suite of {facts} does"
                ),
                format!("{names} in neither list of features"),
            )
        }
        SuiteMismatch::FeaturesUnexpected { features } => {
            // Names that no release knows have rules of their own.
            let known = features.iter();
            let known: Vec<_> = known
                .filter(|unexpected_name| {
                    cx.registry
                        .since(Kind::Feature, unexpected_name.name)
                        .is_some()
                })
                .collect();
            let (field, node) = known
                .iter()
                .find_map(|unexpected_name| find(profile, Kind::Feature, unexpected_name.name))?;
            let names = words::names(known.iter().map(|unexpected_name| unexpected_name.name));
            let noun = if known.len() == 1 {
                "the extended feature"
            } else {
                "the extended features"
            };
            let profile = recomputed.release.profile(subject);
            let is_core = |unexpected_name: &&UnexpectedName<'_, '_>| {
                profile.is_some_and(|profile| profile.is_core(unexpected_name.name))
            };
            if known
                .iter()
                .copied()
                .all(|unexpected_name| is_core(&unexpected_name))
            {
                let (is, noun) = match known.len() {
                    1 => ("is", "a core feature"),
                    _ => ("are", "core features"),
                };
                let what =
                    format!("{names} {is} {noun} of {subject}; the lists name extended ones only");
                return say(cx.value(node.node), format!("{field}: {what}"), what);
            }
            let (long, short) = strange(cx, recomputed, subject, &known);
            say(
                cx.value(node.node),
                format!("{field} names {names}, {long}"),
                format!("{noun} {names}, {short}"),
            )
        }
        SuiteMismatch::TestNotInProfile { test } => {
            cx.registry.since(Kind::Test, test.name)?;
            let (field, node) = find(profile, Kind::Test, test.name)?;
            let (long, short) = strange(cx, recomputed, subject, &[test]);
            say(
                cx.value(node.node),
                format!("{field} names `{}`, {long}", in_code(&test.name)),
                format!("the test `{}`, {short}", in_code(&test.name)),
            )
        }
        SuiteMismatch::TestWrongLevel {
            test,
            reported,
            expected,
        } => {
            let (_, node) = find_at(profile, Kind::Test, test, *reported)?;
            let (stands, is) = (reported.as_str(), expected.as_str());
            say(
                cx.value(node.node),
                format!(
                    "{subject} names `{test}` among its {stands} tests; in {facts} it is {is}",
                    test = in_code(&test)
                ),
                format!(
                    "`{test}` among the {stands} tests, where it is {is}",
                    test = in_code(&test)
                ),
            )
        }
        SuiteMismatch::TestNeedsFeatures { test, features } => {
            let (field, node) = find_at(profile, Kind::Test, test, Level::Extended)?;
            let needed = words::names(features.iter().copied());
            say(
                cx.value(node.node),
                format!(
                    "{field} of {subject} names `{test}`, which the suite of {facts} runs only where {needed} is supported",
                    test = in_code(&test)
                ),
                format!(
                    "`{test}` without {needed}, which it needs",
                    test = in_code(&test)
                ),
            )
        }
        SuiteMismatch::NotProvisional { .. }
        | SuiteMismatch::ExtendedAbsent { .. }
        | SuiteMismatch::UnknownProfile => None,
    }
}

/// The finding about a test that is among the provisional ones and is not provisional.
fn provisional(cx: &ReportContext<'_>, found: &Found<'_, '_>, facts: &str) -> Option<Part> {
    let SuiteMismatch::NotProvisional { test } = &found.difference else {
        return None;
    };
    cx.registry.since(Kind::Test, test.name)?;
    let list = cx.report.succeeded_provisional_tests.as_ref()?;
    let node = item(list, test.name)?;
    let (release, _) = cx.facts()?;
    let name = test.name;
    let home = match home(cx, release, &[test]) {
        Some(home) if home == NOWHERE => " (nor in any other release)".to_owned(),
        Some(home) => format!(" (it is {home})"),
        None => String::new(),
    };
    Some(Part {
        place: cx.value(node.node),
        subject: "the report".to_owned(),
        long: format!(
            "succeededProvisionalTests names `{name}`, which is not provisional in {facts}{home}",
            name = in_code(&name)
        ),
        short: format!(
            "`{name}`, which is not provisional{home}",
            name = in_code(&name)
        ),
    })
}

/// What is said of names that a profile does not have: after a sentence about its list, and in a
/// list of differences.
fn strange(
    cx: &ReportContext<'_>,
    recomputed: &Recomputed<'_>,
    subject: &str,
    unexpected_names: &[&UnexpectedName<'_, '_>],
) -> (String, String) {
    let facts = words::facts_of(cx, recomputed.release);
    match home(cx, recomputed.release, unexpected_names) {
        Some(home) if home == NOWHERE => (
            format!("which {subject} has neither in {facts} nor in any other release"),
            "which it has in no release".to_owned(),
        ),
        Some(home) => (
            format!("which {subject} has {home}, not in {facts}"),
            format!("which it has {home}"),
        ),
        None => (
            format!("which {subject} does not have in {facts}"),
            "which it does not have".to_owned(),
        ),
    }
}

/// When a profile has what it does not have in a release: `since v1.4.0`, `in v1.1.0 to v1.3.0`,
/// `in no release`. `None` when that differs between the names.
fn home(
    cx: &ReportContext<'_>,
    release: &Release,
    unexpected_names: &[&UnexpectedName<'_, '_>],
) -> Option<String> {
    let mut homes = unexpected_names
        .iter()
        .map(|unexpected_name| &unexpected_name.at_home_in);
    let first = homes.next()?;
    let versions = |releases: &[&Release]| -> Vec<String> {
        let versions = releases.iter().map(|release| release.version().to_string());
        versions.collect()
    };
    if homes.any(|other| versions(other) != versions(first)) {
        return None;
    }
    let newest = cx.registry.newest().map(Release::version);
    Some(match (first.first(), first.last()) {
        (Some(begin), Some(end))
            if begin.version() > release.version() && Some(end.version()) == newest =>
        {
            format!("since {}", begin.version())
        }
        (Some(_), Some(_)) => format!("in {}", words::releases(cx.registry, first)),
        _ => NOWHERE.to_owned(),
    })
}

/// The field and item of a profile that names something, in any of its lists of a kind.
fn find<'a>(profile: &Profile<'a>, kind: Kind, name: &str) -> Option<(&'static str, Text<'a>)> {
    let mut levels = Level::ALL.iter();
    levels.find_map(|&level| find_at(profile, kind, name, level))
}

fn find_at<'a>(
    profile: &Profile<'a>,
    kind: Kind,
    name: &str,
    level: Level,
) -> Option<(&'static str, Text<'a>)> {
    let lists = profile.level(level)?.lists().into_iter();
    let mut lists = lists.filter(|(of, ..)| *of == kind);
    lists.find_map(|(_, field, list)| Some((field, item(list?, name)?)))
}

fn item<'a>(list: &List<'a>, name: &str) -> Option<Text<'a>> {
    list.items.iter().copied().find(|item| item.value == name)
}
