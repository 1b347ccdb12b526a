//! A report with what pages, data and feeds need of it.

use jiff::Timestamp;

use crate::api::Minor;
use crate::certify::catalog::{
    Absence, Implementation, ProfileFeatures, Report, State, UnseenTests, state_in, state_in_words,
    state_of_others,
};
use crate::release::Registry;
use crate::report::facts::{Fact, ReportFacts};
use crate::review::diff::Diff;
use crate::site::paths;

/// A report as the site shows it.
#[derive(Debug)]
pub struct ReportView<'c> {
    /// The implementation that it is about.
    pub implementation: &'c Implementation<'c>,
    /// The report.
    pub entry: &'c Report<'c>,
    /// `<implementation>/<release>/<report>`: what it is called in all files.
    pub id: String,
    /// The states of features, profile by profile.
    pub features: Vec<ProfileFeatures>,
    /// Its tests whose results it does not show, or may not.
    pub unseen: Option<UnseenTests>,
    /// What distinguishes it from reports of the implementation with its release, version, channel and
    /// mode: its part of addresses.
    pub difference: Option<&'c str>,
    /// The report that is compared with it first, by its place in [`super::ReportSet::reports`].
    pub next: Option<usize>,
    /// The report before it, by its place in [`super::ReportSet::reports`].
    pub previous: Option<usize>,
    /// What changed since then; nothing when there is none.
    pub diff: Diff,
    /// When it was made; `None` when its date cannot be read.
    pub date: Option<Timestamp>,
    /// What of it has no place on the site, and why.
    pub remarks: Vec<&'c str>,
}

impl<'c> ReportView<'c> {
    /// The path of its page.
    pub fn page(&self) -> String {
        paths::report_page(&self.id)
    }

    /// The report's facts.
    pub fn facts(&self) -> &'c ReportFacts {
        self.entry.judged.facts
    }

    /// The SHA-256 of its file, in hexadecimal digits.
    pub fn sha256(&self) -> String {
        let digest = &self.facts().digest.0;
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The minor it is for.
    pub fn minor(&self) -> Option<Minor> {
        self.entry.judged.minor()
    }

    /// The release it is for.
    pub fn release(&self) -> Option<String> {
        let version = self.facts().release.version.as_ref();
        version.map(ToString::to_string)
    }

    /// Channel and mode: `standard, default`; empty when it states neither.
    pub fn run(&self) -> String {
        let facts = self.facts();
        let run = [text(&facts.channel), text(&facts.mode)];
        run.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// A sentence about its tests whose results it does not show; `None` when it shows all.
    pub fn note(&self) -> Option<String> {
        let release = self.release()?;
        Some(self.unseen?.sentence(&release))
    }

    /// The state of a feature in one of its profiles.
    pub fn state(&self, profile: usize, feature: &str, registry: &Registry) -> &State {
        state_in(
            self.features.get(profile),
            self.facts(),
            profile,
            feature,
            registry,
        )
    }

    /// The same in words: with the profile that it is carried over from, or why the profile does
    /// not have the feature.
    pub fn state_in_words(&self, profile: usize, feature: &str, registry: &Registry) -> String {
        let state = self.state(profile, feature, registry);
        if *state == State::NotInRelease {
            let absence = Absence::in_profile(self.facts(), profile, feature, registry);
            if let Some(absence) = absence {
                return absence.to_string();
            }
        }
        match self.features.get(profile) {
            Some(features) => features.in_words(feature, state),
            None => state_in_words(state),
        }
    }

    /// True when the state of a feature in one of its profiles is that of another profile.
    pub fn is_carried_over(&self, profile: usize, feature: &str) -> bool {
        let features = self.features.get(profile);
        features.is_some_and(|features| features.carried_over.contains_key(feature))
    }

    /// The state of features that neither its release nor the report names: an unknown release may
    /// have one.
    pub fn other(&self, profile: usize, registry: &Registry) -> &'static State {
        state_of_others(self.facts(), profile, registry)
    }
}

/// The text of a field, `None` when it is missing or empty.
pub fn text(fact: &Option<Fact>) -> Option<&str> {
    let value = fact.as_ref()?.value.as_str();
    (!value.is_empty()).then_some(value)
}
