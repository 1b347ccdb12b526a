use std::collections::BTreeSet;

use super::report_set::ReportSet;
use crate::site::paths;
use gwconform_base::api::{Level, Minor, NameKind};
use gwconform_base::release::references::TestSource;
use gwconform_base::release::{Release, Test};
use gwconform_report::certify::catalog::{TestResult, TestState, newest};
use gwconform_report::report::suite;

/// Test of any release, with its newest results.
#[derive(Debug)]
pub struct TestView<'c> {
    /// Declaration in the newest release that has the test.
    pub test: &'c Test,
    pub release: &'c Release,
    /// Releases with the test, such as `since v1.5.0` or `v1.5 to v1.6`.
    pub lifetime: Option<String>,
    pub is_in_newest: bool,
    pub renamed_from: Option<&'c str>,
    pub renamed_to: Option<&'c str>,
    pub profiles: Vec<(&'c str, Level)>,
    pub source: Option<TestSource>,
    /// `None` if the name is not a valid file name.
    pub page: Option<String>,
    /// Results in reports that still count toward a verdict.
    pub current: Vec<TestResult<'c, 'c>>,
    /// Results of implementations without such a report.
    pub older: Vec<TestResult<'c, 'c>>,
}

impl TestView<'_> {
    pub fn name(&self) -> &str {
        &self.test.name
    }

    /// Number of implementations with the state in one of their newest reports.
    pub fn count(&self, state: TestState) -> usize {
        let of_one = self.current.chunk_by(is_same_implementation);
        let with = of_one.filter(|results| results.iter().any(|one| one.state == state));
        with.count()
    }
}

pub fn is_same_implementation(a: &TestResult<'_, '_>, b: &TestResult<'_, '_>) -> bool {
    a.implementation.slug == b.implementation.slug
}

/// Tests of known releases, by name.
pub(super) fn all<'c>(set: &'c ReportSet<'c>) -> Vec<TestView<'c>> {
    let registry = set.registry;
    let minors: BTreeSet<Minor> = set.catalog.current_minors().into_iter().collect();
    let mut results = set.catalog.test_results(newest);
    let newest_release = registry.newest();
    let names = registry.names(NameKind::Test).into_iter();
    let tests = names.filter_map(|name| {
        let releases = registry.known_in(NameKind::Test, name);
        let release = *releases.last()?;
        let test = release.test(name)?;
        let profiles = release.profiles().filter_map(|profile| {
            let level = suite::level(release, profile, test)?;
            Some((profile.name.as_str(), level))
        });
        let is_current = |one: &TestResult<'_, '_>| {
            let minor = one.report.judged.minor();
            minor.is_some_and(|minor| minors.contains(&minor))
        };
        let own = results.remove(name).unwrap_or_default();
        let (mut current, mut older): (Vec<_>, Vec<_>) = own.into_iter().partition(is_current);
        current.shrink_to_fit();
        older.shrink_to_fit();
        Some(TestView {
            test,
            release,
            lifetime: registry.lifetime(NameKind::Test, name),
            is_in_newest: newest_release.is_some_and(|release| release.test(name).is_some()),
            renamed_from: registry
                .renamed_from(NameKind::Test, name)
                .map(|(name, _)| name),
            renamed_to: registry
                .renamed_to(NameKind::Test, name)
                .map(|(name, _)| name),
            profiles: profiles.collect(),
            source: (registry.known_in(NameKind::Test, name).last())
                .and_then(|last| registry.references().test_in(name, last.version())),
            page: set.test_page(name),
            current,
            older,
        })
    });
    tests.collect()
}

impl<'c> ReportSet<'c> {
    pub fn test_page(&self, name: &str) -> Option<String> {
        let has_page = self.tests.contains(name);
        has_page.then(|| paths::test_page(name))
    }
}
