//! Output of `tests`: tests of a release, and their results in the reports of a tree.

use serde::Serialize;

use super::name_list::{headed, marks, of_one, places as places_in_words, release_in_words};
use super::{Lifetime, Scope, places};
use crate::print::page::{Inline, Page};
use gwconform_base::api::NameKind;
use gwconform_base::release::{Profile, Registry, Release, Test};
use gwconform_base::text::counted;
use gwconform_report::certify::catalog::{self, Catalog, TestState, contradicting, newest};
use gwconform_report::document::{ImplementationRef, ProfileLevel, ReportRef, TestResult};

/// Output of `gwconform tests --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Tests of a release"))]
pub struct Tests<'r> {
    #[serde(flatten)]
    scope: Scope<'r>,
    /// Tests, sorted by name; with `--most-skipped`, by the number of implementations that skip
    /// them, then by name.
    tests: Vec<TestFacts<'r>>,
    #[serde(skip)]
    selection: Option<Selection>,
}

/// Tests whose results are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection {
    /// One test, with the newest results of each implementation.
    One,
    /// Tests that the newest reports skip or fail.
    MostSkipped,
    /// Tests with contradicting results for the same implementation version.
    Flaky,
}

/// A test as defined by the release.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TestFacts<'r> {
    #[serde(flatten)]
    declared: &'r Test,
    #[serde(flatten)]
    lifetime: Lifetime<'r>,
    /// Features that the test requires.
    features: &'r [String],
    /// Profiles that count the test; empty if no profile counts it.
    profiles: Vec<ProfileLevel<'r>>,
    /// URL of the source of the test; null if it is unknown.
    test_url: Option<String>,
    /// Results in reports, if a tree and a selection are passed; otherwise null.
    results: Option<Vec<ReportResult>>,
}

/// Result of a test in one report.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ReportResult {
    #[serde(flatten)]
    implementation: ImplementationRef,
    #[serde(flatten)]
    report: ReportRef,
    #[serde(flatten)]
    result: TestResult,
}

impl<'r> Tests<'r> {
    /// Lists the tests of a release, or only those that `profile` counts.
    pub fn new(
        registry: &'r Registry,
        release: &'r Release,
        profile: Option<&'r Profile>,
        note: Option<String>,
    ) -> Self {
        let is_shown =
            |test: &&Test| profile.is_none_or(|profile| release.level(profile, test).is_some());
        let sources = registry.references();
        let tests = release.tests().filter(is_shown).map(|test| TestFacts {
            declared: test,
            lifetime: Lifetime::new(registry, release, NameKind::Test, &test.name),
            features: &test.features,
            profiles: places(release, profile, |profile| release.level(profile, test)),
            test_url: (sources.test_in(&test.name, release.version()))
                .map(|source| source.address()),
            results: None,
        });
        Self {
            scope: Scope::new(registry, release, profile, note),
            tests: tests.collect(),
            selection: None,
        }
    }

    /// Limits the list to one test. With a catalog, lists its newest results.
    #[must_use]
    pub fn of_one(mut self, name: &str, catalog: Option<&Catalog<'_>>) -> Self {
        self.tests.retain(|test| test.declared.name == name);
        match catalog {
            Some(catalog) => self.with_results(catalog, Selection::One),
            None => Self {
                selection: Some(Selection::One),
                ..self
            },
        }
    }

    /// Limits the list to tests with selected results, and lists these results.
    #[must_use]
    pub fn with_results(mut self, catalog: &Catalog<'_>, selection: Selection) -> Self {
        let mut results = match selection {
            Selection::One | Selection::MostSkipped => catalog.test_results(newest),
            Selection::Flaky => catalog.test_results(contradicting),
        };
        let current = catalog.current_minors();
        for test in &mut self.tests {
            let mut shown = results
                .remove(test.declared.name.as_str())
                .unwrap_or_default();
            if selection == Selection::MostSkipped {
                let is_current = |one: &catalog::TestResult<'_, '_>| {
                    let minor = one.report.judged.minor();
                    minor.is_some_and(|minor| current.contains(&minor))
                };
                shown.retain(|one| is_current(one) && is_gap(one.state));
            }
            test.results = Some(shown.iter().map(ReportResult::new).collect());
        }
        if selection != Selection::One {
            self.tests.retain(|test| !test.results().is_empty());
        }
        if selection == Selection::MostSkipped {
            self.tests
                .sort_by_key(|test| std::cmp::Reverse(test.implementations()));
        }
        self.selection = Some(selection);
        self
    }
}

