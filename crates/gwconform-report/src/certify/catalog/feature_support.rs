//! Finds the implementations that support a feature.

use super::matching_reports::have_same_versions;
use super::state::{State, StateKind};
use super::{Catalog, Implementation, Report};
use crate::report::facts::Name;

/// One implementation's support for a feature.
#[derive(Debug)]
pub struct FeatureSupport<'c, 'a> {
    /// Implementation that has at least one matching profile.
    pub implementation: &'c Implementation<'a>,
    /// Newest report with the feature. Among reports of the same release and version, the best.
    pub report: &'c Report<'a>,
    /// Profiles with the feature, sorted by state (best first) and name.
    pub profiles: Vec<(Name, State)>,
    /// Older report that proves the feature, if `report` does not.
    pub older: Option<&'c Report<'a>>,
}

fn rank(state: &State) -> usize {
    state.kind().place()
}

impl FeatureSupport<'_, '_> {
    /// Best state among the profiles.
    pub fn best(&self) -> &State {
        let best = self.profiles.first();
        best.map_or(&State::NotInRelease, |(_, state)| state)
    }
}

impl<'a> Catalog<'a> {
    /// Support by each implementation in the reports that `is_asked` selects. Implementations
    /// without a matching profile are omitted.
    pub fn support(
        &self,
        feature: &str,
        is_asked: impl Fn(&Report<'_>) -> bool,
    ) -> Vec<FeatureSupport<'_, 'a>> {
        let all = self.implementations.iter();
        let mut all: Vec<_> = all
            .filter_map(|one| self.support_of(one, feature, &is_asked))
            .collect();
        all.sort_by_key(|one| {
            let best = one.profiles.first().map(|(_, state)| rank(state));
            (best, one.report.preference)
        });
        all
    }

    fn support_of<'c>(
        &'c self,
        implementation: &'c Implementation<'a>,
        feature: &str,
        is_asked: &dyn Fn(&Report<'_>) -> bool,
    ) -> Option<FeatureSupport<'c, 'a>> {
        let reports = implementation.reports.iter().filter(|one| is_asked(one));
        let reports = reports.filter_map(|report| {
            let profiles = self.states(report, feature);
            let best = profiles.first().map(|(_, state)| rank(state))?;
            Some((best, report, profiles))
        });
        let mut reports: Vec<_> = reports.collect();
        reports.sort_by_key(|(best, report, _)| (*best, report.preference));
        let newest = reports
            .iter()
            .min_by_key(|(_, report, _)| report.preference)?
            .1;
        let at = (reports.iter()).position(|(_, report, _)| have_same_versions(newest, report))?;
        let (own, report, profiles) = reports.swap_remove(at);
        let is_proof = |best: &usize| *best <= StateKind::ProvedByLog.place();
        let older = (reports.first()).filter(|(best, ..)| is_proof(best) && !is_proof(&own));
        Some(FeatureSupport {
            implementation,
            report,
            profiles,
            older: older.map(|(_, report, _)| *report),
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
