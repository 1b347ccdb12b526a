//! Profiles whose tests a report passes although it does not list the profile.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{Catalog, Implementation, Proofs, decisive};
use crate::certify::compared;
use crate::report::facts::ReportFacts;
use gwconform_base::api::{Family, Level};
use gwconform_base::release::Test;
use gwconform_base::text::counted;

/// Profile that an implementation can submit.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
pub struct UnsubmittedProfile {
    /// Family of the profile.
    #[serde(skip)]
    pub family: Family,
    /// Name of the profile, such as `GATEWAY-TCP`.
    pub profile: String,
    /// Number of core tests that no listed profile counts, and that passed.
    #[serde(rename = "passed_count")]
    pub passed: usize,
    /// Core tests without a result, because the suite records only provisional tests outside of
    /// their profile.
    pub tests_without_result: Vec<String>,
    /// Path of the report with these tests.
    pub path: String,
}

impl UnsubmittedProfile {
    /// Result of the tests, such as `7 more core tests passed; no result of TCPRouteX`.
    pub fn in_words(&self) -> String {
        let passed = counted(self.passed, "more core test");
        match self.tests_without_result.as_slice() {
            [] => format!("{passed} passed"),
            names => format!("{passed} passed; no result of {}", names.join(", ")),
        }
    }
}

impl Catalog<'_> {
    /// Profiles whose recorded core tests all passed in a report for the newest minor of the
    /// implementation, while no report for that minor lists the profile.
    pub fn unsubmitted(&self, one: &Implementation<'_>, family: Family) -> Vec<UnsubmittedProfile> {
        let decisive = decisive(&one.reports).into_iter();
        let reports = decisive.map(|at| one.reports[at].judged.facts);
        let minor = |facts: &ReportFacts| facts.release.version.as_ref().map(|it| it.minor());
        let newest = reports.clone().filter_map(minor).max();
        let of_newest: Vec<_> = reports.filter(|facts| minor(facts) == newest).collect();
        let profiles = of_newest.iter().flat_map(|facts| &facts.profiles);
        let listed: BTreeSet<&str> = profiles.filter_map(|profile| profile.name()).collect();
        let mut found: Vec<UnsubmittedProfile> = Vec::new();
        for facts in of_newest {
            for one in self.proofs.unsubmitted(facts) {
                if one.family != family {
                    continue;
                }
                let is_known = found.iter().any(|known| known.profile == one.profile);
                if !listed.contains(one.profile.as_str()) && !is_known {
                    found.push(one);
                }
            }
        }
        found.sort();
        found
    }
}

impl Proofs<'_> {
    fn unsubmitted(&self, facts: &ReportFacts) -> Vec<UnsubmittedProfile> {
        if facts.succeeded_provisional.is_empty() {
            return Vec::new();
        }
        let Some(release) = compared(facts, self.registry).release() else {
            return Vec::new();
        };
        let listed = self.test_states(facts);
        let provisional = facts.succeeded_provisional.iter().map(AsRef::as_ref);
        let passed: BTreeSet<&str> = provisional.collect();
        let profiles = release.profiles().filter_map(|profile| {
            let members = release.members(profile).iter();
            let core = members.filter(|member| member.level == Level::Core);
            let is_own = |test: &&Test| {
                let found = listed.binary_search_by_key(&test.name.as_str(), |(name, _)| *name);
                found.is_err()
            };
            let own = core.map(|member| &*member.test).filter(is_own);
            let (passed, others): (Vec<_>, Vec<_>) =
                own.partition(|test| passed.contains(test.name.as_str()));
            // Only provisional tests are recorded outside of their profile.
            let is_complete = others.iter().all(|test| !test.provisional);
            (is_complete && !passed.is_empty()).then(|| UnsubmittedProfile {
                family: profile.family,
                profile: profile.name.clone(),
                passed: passed.len(),
                tests_without_result: others.iter().map(|test| test.name.clone()).collect(),
                path: facts.path.clone(),
            })
        });
        profiles.collect()
    }
}
