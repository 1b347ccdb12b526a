//! Support of features by all implementations: the source of every count on feature pages, in
//! matrices, in find and on badges. [`super::terms`] explains the counts to visitors.

use std::collections::{BTreeMap, BTreeSet};

use super::implementation::ImplementationView;
use super::report::ReportView;
use gwconform_base::api::{Channel, Level, Minor, NameKind};
use gwconform_base::release::{Registry, Release};
use gwconform_report::certify::catalog::{State, is_claimed, rank};

/// State of a feature in a profile of a report.
#[derive(Debug, Clone, Copy)]
pub struct StateIn<'c> {
    pub state: &'c State,
    pub report: &'c ReportView<'c>,
    pub profile: u32,
    /// Index in [`super::SiteModel::implementations`].
    implementation: u32,
}

impl<'c> StateIn<'c> {
    fn minor(&self) -> Option<Minor> {
        self.report.minor()
    }

    /// True if the report counts toward adoption. A refused report does not.
    pub fn is_counted(&self) -> bool {
        !self.report.entry.judged.is_refused()
    }

    pub fn in_words(&self, feature: &str, registry: &Registry) -> String {
        let profile = self.profile as usize;
        self.report.in_words(profile, feature, self.state, registry)
    }

    /// Line of the feature in the report, or of the profile if the report does not list the feature.
    pub fn line(&self, feature: &str) -> Option<u32> {
        let (facts, profile) = (self.report.facts(), self.profile as usize);
        let lines = facts.lines.get(profile)?;
        let names = facts.profiles.get(profile)?.feature_lists().flatten();
        let mut listed = names.zip(&lines.features);
        let line = listed.find(|(name, _)| ***name == *feature);
        Some(line.map_or(lines.start, |(_, line)| *line))
    }
}

/// Best state of a feature for each minor that an implementation reported, in any channel, mode
/// and profile. Sorted by minor.
#[derive(Debug, Clone, Copy, Default)]
pub struct BestStates<'b, 'c>(&'b [StateIn<'c>]);

impl<'b, 'c> BestStates<'b, 'c> {
    pub fn get(self, minor: Minor) -> Option<&'b StateIn<'c>> {
        self.0.iter().find(|cell| cell.minor() == Some(minor))
    }

    /// State for the newest minor of the implementation; `None` if no report for it has a profile
    /// with the feature.
    pub fn now(self, implementation: &ImplementationView<'_>) -> Option<&'b StateIn<'c>> {
        let now = self.get(implementation.newest.minor()?);
        now.filter(|now| is_reported(now.state))
    }

    pub fn iter(self) -> impl Iterator<Item = (Minor, &'b StateIn<'c>)> {
        self.0.iter().filter_map(|cell| Some((cell.minor()?, cell)))
    }
}

/// Best states of all implementations that report a feature, in one list because large trees have
/// a million of them. Sorted by implementation and minor.
#[derive(Debug, Default)]
pub struct ByImplementation<'c>(Vec<StateIn<'c>>);

impl<'c> ByImplementation<'c> {
    /// Index in [`super::SiteModel::implementations`], with the states of the implementation.
    pub fn iter(&self) -> impl Iterator<Item = (usize, BestStates<'_, 'c>)> {
        let all = self.0.chunk_by(|a, b| a.implementation == b.implementation);
        all.map(|cells| (cells[0].implementation as usize, BestStates(cells)))
    }

    pub fn values(&self) -> impl Iterator<Item = BestStates<'_, 'c>> {
        self.iter().map(|(_, cells)| cells)
    }

    pub fn minors(&self) -> BTreeSet<Minor> {
        self.0.iter().filter_map(StateIn::minor).collect()
    }

