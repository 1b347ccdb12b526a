//! Output of `tests`: tests of a release, and their results in the reports of a tree.

use serde::Serialize;

use super::name_list::{headed, marks, places as places_in_words};
use super::{PlaceInProfile, ReleaseHeader, places, since};
use crate::print::page::{Inline, Page};
use gwconform_base::api::NameKind;
use gwconform_base::release::{Profile, Registry, Release, Test};
use gwconform_base::text::counted;
use gwconform_report::certify::catalog::{Catalog, TestResult, TestState, contradicting, newest};
use gwconform_report::report::suite;

/// Output of `gwconform tests --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Tests of a release"))]
pub struct Tests {
    #[serde(flatten)]
    shown: ReleaseHeader,
    /// Tests, sorted by name; with `--most-skipped`, by the number of implementations that skip
    /// them, then by name.
    tests: Vec<TestFacts>,
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
struct TestFacts {
    /// Short test name, as in reports.
    name: String,
    /// True if the test is optional and counts only if it ran.
    provisional: bool,
    /// True if the test can finish after the report is written. The report then lists the test as
    /// passed, but the result is not seen.
    parallel: bool,
    /// First release that has the test under this name.
    since: Option<String>,
    /// Test name in earlier releases; null if the test was not renamed.
    renamed_from: Option<String>,
    /// Features that the test requires.
    features: Vec<String>,
    /// Profiles that count the test; empty if no profile counts it.
    profiles: Vec<PlaceInProfile>,
    /// URL of the source of the test; null if it is unknown.
    source: Option<String>,
    /// Results in reports, if a tree and a selection are passed; otherwise null.
    results: Option<Vec<ResultFacts>>,
}

/// Result of a test in one report.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ResultFacts {
    /// Path of the implementation in URLs, such as `acme/operator`.
    slug: String,
    /// Display name of the implementation.
    name: String,
    /// `implementation.version` of the report.
    implementation_version: Option<String>,
    /// Release that the report is for, such as `v1.5.1`.
    release: Option<String>,
    /// API channel of the report.
    channel: Option<String>,
    /// Mode of the report.
    mode: Option<String>,
    /// Path of the report.
    path: String,
    /// Index of the document in the file, from 0.
    document: usize,
    /// Result of the test.
    state: TestState,
    /// Oldest minor since which, in each minor with results, a report of the implementation shows
    /// this result. Null if the
    /// history was not requested.
    since: Option<String>,
}

impl Tests {
    /// Lists the tests of a release, or only those that `profile` counts.
    pub fn new(
        registry: &Registry,
        release: &Release,
        profile: Option<&Profile>,
        note: Option<String>,
    ) -> Self {
        let is_shown = |test: &&Test| {
            profile.is_none_or(|profile| suite::level(release, profile, test).is_some())
        };
        let sources = registry.references();
        let tests = release.tests().filter(is_shown).map(|test| TestFacts {
            name: test.name.clone(),
            provisional: test.provisional,
            parallel: test.parallel,
            since: since(registry, NameKind::Test, &test.name),
            renamed_from: test.renamed_from.clone(),
            features: test.features.clone(),
            profiles: places(release, profile, |profile| {
                suite::level(release, profile, test).into_iter().collect()
            }),
            source: sources.test(&test.name).map(|source| source.address()),
            results: None,
        });
        Self {
            shown: ReleaseHeader::new(registry, release, profile, note),
            tests: tests.collect(),
            selection: None,
        }
    }

