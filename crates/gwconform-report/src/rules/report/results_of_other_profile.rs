use std::collections::BTreeSet;

use crate::report::model::LevelData;
use crate::report::view;
use crate::rules::recomputed::exceeded_core_tests;
use crate::rules::{Findings, Remedy, ReportContext, message_parts, rule};
use gwconform_base::release::{Profile, Registry, Release};
use gwconform_base::text::message::Message;

rule! {
    "results_of_other_profile.md", ReportContext(check), Text<'a>, Remedy;
    Features { profile: &'a str, features: Message } => "{profile}: features of other profiles only: {features}",
    TooMany { profile: &'a str, count: u64, most: u64 } => "{profile}: core test count {count}; no known release has more than {most} core tests in this profile",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(recomputed) = cx.recomputed() else {
        return;
    };
    for profile in &cx.report.profiles {
        let Some(name) = profile.name else { continue };
        if !recomputed.release.reports_profile(name.value) {
            // Reported by report/unknown-profile.
            continue;
        }
        let namesakes = Namesakes::new(cx.registry, name.value);
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
    let is_of_others = |feature: &&str| {
        !namesakes.have(feature) && {
            let mut profiles = cx.registry.releases().iter().flat_map(Release::profiles);
            profiles.any(|profile| profile.has(feature))
        }
    };
    let listed = lists.flatten().flatten().copied();
    let found: BTreeSet<&str> = listed.filter(is_of_others).collect();
    if found.is_empty() {
        return;
    }
    let text = Text::Features {
        profile: name.value,
        features: message_parts::names(found.iter().copied()),
    };
    let anchor = cx.value(name.node).and(Vec::from_iter(found).join(" "));
    message_parts::by_facts(cx, out, anchor, text).help(rerun(name.value));
}

fn core_total(
    cx: &ReportContext<'_>,
    profile: &view::Profile<'_>,
    name: view::Text<'_>,
    out: &mut Findings,
) {
    let count = profile.core.as_ref().map_or(0, LevelData::total);
    let Some(most) = exceeded_core_tests(cx.report, cx.registry, name.value, count) else {
        return;
    };
    let text = Text::TooMany {
        profile: name.value,
        count,
        most,
    };
    let anchor = cx.value(name.node).and(format!("{count} core tests"));
    message_parts::by_facts(cx, out, anchor, text).help(rerun(name.value));
}

fn rerun(profile: &str) -> Remedy {
    Remedy::with("conformance-profiles", profile)
}

struct Namesakes<'r>(Vec<(&'r Release, &'r Profile)>);

impl<'r> Namesakes<'r> {
    fn new(registry: &'r Registry, name: &str) -> Self {
        Self(registry.profiles_called(name).collect())
    }

    fn have(&self, feature: &str) -> bool {
        // The newest release has the most features.
        self.0.iter().rev().any(|(_, profile)| profile.has(feature))
    }
}
