use crate::report::facts::{LevelData, Profile, ReportFacts};

/// Summary of the first report of an implementation, which has no predecessor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstReport {
    /// Implementation URL as written. Empty if missing.
    pub url: String,
    /// Contacts as written.
    pub contact: Vec<String>,
    /// Results by profile, in file order.
    pub profiles: Vec<FirstProfile>,
}

/// Results of a profile in a first report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstProfile {
    /// Profile name. Empty if missing.
    pub name: String,
    /// Passed and all core tests. `None` without statistics.
    pub core: Option<(u64, u64)>,
    /// Passed and all extended tests. `None` without statistics.
    pub extended: Option<(u64, u64)>,
    /// Number of supported and of all listed extended features.
    pub features: (usize, usize),
}

impl FirstReport {
    pub(crate) fn new(facts: &ReportFacts) -> Self {
        Self {
            url: facts.url().unwrap_or_default().to_owned(),
            contact: facts.contact.clone(),
            profiles: facts.profiles.iter().map(FirstProfile::new).collect(),
        }
    }
}

impl FirstProfile {
    fn new(profile: &Profile) -> Self {
        let extended = profile.extended.as_ref();
        let count = |list: fn(&LevelData) -> usize| extended.map_or(0, list);
        let supported = count(|level| level.supported_features.iter().flatten().count());
        let unsupported = count(|level| level.unsupported_features.iter().flatten().count());
        Self {
            name: profile.name_or_empty().to_owned(),
            core: profile.core.as_ref().and_then(tests),
            extended: extended.and_then(tests),
            features: (supported, supported + unsupported),
        }
    }
}

fn tests(level: &LevelData) -> Option<(u64, u64)> {
    let counts = level.statistics?;
    let of = |count: Option<crate::report::model::Spanned<u64>>| count.map_or(0, |one| one.value);
    let passed = of(counts.passed);
    let all = [counts.skipped, counts.failed].map(of);
    let all = all.iter().fold(passed, |sum, one| sum.saturating_add(*one));
    Some((passed, all))
}
