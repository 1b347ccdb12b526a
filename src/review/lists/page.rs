//! Checks a Markdown page with `### Conformant` and `### Partially Conformant` below `## … Status`
//! for each family, and one section with a badge per implementation.

use std::collections::{BTreeMap, BTreeSet};

use super::badge::{self, Badge};
use super::items::{Item, items, links_in};
use super::{Known, Problem, ProblemKind, current};
use crate::api::Family;
use crate::certify::Standing;
use crate::certify::catalog::{Catalog, Implementation, slug};
use crate::text::escape::markdown_text;
use crate::text::letters;
use crate::text::source::{Source, Span};
use crate::tree::readme::{self, Bound, Readme};

/// Limit for hostile pages. The Gateway API page lists about 40.
const MAX_ITEMS: usize = 5_000;

/// Reason why a page cannot be checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAList {
    /// The page does not have the expected headings.
    #[error(
        "not a list of implementations; expected a heading such as `## Gateway Status`, and below it \
         `### Conformant` or `### Partially Conformant`"
    )]
    NoHeading,
    /// The page has too many list items.
    #[error("the lists have more than {MAX_ITEMS} items")]
    TooLong,
    /// A parser limit was exceeded.
    #[error("the page is too large or too deeply nested: some {} would not be read", .0.as_str())]
    TooMany(Bound),
}

/// Problems in line order.
pub fn check(source: &Source, catalog: &Catalog<'_>) -> Result<Vec<Problem>, NotAList> {
    let readme = readme::parse(source.text());
    if let Some(&bound) = readme.truncated.first() {
        return Err(NotAList::TooMany(bound));
    }
    let page = Page::new(source, &readme, catalog);
    if page.lists.is_empty() {
        return Err(NotAList::NoHeading);
    }
    if page
        .lists
        .iter()
        .map(|list| list.items.len())
        .sum::<usize>()
        > MAX_ITEMS
    {
        return Err(NotAList::TooLong);
    }
    let entries = page.entries();
    let mut problems = Vec::new();
    let mut listed = BTreeSet::new();
    for list in &page.lists {
        for item in &list.items {
            problems.extend(page.check_item(list, item, &mut listed));
        }
    }
    for family in [Family::Gateway, Family::Mesh] {
        problems.extend(page.missing(family, &listed, &entries));
    }
    problems.extend(page.badges());
    problems.sort_by_key(|problem| problem.line);
    Ok(problems)
}

struct List<'t> {
    family: Family,
    standing: Standing,
    heading: Span,
    items: Vec<Item<'t>>,
}

struct Page<'p, 'c, 'a> {
    source: &'p Source,
    readme: &'p Readme,
    known: Known<'c, 'a>,
    lists: Vec<List<'p>>,
    parts: Vec<(Family, Span)>,
    sections: BTreeMap<String, usize>,
    folders: BTreeMap<usize, String>,
}

impl<'p, 'c, 'a> Page<'p, 'c, 'a> {
    fn new(source: &'p Source, readme: &'p Readme, catalog: &'c Catalog<'a>) -> Self {
        let (mut lists, mut parts) = (Vec::new(), Vec::new());
        let mut sections = BTreeMap::new();
        for (at, section) in readme.sections.iter().enumerate() {
            let Some(heading) = readme.heading_of(at) else {
                continue;
            };
            if let Some(family) = family_of(readme, at) {
                parts.push((family, heading.block));
                continue;
            }
            let family = section.parent.and_then(|parent| family_of(readme, parent));
            let Some(family) = family else {
                sections.entry(letters(&heading.text)).or_insert(at);
                for anchor in anchors(source.slice(heading.block)) {
                    sections.entry(letters(anchor)).or_insert(at);
                }
                continue;
            };
            // Titles can have a suffix, such as `### Conformant (latest releases)`.
            let title = letters(&heading.text);
            let standing = if title.starts_with("conformant") {
                Standing::Conformant
            } else if title.starts_with("partiallyconformant") {
                Standing::PartiallyConformant
            } else {
                continue;
            };
            lists.push(List {
                family,
                standing,
                heading: heading.block,
                items: items(source, readme, section),
            });
        }
        let known = Known::new(catalog);
        let mut folders = BTreeMap::new();
        for &at in sections.values() {
            let badges = badges_of(source, readme, at).into_iter();
            let mut badges = badges.filter_map(|badge| badge.folder);
            if let Some(folder) = badges.find(|folder| known.in_folder(folder).is_some()) {
                folders.insert(at, folder);
            }
        }
        Self {
            source,
            readme,
            known,
            lists,
            parts,
            sections,
            folders,
        }
    }

