//! Finds tests that a report counts as passed although their results are unknown.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::report::facts::{Profile, ReportFacts};
use gwconform_base::api::closed_set;
use gwconform_base::release::{Member, Release, Seen, Test};
use gwconform_base::text::counted;

closed_set! {
    /// Reason why the results are missing.
    pub enum Results {
        /// The tests had not finished when the report was written.
        NotSeen = "not-seen",
        /// The report is for an unknown patch, so it is unknown whether the tests had finished.
        NotKnown = "not-known",
    }
}

/// Tests that count as passed but may not have finished when the report was written. A test in
/// several profiles counts once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct UnseenTests {
    /// Number of these tests, at least 1.
    pub count: usize,
    /// Number of tests in the report's profiles that ran.
    pub of: usize,
    /// `not-seen` if the tests had not finished when the report was written. `not-known` for an
    /// unknown patch.
    pub visibility: Results,
}

impl UnseenTests {
    /// Results of skipped and failed tests are always known.
    pub(super) fn try_new(
        report: &ReportFacts,
        release: &Release,
        seen: impl Fn(&Test) -> Seen,
    ) -> Option<Self> {
        release.extended_when()?;
        let members = |profile: &Profile| {
            let known = profile.name().and_then(|name| release.profile(name));
            known.map_or(&[] as &[Member], |known| release.members(known))
        };
        let mut possible = report.profiles.iter().flat_map(members);
        if possible.all(|member| seen(&member.test) == Seen::Yes) {
            return None;
        }
        let levels = || report.profiles.iter().flat_map(Profile::levels);
        let named: BTreeSet<&str> = levels()
            .flat_map(|(_, level)| level.named_tests())
            .map(AsRef::as_ref)
            .collect();
        let provisional = report.succeeded_provisional.iter().map(AsRef::as_ref);
        let provisional: BTreeSet<&str> = provisional.collect();
        // The report counts the tests that it names, also those that the release does not have.
        let (mut ran, mut unseen) = (named.clone(), BTreeSet::new());
        let mut results = Results::NotSeen;
        for profile in &report.profiles {
            let own = profile
                .levels()
                .flat_map(|(_, level)| &level.supported_features);
            let supported: BTreeSet<&str> = own.flatten().map(AsRef::as_ref).collect();
            for member in members(profile) {
                let test = member.test.as_ref();
                let name = test.name.as_str();
                let is_named = named.contains(name);
                let is_claimed = member
                    .needs
                    .iter()
                    .all(|need| supported.contains(need.as_str()));
                let is_included = !test.provisional || is_named || provisional.contains(name);
                if !is_claimed || !is_included {
                    continue;
                }
                ran.insert(name);
                let seen = seen(test);
                if !is_named && seen != Seen::Yes {
                    unseen.insert(name);
                    if seen == Seen::NotKnown {
                        results = Results::NotKnown;
                    }
                }
            }
        }
        (!unseen.is_empty()).then_some(Self {
            count: unseen.len(),
            of: ran.len(),
            visibility: results,
        })
    }

    /// Description of the missing results, without a full stop.
    pub fn sentence(&self, release: &str) -> String {
        let Self {
            count: tests, of, ..
        } = *self;
        let all = counted(of, "test");
        match self.visibility {
            Results::NotSeen => format!(
                "This {release} report was written before {tests} of its {all} finished, so their results are unknown"
            ),
            Results::NotKnown => format!(
                "For {release}, it is unknown whether {tests} of the {all} had finished when this report was written"
            ),
        }
    }
}
