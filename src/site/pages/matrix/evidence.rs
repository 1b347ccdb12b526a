//! Prepares test results for `site/matrix.js`. Each page contains the test names once, and rows
//! refer to them by index. Columns list only the tests that did not pass.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Place;
use crate::site::model::{MatrixRow, MatrixView};
use crate::site::pages::layout::SiteContext;
use gwconform_base::api::Version;
use gwconform_base::text::numbers;
use gwconform_report::certify::catalog::{ShownTests, TestState};

pub(super) struct Evidence<'s> {
    pub(super) names: String,
    /// Distinct lists of tests by feature. Index 0 is the list of the first column.
    lists: Vec<Lists<'s>>,
    columns: BTreeMap<usize, Column>,
}

type Lists<'s> = BTreeMap<&'s str, Vec<usize>>;

struct Column {
    list: usize,
    shown: String,
}

impl<'s> Evidence<'s> {
    pub(super) fn of(
        site: &'s SiteContext<'_>,
        matrix: &MatrixView<'_>,
        columns: &[Place],
    ) -> Self {
        let shown: Vec<(usize, ShownTests<'s>)> = columns
            .iter()
            .filter_map(|place| {
                let column = matrix.columns.get(place.at)?;
                let proofs = &site.model.catalog.proofs;
                let shown = proofs.shown_tests(column.report.facts(), column.profile)?;
                Some((place.at, shown))
            })
            .collect();
        let suites: BTreeMap<_, &ShownTests<'s>> = shown
            .iter()
            .map(|(_, shown)| (shown.suite, shown))
            .collect();
        let names: BTreeSet<&str> = suites
            .values()
            .flat_map(|suite| suite.all().map(|(name, _)| name))
            .collect();
        let places: HashMap<&str, usize> = names.iter().copied().zip(0..).collect();
        let mut lists: Vec<Lists<'s>> = Vec::new();
        let mut list_of: BTreeMap<&(Version, String), usize> = BTreeMap::new();
        let columns = shown.iter().map(|(at, shown)| {
            let list = *list_of.entry(shown.suite).or_insert_with(|| {
                let list = list(shown, &places);
                let known = lists.iter().position(|known| *known == list);
                known.unwrap_or_else(|| {
                    lists.push(list);
                    lists.len() - 1
                })
            });
            let shown = not_passed(shown, &places);
            (*at, Column { list, shown })
        });
        let columns = columns.collect();
        Self {
            names: serde_json::to_string(&names).unwrap_or_default(),
            lists,
            columns,
        }
    }

    /// Index of the list that a column uses. `None` for the first list, and `none` if the tests are
    /// unknown.
    pub(super) fn list(&self, column: usize) -> Option<String> {
        match self.columns.get(&column) {
            Some(column) => (column.list > 0).then(|| column.list.to_string()),
            None => Some("none".to_owned()),
        }
    }

    /// Tests that did not pass, such as `skipped:3 5;not-seen:7`.
    pub(super) fn shown(&self, column: usize) -> Option<&str> {
        let shown = self.columns.get(&column)?.shown.as_str();
        (!shown.is_empty()).then_some(shown)
    }

    /// Tests of a row, then the lists of columns with other tests, such as `1 2 3|1:1 2`. Empty if
    /// the feature has no tests.
    pub(super) fn tests(&self, row: &MatrixRow<'_>) -> String {
        let of = |lists: &Lists<'_>| numbers(lists.get(row.feature).into_iter().flatten());
        let first = self.lists.first().map_or_else(String::new, of);
        let mut text = first.clone();
        for (at, lists) in self.lists.iter().enumerate().skip(1) {
            let own = of(lists);
            if own != first {
                text.push_str(&format!("|{at}:{own}"));
            }
        }
        text
    }
}

fn list<'s>(suite: &ShownTests<'s>, places: &HashMap<&str, usize>) -> Lists<'s> {
    let place = |name: &str| places.get(name).copied();
    let by_feature = suite.by_feature();
    by_feature
        .map(|(feature, tests)| (feature, tests.filter_map(place).collect()))
        .collect()
}

fn not_passed(shown: &ShownTests<'_>, places: &HashMap<&str, usize>) -> String {
    let mut by_state: BTreeMap<TestState, BTreeSet<usize>> = BTreeMap::new();
    for (name, state) in shown.all() {
        if state != TestState::Passed {
            by_state.entry(state).or_default().extend(places.get(name));
        }
    }
    let states = by_state.iter();
    let shown = states.map(|(state, places)| format!("{}:{}", state.as_str(), numbers(places)));
    shown.collect::<Vec<_>>().join(";")
}