    fn problem(&self, at: Option<usize>, kind: ProblemKind, message: String) -> Problem {
        Problem {
            path: self.source.path().to_owned(),
            line: at.map(|at| self.source.position(at).line),
            kind,
            message,
            write: None,
        }
    }

    /// Finds the implementation by full name, folder in the badge link, anchor, or project. Anchors
    /// are derived as in `gwconform export list`.
    fn implementation(&self, item: &Item<'_>) -> Option<&'c Implementation<'a>> {
        let section = self.section_of(item);
        let folder = section.and_then(|at| self.folders.get(&at));
        let by_folder = || folder.and_then(|folder| self.known.in_folder(folder));
        let anchor = item.fragment.as_deref();
        let by_anchor = || anchor.and_then(|anchor| self.known.with_anchor(anchor));
        let in_full = self.known.named_in_full(&item.name);
        in_full
            .or_else(by_folder)
            .or_else(by_anchor)
            .or_else(|| self.known.named(&item.name))
    }

    fn section_of(&self, item: &Item<'_>) -> Option<usize> {
        let by_fragment = item.fragment.as_deref().map(letters);
        let found = by_fragment.and_then(|letters| self.sections.get(&letters));
        found
            .or_else(|| self.sections.get(&letters(&item.name)))
            .copied()
    }

    fn check_item(
        &self,
        list: &List<'_>,
        item: &Item<'_>,
        listed: &mut BTreeSet<(Family, String)>,
    ) -> Option<Problem> {
        let name = &item.name;
        let at = Some(item.start);
        let Some(one) = self.implementation(item) else {
            let message = format!("`{name}`: {}", self.known.why_unknown(name));
            return Some(self.problem(at, ProblemKind::Unknown, message));
        };
        let is_first = listed.insert((list.family, one.slug.clone()));
        let wrong = |message| Some(self.problem(at, ProblemKind::Wrong, message));
        let family = list.family.as_str();
        match one.family(list.family) {
            None => wrong(format!(
                "`{name}` is listed as a {family}; expected no entry: it has no {family} report"
            )),
            Some(certified) if !certified.standing.is_current() => wrong(format!(
                "`{name}` is listed as {}; expected no entry: {} ({})",
                list.standing.words(),
                certified.standing.words(),
                certified.reason
            )),
            Some(certified) if certified.standing != list.standing => Some(Problem {
                write: Some(item.line.to_owned()),
                ..self.problem(
                    at,
                    ProblemKind::Wrong,
                    format!(
                        "`{name}` is listed as {}; expected below `{}`: {}",
                        list.standing.words(),
                        title(certified.standing),
                        certified.reason
                    ),
                )
            }),
            Some(_) if !is_first => wrong(format!("`{name}` is listed as a {family} twice")),
            Some(_) => None,
        }
    }

