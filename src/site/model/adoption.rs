//! Support of features by all implementations: the source of every count on feature pages, in
//! matrices, in find and on badges. [`super::terms`] explains the counts to visitors.

use std::collections::{BTreeMap, BTreeSet};

use super::current::Setting;
use super::implementation::ImplementationView;
use super::report::ReportView;
use gwconform_base::api::{Channel, Level, Minor, NameKind};
use gwconform_base::release::{Registry, Release};
use gwconform_report::certify::Standing;
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
        let known = lines.by_feature(facts.profiles.get(profile)?);
        Some(known.get(feature).copied().unwrap_or(lines.start))
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

#[derive(Debug, Default)]
pub struct FeatureStates<'c> {
    pub all: ByImplementation<'c>,
    pub by_setting: BTreeMap<Setting, ByImplementation<'c>>,
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
) -> BTreeMap<&'c str, FeatureStates<'c>> {
    let mut states: BTreeMap<&str, FeatureStates<'_>> = BTreeMap::new();
    for (nth, implementation) in (0..).zip(implementations) {
        for report in implementation.reports {
            if report.minor().is_none() {
                continue;
            }
            for (profile, name, state) in report.states() {
                let found = StateIn {
                    state,
                    report,
                    profile: profile as u32,
                    implementation: nth,
                };
                let own = states.entry(name).or_default();
                own.all.add(name, found);
                let verdict = report.entry.judged.verdicts.get(profile);
                if let Some(family) = verdict.and_then(|verdict| verdict.family) {
                    let setting = Setting::new(family, report);
                    own.by_setting.entry(setting).or_default().add(name, found);
                }
            }
        }
    }
    let all = states.values_mut();
    all.flat_map(|own| {
        [&mut own.all]
            .into_iter()
            .chain(own.by_setting.values_mut())
    })
    .for_each(|list| list.0.shrink_to_fit());
    states
}

/// True if only the experimental channel of the minor has the fields of the feature.
pub fn is_experimental(feature: &str, minor: Minor, registry: &Registry) -> bool {
    let mut releases = registry.known_in(NameKind::Feature, feature).into_iter();
    let last = releases.rfind(|release| release.version().minor() == minor);
    let declared = last.and_then(|release| release.feature(feature));
    declared.is_some_and(|declared| declared.channel == Channel::Experimental)
}

/// Support of a feature in one phrase, decided by [`Adoption::word`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FeatureWord {
    /// The newest release does not have the feature, such as `removed in v1.7`.
    Gone(String),
    /// No profile of the newest release with the feature has a test for it.
    NoTest,
    /// Added in one of the two newest minors.
    Newly(Minor),
    /// Proved for at least three quarters since this minor.
    Widely(Minor),
    /// Supported by fewer than one third.
    Limited(Share),
    /// Supported by N of M.
    Partly(Share),
    /// No current implementation reports a profile with the feature.
    NotReported,
}

/// Facts that decide the [`FeatureWord`]. Counts are current implementations, those with a
/// conformant or partially conformant verdict, by their reports for the newest minor they cover.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Adoption {
    /// Removal or new name of the feature, such as `removed in v1.7`.
    pub gone: Option<String>,
    pub has_test: bool,
    /// Minor that added the feature, if it is one of the two newest.
    pub added_in: Option<Minor>,
    /// Current implementations that report a profile with the feature.
    pub reported: usize,
    pub supported: usize,
    /// First minor for which each of the current implementations proved the feature, if it still
    /// does.
    pub proved_since: Vec<Minor>,
}

impl Adoption {
    /// The first word that applies.
    pub fn word(&self) -> FeatureWord {
        let share = Share {
            supported: self.supported,
            reported: self.reported,
        };
        let mut proved = self.proved_since.clone();
        proved.sort_unstable();
        // Three quarters of the implementations have proved the feature since this minor.
        let widely = (self.reported * 3).div_ceil(4).checked_sub(1);
        let widely = widely.and_then(|at| proved.get(at));
        match (&self.gone, self.added_in) {
            (Some(gone), _) => FeatureWord::Gone(gone.clone()),
            _ if !self.has_test => FeatureWord::NoTest,
            (_, Some(minor)) => FeatureWord::Newly(minor),
            _ if self.reported == 0 => FeatureWord::NotReported,
            _ => match widely {
                Some(minor) => FeatureWord::Widely(*minor),
                None if self.supported * 3 < self.reported => FeatureWord::Limited(share),
                None => FeatureWord::Partly(share),
            },
        }
    }
}

impl FeatureWord {
    /// The phrase on pages, such as `limited: 2 of 9`.
    pub fn text(&self) -> String {
        let of = |share: &Share| format!("{} of {}", share.supported, share.reported);
        match self {
            Self::Gone(gone) => gone.clone(),
            Self::NoTest => "no test exists".to_owned(),
            Self::Newly(minor) => format!("newly added in {minor}"),
            Self::Widely(minor) => format!("widely supported since {minor}"),
            Self::Limited(share) => format!("limited: {}", of(share)),
            Self::Partly(share) => format!("supported by {}", of(share)),
            Self::NotReported => "not reported".to_owned(),
        }
    }

