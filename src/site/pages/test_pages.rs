//! Renders `/tests/`, and a page for each conformance test at `/tests/<T>/`.

use std::cmp::Reverse;

use askama::Template;
use rayon::prelude::*;

use super::layout::{self, Head, SiteContext};
use super::{MAX_ROWS, Out};
use crate::site::File;
use crate::site::model::{Minors, TestView, is_same_implementation};
use crate::site::paths;
use gwconform_base::api::Minor;
use gwconform_base::text::{capitalized, counted};
use gwconform_report::certify::catalog::{TestResult, TestState};

#[derive(Template)]
#[template(path = "tests.html")]
struct TestsPage<'s> {
    head: Head<'s>,
    scope: String,
    rows: Vec<TestRow<'s>>,
    former: Vec<&'s TestView<'s>>,
}

struct TestRow<'s> {
    view: &'s TestView<'s>,
    features: Vec<Feature<'s>>,
    /// Number of implementations with each state in `COLUMNS`.
    counts: [usize; COLUMNS.len()],
}

impl TestRow<'_> {
    /// CSS class and count of each column.
    fn cells(&self) -> [(&'static str, usize); COLUMNS.len()] {
        std::array::from_fn(|at| (look(COLUMNS[at]).1, self.counts[at]))
    }
}

/// Columns of the list of tests. The list is sorted by the first two.
const COLUMNS: [TestState; 6] = [
    TestState::Passed,
    TestState::Failed,
    TestState::Skipped,
    TestState::NotSeen,
    TestState::NotKnown,
    TestState::NotRun,
];

struct Feature<'s> {
    name: &'s str,
    page: Option<String>,
}

#[derive(Template)]
#[template(path = "test.html")]
struct TestPage<'s> {
    head: Head<'s>,
    view: &'s TestView<'s>,
    features: Vec<Feature<'s>>,
    answer: String,
    scope: String,
    groups: Vec<Group<'s>>,
    older: Option<Group<'s>>,
}

/// Implementations with the same state.
struct Group<'s> {
    id: &'static str,
    title: &'static str,
    class: &'static str,
    count: usize,
    rows: Vec<Row<'s>>,
}

struct Row<'s> {
    implementation: &'s str,
    page: String,
    since: Option<Minor>,
    state: TestState,
    reports: Vec<Run<'s>>,
    /// Number of reports that are not listed.
    more: usize,
}

struct Run<'s> {
    page: String,
    version: &'s str,
    release: String,
    /// Channel and mode.
    run: String,
    slug: &'s str,
}

impl Run<'_> {
    fn text(&self) -> [&str; 3] {
        [self.version, &self.release, &self.run]
    }
}

impl Group<'_> {
    fn more(&self) -> usize {
        self.count - self.rows.len()
    }
}

pub(super) fn make(site: &SiteContext<'_>, out: &Out<'_>) {
    out(vec![tests_page(site)]);
    site.model.tests.par_iter().for_each(|view| {
        if let Some(path) = &view.page {
            out(vec![test_page(site, view, path)]);
        }
    });
}

fn tests_page(site: &SiteContext<'_>) -> File {
    let (current, former): (Vec<_>, Vec<_>) = (site.model.tests.iter())
        .filter(|view| view.page.is_some())
        .partition(|view| view.is_in_newest);
    let rows = current.into_iter().map(|view| TestRow {
        view,
        features: features(site, view),
        counts: COLUMNS.map(|state| view.count(state)),
    });
    let mut rows: Vec<_> = rows.collect();
    rows.sort_by_key(|row| {
        let [skipped, failed, ..] = row.counts;
        (Reverse(skipped), Reverse(failed), row.view.name())
    });
    let about = "Every conformance test of the Gateway API: the features it needs, and how many implementations pass, skip or fail it.";
    let page = TestsPage {
        head: site.head(paths::TESTS_PAGE, "Conformance tests", about),
        scope: scope(site),
        rows,
        former,
    };
    layout::file(paths::TESTS_PAGE, &page)
}

fn features<'s>(site: &SiteContext<'_>, view: &'s TestView<'_>) -> Vec<Feature<'s>> {
    let names = view.test.features.iter();
    names
        .map(|name| Feature {
            name,
            page: site.model.set.feature_page(name),
        })
        .collect()
}

/// Minors whose reports count, such as `v1.6 to v1.4`.
fn scope(site: &SiteContext<'_>) -> String {
    Minors(&site.model.catalog.current_minors()).to_string()
}

fn test_page(site: &SiteContext<'_>, view: &TestView<'_>, path: &str) -> File {
    let answer = answer(view);
    let description = format!("{}: {answer}", view.name());
    let title = format!("{} test", view.name());
    let page = TestPage {
        head: site.head(path, &title, &description),
        features: features(site, view),
        scope: scope(site),
        groups: groups(view),
        older: older(view),
        answer,
        view,
    };
    layout::file(path, &page)
}