fn is_gap(state: TestState) -> bool {
    matches!(state, TestState::Failed | TestState::Skipped)
}

impl TestFacts<'_> {
    fn results(&self) -> &[ReportResult] {
        self.results.as_deref().unwrap_or_default()
    }

    /// Number of implementations with a listed result.
    fn implementations(&self) -> usize {
        let results = self.results();
        let of_one = results.chunk_by(|a, b| a.implementation == b.implementation);
        of_one.count()
    }

    fn lines(&self) -> Vec<Inline> {
        let profiles = match self.profiles.as_slice() {
            [] => "not counted".to_owned(),
            counted => places_in_words(counted),
        };
        let older = self.lifetime.renamed_from;
        let lines = [
            older.map(|older| format!("renamed from: {older}")),
            Some(format!("needs: {}", self.features.join(", "))),
            Some(format!("profiles: {profiles}")),
        ];
        lines.into_iter().flatten().map(Inline::from).collect()
    }
}

impl ReportResult {
    fn new(result: &catalog::TestResult<'_, '_>) -> Self {
        Self {
            implementation: ImplementationRef::new(result.implementation),
            report: ReportRef::new(result.implementation, result.report),
            result: TestResult {
                result: result.state,
                since: result.since(),
            },
        }
    }

    /// Implementation, version and release.
    fn in_words(&self) -> String {
        let version = self.report.implementation_version.as_deref().unwrap_or("–");
        let release = release_in_words(&self.report);
        format!("{} {version} ({release})", self.implementation.name)
    }

    fn setup(&self) -> String {
        let parts = [&self.report.channel, &self.report.mode];
        let parts = parts.into_iter().flatten();
        Vec::from_iter(parts.map(String::as_str)).join(", ")
    }
}

/// Renders tests with details about required features and profiles, or their results.
pub fn tests_page(listed: &Tests<'_>) -> Page {
    match listed.selection {
        None => list_page(listed),
        Some(Selection::One) => one_page(listed),
        Some(selection) => selection_page(listed, selection),
    }
}

fn list_page(listed: &Tests<'_>) -> Page {
    let count = counted(listed.tests.len(), "test");
    let mut page = headed(&listed.scope, &count, "test, first release");
    let names = listed.tests.iter().map(|test| test.declared.name.len());
    let width = names.max().unwrap_or_default();
    for test in &listed.tests {
        let declared = test.declared;
        let since = test.lifetime.since.to_string();
        let line = format!("{:width$}  {since:6} {}", declared.name, marks(declared));
        page.entry(line.trim_end(), test.lines());
    }
    page
}

fn one_page(listed: &Tests<'_>) -> Page {
    let mut page = of_one(&listed.scope);
    for test in &listed.tests {
        let since = test.lifetime.since;
        let mut lines = vec![format!("since: {since}{}", marks(test.declared)).into()];
        lines.extend(test.lines());
        lines.extend(
            test.test_url
                .iter()
                .map(|url| format!("source: {url}").into()),
        );
        page.entry(test.declared.name.as_str(), lines);
        for state in TestState::ALL.iter().copied() {
            let found: Vec<_> = test
                .results()
                .iter()
                .filter(|one| one.result.result == state)
                .collect();
            if found.is_empty() {
                continue;
            }
            let title = state.title();
            page.heading(3, format!("{title}: {}", counted(found.len(), "report")));
            for one in found {
                let since = one.result.since;
                let since = since.map_or(String::new(), |since| format!(", since {since}"));
                page.item(format!("{}: {}{since}", one.in_words(), one.setup()));
            }
        }
    }
    page
}

fn selection_page(listed: &Tests<'_>, selection: Selection) -> Page {
    let mut page = Page::default();
    let count = counted(listed.tests.len(), "test");
    page.heading(
        1,
        match selection {
            Selection::Flaky => format!("{count} with contradicting results"),
            _ => format!("{count} of {} skipped or failed", listed.scope.release),
        },
    );
    page.paragraph(match selection {
        Selection::Flaky => {
            "Reports for the same implementation version and minor: one passed the test, another \
             failed or skipped it."
        }
        _ => "Newest reports for minors that still count toward a verdict.",
    });
    for test in &listed.tests {
        let implementations = counted(test.implementations(), "implementation");
        let profiles = places_in_words(&test.profiles);
        let lines = test.results().iter().map(|one| {
            let state = one.result.result;
            Inline::from(format!("{}: {}: {state}", one.in_words(), one.setup()))
        });
        let head = format!("{}: {implementations} ({profiles})", test.declared.name);
        page.entry(head, lines.collect());
    }
    page
}
