//! Output of `releases` and `releases diff`.

use std::collections::BTreeMap;

use serde::Serialize;

use super::page::{Page, code, names, words};
use gwconform_base::api::Version;
use gwconform_base::release::{FieldChange, NameChange, Registry, Release, ReleaseChanges};
use gwconform_base::text::{counted, joined};

/// Output of `gwconform releases --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Known releases"))]
pub struct Releases {
    /// Newest published release, such as `v1.6.1`.
    newest: Option<String>,
    /// Known releases, sorted by version.
    releases: Vec<OneRelease>,
}

/// A release, with an overview of its data.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct OneRelease {
    /// Release, such as `v1.5.1`.
    release: String,
    /// Minor that the release belongs to, such as `v1.5`.
    minor: String,
    /// Date of the tag; null if the data was extracted from sources without a tag.
    date: Option<String>,
    /// False for a prerelease or a release without a date.
    is_released: bool,
    /// Older release with the same data; null if the data differs.
    same_as: Option<String>,
    /// Number of features in the release.
    features: usize,
    /// Number of profiles in the release.
    profiles: usize,
    /// Number of tests in the release.
    tests: usize,
    /// Notes on the release data, one sentence each.
    notes: Vec<String>,
}

impl Releases {
    /// Lists the releases in a registry.
    pub fn new(registry: &Registry) -> Self {
        let version = |release: &Release| release.version().to_string();
        let releases = registry.releases().iter().map(|release| OneRelease {
            release: version(release),
            minor: release.version().minor().to_string(),
            date: release.date().map(|date| date.to_string()),
            is_released: release.is_released(),
            same_as: release.same_as().map(ToString::to_string),
            features: release.features().count(),
            profiles: release.profiles().count(),
            tests: release.tests().count(),
            notes: release.notes().to_vec(),
        });
        Self {
            newest: registry.newest().map(version),
            releases: releases.collect(),
        }
    }
}

/// Renders the releases as a table.
pub fn list_page(listed: &Releases) -> Page {
    let mut page = Page::default();
    let rows = listed.releases.iter().map(|one| {
        let note = match (&one.same_as, one.is_released) {
            (_, false) => "not released".to_owned(),
            (Some(other), true) => format!("the same as {other}"),
            (None, true) => String::new(),
        };
        let [features, profiles, tests] =
            [one.features, one.profiles, one.tests].map(|count| words(count.to_string()));
        let date = one.date.as_deref().unwrap_or("-");
        let release = one.release.as_str().into();
        vec![release, date.into(), features, profiles, tests, note.into()].into()
    });
    page.table(&LIST_HEAD, rows.collect());
    let mut minors: Vec<&str> = listed
        .releases
        .iter()
        .map(|one| one.minor.as_str())
        .collect();
    minors.dedup();
    page.gap();
    page.paragraph(format!(
        "{} of {}; newest: {}",
        counted(listed.releases.len(), "release"),
        counted(minors.len(), "minor"),
        listed.newest.as_deref().unwrap_or("none")
    ));
    page
}

const LIST_HEAD: [&str; 6] = ["Release", "Date", "Features", "Profiles", "Tests", "Note"];

/// Output of `gwconform releases diff --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Differences between two releases"))]
pub struct Comparison {
    /// Older release, as resolved from the command line.
    from: Version,
    /// Newer release, as resolved from the command line.
    to: Version,
    /// Explains how the requested releases were resolved; empty for exact versions.
    notes: Vec<String>,
    #[serde(flatten)]
    changes: ReleaseChanges,
}

impl Comparison {
    /// Compares two releases of a registry.
    pub fn new(registry: &Registry, before: &Release, after: &Release, notes: Vec<String>) -> Self {
        Self {
            from: before.version().clone(),
            to: after.version().clone(),
            notes,
            changes: registry.compare(before, after),
        }
    }
}

/// Renders additions, changes and removals, grouped by kind.
pub fn changes_page(comparison: &Comparison) -> Page {
    let Comparison {
        from, to, changes, ..
    } = comparison;
    let mut page = Page::default();
    page.heading(1, format!("Changes from {from} to {to}"));
    for note in &comparison.notes {
        page.paragraph(note.as_str());
    }
    if changes.is_empty() {
        page.gap();
        page.paragraph("None");
    }
    if !changes.general.is_empty() {
        page.heading(3, "General");
    }
    for field in &changes.general {
        page.item(of_changed(field));
    }
    let kinds = [
        ("profile", &changes.profiles),
        ("feature", &changes.features),
        ("test", &changes.tests),
    ];
    for (kind, names) in kinds {
        add_names(&mut page, kind, "New", &names.new, of_new);
        add_names(&mut page, kind, "Changed", &names.changed, of_changed);
        if !names.removed.is_empty() {
            page.heading(3, format!("Removed {kind}s: {}", names.removed.len()));
        }
        for name in &names.removed {
            page.item(code(name));
        }
    }
    page
}

fn of_new(change: &FieldChange) -> String {
    let value = change.after.clone();
    let value = value.unwrap_or_else(|| change.added.join(", "));
    format!("{}: {value}", change.field)
}

fn of_changed(change: &FieldChange) -> String {
    let field = change.field;
    if change.added.is_empty() && change.removed.is_empty() {
        let after = change.after.as_deref().unwrap_or("none");
        let before = change.before.as_deref().unwrap_or("none");
        return format!("{field}: {after}, was {before}");
    }
    let part = |words: &str, names: &[String]| {
        (!names.is_empty()).then(|| format!("{words} {}", joined(names, "and")))
    };
    let parts = [
        part("now also", &change.added),
        part("no longer", &change.removed),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!("{field}: {}", parts.join("; "))
}

fn add_names(
    page: &mut Page,
    kind: &str,
    title: &str,
    changes: &[NameChange],
    fact: fn(&FieldChange) -> String,
) {
    if !changes.is_empty() {
        page.heading(3, format!("{title} {kind}s: {}", changes.len()));
    }
    for (facts, changes) in groups(changes, fact) {
        page.item(match changes.as_slice() {
            [change] => match &change.renamed_from {
                Some(older) => code(&change.name).with(words(", was ")).with(code(older)),
                None => code(&change.name),
            },
            changes => words(counted(changes.len(), kind)),
        });
        for fact in facts {
            page.subitem(fact);
        }
        if changes.len() > 1 {
            let all = names(changes.iter().map(|change| &change.name));
            page.subitem(words("names: ").with(all));
        }
    }
}

fn groups(
    names: &[NameChange],
    fact: fn(&FieldChange) -> String,
) -> Vec<(Vec<String>, Vec<&NameChange>)> {
    let mut groups: Vec<(Vec<String>, Vec<&NameChange>)> = Vec::new();
    let mut places: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    for name in names {
        let facts: Vec<String> = name.fields.iter().map(fact).collect();
        let is_alone = facts.is_empty() || name.renamed_from.is_some();
        let place = places.get(&facts).filter(|_| !is_alone);
        if let Some((_, names)) = place.and_then(|&at| groups.get_mut(at)) {
            names.push(name);
            continue;
        }
        if !is_alone {
            places.insert(facts.clone(), groups.len());
        }
        groups.push((facts, vec![name]));
    }
    groups
}
