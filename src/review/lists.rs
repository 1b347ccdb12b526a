//! Checks a hand-maintained list of implementations against the verdicts. The list is a Markdown
//! page ([`check_page`]) or a folder of `details.yaml` files ([`check_details`]).

mod badge;
mod details;
mod image;
mod items;
mod page;
mod reviewed;

use std::cell::Cell;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::api::Family;
use crate::api::closed_set;
use crate::certify::Certified;
use crate::certify::catalog::{Catalog, Implementation, slug};
use crate::text::joined;
use crate::text::letters;
use crate::text::suggest;

pub use details::check as check_details;
pub use page::{NotAList, check as check_page};
pub use reviewed::{ListContent, ListFile, ListReview, read};

closed_set! {
    /// Kind of problem with a list entry.
    pub enum ProblemKind {
        /// The entry is in the wrong list or must be removed.
        Wrong = "wrong",
        /// No implementation matches the entry.
        Unknown = "unknown",
        /// A conformant or partially conformant implementation has no entry.
        Missing = "missing",
        /// The badge does not match the release or report behind the verdict.
        StaleBadge = "stale-badge",
    }
}

/// Problem with a list entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "OneProblem"))]
pub struct Problem {
    /// Printed path of the file.
    pub path: String,
    /// Line number, from 1. For a missing entry, the line of the heading above its place.
    pub line: Option<u32>,
    /// Kind of problem.
    pub kind: ProblemKind,
    /// Description, with the expected value.
    pub message: String,
    /// Corrected badge lines with link definitions, or lines to add. Null if unknown.
    pub write: Option<String>,
}

struct Known<'c, 'a> {
    catalog: &'c Catalog<'a>,
    by_folder: BTreeMap<String, usize>,
    by_anchor: BTreeMap<String, usize>,
    by_name: BTreeMap<String, Named>,
    /// Number of name comparisons, to limit hostile lists.
    comparisons: Cell<usize>,
}

struct Named {
    /// The display name has rank 0. Only implementations with the lowest rank match.
    rank: usize,
    at: Vec<usize>,
}

const MAX_COMPARISONS: usize = 100;

impl<'c, 'a> Known<'c, 'a> {
    fn new(catalog: &'c Catalog<'a>) -> Self {
        let mut by_folder = BTreeMap::new();
        let mut by_name: BTreeMap<String, Named> = BTreeMap::new();
        for (at, one) in catalog.implementations.iter().enumerate() {
            for report in &one.reports {
                if let Some(folder) = report.judged.facts.submission.file_name() {
                    let folder = folder.to_string_lossy().into_owned();
                    by_folder.entry(folder).or_insert(at);
                }
            }
            for (rank, name) in names(one) {
                let named = by_name.entry(letters(&name)).or_insert(Named {
                    rank,
                    at: Vec::new(),
                });
                if rank < named.rank {
                    *named = Named {
                        rank,
                        at: Vec::new(),
                    };
                }
                if rank == named.rank && named.at.last() != Some(&at) {
                    named.at.push(at);
                }
            }
        }
        let mut by_anchor = BTreeMap::new();
        for (at, one) in catalog.implementations.iter().enumerate() {
            by_anchor.entry(slug(&[&one.slug])).or_insert(at);
        }
        Self {
            catalog,
            by_folder,
            by_anchor,
            by_name,
            comparisons: Cell::new(MAX_COMPARISONS),
        }
    }

    fn get(&self, at: usize) -> Option<&'c Implementation<'a>> {
        self.catalog.implementations.get(at)
    }

    fn in_folder(&self, folder: &str) -> Option<&'c Implementation<'a>> {
        self.get(*self.by_folder.get(folder)?)
    }

    fn with_anchor(&self, anchor: &str) -> Option<&'c Implementation<'a>> {
        self.get(*self.by_anchor.get(anchor)?)
    }

    fn all_named(&self, name: &str) -> Vec<&'c Implementation<'a>> {
        let named = self.by_name.get(&letters(name)).into_iter();
        let places = named.flat_map(|named| &named.at);
        places.filter_map(|at| self.get(*at)).collect()
    }

    fn named_in_full(&self, name: &str) -> Option<&'c Implementation<'a>> {
        let named = self.by_name.get(&letters(name))?;
        self.named(name).filter(|_| named.rank < PROJECT)
    }

    fn named(&self, name: &str) -> Option<&'c Implementation<'a>> {
        match self.all_named(name).as_slice() {
            [one] => Some(one),
            _ => None,
        }
    }

    fn why_unknown(&self, name: &str) -> String {
        let all = self.all_named(name);
        if all.is_empty() {
            let near = self.near(name);
            let hint = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            return format!("no implementation of the tree has this name{hint}");
        }
        let names: Vec<String> = all.iter().map(|one| format!("`{}`", one.slug)).collect();
        format!(
            "{} have this name; link it to a section with a badge that links to the reports of one",
            joined(&names, "and")
        )
    }

    fn near(&self, name: &str) -> Option<String> {
        self.comparisons.set(self.comparisons.get().checked_sub(1)?);
        let all = self.catalog.implementations.iter();
        let names: Vec<String> = all.flat_map(names).map(|(_, name)| name).collect();
        suggest::nearest(name, names.iter().map(String::as_str)).map(str::to_owned)
    }
}

const PROJECT: usize = 2;

fn names(one: &Implementation<'_>) -> Vec<(usize, String)> {
    let full = one.names().flat_map(|(organization, project)| {
        [
            (1, format!("{organization}/{project}")),
            (PROJECT, project.to_owned()),
        ]
    });
    let own = [one.name.clone(), one.slug.clone()].into_iter();
    let own = own.chain(one.aliases.iter().cloned()).map(|name| (0, name));
    own.chain(full).collect()
}

fn current<'c, 'a>(
    catalog: &'c Catalog<'a>,
    family: Family,
) -> Vec<(&'c Implementation<'a>, &'c Certified)> {
    let all = catalog.implementations.iter();
    let with_verdict = all.filter_map(|one| Some((one, one.family(family)?)));
    let mut current: Vec<_> = with_verdict
        .filter(|(_, certified)| certified.standing.is_current())
        .collect();
    current.sort_by_cached_key(|(one, _)| (one.name.to_lowercase(), one.slug.clone()));
    current
}