    /// Keeps the better of two states, but the state of a refused report only if there is no other.
    /// If they are equal, a state that is not carried over is preferred, then the state in the later
    /// report. Implementations must be added in order.
    fn add(&mut self, feature: &str, found: StateIn<'c>) {
        let order = |one: &StateIn<'_>| {
            let is_carried_over = one.report.is_carried_over(one.profile as usize, feature);
            (!one.is_counted(), rank(one.state), is_carried_over)
        };
        let cells = self.0.iter().rev();
        let own = cells.take_while(|cell| cell.implementation == found.implementation);
        let later = own.take_while(|cell| cell.minor() >= found.minor()).count();
        let at = self.0.len() - later;
        match self
            .0
            .get_mut(at)
            .filter(|cell| cell.minor() == found.minor())
        {
            Some(cell) => {
                let is_same = std::ptr::eq(found.report, cell.report);
                if order(&found) < order(cell) || (!is_same && order(&found) == order(cell)) {
                    *cell = found;
                }
            }
            None => self.0.insert(at, found),
        }
    }
}

/// Number of implementations, by any of their reports for a minor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    pub supported: usize,
    /// Implementations that reported a profile with the feature for the minor.
    pub reported: usize,
}

impl Share {
    /// `None` if no implementation reported a profile with the feature.
    pub fn try_new(states: &ByImplementation<'_>, minor: Minor) -> Option<Self> {
        let states = states.values().filter_map(|cells| cells.get(minor));
        let counted = states.filter(|cell| cell.is_counted());
        let reported: Vec<_> = counted.filter(|cell| is_reported(cell.state)).collect();
        let supported = reported.iter().filter(|cell| is_claimed(cell.state));
        (!reported.is_empty()).then(|| Self {
            supported: supported.count(),
            reported: reported.len(),
        })
    }

    pub fn shade(&self) -> usize {
        (self.supported * 4).div_ceil(self.reported.max(1))
    }

    pub fn thousandths(&self) -> usize {
        self.supported * 1000 / self.reported.max(1)
    }
}

pub fn is_reported(state: &State) -> bool {
    !matches!(state, State::NotInRelease)
}

pub fn is_proved(state: &State) -> bool {
    matches!(state, State::Proved { .. } | State::ProvedByLog { .. })
}

pub(super) fn all<'c>(
    implementations: &[ImplementationView<'c>],
) -> BTreeMap<&'c str, ByImplementation<'c>> {
    let mut states: BTreeMap<&str, ByImplementation<'_>> = BTreeMap::new();
    for (nth, implementation) in (0..).zip(implementations) {
        let reports = implementation.reports.iter();
        for report in reports.filter(|report| report.minor().is_some()) {
            for (profile, name, state) in report.states() {
                let found = StateIn {
                    state,
                    report,
                    profile: profile as u32,
                    implementation: nth,
                };
                states.entry(name).or_default().add(name, found);
            }
        }
    }
    let all = states.values_mut();
    all.for_each(|list| list.0.shrink_to_fit());
    states
}

/// True if only the experimental channel of the minor has the fields of the feature.
pub fn is_experimental(feature: &str, minor: Minor, registry: &Registry) -> bool {
    let mut releases = registry.known_in(NameKind::Feature, feature).into_iter();
    let last = releases.rfind(|release| release.version().minor() == minor);
    let declared = last.and_then(|release| release.feature(feature));
    declared.is_some_and(|declared| declared.channel == Channel::Experimental)
}

/// Number of implementations whose support in a minor makes a feature established.
const ESTABLISHED: usize = 5;

/// Support of a feature, counted by all reports that are not refused, whatever their verdicts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adoption {
    /// Removal or new name of the feature, such as `removed in v1.7`.
    pub gone: Option<String>,
    /// First minor in which [`ESTABLISHED`] implementations supported the feature. The count of a
    /// minor never falls when reports are added, so this never becomes a later minor.
    pub since: Option<Minor>,
    /// Newest reviewed minor and its share; `None` if no implementation reported the feature for it.
    pub share: Option<(Minor, Share)>,
}

/// Support of a feature in one phrase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FeatureWord {
    /// The newest release does not have the feature, such as `removed in v1.7`.
    Gone(String),
    /// See [`Adoption::since`].
    Since(Minor),
    /// See [`Adoption::share`].
    SupportedBy(Minor, Share),
    NotReported,
}

