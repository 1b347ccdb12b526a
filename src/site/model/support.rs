//! Answers whether an implementation supports a feature, and since which of its versions.

use std::collections::BTreeMap;

use super::adoption::{BestStates, StateIn, is_reported};
use super::implementation::ImplementationView;
use super::report::{self, ReportView};
use gwconform_base::api::Minor;
use gwconform_base::release::Registry;
use gwconform_report::certify::catalog::{Absence, State, is_claimed};

/// Support of a feature by an implementation.
#[derive(Debug)]
pub struct Support<'m, 'c> {
    pub implementation: &'m ImplementationView<'c>,
    /// States in all minors.
    pub states: BestStates<'m, 'c>,
    /// See [`BestStates::now`].
    pub now: Option<&'m StateIn<'c>>,
    /// State in words, or the reason why there is none.
    pub text: String,
    /// First report of the unbroken run of minors, up to the newest, whose reports claim the feature.
    /// Minors without a report about the feature do not break the run.
    pub since: Option<&'c ReportView<'c>>,
    /// Channels in which reports for the newest minor claim the feature, with the first report of the
    /// unbroken run in the channel.
    pub channels: BTreeMap<&'c str, &'c ReportView<'c>>,
}

impl<'m, 'c> Support<'m, 'c> {
    pub(super) fn new(
        feature: &str,
        implementation: &'m ImplementationView<'c>,
        states: BestStates<'m, 'c>,
        registry: &Registry,
    ) -> Self {
        let now = states.now(implementation);
        let text = match now {
            Some(now) => now.in_words(feature, registry),
            None => {
                let facts = implementation.newest.facts();
                let absence = Absence::try_new(facts, feature, None, registry);
                absence.map_or_else(
                    || "its release is unknown".to_owned(),
                    |absence| absence.to_string(),
                )
            }
        };
        let reported = states.iter().filter(|(_, one)| is_reported(one.state));
        let counted = Vec::from_iter(reported.filter(|(_, one)| one.is_counted()));
        let run = counted.iter().rev();
        let first = run.take_while(|(_, one)| is_claimed(one.state)).last();
        let claiming = |minor: Minor| {
            let reports = implementation.reports.iter();
            reports.filter(move |report| {
                report.minor() == Some(minor)
                    && !report.entry.judged.is_refused()
                    && (report.features.iter()).any(|own| is_claimed(own.state(feature)))
            })
        };
        let mut by_channel: BTreeMap<&str, BTreeMap<Minor, Option<&ReportView<'_>>>> =
            BTreeMap::new();
        for report in implementation.reports {
            let channel = report::text(&report.facts().channel);
            let of_profiles = report.features.iter().map(|own| own.state(feature));
            let mut reported = of_profiles.filter(|state| is_reported(state)).peekable();
            if let (Some(channel), Some(minor), Some(_), false) = (
                channel,
                report.minor(),
                reported.peek(),
                report.entry.judged.is_refused(),
            ) {
                let minors = by_channel.entry(channel).or_default();
                let first = minors.entry(minor).or_default();
                *first = first.or_else(|| reported.any(is_claimed).then_some(report));
            }
        }
        let runs = by_channel.into_iter().filter_map(|(channel, minors)| {
            let is_new = minors.last_key_value()?.0 == &implementation.newest.minor()?;
            let run = minors.into_values().rev().map_while(|claiming| claiming);
            Some((channel, run.last().filter(|_| is_new)?))
        });
        Self {
            implementation,
            states,
            since: now
                .and(first)
                .and_then(|(minor, _)| claiming(*minor).next()),
            channels: runs.collect(),
            now,
            text,
        }
    }

    /// The report that decides the state, or else the newest report.
    pub fn report(&self) -> &'c ReportView<'c> {
        self.now
            .map_or(self.implementation.newest, |now| now.report)
    }

    /// States in each report and profile for the newest minor whose reports have the feature.
    pub fn in_reports(
        &self,
        feature: &str,
    ) -> impl Iterator<Item = (&'c ReportView<'c>, usize, &'c State)> {
        let newest = self.states.iter().last().map(|(minor, _)| minor);
        let reports = self.implementation.reports.iter();
        let own = reports.filter(move |report| newest.is_some() && report.minor() == newest);
        own.flat_map(move |report| {
            let profiles = report.features.iter();
            let states = profiles.map(move |own| (report, own.profile, own.state(feature)));
            states.filter(|(.., state)| is_reported(state))
        })
    }
}