    /// ID of the definition in [`super::terms`].
    pub fn term(&self) -> &'static str {
        match self {
            Self::Gone(_) => "gone",
            Self::NoTest => "no-test",
            Self::Newly(_) => "newly",
            Self::Widely(_) => "widely",
            Self::Limited(_) => "limited",
            Self::Partly(_) => "supported-by",
            Self::NotReported => "not-reported",
        }
    }
}

/// Collects the facts about a feature.
pub(super) fn of_feature(
    feature: &str,
    states: &ByImplementation<'_>,
    implementations: &[ImplementationView<'_>],
    newest: &[Minor],
    registry: &Registry,
) -> Adoption {
    let minor = |release: &Release| release.version().minor();
    let since = registry.since(NameKind::Feature, feature).map(minor);
    let removed = registry.removed_in(NameKind::Feature, feature);
    let renamed = registry.renamed_to(NameKind::Feature, feature);
    let renamed = renamed.filter(|(_, release)| release.is_released());
    let renamed = renamed.map(|(name, _)| format!("renamed to {name}"));
    let mut adoption = Adoption {
        gone: removed
            .map(|release| format!("removed in {release}"))
            .or(renamed),
        has_test: has_test(feature, registry),
        added_in: since.filter(|since| newest.contains(since)),
        ..Adoption::default()
    };
    for (nth, cells) in states.iter() {
        let current = implementations.get(nth);
        let current = current.filter(|one| one.standing() >= Standing::PartiallyConformant);
        let newest = current.and_then(|one| cells.get(one.newest.minor()?));
        let Some(now) = newest.filter(|cell| is_reported(cell.state)) else {
            continue;
        };
        adoption.reported += 1;
        adoption.supported += usize::from(is_claimed(now.state));
        if is_proved(now.state) {
            let mut proved = cells.iter().filter(|(_, cell)| is_proved(cell.state));
            adoption
                .proved_since
                .extend(proved.next().map(|(minor, _)| minor));
        }
    }
    adoption
}

/// True if a profile of the newest release with the feature has a test for it. Core tests belong
/// to a profile, and extended tests to a feature.
fn has_test(feature: &str, registry: &Registry) -> bool {
    let releases = registry.known_in(NameKind::Feature, feature);
    let newest = releases.last().into_iter();
    let mut tests = newest.flat_map(|release| tests_in(feature, release));
    tests.any(|(_, tests)| !tests.is_empty())
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
    use super::{Adoption, FeatureWord, Share};
    use gwconform_base::api::Minor;

    fn minor(minor: u64) -> Minor {
        Minor { major: 1, minor }
    }

    fn adoption(reported: usize, supported: usize, proved_since: &[u64]) -> Adoption {
        Adoption {
            has_test: true,
            reported,
            supported,
            proved_since: proved_since.iter().map(|at| minor(*at)).collect(),
            ..Adoption::default()
        }
    }

    #[test]
    fn a_feature_has_the_first_word_that_applies() {
        let with = |change: fn(&mut Adoption)| {
            let mut adoption = adoption(4, 4, &[1, 2, 3, 4]);
            change(&mut adoption);
            adoption
        };
        for (adoption, expected) in [
            (adoption(4, 4, &[5, 2, 3, 1]), "widely supported since v1.3"),
            (adoption(4, 3, &[1, 6, 1]), "widely supported since v1.6"),
            (adoption(4, 4, &[1, 1]), "supported by 4 of 4"),
            (adoption(1, 1, &[2]), "widely supported since v1.2"),
            (adoption(5, 5, &[1, 1, 1]), "supported by 5 of 5"),
            (adoption(5, 5, &[1, 1, 1, 4]), "widely supported since v1.4"),
            (adoption(3, 1, &[1]), "supported by 1 of 3"),
            (adoption(4, 1, &[1]), "limited: 1 of 4"),
            (adoption(4, 0, &[]), "limited: 0 of 4"),
            (adoption(0, 0, &[]), "not reported"),
            (with(|one| one.has_test = false), "no test exists"),
            (
                with(|one| (one.has_test, one.added_in) = (false, Some(minor(6)))),
                "no test exists",
            ),
            (
                with(|one| one.added_in = Some(minor(6))),
                "newly added in v1.6",
            ),
            (
                with(|one| one.gone = Some("removed in v1.7".to_owned())),
                "removed in v1.7",
            ),
        ] {
            assert_eq!(adoption.word().text(), expected, "{adoption:?}");
            assert!(crate::site::model::term(adoption.word().term()).is_some());
        }
        let share = Share {
            supported: 1,
            reported: 4,
        };
        assert_eq!(adoption(4, 1, &[]).word(), FeatureWord::Limited(share));
    }
}
