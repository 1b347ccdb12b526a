//! Texts for differences between a report and the suite.

use super::{ReportContext, message_parts};
use crate::report::suite::{Mismatch, SuiteMismatch, UnexpectedName};
use crate::report::view::{List, Profile, Text as Scalar};
use crate::rules::recomputed::Recomputed;
use crate::rules::recomputed::exceeded_core_tests;
use gwconform_base::api::{Level, NameKind, Version};
use gwconform_base::release::Release;
use gwconform_base::text::diagnostic::Anchor;
use gwconform_base::text::message::{Message, Words, texts};

texts! {
    pub(crate) enum Text<'a> {
        Report => "the report",
        CoreTotal { profile: &'a str, reported: u64, expected: Message, facts: Message } => "{profile}: core test count {reported}; expected {expected} for {facts}",
        CoreTotalShort { reported: u64, expected: Message } => "core test count {reported} instead of {expected}",
        ExtendedTotal { profile: &'a str, reported: u64, expected: u64, facts: Message } => "{profile}: extended test count {reported}; expected {expected} for its supported features in {facts}",
        ExtendedTotalShort { reported: u64, expected: u64 } => "extended test count {reported} instead of {expected} for the supported features",
        Missing { profile: &'a str, features: Message, facts: Message } => "{profile}: {features} missing from both feature lists; the suite of {facts} lists every extended feature",
        MissingShort { features: Message } => "{features} missing from both feature lists",
        Core { profile: &'a str, field: &'a str, features: Message } => "{profile}: core features in {field}: {features}; expected only extended features",
        CoreShort { field: &'a str, features: Message } => "core features in {field}: {features}",
        Unexpected { profile: &'a str, field: &'a str, names: Message, facts: Message, home: Message } => "{field}: {names} not in {profile} of {facts}{home}",
        UnexpectedShort { field: &'a str, names: Message, home: Message } => "unexpected {names} in {field}{home}",
        Since { version: &'a Version } => " (only since {version})",
        Until { release: Message } => " (until {release})",
        In { releases: Message } => " (only in {releases})",
        Nowhere => " (in no release)",
        WrongLevel { profile: &'a str, test: &'a str, reported: Words, expected: Words, facts: Message } => "{profile}: {test} is listed with the {reported} tests; expected with the {expected} tests for {facts}",
        WrongLevelShort { test: &'a str, reported: Words, expected: Words } => "{test} listed with the {reported} tests instead of the {expected} tests",
        NeedsFeatures { profile: &'a str, field: &'a str, test: &'a str, features: Message, facts: Message } => "{profile}: {field} lists {test}, which the suite of {facts} runs only with {features}",
        NeedsFeaturesShort { test: &'a str, features: Message } => "{test} without {features}, which it requires",
        NotProvisional { test: &'a str, facts: Message, home: Message } => "`succeededProvisionalTests` lists {test}, which is not provisional in {facts}{home}",
        NotProvisionalShort { test: &'a str, home: Message } => "{test} not provisional{home}",
    }
}

/// Messages that describe one difference.
#[derive(Debug)]
pub struct DescribedDifference {
    /// Place and subject of the finding.
    pub anchor: Anchor,
    /// Profile or report that differs.
    pub subject: Message,
    /// Full sentence, for a single difference.
    pub long: Message,
    /// Short form for lists, without the profile and release.
    pub short: Message,
    /// Related places, each with a description.
    pub labels: Vec<(Anchor, Message)>,
}

impl DescribedDifference {
    fn new(anchor: Anchor, subject: Message, long: Text<'_>, short: Text<'_>) -> Self {
        let short: Message = short.into();
        Self {
            labels: vec![(anchor.clone(), short.clone())],
            anchor,
            subject,
            long: long.into(),
            short,
        }
    }
}

/// `None` if another rule reports the difference, such as missing core tests and unknown names.
pub fn described(
    cx: &ReportContext<'_>,
    recomputed: &Recomputed<'_>,
    found: &Mismatch<'_, '_>,
) -> Option<DescribedDifference> {
    let Some(at) = found.claim else {
        return provisional(cx, recomputed, found);
    };
    let facts = message_parts::facts_of(cx, recomputed.release);
    let claim = cx.report.profiles.get(at)?;
    let profile = recomputed.report.profiles.get(at)?.name_or_empty();
    let part = |anchor, long, short| {
        Some(DescribedDifference::new(
            anchor,
            Message::code(profile),
            long,
            short,
        ))
    };
    match &found.difference {
        SuiteMismatch::CoreTotal { reported, expected } => {
            let reported = *reported;
            let is_too_few = reported < recomputed.least_core_tests(at)?;
            if is_too_few
                || exceeded_core_tests(cx.report, cx.registry, profile, reported).is_some()
            {
                return None;
            }
            let statistics = claim.core.as_ref()?.statistics?;
            let numbers = expected.iter().map(|one| Message::words(one.to_string()));
            let expected = Message::list(numbers, ", ", " or ");
            part(
                cx.head(statistics.node),
                Text::CoreTotal {
                    profile,
                    reported,
                    expected: expected.clone(),
                    facts,
                },
                Text::CoreTotalShort { reported, expected },
            )
        }
        SuiteMismatch::ExtendedTotal { reported, expected } => {
            let (reported, expected) = (*reported, *expected);
            let statistics = claim.extended.as_ref()?.statistics?;
            part(
                cx.head(statistics.node),
                Text::ExtendedTotal {
                    profile,
                    reported,
                    expected,
                    facts,
                },
                Text::ExtendedTotalShort { reported, expected },
            )
        }
        SuiteMismatch::FeaturesMissing { features } => {
            let extended = claim.extended.as_ref()?;
            let lists = [&extended.unsupported_features, &extended.supported_features];
            let list = lists.into_iter().flatten().next();
            let features = message_parts::names(features.iter().copied());
            part(
                cx.head(list.map_or(extended.node, |list| list.node)),
                Text::Missing {
                    profile,
                    features: features.clone(),
                    facts,
                },
                Text::MissingShort { features },
            )
        }
        SuiteMismatch::FeaturesUnexpected { features } => {
            let is_known = |feature: &&UnexpectedName<'_, '_>| {
                cx.registry.since(NameKind::Feature, feature.name).is_some()
            };
            let known: Vec<_> = features.iter().filter(is_known).collect();
            let item =
                |feature: &&UnexpectedName<'_, '_>| find(claim, NameKind::Feature, feature.name);
            let (field, node) = known.iter().find_map(item)?;
            let named = recomputed.release.profile(profile);
            let is_core = |feature: &&UnexpectedName<'_, '_>| {
                named.is_some_and(|profile| profile.is_core(feature.name))
            };
            if !known.iter().all(is_core) {
                let mut part = unexpected(cx, recomputed, profile, (field, node), &known)?;
                let labels = known.iter().filter_map(|name| {
                    let (field, node) = item(name)?;
                    let short = Text::UnexpectedShort {
                        field,
                        names: message_parts::names([name.name]),
                        home: home(cx, recomputed.release, &[name]),
                    };
                    Some((cx.value(node.node), short.into()))
                });
                part.labels = labels.collect();
                return Some(part);
            }
            let features = message_parts::names(known.iter().map(|feature| feature.name));
            part(
                cx.value(node.node),
                Text::Core {
                    profile,
                    field,
                    features: features.clone(),
                },
                Text::CoreShort { field, features },
            )
        }
        SuiteMismatch::TestNotInProfile { test } => {
            cx.registry.since(NameKind::Test, test.name)?;
            let item = find(claim, NameKind::Test, test.name)?;
            unexpected(cx, recomputed, profile, item, &[test])
        }
        SuiteMismatch::TestWrongLevel {
            test,
            reported,
            expected,
        } => {
            let (_, node) = find_at(claim, NameKind::Test, test, *reported)?;
            let (reported, expected) = (Words(reported.as_str()), Words(expected.as_str()));
            part(
                cx.value(node.node),
                Text::WrongLevel {
                    profile,
                    test,
                    reported,
                    expected,
                    facts,
                },
                Text::WrongLevelShort {
                    test,
                    reported,
                    expected,
                },
            )
        }
        SuiteMismatch::TestNeedsFeatures { test, features } => {
            let (field, node) = find_at(claim, NameKind::Test, test, Level::Extended)?;
            let features = message_parts::names(features.iter().copied());
            part(
                cx.value(node.node),
                Text::NeedsFeatures {
                    profile,
                    field,
                    test,
                    features: features.clone(),
                    facts,
                },
                Text::NeedsFeaturesShort { test, features },
            )
        }
        SuiteMismatch::NotProvisional { .. }
        | SuiteMismatch::ExtendedAbsent { .. }
        | SuiteMismatch::UnknownProfile => None,
    }
}

fn unexpected(
    cx: &ReportContext<'_>,
    recomputed: &Recomputed<'_>,
    profile: &str,
    (field, item): (&str, Scalar<'_>),
    unexpected_names: &[&UnexpectedName<'_, '_>],
) -> Option<DescribedDifference> {
    let names = message_parts::names(unexpected_names.iter().map(|unexpected| unexpected.name));
    let home = home(cx, recomputed.release, unexpected_names);
    let long = Text::Unexpected {
        profile,
        field,
        names: names.clone(),
        facts: message_parts::facts_of(cx, recomputed.release),
        home: home.clone(),
    };
    let short = Text::UnexpectedShort { field, names, home };
    Some(DescribedDifference::new(
        cx.value(item.node),
        Message::code(profile),
        long,
        short,
    ))
}

fn provisional(
    cx: &ReportContext<'_>,
    recomputed: &Recomputed<'_>,
    found: &Mismatch<'_, '_>,
) -> Option<DescribedDifference> {
    let SuiteMismatch::NotProvisional { test } = &found.difference else {
        return None;
    };
    cx.registry.since(NameKind::Test, test.name)?;
    let list = cx.report.succeeded_provisional_tests.as_ref()?;
    let node = item(list, test.name)?;
    let home = home(cx, recomputed.release, &[test]);
    let test = test.name;
    let long = Text::NotProvisional {
        test,
        facts: message_parts::facts_of(cx, recomputed.release),
        home: home.clone(),
    };
    Some(DescribedDifference::new(
        cx.value(node.node),
        Text::Report.into(),
        long,
        Text::NotProvisionalShort { test, home },
    ))
}

/// Names the releases that define the unexpected names. Empty if these differ.
fn home(
    cx: &ReportContext<'_>,
    release: &Release,
    unexpected_names: &[&UnexpectedName<'_, '_>],
) -> Message {
    let mut homes = unexpected_names
        .iter()
        .map(|unexpected_name| &unexpected_name.at_home_in);
    let Some(first) = homes.next() else {
        return Message::default();
    };
    let versions = |releases: &[&Release]| -> Vec<String> {
        releases
            .iter()
            .map(|release| release.version().to_string())
            .collect()
    };
    if homes.any(|other| versions(other) != versions(first)) {
        return Message::default();
    }
    let newest = cx.registry.newest().map(Release::version);
    let text = match (first.first(), first.last()) {
        (Some(begin), Some(end))
            if begin.version() > release.version() && Some(end.version()) == newest =>
        {
            Text::Since {
                version: begin.version(),
            }
        }
        (Some(_), Some(end)) if end.version() < release.version() => Text::Until {
            release: Message::words(cx.registry.last_in_short(end)),
        },
        (Some(_), Some(_)) => Text::In {
            releases: message_parts::releases(cx.registry, first),
        },
        _ => Text::Nowhere,
    };
    text.into()
}

/// Returns the list's field and the item with the name.
pub fn find<'a>(
    profile: &Profile<'a>,
    kind: NameKind,
    name: &str,
) -> Option<(&'static str, Scalar<'a>)> {
    let mut levels = Level::ALL.iter();
    levels.find_map(|&level| find_at(profile, kind, name, level))
}

fn find_at<'a>(
    profile: &Profile<'a>,
    kind: NameKind,
    name: &str,
    level: Level,
) -> Option<(&'static str, Scalar<'a>)> {
    let mut lists = profile
        .level(level)?
        .lists()
        .into_iter()
        .filter(|(of, ..)| *of == kind);
    lists.find_map(|(_, field, list)| Some((field, item(list?, name)?)))
}

fn item<'a>(list: &List<'a>, name: &str) -> Option<Scalar<'a>> {
    list.items.iter().copied().find(|item| item.value == name)
}
