//! Features that peers support and an implementation does not.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::implementation::ImplementationView;
use super::report::ReportView;
use super::report_set::ReportSet;
use gwconform_base::api::{Family, Minor, NameKind, closed_set};
use gwconform_report::certify::catalog::{Absence, State, StateKind, is_claimed, rank};

closed_set! {
    /// Reason why a report does not show that a feature is supported.
    pub enum GapKind {
        /// The report claims the feature, but its tests failed.
        Failed = "failed",
        /// The report claims the feature, but some or all of its tests were skipped.
        Skipped = "skipped",
        /// The report lists the feature as unsupported.
        Unsupported = "unsupported",
        /// The report does not mention the feature.
        NotStated = "not-stated",
        /// No reported profile has the feature.
        ProfileNotReported = "profile-not-reported",
        /// The release of the newest report does not have the feature.
        NotInRelease = "not-in-release",
    }
}

/// Gaps of all implementations in one family.
#[derive(Debug)]
pub struct Gaps<'c> {
    pub family: Family,
    by_implementation: BTreeMap<&'c str, Basis<'c>>,
    /// Implementations with a current report that have each feature, by their support.
    counts: BTreeMap<&'c str, Count>,
}

/// Reports of an implementation that its gaps are based on.
#[derive(Debug)]
struct Basis<'c> {
    is_current: bool,
    newest: &'c ReportView<'c>,
    /// All reports, from which those for the minor of the newest are chosen.
    reports: &'c [ReportView<'c>],
}

/// Best states of features, with the report and its profile.
type States<'c> = BTreeMap<&'c str, (&'c State, &'c ReportView<'c>, usize)>;

#[derive(Debug, Clone, Copy, Default)]
struct Count {
    supported: usize,
    reported: usize,
}

/// Feature that peers support.
#[derive(Debug)]
pub struct Gap<'c> {
    pub feature: &'c str,
    pub kind: GapKind,
    /// Sentence part such as `declared unsupported`.
    pub words: String,
    /// Symbol of the state.
    pub state: StateKind,
    /// Number of peers that support the feature.
    pub supported: usize,
    /// Number of peers that report a profile with the feature.
    pub peers: usize,
}

impl<'c> Gaps<'c> {
    pub(super) fn all(set: &'c ReportSet<'c>, views: &[ImplementationView<'c>]) -> Vec<Self> {
        let families = [Family::Gateway, Family::Mesh];
        families.map(|family| Self::new(family, set, views)).into()
    }

    fn new(family: Family, set: &'c ReportSet<'c>, views: &[ImplementationView<'c>]) -> Self {
        let current: BTreeSet<Minor> = set.catalog.current_minors().into_iter().collect();
        let bases = views.iter().filter_map(|view| {
            let basis = basis(view.reports, family, &current)?;
            Some((view.slug, basis))
        });
        let by_implementation: BTreeMap<_, _> = bases.collect();
        let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
        for basis in by_implementation.values().filter(|one| one.is_current) {
            for (feature, (state, ..)) in states(basis, family, set) {
                let count = counts.entry(feature).or_default();
                count.reported += 1;
                count.supported += usize::from(is_claimed(state));
            }
        }
        Self {
            family,
            by_implementation,
            counts,
        }
    }

    /// Report for the newest minor that the gaps of an implementation are based on.
    pub fn basis(&self, slug: &str) -> Option<&'c ReportView<'c>> {
        Some(self.by_implementation.get(slug)?.newest)
    }

    /// Gaps of an implementation, most supported first. `None` if it has no report of the family.
    pub fn of(&self, slug: &str, set: &'c ReportSet<'c>) -> Option<Vec<Gap<'c>>> {
        let own = self.by_implementation.get(slug)?;
        let states = states(own, self.family, set);
        let gaps = self.counts.iter().filter_map(|(feature, count)| {
            let known = states.get(feature);
            let (kind, words, state) = match known {
                Some(&(state, report, profile)) => {
                    let words = report.state_in_words(profile, feature, set.registry);
                    (kind(state)?, words, state.kind())
                }
                None => absent(own.newest, self.family, feature, set),
            };
            // The implementation is not its own peer.
            let counts_itself = own.is_current && known.is_some();
            let claims = known.is_some_and(|(state, ..)| is_claimed(state));
            let supported = count.supported - usize::from(counts_itself && claims);
            (supported > 0).then(|| Gap {
                feature,
                kind,
                words,
                state,
                supported,
                peers: count.reported - usize::from(counts_itself),
            })
        });
        let mut gaps: Vec<_> = gaps.collect();
        gaps.sort_by_key(|gap| (Reverse(gap.supported), gap.peers, gap.feature));
        Some(gaps)
    }
}

fn basis<'c>(
    reports: &'c [ReportView<'c>],
    family: Family,
    current: &BTreeSet<Minor>,
) -> Option<Basis<'c>> {
    let own = reports.iter().filter(|report| {
        let mut features = report.features.iter();
        features.any(|features| is_of_family(report, features.profile, family))
    });
    let newest = own.max_by_key(|report| report.minor())?;
    Some(Basis {
        is_current: current.contains(&newest.minor()?),
        newest,
        reports,
    })
}

fn is_of_family(report: &ReportView<'_>, at: usize, family: Family) -> bool {
    let verdict = report.entry.judged.verdicts.get(at);
    verdict.is_some_and(|verdict| verdict.family == Some(family))
}

/// Found again for each page, because those of all implementations need much memory.
fn states<'c>(basis: &Basis<'c>, family: Family, set: &ReportSet<'_>) -> States<'c> {
    let mut states = States::new();
    let reports = basis.reports.iter();
    let of_minor = reports.filter(|report| report.minor() == basis.newest.minor());
    for report in of_minor {
        for features in &report.features {
            if !is_of_family(report, features.profile, family) {
                continue;
            }
            for (name, state) in features.core.iter().chain(&features.extended) {
                // Reports can list arbitrary names.
                if *state == State::NotInRelease || !set.registry.is_known(NameKind::Feature, name)
                {
                    continue;
                }
                let found = (state, report, features.profile);
                let best = states.entry(name).or_insert(found);
                if rank(state) < rank(best.0) {
                    *best = found;
                }
            }
        }
    }
    states
}

/// `None` for a supported feature.
fn kind(state: &State) -> Option<GapKind> {
    Some(match state {
        State::Failed { .. } => GapKind::Failed,
        State::Skipped { .. } => GapKind::Skipped,
        State::Unsupported => GapKind::Unsupported,
        State::NotClaimed | State::NotStated => GapKind::NotStated,
        State::NotInRelease => GapKind::NotInRelease,
        _ => return None,
    })
}

fn absent(
    report: &ReportView<'_>,
    family: Family,
    feature: &str,
    set: &ReportSet<'_>,
) -> (GapKind, String, StateKind) {
    let verdicts = report.entry.judged.verdicts.iter();
    let mut of_family = verdicts.filter(|verdict| verdict.family == Some(family));
    let asked = of_family.next().map(|verdict| &*verdict.profile);
    let absence = Absence::try_new(report.facts(), feature, asked, set.registry);
    let kind = match absence {
        Some(Absence::NotReported { .. }) | None => GapKind::ProfileNotReported,
        Some(_) => GapKind::NotInRelease,
    };
    let words = absence.map_or_else(
        || "no reported profile has it".to_owned(),
        |one| one.to_string(),
    );
    (kind, words, StateKind::NotInRelease)
}
