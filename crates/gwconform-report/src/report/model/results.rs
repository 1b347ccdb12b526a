use super::{Spanned, Stated};
use gwconform_base::api::{Level, NameKind, TestResult};

/// Entry of `profiles`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile<T, P = ()> {
    /// Node of the entry in `profiles`.
    pub node: P,
    /// Profile name, such as `GATEWAY-HTTP`.
    pub name: Option<Spanned<T, P>>,
    /// Summary; `None` in legacy reports, which have one per level.
    pub summary: Option<Spanned<T, P>>,
    /// Results of core tests.
    pub core: Option<LevelData<T, P>>,
    /// Results of extended tests; `None` if missing or null.
    pub extended: Option<LevelData<T, P>>,
}

/// Results of one level: `core` or `extended`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelData<T, P = ()> {
    /// Node of the mapping.
    pub node: P,
    /// Stated result of the level, such as `success`.
    pub result: Stated<TestResult, T, P>,
    /// Summary of the level, only in legacy reports.
    pub summary: Option<Spanned<T, P>>,
    /// Number of tests by outcome.
    pub statistics: Option<Statistics<P>>,
    /// Short names of the tests in `skippedTests`.
    pub skipped_tests: Option<List<T, P>>,
    /// Short names of the tests in `failedTests`.
    pub failed_tests: Option<List<T, P>>,
    /// Extended features that the report lists as supported.
    pub supported_features: Option<List<T, P>>,
    /// Extended features that the report lists as unsupported.
    pub unsupported_features: Option<List<T, P>>,
}

/// Number of tests by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics<P = ()> {
    /// Node of the mapping.
    pub node: P,
    /// Number of passed tests.
    pub passed: Option<Spanned<u64, P>>,
    /// Number of skipped tests.
    pub skipped: Option<Spanned<u64, P>>,
    /// Number of failed tests.
    pub failed: Option<Spanned<u64, P>>,
}

/// List of names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List<T, P = ()> {
    /// Node of the list.
    pub node: P,
    /// Scalar items in order.
    pub items: Vec<Spanned<T, P>>,
}

/// Kind of the names, field name, and list if present.
pub type NamedList<'l, T, P> = (NameKind, &'static str, Option<&'l List<T, P>>);

impl<T, P> Profile<T, P> {
    /// Core and extended level, if present.
    pub fn levels(&self) -> impl Iterator<Item = (Level, &LevelData<T, P>)> {
        let levels = Level::ALL.iter().copied();
        levels.filter_map(|level| Some((level, self.level(level)?)))
    }

    /// Data of a level, if present.
    pub fn level(&self, level: Level) -> Option<&LevelData<T, P>> {
        match level {
            Level::Core => self.core.as_ref(),
            Level::Extended => self.extended.as_ref(),
        }
    }

    /// Feature lists: core before extended, supported before unsupported.
    pub fn feature_lists(&self) -> impl Iterator<Item = &List<T, P>> {
        let lists = self.levels().flat_map(|(_, level)| level.lists());
        lists.filter_map(|(kind, _, list)| list.filter(|_| kind == NameKind::Feature))
    }
}

impl<T: AsRef<str>, P> Profile<T, P> {
    /// Profile name, if present.
    pub fn name(&self) -> Option<&str> {
        self.name.as_ref().map(|name| name.value.as_ref())
    }

    /// Profile name; empty if missing.
    pub fn name_or_empty(&self) -> &str {
        self.name().unwrap_or_default()
    }
}

impl<T, P> LevelData<T, P> {
    /// Lists of the level, features before tests.
    pub fn lists(&self) -> [NamedList<'_, T, P>; 4] {
        [
            (
                NameKind::Feature,
                "supportedFeatures",
                self.supported_features.as_ref(),
            ),
            (
                NameKind::Feature,
                "unsupportedFeatures",
                self.unsupported_features.as_ref(),
            ),
            (NameKind::Test, "skippedTests", self.skipped_tests.as_ref()),
            (NameKind::Test, "failedTests", self.failed_tests.as_ref()),
        ]
    }

    /// Mutable references to the lists that are present.
    pub(crate) fn lists_mut(&mut self) -> impl Iterator<Item = (NameKind, &mut List<T, P>)> {
        [
            (NameKind::Feature, &mut self.supported_features),
            (NameKind::Feature, &mut self.unsupported_features),
            (NameKind::Test, &mut self.skipped_tests),
            (NameKind::Test, &mut self.failed_tests),
        ]
        .into_iter()
        .filter_map(|(kind, list)| Some((kind, list.as_mut()?)))
    }

    /// Names of skipped tests, then of failed tests.
    pub fn named_tests(&self) -> impl Iterator<Item = &T> {
        let lists = self.skipped_tests.iter().chain(&self.failed_tests);
        lists.flatten()
    }

    /// Number of passed tests.
    pub fn passed(&self) -> Option<u64> {
        Some(self.statistics.as_ref()?.passed.as_ref()?.value)
    }

    /// Number of skipped tests.
    pub fn skipped(&self) -> Option<u64> {
        Some(self.statistics.as_ref()?.skipped.as_ref()?.value)
    }

    /// Number of failed tests.
    pub fn failed(&self) -> Option<u64> {
        Some(self.statistics.as_ref()?.failed.as_ref()?.value)
    }

    /// Number of recorded tests. Missing numbers count as 0.
    pub fn total(&self) -> u64 {
        let numbers = [self.passed(), self.skipped(), self.failed()];
        numbers.into_iter().flatten().fold(0, u64::saturating_add)
    }

    /// Whether all three numbers are present.
    pub fn is_counted(&self) -> bool {
        self.passed().is_some() && self.skipped().is_some() && self.failed().is_some()
    }
}

impl Statistics {
    /// Creates statistics without positions.
    pub fn new(passed: u64, skipped: u64, failed: u64) -> Self {
        Self {
            node: (),
            passed: Some(passed.into()),
            skipped: Some(skipped.into()),
            failed: Some(failed.into()),
        }
    }
}

impl<P> Statistics<P> {
    /// Result as the suite computes it; `None` if a number is missing.
    pub fn result(&self) -> Option<TestResult> {
        let (failed, skipped) = (self.failed.as_ref()?.value, self.skipped.as_ref()?.value);
        Some(match (failed, skipped) {
            (0, 0) => TestResult::Success,
            (0, _) => TestResult::Partial,
            _ => TestResult::Failure,
        })
    }
}

impl<T, P: Default> Default for LevelData<T, P> {
    fn default() -> Self {
        Self {
            node: P::default(),
            result: Stated::Absent,
            summary: None,
            statistics: None,
            skipped_tests: None,
            failed_tests: None,
            supported_features: None,
            unsupported_features: None,
        }
    }
}

impl<T> List<T> {
    /// Creates a list without positions.
    pub fn new(names: impl IntoIterator<Item = T>) -> Self {
        Self {
            node: (),
            items: names.into_iter().map(Spanned::from).collect(),
        }
    }
}

impl<'l, T, P> IntoIterator for &'l List<T, P> {
    type Item = &'l T;
    type IntoIter =
        std::iter::Map<std::slice::Iter<'l, Spanned<T, P>>, fn(&'l Spanned<T, P>) -> &'l T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter().map(|item| &item.value)
    }
}
