//! Renders `/compare/`, which shows implementations or reports side by side. `site/compare.js`
//! fills the table from `api/v1/support.json`.

use std::collections::{BTreeMap, BTreeSet};

use askama::Template;

use super::find::{Matrices, matrices};
use super::layout::{self, Head, SiteContext};
use super::mark;
use crate::site::File;
use crate::site::paths;
use gwconform_base::text::numbers;

#[derive(Template)]
#[template(path = "compare.html")]
struct ComparePage<'s> {
    head: Head<'s>,
    marks: String,
    choices: Vec<Choice<'s>>,
    example: Option<Example<'s>>,
    matrices: Matrices<'s>,
}

struct Choice<'s> {
    slug: &'s str,
    name: &'s str,
    /// Report behind the verdict, or else the newest report.
    report: &'s str,
    /// Paths of former names, separated by spaces.
    aliases: String,
    /// Indexes of the `support` data files with reports of the implementation, from 0. Empty if
    /// there is only one file.
    parts: String,
}

struct Example<'s> {
    names: Vec<&'s str>,
    query: String,
}

pub(super) fn files(site: &SiteContext<'_>) -> Vec<File> {
    let parts = parts(site);
    let mut choices: Vec<_> = site
        .model
        .implementations
        .iter()
        .map(|implementation| {
            let basis = implementation.families.first().map(|verdict| verdict.basis);
            Choice {
                slug: implementation.slug,
                name: implementation.name,
                report: &basis.unwrap_or(implementation.newest).id,
                aliases: implementation.entry.aliases.join(" "),
                parts: parts
                    .get(implementation.slug)
                    .map_or_else(String::new, numbers),
            }
        })
        .collect();
    choices.sort_by_cached_key(|choice| (choice.name.to_lowercase(), choice.slug));
    let about = "Compare implementations of the Gateway API or their reports side by side, differences first.";
    let page = ComparePage {
        head: site
            .head(paths::COMPARE_PAGE, "Compare implementations", about)
            .with_scripts(&[&site.assets.compare]),
        marks: mark::for_scripts(),
        example: example(site),
        choices,
        matrices: matrices(site),
    };
    vec![layout::file(paths::COMPARE_PAGE, &page)]
}

fn parts<'s>(site: &'s SiteContext<'_>) -> BTreeMap<&'s str, BTreeSet<usize>> {
    let mut found: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    let parts = &site.model.parts.all;
    if parts.len() > 1 {
        for (at, reports) in parts.iter().enumerate() {
            for report in reports {
                let slug = report.implementation.slug.as_str();
                found.entry(slug).or_default().insert(at);
            }
        }
    }
    found
}

fn example<'s>(site: &'s SiteContext<'_>) -> Option<Example<'s>> {
    let mut best: Vec<_> = site.model.implementations.iter().collect();
    best.sort_by_cached_key(|implementation| {
        let newest = implementation
            .counts
            .last()
            .map(|counts| (counts.minor, counts.extended));
        std::cmp::Reverse((implementation.standing(), newest))
    });
    best.truncate(3);
    if best.len() < 2 {
        return None;
    }
    let query: Vec<_> = best
        .iter()
        .map(|implementation| format!("i={}", implementation.slug))
        .collect();
    Some(Example {
        names: best
            .iter()
            .map(|implementation| implementation.name)
            .collect(),
        query: format!("?{}", query.join("&")),
    })
}