impl Adoption {
    /// The first word that applies.
    pub fn word(&self) -> FeatureWord {
        match (&self.gone, self.since, self.share) {
            (Some(gone), ..) => FeatureWord::Gone(gone.clone()),
            (None, Some(minor), _) => FeatureWord::Since(minor),
            (None, None, Some((minor, share))) => FeatureWord::SupportedBy(minor, share),
            (None, None, None) => FeatureWord::NotReported,
        }
    }
}

impl FeatureWord {
    /// The phrase on pages, such as `supported by 2 of 9 in v1.6`.
    pub fn text(&self) -> String {
        match self {
            Self::Gone(gone) => gone.clone(),
            Self::Since(minor) => format!("supported by {ESTABLISHED}+ since {minor}"),
            Self::SupportedBy(minor, share) => {
                format!(
                    "supported by {} of {} in {minor}",
                    share.supported, share.reported
                )
            }
            Self::NotReported => "not reported".to_owned(),
        }
    }

    /// ID of the definition in [`super::terms`].
    pub fn term(&self) -> &'static str {
        match self {
            Self::Gone(_) => "gone",
            Self::Since(_) => "since",
            Self::SupportedBy(..) => "supported-by",
            Self::NotReported => "not-reported",
        }
    }
}

/// `newest` is the newest reviewed minor.
pub(super) fn of_feature(
    feature: &str,
    states: &ByImplementation<'_>,
    newest: Option<Minor>,
    registry: &Registry,
) -> Adoption {
    let removed = registry.removed_in(NameKind::Feature, feature);
    let renamed = registry.renamed_to(NameKind::Feature, feature);
    let renamed = renamed.filter(|(_, release)| release.is_released());
    let renamed = renamed.map(|(name, _)| format!("renamed to {name}"));
    let share = |minor: Minor| Share::try_new(states, minor);
    let is_established =
        |minor: &Minor| share(*minor).is_some_and(|share| share.supported >= ESTABLISHED);
    Adoption {
        gone: removed
            .map(|release| format!("removed in {release}"))
            .or(renamed),
        since: states.minors().into_iter().find(is_established),
        share: newest.and_then(|minor| Some((minor, share(minor)?))),
    }
}

/// Names of the tests of a feature in each profile of a release.
pub fn tests_in<'r>(feature: &str, release: &'r Release) -> Vec<(&'r str, Vec<&'r str>)> {
    let profiles = release.profiles().filter(|profile| profile.has(feature));
    let tests = profiles.map(|profile| {
        let own = release.members(profile).iter().filter(|member| {
            member.test.features.iter().any(|name| name == feature)
                && (profile.is_core(feature) || member.level == Level::Extended)
        });
        let names = own.map(|member| member.test.name.as_str());
        (profile.name.as_str(), names.collect())
    });
    tests.collect()
}

#[cfg(test)]
mod tests {
    use super::{Adoption, Share};
    use gwconform_base::api::Minor;

    #[test]
    fn a_feature_has_the_first_word_that_applies() {
        let minor = |minor| Minor { major: 1, minor };
        let (supported, reported) = (2, 9);
        let adoption = Adoption {
            gone: None,
            since: None,
            share: Some((
                minor(6),
                Share {
                    supported,
                    reported,
                },
            )),
        };
        let changed = |change: fn(&mut Adoption)| {
            let mut adoption = adoption.clone();
            change(&mut adoption);
            adoption
        };
        let established = |one: &mut Adoption| one.since = Some(Minor { major: 1, minor: 3 });
        for (adoption, expected) in [
            (adoption.clone(), "supported by 2 of 9 in v1.6"),
            (changed(|one| one.share = None), "not reported"),
            (changed(established), "supported by 5+ since v1.3"),
            (
                changed(|one| {
                    one.since = Some(Minor { major: 1, minor: 3 });
                    one.gone = Some("removed in v1.7".to_owned());
                }),
                "removed in v1.7",
            ),
        ] {
            assert_eq!(adoption.word().text(), expected, "{adoption:?}");
            assert!(crate::site::model::term(adoption.word().term()).is_some());
        }
    }
}
