//! Finds the implementations that support a feature.

use std::cmp::Reverse;

use super::state::State;
use super::words::rank;
use super::{Catalog, Implementation, Report};
use crate::report::facts::Name;

/// One implementation's support for a feature.
#[derive(Debug)]
pub struct FeatureSupport<'c, 'a> {
    /// Implementation that has at least one matching profile.
    pub implementation: &'c Implementation<'a>,
    /// Best report for the newest minor that has the feature.
    pub report: &'c Report<'a>,
    /// Profiles with the feature, sorted by state (best first) and name.
    pub profiles: Vec<(Name, State)>,
}

impl FeatureSupport<'_, '_> {
    /// Best state among the profiles.
    pub fn best(&self) -> &State {
        let best = self.profiles.first();
        best.map_or(&State::NotInRelease, |(_, state)| state)
    }
}

impl<'a> Catalog<'a> {
    /// Support by each implementation. Implementations without a matching profile are omitted.
    pub fn support(&self, feature: &str) -> Vec<FeatureSupport<'_, 'a>> {
        let all = self.implementations.iter();
        all.filter_map(|one| self.support_of(one, feature))
            .collect()
    }

    fn support_of<'c>(
        &'c self,
        implementation: &'c Implementation<'a>,
        feature: &str,
    ) -> Option<FeatureSupport<'c, 'a>> {
        let reports = implementation.reports.iter().filter_map(|report| {
            let profiles = self.states(report, feature);
            let best = profiles.first().map(|(_, state)| rank(state))?;
            Some(((report.judged.minor(), Reverse(best)), report, profiles))
        });
        let (_, report, profiles) = reports.max_by_key(|(order, ..)| *order)?;
        Some(FeatureSupport {
            implementation,
            report,
            profiles,
        })
    }

    fn states(&self, report: &Report<'_>, feature: &str) -> Vec<(Name, State)> {
        let facts = report.judged.facts;
        let profiles = self.proofs.features(facts).into_iter();
        let mut states: Vec<(Name, State)> = profiles
            .filter_map(|of_profile| {
                let state = of_profile.state(feature).clone();
                let name = facts.profiles.get(of_profile.profile)?.name()?;
                let is_there = state != State::NotInRelease;
                is_there.then(|| (Name::from(name), state))
            })
            .collect();
        states.sort_by(|(a, a_state), (b, b_state)| (rank(a_state), a).cmp(&(rank(b_state), b)));
        states
    }
}
