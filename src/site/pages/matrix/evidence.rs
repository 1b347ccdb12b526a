//! Prepares test results for `site/matrix.js`. Each page contains the test names once, and rows
//! refer to them by index. Columns list only the tests that did not pass.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::Place;
use crate::certify::catalog::{ShownTests, TestState};
use crate::site::model::{MatrixRow, MatrixView};
use crate::site::pages::page::SiteContext;
use crate::text::numbers;

pub(super) struct Evidence<'s> {
    pub(super) names: String,
    places: HashMap<&'s str, usize>,
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
        let tests = shown.iter().flat_map(|(_, by_feature)| by_feature.values());
        let names: HashSet<&str> = tests.flatten().map(|(name, _)| *name).collect();
        let mut names: Vec<&str> = names.into_iter().collect();
        names.sort_unstable();
        let places = names.iter().copied().zip(0..).collect();
        let mut evidence = Self {
            names: serde_json::to_string(&names).unwrap_or_default(),
            places,
            lists: Vec::new(),
            columns: BTreeMap::new(),
        };
        for (at, by_feature) in shown {
            let column = evidence.column(&by_feature);
            evidence.columns.insert(at, column);
        }
        evidence
    }

    fn column(&mut self, by_feature: &ShownTests<'s>) -> Column {
        let place = |name: &str| self.places.get(name).copied();
        let lists: Lists<'s> = by_feature
            .iter()
            .map(|(feature, tests)| {
                let places = tests.iter().filter_map(|(name, _)| place(name));
                (*feature, places.collect())
            })
            .collect();
        let mut by_state: BTreeMap<TestState, BTreeSet<usize>> = BTreeMap::new();
        for (name, state) in by_feature.values().flatten() {
            if *state != TestState::Passed {
                by_state.entry(*state).or_default().extend(place(name));
            }
        }
        let shown = by_state
            .iter()
            .map(|(state, places)| format!("{}:{}", state.as_str(), numbers(places)));
        let known = self.lists.iter().position(|known| *known == lists);
        Column {
            shown: shown.collect::<Vec<_>>().join(";"),
            list: known.unwrap_or_else(|| {
                self.lists.push(lists);
                self.lists.len() - 1
            }),
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