/// Summary such as `Passed by 12 implementations, skipped by 2.`
fn answer(view: &TestView<'_>) -> String {
    let counts = [
        (TestState::Passed, "passed by"),
        (TestState::Skipped, "skipped by"),
        (TestState::Failed, "failed by"),
        (TestState::NotSeen, "result not seen for"),
        (TestState::NotKnown, "result not known for"),
        (TestState::NotRun, "not run by"),
    ];
    let counts = counts
        .into_iter()
        .map(|(state, words)| (words, view.count(state)));
    let mut counts = counts.filter(|(_, count)| *count > 0);
    let Some((words, first)) = counts.next() else {
        return "No current report includes the test.".to_owned();
    };
    let first = format!("{words} {}", counted(first, "implementation"));
    let others = counts.map(|(words, count)| format!("{words} {count}"));
    let all: Vec<_> = [capitalized(&first)].into_iter().chain(others).collect();
    format!("{}.", all.join(", "))
}

fn groups<'s>(view: &'s TestView<'_>) -> Vec<Group<'s>> {
    let groups = COLUMNS.iter().filter_map(|&state| {
        let (id, class) = look(state);
        let of_one = view.current.chunk_by(is_same_implementation);
        group(
            id,
            state.title(),
            class,
            of_one.map(|results| (results, state)),
        )
    });
    groups.collect()
}

fn older<'s>(view: &'s TestView<'_>) -> Option<Group<'s>> {
    let of_one = view.older.chunk_by(is_same_implementation);
    let of_state =
        of_one.flat_map(|results| TestState::ALL.iter().map(move |state| (results, *state)));
    group("older", "Older reports", "", of_state)
}

/// Results of one implementation, and the state to list.
type Listed<'s> = (&'s [TestResult<'s, 's>], TestState);

fn group<'s>(
    id: &'static str,
    title: &'static str,
    class: &'static str,
    results: impl Iterator<Item = Listed<'s>>,
) -> Option<Group<'s>> {
    let has_state = |(results, state): &Listed<'_>| results.iter().any(|one| one.state == *state);
    let mut listed: Vec<Listed<'_>> = results.filter(has_state).collect();
    let count = listed.len();
    listed.sort_by_cached_key(|(results, _)| {
        let first = results.first();
        first.map(|one| one.implementation.name.to_lowercase())
    });
    let rows = listed.into_iter().take(MAX_ROWS);
    let rows: Vec<_> = rows
        .filter_map(|(results, state)| row(results, state))
        .collect();
    (count > 0).then_some(Group {
        id,
        title,
        class,
        count,
        rows,
    })
}

fn row<'s>(results: &[TestResult<'s, 's>], state: TestState) -> Option<Row<'s>> {
    let own = results.iter().filter(|one| one.state == state);
    let own: Vec<_> = own.collect();
    let first = own.first()?;
    let mut reports: Vec<_> = own.iter().take(MAX_ROWS).map(|one| run(one)).collect();
    name_alike(&mut reports);
    Some(Row {
        implementation: &first.implementation.name,
        page: paths::implementation_page(&first.implementation.slug),
        since: first.since(),
        state: first.state,
        more: own.len() - reports.len(),
        reports,
    })
}

/// Adds the file name to reports that otherwise have the same text.
fn name_alike(reports: &mut [Run<'_>]) {
    let is_alike = |report: &Run<'_>| {
        let others = reports.iter().filter(|other| other.text() == report.text());
        others.count() > 1
    };
    let alike: Vec<bool> = reports.iter().map(is_alike).collect();
    for (report, is_alike) in reports.iter_mut().zip(alike) {
        if is_alike {
            let parts = [std::mem::take(&mut report.run), report.slug.to_owned()];
            let parts = parts.into_iter().filter(|part| !part.is_empty());
            report.run = Vec::from_iter(parts).join(", ");
        }
    }
}

fn run<'s>(result: &TestResult<'s, 's>) -> Run<'s> {
    let facts = result.report.judged.facts;
    let release = facts.release_text();
    let parts = [facts.channel(), facts.mode()];
    Run {
        page: paths::report_page(&result.implementation.key_of(result.report)),
        version: facts.version().unwrap_or("version not stated"),
        release: release.unwrap_or_else(|| "release unknown".to_owned()),
        run: Vec::from_iter(parts.into_iter().flatten()).join(", "),
        slug: &result.report.slug,
    }
}

fn look(state: TestState) -> (&'static str, &'static str) {
    match state {
        TestState::Failed => ("failed", "bad"),
        TestState::Skipped => ("skipped", "part"),
        TestState::NotSeen => ("not-seen", ""),
        TestState::NotKnown => ("not-known", ""),
        TestState::NotRun => ("not-run", ""),
        TestState::Passed => ("passed", "good"),
    }
}
