//! Writes the statement of a verification.

use std::collections::BTreeMap;

use crate::log::{Outcome, SkipReason};
use crate::{Claim, Comparison};
use gwconform_report::statement::{
    Annotations, LOG, PROGRAM, Predicate, Resource, StatedResult, Statement, Verdict,
};

/// Builds the statement for a comparison.
pub fn statement(claim: &Claim<'_>, comparison: &Comparison, verdict: Verdict) -> Statement {
    let mut tests: BTreeMap<Outcome, Vec<String>> = BTreeMap::new();
    for (name, test) in &claim.run.tests {
        let Some((outcome, _)) = test.outcome else {
            continue;
        };
        let is_counted = match test.reason.as_ref().map(|(reason, _)| reason) {
            Some(SkipReason::NotSupported(_)) => false,
            Some(SkipReason::Explicit) => true,
            None => claim.lists_as_skipped(name),
        };
        if outcome != Outcome::Skipped || is_counted {
            tests.entry(outcome).or_default().push(name.clone());
        }
    }
    let mut of = |outcome| tests.remove(&outcome).unwrap_or_default();
    let mut predicate = Predicate {
        result: StatedResult::Warned,
        configuration: configuration(claim, comparison, verdict),
        url: None,
        passed_tests: of(Outcome::Passed),
        warned_tests: of(Outcome::Skipped),
        failed_tests: of(Outcome::Failed),
    };
    predicate.result = predicate.expected_result(verdict);
    let digest = claim.source.digest();
    Statement::new(
        Resource::new(claim.source.path(), Some(digest), None),
        predicate,
    )
}

fn configuration(claim: &Claim<'_>, comparison: &Comparison, verdict: Verdict) -> Vec<Resource> {
    let facts = claim.registry.added(claim.release.version());
    let gaps = comparison.gaps.iter();
    let log = Annotations {
        prints_report: Some(comparison.is_of_printing_run(claim)),
        tests_without_result: gaps.map(|gap| gap.test.clone()).collect(),
        not_covered: comparison.not_covered().map(str::to_owned).collect(),
        ..Annotations::default()
    };
    let profiles = claim.report.profiles.iter();
    let release = Annotations {
        release: Some(claim.release.version().to_string()),
        facts: facts.map(|facts| facts.path.clone()),
        channel: claim.report.channel.map(|channel| channel.value.to_owned()),
        profiles: profiles
            .map(|profile| profile.name_or_empty().to_owned())
            .collect(),
        ..Annotations::default()
    };
    let program = Annotations {
        version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        verdict: Some(verdict),
        ..Annotations::default()
    };
    vec![
        Resource::new(LOG, Some(claim.log.digest), Some(log)),
        Resource::new(
            "gateway-api",
            facts.map(|facts| facts.digest),
            Some(release),
        ),
        Resource::new(PROGRAM, None, Some(program)),
    ]
}