    /// Limits the list to one test. With a catalog, lists its newest results.
    #[must_use]
    pub fn of_one(mut self, name: &str, catalog: Option<&Catalog<'_>>) -> Self {
        self.tests.retain(|test| test.name == name);
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
        let results = catalog.test_results();
        let current = catalog.current_minors();
        for test in &mut self.tests {
            let all = results
                .get(test.name.as_str())
                .map_or(&[][..], Vec::as_slice);
            let mut shown = match selection {
                Selection::One | Selection::MostSkipped => newest(all),
                Selection::Flaky => contradicting(all),
            };
            if selection == Selection::MostSkipped {
                let is_current = |one: &TestResult<'_, '_>| {
                    let minor = one.report.judged.minor();
                    minor.is_some_and(|minor| current.contains(&minor))
                };
                shown.retain(|one| is_current(one) && is_gap(one.state));
            }
            test.results = Some(shown.iter().map(ResultFacts::new).collect());
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

impl TestFacts {
    fn results(&self) -> &[ResultFacts] {
        self.results.as_deref().unwrap_or_default()
    }

    /// Number of implementations with a listed result.
    fn implementations(&self) -> usize {
        let of_one = self.results().chunk_by(|a, b| a.slug == b.slug);
        of_one.count()
    }

    fn lines(&self) -> Vec<Inline> {
        let profiles = match self.profiles.as_slice() {
            [] => "not counted".to_owned(),
            counted => places_in_words(counted),
        };
        let older = self.renamed_from.as_ref();
        let lines = [
            older.map(|older| format!("renamed from: {older}")),
            Some(format!("needs: {}", self.features.join(", "))),
            Some(format!("profiles: {profiles}")),
        ];
        lines.into_iter().flatten().map(Inline::from).collect()
    }

    fn marks(&self) -> String {
        marks([
            ("provisional", self.provisional),
            ("parallel", self.parallel),
        ])
    }
}

impl ResultFacts {
    fn new(result: &TestResult<'_, '_>) -> Self {
        let facts = result.report.judged.facts;
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let release = facts.release.version.as_ref();
        Self {
            slug: result.implementation.slug.clone(),
            name: result.implementation.name.clone(),
            implementation_version: owned(facts.version()),
            release: release.map(ToString::to_string),
            channel: owned(facts.channel()),
            mode: owned(facts.mode()),
            path: facts.path.clone(),
            document: facts.document,
            state: result.state,
            since: result.since.map(|since| since.to_string()),
        }
    }

    /// Implementation, version and release.
    fn in_words(&self) -> String {
        let version = self.implementation_version.as_deref().unwrap_or("–");
        let release = self.release.as_deref().unwrap_or("release unknown");
        format!("{} {version} ({release})", self.name)
    }

    fn setup(&self) -> String {
        let parts = [&self.channel, &self.mode].into_iter().flatten();
        Vec::from_iter(parts.map(String::as_str)).join(", ")
    }
}

/// Renders tests with details about required features and profiles, or their results.
pub fn tests_page(listed: &Tests) -> Page {
    match listed.selection {
        None => list_page(listed),
        Some(Selection::One) => one_page(listed),
        Some(selection) => selection_page(listed, selection),
    }
}

fn list_page(listed: &Tests) -> Page {
    let count = counted(listed.tests.len(), "test");
    let mut page = headed(&listed.shown, &count, "test, first release");
    let names = listed.tests.iter().map(|test| test.name.len());
    let width = names.max().unwrap_or_default();
    for test in &listed.tests {
        let since = test.since.as_deref().unwrap_or_default();
        let line = format!("{:width$}  {since:6} {}", test.name, test.marks());
        page.entry(line.trim_end(), test.lines());
    }
    page
}

fn one_page(listed: &Tests) -> Page {
    let mut page = Page::default();
    page.paragraph(format!("In {}", listed.shown.release));
    if let Some(note) = &listed.shown.note {
        page.paragraph(note.as_str());
    }
    for test in &listed.tests {
        let since = test.since.as_deref().unwrap_or_default();
        let mut lines = vec![format!("since: {since}{}", test.marks()).into()];
        lines.extend(test.lines());
        lines.extend(
            test.source
                .iter()
                .map(|url| format!("source: {url}").into()),
        );
        page.entry(test.name.as_str(), lines);
        for state in TestState::ALL.iter().copied() {
            let found: Vec<_> = test
                .results()
                .iter()
                .filter(|one| one.state == state)
                .collect();
            if found.is_empty() {
                continue;
            }
            let title = state.title();
            page.heading(3, format!("{title}: {}", counted(found.len(), "report")));
            for one in found {
                let since = one.since.as_ref();
                let since = since.map_or(String::new(), |since| format!(", since {since}"));
                page.item(format!("{}: {}{since}", one.in_words(), one.setup()));
            }
        }
    }
    page
}

fn selection_page(listed: &Tests, selection: Selection) -> Page {
    let mut page = Page::default();
    let count = counted(listed.tests.len(), "test");
    page.heading(
        1,
        match selection {
            Selection::Flaky => format!("{count} with contradicting results"),
            _ => format!("{count} of {} skipped or failed", listed.shown.release),
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
            let state = one.state.as_str();
            Inline::from(format!("{}: {}: {state}", one.in_words(), one.setup()))
        });
        let head = format!("{}: {implementations} ({profiles})", test.name);
        page.entry(head, lines.collect());
    }
    page
}
