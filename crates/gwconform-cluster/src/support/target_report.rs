//! Determines the support of the target implementation's report for the required features.

use std::collections::BTreeMap;

use super::answers::Asked;
use super::{NeedsError, Wanted};
use crate::needs::{Need, Needs, Standing, Support, Target, owners_of};
use gwconform_base::release::{Profile, Registry, Release};
use gwconform_base::text::message::Message;
use gwconform_base::text::{MAX_EXAMPLES, counted};
use gwconform_report::certify::catalog::{
    Absence, Catalog, Found, Proofs, Question, State, StateKind, found, state_in_words,
};
use gwconform_report::report::facts::{Name, ReportFacts};

/// Report of the target. Prefers the requested version, then reports for current minors, then other
/// releases.
pub(super) fn of_tree(
    wanted: Wanted<'_>,
    catalog: &Catalog<'_>,
    needs: &Needs<'_>,
    asked: &Asked,
    registry: &Registry,
) -> Result<Target, NeedsError> {
    let implementation = catalog.find(wanted.name)?;
    let mut question = asked.question();
    question.is_conformant = false;
    question.is_of_all = wanted.version.is_some();
    let mut found = None;
    for is_of_all in [question.is_of_all, true] {
        question.is_of_all = is_of_all;
        // Also accept reports that lack the profile or channel, because rules report this.
        for (profile, channel) in [
            (question.profile, question.channel),
            (question.profile, None),
            (None, None),
        ] {
            let asked = Question {
                profile,
                channel,
                ..question.clone()
            };
            let answer = catalog.best(implementation, &asked, wanted.version, registry);
            found = found.or(answer);
        }
    }
    let Some(answer) = found else {
        let name = implementation.slug.clone();
        return Err(match wanted.version {
            None => NeedsError::NoReport { name },
            Some(version) => NeedsError::NoVersion(implementation.no_version(version)),
        });
    };
    let mut target = of_report(answer.report.judged.facts, needs, asked, registry);
    let version = answer.report.judged.facts.version().unwrap_or_default();
    target.name = format!("{} {version}", implementation.name)
        .trim_end()
        .to_owned();
    Ok(target)
}

pub(super) fn of_report(
    facts: &ReportFacts,
    needs: &Needs<'_>,
    asked: &Asked,
    registry: &Registry,
) -> Target {
    let features = Proofs::new(registry).features(facts);
    let profiles = asked.profiles.iter();
    let profiles: Vec<&Profile> = profiles.filter_map(|name| registry.profile(name)).collect();
    let standing = |need: &Need<'_>| {
        let state = |profile: Option<&Profile>| {
            let question = Question {
                profile: profile.map(|profile| profile.name.as_str()),
                ..Question::default()
            };
            found(facts, &features, &need.feature, &question, registry)
        };
        let is_core = need.is_proved_by(&profiles, registry);
        let in_profile = |profile: Option<&Profile>| standing(&state(profile), is_core);
        let standing = standing_of_need(need, &profiles, asked, registry, in_profile);
        (need.feature.clone(), standing)
    };
    let standings: BTreeMap<String, Standing> = needs.certain.iter().map(standing).collect();
    let project = facts.project().unwrap_or("the implementation");
    let version = facts.version().unwrap_or_default();
    let profiles = facts.profiles.iter().filter_map(|profile| profile.name());
    Target {
        name: format!("{project} {version}").trim_end().to_owned(),
        report: report_in_words(facts),
        owners: owners_of(facts),
        channel: facts.channel().map(str::to_owned),
        profiles: profiles.map(str::to_owned).collect(),
        standings,
    }
}

/// Worst support among the families that need the feature. In each, the worst among the profiles of
/// the Routes that have the feature or, if none has it, the best of the family. Objects such as
/// ReferenceGrants belong to no family.
fn standing_of_need(
    need: &Need<'_>,
    profiles: &[&Profile],
    asked: &Asked,
    registry: &Registry,
    standing: impl Fn(Option<&Profile>) -> Standing,
) -> Standing {
    let worst = |all: &mut dyn Iterator<Item = Standing>| all.max_by_key(|one| one.support);
    let needed = need.places.families();
    let families = asked.families.iter().copied();
    let mut in_family = families.filter(|family| needed.has(*family)).map(|family| {
        let own = || profiles.iter().filter(|one| one.family == family);
        let with_feature = own().filter(|profile| profile.has(&need.feature));
        worst(&mut with_feature.map(|one| standing(Some(one)))).unwrap_or_else(|| {
            let mut all = registry.newest().into_iter().flat_map(Release::profiles);
            let first = own().next().copied();
            standing(first.or_else(|| all.find(|one| one.family == family)))
        })
    });
    worst(&mut in_family).unwrap_or_else(|| standing(None))
}

fn report_in_words(facts: &ReportFacts) -> String {
    let release = facts.release_text();
    let run = [release.as_deref(), facts.channel(), facts.mode()];
    let run = run.into_iter().flatten().collect::<Vec<_>>().join(", ");
    format!("({run}), {}", facts.path)
}

/// Describes the compared report and its support for all needed features.
pub(super) fn compared(target: &Target) -> String {
    let count = |support: Support| {
        let all = target.standings.values();
        all.filter(|standing| standing.support == support).count()
    };
    let counts = [
        (Support::Proved, "proved"),
        (Support::Claimed, "supported without proof"),
        (Support::Lacking, "unsupported"),
        (Support::Unknown, "unknown"),
    ];
    let counts: Vec<_> = counts
        .map(|(support, word)| (count(support), word))
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    let features = counted(target.standings.len(), "needed feature");
    let (name, report) = (&target.name, &target.report);
    format!(
        "compared with {name} {report}: {features}, {}",
        counts.join(", ")
    )
}

/// The verdict decides core features whose tests had not finished.
fn standing(found: &Found, is_core: bool) -> Standing {
    let support = match found.state.kind() {
        _ if found.is_proved() => Support::Proved,
        StateKind::PartlySeen | StateKind::NotSeen if is_core => Support::Proved,
        kind if kind.is_support() => Support::Claimed,
        StateKind::Failed | StateKind::Unsupported => Support::Lacking,
        _ => Support::Unknown,
    };
    let words = match (&found.absence, &found.only_for) {
        (Some(removed @ Absence::Removed { .. }), _) => Message::words(removed.to_string()),
        (None, Some(route)) => {
            let mut words = words(&found.state);
            words.push_words(format!(", in tests of {route}s").into());
            words
        }
        _ => words(&found.state),
    };
    Standing { support, words }
}

/// Test names come from the report, so they are printed as values.
fn words(state: &State) -> Message {
    let (words, tests) = match state {
        State::Skipped { tests, of } => (
            format!("supported, {} of {of} tests skipped: ", tests.len()),
            tests,
        ),
        State::Failed { tests } => ("supported, tests failed: ".to_owned(), tests),
        State::NoTest { not_run } if !not_run.is_empty() => {
            ("supported, untested; tests not run: ".to_owned(), not_run)
        }
        state => return Message::words(state_in_words(state)),
    };
    let mut message = Message::words(words);
    let name = |name: &Name| Message::code(name);
    message.push(Message::list(
        tests.iter().take(MAX_EXAMPLES).map(name),
        ", ",
        ", ",
    ));
    let more = tests.len().saturating_sub(MAX_EXAMPLES);
    if more > 0 {
        message.push_words(format!(" and {more} more").into());
    }
    message
}
