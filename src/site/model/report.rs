use jiff::Timestamp;

use crate::site::paths;
use gwconform_base::api::Minor;
use gwconform_base::release::Registry;
use gwconform_report::certify::catalog::{
    Absence, Implementation, ProfileFeatures, Report, State, UnseenTests, state_in, state_in_words,
    state_of_others,
};
use gwconform_report::report::facts::{Fact, Name, ReportFacts};
use gwconform_report::review::diff::Diff;

#[derive(Debug)]
pub struct ReportView<'c> {
    pub implementation: &'c Implementation<'c>,
    pub entry: &'c Report<'c>,
    /// `<implementation>/<release>/<report>`, the key in data files.
    pub id: String,
    /// Path of the file below the tree.
    pub path_in_tree: &'c str,
    pub features: Vec<ProfileFeatures>,
    pub unseen: Option<UnseenTests>,
    /// Distinguishes reports with the same release, version, channel and mode.
    pub difference: Option<&'c str>,
    /// Index of the first report that is compared with this report.
    pub next: Option<usize>,
    /// Index of the report that this report is compared with.
    pub previous: Option<usize>,
    pub diff: Diff,
    pub date: Option<Timestamp>,
    pub remarks: Vec<&'c str>,
}

impl<'c> ReportView<'c> {
    pub fn page(&self) -> String {
        paths::report_page(&self.id)
    }

    pub fn facts(&self) -> &'c ReportFacts {
        self.entry.judged.facts
    }

    pub fn sha256(&self) -> String {
        self.facts().digest.to_string()
    }

    /// Date in UTC, such as `2026-07-31`.
    pub fn day(&self) -> Option<String> {
        Some(self.date?.strftime("%F").to_string())
    }

    /// Name of the profile; empty if missing.
    pub fn profile_name(&self, profile: usize) -> &'c str {
        let profile = self.facts().profiles.get(profile);
        profile
            .and_then(|profile| profile.name())
            .unwrap_or_default()
    }

    /// Version of the implementation.
    pub fn version(&self) -> &'c str {
        text(&self.facts().version).unwrap_or("no version")
    }

    /// Minor and date, such as `v1.6, 2026-07-31`.
    pub fn when(&self) -> String {
        let minor = self.minor().map(|minor| minor.to_string());
        let parts: Vec<String> = minor.into_iter().chain(self.day()).collect();
        parts.join(", ")
    }

    pub fn minor(&self) -> Option<Minor> {
        self.entry.judged.minor()
    }

    pub fn release(&self) -> Option<String> {
        self.facts().release_text()
    }

    /// Channel and mode, such as `standard, default`; empty if the report has neither.
    pub fn run(&self) -> String {
        let facts = self.facts();
        let run = [text(&facts.channel), text(&facts.mode)];
        run.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// Note on unseen results; `None` if the report includes all results.
    pub fn note(&self) -> Option<String> {
        let release = self.release()?;
        Some(self.unseen?.sentence(&release))
    }

    /// Profile, name and state of each feature.
    pub fn states(&self) -> impl Iterator<Item = (usize, &Name, &State)> {
        self.features.iter().flat_map(|profile| {
            let all = profile.core.iter().chain(&profile.extended);
            all.map(|(name, state)| (profile.profile, name, state))
        })
    }

    pub fn state(&self, profile: usize, feature: &str, registry: &Registry) -> &State {
        state_in(
            self.features.get(profile),
            self.facts(),
            profile,
            feature,
            registry,
        )
    }

    /// Describes the state of a feature. A state from another profile names that profile, and a
    /// missing feature has the reason.
    pub fn state_in_words(&self, profile: usize, feature: &str, registry: &Registry) -> String {
        let state = self.state(profile, feature, registry);
        self.in_words(profile, feature, state, registry)
    }

    /// Like [`Self::state_in_words`], for a known state.
    pub fn in_words(
        &self,
        profile: usize,
        feature: &str,
        state: &State,
        registry: &Registry,
    ) -> String {
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

    pub fn is_carried_over(&self, profile: usize, feature: &str) -> bool {
        let features = self.features.get(profile);
        features.is_some_and(|features| features.carried_over.contains_key(feature))
    }

    /// State of features that neither the release nor the report lists. An unknown release might
    /// include such features.
    pub fn other(&self, profile: usize, registry: &Registry) -> &'static State {
        state_of_others(self.facts(), profile, registry)
    }
}

pub fn text(fact: &Option<Fact>) -> Option<&str> {
    let value = fact.as_ref()?.value.as_str();
    (!value.is_empty()).then_some(value)
}
