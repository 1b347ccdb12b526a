//! Which implementations support a feature, and what their reports prove.

use std::cmp::Reverse;

use super::state::State;
use super::words::rank;
use super::{Catalog, Implementation, Report};
use crate::report::facts::Name;

/// What an implementation reports of a feature.
#[derive(Debug)]
pub struct FeatureSupport<'c, 'a> {
    /// The implementation.
    pub implementation: &'c Implementation<'a>,
    /// Of its reports for the newest minor with a profile that has the feature, the one that shows
    /// most; the last one of equals.
    pub report: &'c Report<'a>,
    /// The profiles of the report that have the feature, better states first, then by name.
    pub profiles: Vec<(Name, State)>,
}

impl FeatureSupport<'_, '_> {
    /// The best of its states.
    pub fn best(&self) -> &State {
        let best = self.profiles.first();
        best.map_or(&State::NotInRelease, |(_, state)| state)
    }
}

impl<'a> Catalog<'a> {
    /// What each implementation reports of a feature, in the order of the implementations; those whose
    /// reports have no profile with the feature are missing.
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

    /// The states of a feature in the profiles of a report that have it.
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
