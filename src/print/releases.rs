//! Output of `releases` and `releases diff`.

use std::collections::BTreeMap;

use serde::Serialize;

use super::page::{Page, code, names, words};
use gwconform_base::api::{Minor, Version};
use gwconform_base::release::{FieldChange, NameChange, Registry, Release, ReleaseChanges};
use gwconform_base::text::{counted, joined};

/// Output of `gwconform releases --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Known releases"))]
pub struct Releases<'r> {
    #[serde(skip)]
    newest: Option<&'r Version>,
    /// Known releases, sorted by version.
    releases: Vec<OneRelease<'r>>,
}

/// A release, with an overview of its data.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct OneRelease<'r> {
    /// Release, such as `v1.5.1`.
    release: &'r Version,
    /// Minor that the release belongs to, such as `v1.5`.
    minor: Minor,
    /// Date of the tag; null if the data was extracted from sources without a tag.
    #[cfg_attr(test, schemars(extend("format" = "date")))]
    date: Option<String>,
    /// False for a prerelease or a release without a date.
    released: bool,
    /// Older release with the same data; null if the data differs.
    same_as: Option<&'r Version>,
    /// Numbers of names that the release declares.
    counts: NameCounts,
    /// Notes on the release data, one sentence each.
    notes: &'r [String],
}

/// Numbers of names that a release declares.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct NameCounts {
    /// Number of features.
    features: usize,
    /// Number of profiles.
    profiles: usize,
    /// Number of tests.
    tests: usize,
}

impl<'r> Releases<'r> {
    /// Lists the releases in a registry.
    pub fn new(registry: &'r Registry) -> Self {
        let releases = registry.releases().iter().map(|release| OneRelease {
            release: release.version(),
            minor: release.version().minor(),
            date: release.date().map(|date| date.to_string()),
            released: release.is_released(),
            same_as: release.same_as(),
            counts: NameCounts {
                features: release.features().count(),
                profiles: release.profiles().count(),
                tests: release.tests().count(),
            },
            notes: release.notes(),
        });
        Self {
            newest: registry.newest().map(Release::version),
            releases: releases.collect(),
        }
    }
}

/// Renders the releases as a table.
pub fn list_page(listed: &Releases<'_>) -> Page {
    let mut page = Page::default();
    let rows = listed.releases.iter().map(|one| {
        let note = match (one.same_as, one.released) {
            (_, false) => "not released".to_owned(),
            (Some(other), true) => format!("the same as {other}"),
            (None, true) => String::new(),
        };
        let counts = &one.counts;
        let [features, profiles, tests] =
            [counts.features, counts.profiles, counts.tests].map(|count| words(count.to_string()));
        let date = one.date.as_deref().unwrap_or("-");
        let release = words(one.release.to_string());
        vec![release, date.into(), features, profiles, tests, note.into()].into()
    });
    page.table(&LIST_HEAD, rows.collect());
    let mut minors: Vec<Minor> = listed.releases.iter().map(|one| one.minor).collect();
    minors.dedup();
    page.gap();
    let newest = listed.newest.map(ToString::to_string);
    page.paragraph(format!(
        "{} of {}; newest: {}",
        counted(listed.releases.len(), "release"),
        counted(minors.len(), "minor"),
        newest.as_deref().unwrap_or("none")
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
    previous_release: Version,
    /// Newer release, as resolved from the command line.
    release: Version,
    /// Explains how the requested releases were resolved; empty for exact versions.
    notes: Vec<String>,
    #[serde(flatten)]
    changes: ReleaseChanges,
}

impl Comparison {
    /// Compares two releases of a registry.
    pub fn new(registry: &Registry, before: &Release, after: &Release, notes: Vec<String>) -> Self {
        Self {
            previous_release: before.version().clone(),
            release: after.version().clone(),
            notes,
            changes: registry.compare(before, after),
        }
    }
}

/// Renders additions, changes and removals, grouped by kind.
pub fn changes_page(comparison: &Comparison) -> Page {
    let Comparison {
        previous_release,
        release,
        changes,
        ..
    } = comparison;
    let mut page = Page::default();
    page.heading(1, format!("Changes from {previous_release} to {release}"));
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
        ("profile", &changes.profile_changes),
        ("feature", &changes.feature_changes),
        ("test", &changes.test_changes),
    ];
    for (kind, names) in kinds {
        add_names(&mut page, kind, "New", &names.added, of_new);
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
    let value = change.new.clone();
    let value = value.unwrap_or_else(|| change.added.join(", "));
    format!("{}: {value}", change.field)
}

fn of_changed(change: &FieldChange) -> String {
    let field = change.field;
    if change.added.is_empty() && change.removed.is_empty() {
        let new = change.new.as_deref().unwrap_or("none");
        let old = change.old.as_deref().unwrap_or("none");
        return format!("{field}: {new}, was {old}");
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
