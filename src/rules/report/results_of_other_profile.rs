//! `report/results-of-other-profile`

use std::collections::BTreeSet;

use crate::release::{Profile, Registry, Release};
use crate::report::model::LevelData;
use crate::report::suite::{self, Ran};
use crate::report::view;
use crate::rules::{Findings, Remedy, ReportContext, words};
use crate::text::message::{Message, texts};

rule!("results_of_other_profile.md", Report(check), Text, Remedy);

texts! {
    enum Text<'a> {
        Features { profile: &'a str, features: Message } => "{profile}: features of other profiles only: {features}",
        TooMany { profile: &'a str, count: u64, most: u64 } => "{profile}: core test count {count}; no known release has more than {most} core tests in this profile",
    }
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    // The same reports as those that are compared with the suite, and no more names than there.
    let Some(recomputed) = cx.recomputed() else {
        return;
    };
    for profile in &cx.report.profiles {
        let Some(name) = profile.name else { continue };
        if !recomputed.release.reports_profile(name.value) {
            // report/unknown-profile says which ones its suite has.
            continue;
        }
        let namesakes = Namesakes::new(cx.registry, name.value);
        // An unknown profile has a rule of its own.
        if namesakes.0.is_empty() {
            continue;
        }
        features(cx, profile, name, &namesakes, out);
        core_total(cx, profile, name, out);
    }
}

fn features(
    cx: &ReportContext<'_>,
    profile: &view::Profile<'_>,
    name: view::Text<'_>,
    namesakes: &Namesakes<'_>,
    out: &mut Findings,
) {
    let levels = profile.levels();
    let lists =
        levels.flat_map(|(_, level)| [&level.supported_features, &level.unsupported_features]);
    let listed: BTreeSet<&str> = lists.flatten().flatten().copied().collect();
    let is_of_others = |feature: &&str| {
        !namesakes.have(feature) && {
            let releases = cx.registry.releases().iter();
            let mut profiles = releases.flat_map(Release::profiles);
            profiles.any(|profile| profile.has(feature))
        }
    };
    let found: Vec<&str> = listed.into_iter().filter(is_of_others).collect();
    if found.is_empty() {
        return;
    }
    let text = Text::Features {
        profile: name.value,
        features: words::names(found.iter().copied()),
    };
    let anchor = cx.value(name.node).and(found.join(" "));
    words::by_facts(cx, out, anchor, text).help(rerun(name.value));
}

fn core_total(
    cx: &ReportContext<'_>,
    profile: &view::Profile<'_>,
    name: view::Text<'_>,
    out: &mut Findings,
) {
    let count = profile.core.as_ref().map_or(0, LevelData::total);
    let Some(most) = exceeded_core_tests(cx, name.value, count) else {
        return;
    };
    let text = Text::TooMany {
        profile: name.value,
        count,
        most,
    };
    let anchor = cx.value(name.node).and(format!("{count} core tests"));
    words::by_facts(cx, out, anchor, text).help(rerun(name.value));
}

/// The most core tests that a known release can have recorded in a profile, when a report counts
/// more than that and a tenth: a suite built from a branch has a few tests more than the release. Of
/// provisional tests only those count that the report names, as for the suite.
pub fn exceeded_core_tests(cx: &ReportContext<'_>, profile: &str, count: u64) -> Option<u64> {
    let namesakes = Namesakes::new(cx.registry, profile);
    let ran = Ran {
        provisional: cx.report.named_tests(),
        ..Ran::default()
    };
    let mut counts = namesakes.core_tests(&ran);
    let mut most = counts.next()?;
    let is_exceeded = |most: u64| count > most.saturating_add(most.div_ceil(10));
    // Nearly every report fits one of the newest releases.
    while is_exceeded(most) {
        match counts.next() {
            Some(other) => most = most.max(other),
            None => return Some(most),
        }
    }
    None
}

fn rerun(profile: &str) -> Remedy {
    Remedy::with("conformance-profiles", profile)
}

/// What a name can mean in a report: the profiles of all releases that are called so or were, and
/// those that the suite of a release reports so.
struct Namesakes<'r>(Vec<(&'r Release, &'r Profile)>);

impl<'r> Namesakes<'r> {
    fn new(registry: &'r Registry, name: &str) -> Self {
        Self(registry.profiles_called(name).collect())
    }

    fn have(&self, feature: &str) -> bool {
        // The newest release knows nearly all features.
        let mut newest_first = self.0.iter().rev();
        newest_first.any(|(_, profile)| profile.has(feature))
    }

    /// The core tests that each release can have recorded, the newest first. None for an unknown profile.
    fn core_tests(&self, ran: &Ran<'_>) -> impl Iterator<Item = u64> {
        let by_release = self.0.chunk_by(|(a, _), (b, _)| std::ptr::eq(*a, *b));
        by_release.rev().filter_map(|profiles| {
            let (release, _) = profiles.first()?;
            let profiles = profiles.iter().map(|(_, profile)| *profile);
            Some(suite::core_total(release, profiles, ran))
        })
    }
}