    fn missing(
        &self,
        family: Family,
        listed: &BTreeSet<(Family, String)>,
        entries: &BTreeMap<&str, &str>,
    ) -> Vec<Problem> {
        let all = current(self.known.catalog, family).into_iter();
        let missing = all.filter(|(one, _)| !listed.contains(&(family, one.slug.clone())));
        let problem = |(one, certified): (&Implementation<'_>, &crate::certify::Certified)| {
            let is_own =
                |list: &&List<'_>| list.family == family && list.standing == certified.standing;
            let list = self.lists.iter().find(is_own).map(|list| list.heading);
            let part = || {
                let part = self.parts.iter().find(|(of, _)| *of == family);
                part.map(|(_, heading)| *heading)
            };
            let heading = list.or_else(part);
            let message = format!(
                "`{}` is missing; expected in the {} list, below `{}`: {}",
                one.name,
                family.as_str(),
                title(certified.standing),
                certified.reason
            );
            let at = heading.map(|heading| heading.start as usize);
            let entry = match entries.get(one.slug.as_str()) {
                Some(line) => (*line).to_owned(),
                None => format!("- [{}](#{})", markdown_text(&one.name), slug(&[&one.name])),
            };
            Problem {
                write: Some(entry),
                ..self.problem(at, ProblemKind::Missing, message)
            }
        };
        missing.map(problem).collect()
    }

    fn entries(&self) -> BTreeMap<&'c str, &'p str> {
        let mut entries = BTreeMap::new();
        for item in self.lists.iter().flat_map(|list| &list.items) {
            if let Some(one) = self.implementation(item) {
                entries.entry(one.slug.as_str()).or_insert(item.line);
            }
        }
        entries
    }

    fn check_badge(&self, section: &str, badge: &Badge) -> Option<Problem> {
        let problem = |kind, message| Some(self.problem(Some(badge.start), kind, message));
        let folder = badge.folder.as_deref();
        let by_folder = folder.and_then(|folder| self.known.in_folder(folder));
        let one = match (by_folder, self.known.named_in_full(section)) {
            (Some(one), Some(named)) if one.slug != named.slug => {
                let message = format!(
                    "the badge in the section of `{}` links to the reports of `{}`",
                    named.name, one.name
                );
                return problem(ProblemKind::StaleBadge, message);
            }
            (None, None) if folder.is_some() && self.known.named(section).is_none() => {
                let target = &badge.target;
                let message =
                    format!("the badge links to `{target}`, which is not a submission in the tree");
                return problem(ProblemKind::Unknown, message);
            }
            (one, _) => one.or_else(|| self.known.named(section))?,
        };
        let (message, write) = badge.stale(self.source, one)?;
        Some(Problem {
            write,
            ..self.problem(Some(badge.start), ProblemKind::StaleBadge, message)
        })
    }

    fn badges(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        for (at, _) in self.readme.sections.iter().enumerate() {
            let heading = self.readme.heading_of(at);
            let name = heading.map_or("", |heading| heading.text.as_str());
            for badge in badges_of(self.source, self.readme, at) {
                problems.extend(self.check_badge(name, &badge));
            }
        }
        problems
    }
}

/// `id` and `name` in a heading, such as `<a name="gateways"></a>` or `{#gateways}`.
fn anchors(heading: &str) -> impl Iterator<Item = &str> {
    let starts = ["id=\"", "name=\"", "{#"].into_iter();
    starts.filter_map(|start| {
        let (_, rest) = heading.split_once(start)?;
        rest.split(['"', '}']).next()
    })
}

fn badges_of(source: &Source, readme: &Readme, section: usize) -> Vec<Badge> {
    let section = readme.sections.get(section);
    section.map_or_else(Vec::new, |section| {
        badge::all(source, links_in(readme, section.own), section.own)
    })
}

fn family_of(readme: &Readme, section: usize) -> Option<Family> {
    let heading = readme.heading_of(section)?;
    let text = letters(&heading.text);
    (heading.level == 2 && text.ends_with("status")).then(|| match text.contains("mesh") {
        true => Family::Mesh,
        false => Family::Gateway,
    })
}

fn title(standing: Standing) -> &'static str {
    match standing {
        Standing::Conformant => "### Conformant",
        _ => "### Partially Conformant",
    }
}
