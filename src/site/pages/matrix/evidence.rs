//! The tests behind the cells of a matrix, in few bytes: their names once for a page, for each row the places
//! of its tests among them, for each column those that did not simply pass. `site/matrix.js` reads it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::Place;
use crate::certify::catalog::{ShownTests, TestState};
use crate::site::model::{MatrixRow, MatrixView};
use crate::site::pages::page::SiteContext;
use crate::text::numbers;

/// The tests of the columns of a page.
pub(super) struct Evidence<'s> {
    /// The names of all tests, as a list in JSON.
    pub(super) names: String,
    places: HashMap<&'s str, usize>,
    /// The tests of features: those of the first column, and of others that differ.
    lists: Vec<Lists<'s>>,
    columns: BTreeMap<usize, Column>,
}

/// The tests of each feature, by their places among the names.
type Lists<'s> = BTreeMap<&'s str, Vec<usize>>;

struct Column {
    /// Its place in [`Evidence::lists`].
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
            // A list of strings has nothing that JSON could not say.
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

    /// Which list of the rows a column has, where that is not the first: `none` where its tests are not known.
    pub(super) fn list(&self, column: usize) -> Option<String> {
        match self.columns.get(&column) {
            Some(column) => (column.list > 0).then(|| column.list.to_string()),
            None => Some("none".to_owned()),
        }
    }

    /// The tests of a column that did not simply pass: `skipped:3 5;not-seen:7`.
    pub(super) fn shown(&self, column: usize) -> Option<&str> {
        let shown = self.columns.get(&column)?.shown.as_str();
        (!shown.is_empty()).then_some(shown)
    }

    /// The tests of a row, and those of columns that have others: `1 2 3|1:1 2`. Empty where it has none.
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
