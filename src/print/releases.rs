//! The known releases, and what changed between two of them, for people and programs. As in
//! [`super::json`], fields are only ever added, and `version` changes when one changes its meaning.

mod changes;
mod human;

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Serialize;

use crate::release::{
    ContentChange, FieldChange, NameChange, NameChanges, Registry, Release, ReleaseChanges,
};
use crate::report::schema;
use crate::text::joined;

pub use changes::{write_human as write_changes_human, write_markdown as write_changes_markdown};
pub use human::write_list as write_list_human;

/// What `gwconform releases --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "Known releases", transform = schema::with_id("releases"))]
pub struct Releases {
    /// Version of this format.
    #[schemars(extend("const" = 1))]
    version: u32,
    /// The newest release that is out.
    newest: Option<String>,
    /// By version.
    releases: Vec<OneRelease>,
}

/// A release.
#[derive(Debug, Serialize, JsonSchema)]
struct OneRelease {
    /// The release.
    release: String,
    /// The minor that it is a patch of.
    minor: String,
    /// The day its tag was made; null for facts of sources without a tag.
    date: Option<String>,
    /// False for a prerelease and for facts without a date.
    is_released: bool,
    /// The older release whose facts it repeats.
    same_as: Option<String>,
    /// How many features it has.
    features: usize,
    /// How many profiles it has.
    profiles: usize,
    /// How many tests it has.
    tests: usize,
    /// What a reader of its facts should know, one sentence each.
    notes: Vec<String>,
}

impl Releases {
    /// Those of a registry.
    pub fn of(registry: &Registry) -> Self {
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
            version: 1,
            newest: registry.newest().map(version),
            releases: releases.collect(),
        }
    }
}

/// What `gwconform releases diff --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(
    title = "What changed between two releases",
    transform = schema::with_id("release-changes")
)]
pub struct Comparison {
    /// Version of this format.
    #[schemars(extend("const" = 1))]
    version: u32,
    /// The older release.
    from: String,
    /// The newer release.
    to: String,
    /// How the releases that were asked for were read, where that was not exactly one.
    notes: Vec<String>,
    /// The shape of reports, how tests are counted, CRDs.
    general: Vec<Field>,
    /// Profiles.
    profiles: Names,
    /// Features.
    features: Names,
    /// Tests.
    tests: Names,
}

/// The names of a kind that differ.
#[derive(Debug, Serialize, JsonSchema)]
struct Names {
    /// Those that only the newer release has, by name.
    new: Vec<OneName>,
    /// Those that both have, with other fields or once another name, by name.
    changed: Vec<OneName>,
    /// Those that only the older release has, by name.
    removed: Vec<String>,
}

/// A name, and what is new or another of it.
#[derive(Debug, Serialize, JsonSchema)]
struct OneName {
    /// In the newer release.
    name: String,
    /// In the older release, where it is another one.
    renamed_from: Option<String>,
    /// All of a new name, what changed of another.
    fields: Vec<Field>,
}

/// A value or a list.
#[derive(Debug, Serialize, JsonSchema)]
struct Field {
    /// What it is, such as `channel` or `core features`.
    field: &'static str,
    /// The value in the older release; null for a list.
    before: Option<String>,
    /// The value in the newer release; null for a list.
    after: Option<String>,
    /// What only the list of the newer release has.
    added: Vec<String>,
    /// What only the list of the older release has.
    removed: Vec<String>,
}

impl Comparison {
    /// What changed from one release to another.
    pub fn of(registry: &Registry, before: &Release, after: &Release, notes: Vec<String>) -> Self {
        let ReleaseChanges {
            general,
            profiles,
            features,
            tests,
        } = registry.compare(before, after);
        Self {
            version: 1,
            from: before.version().to_string(),
            to: after.version().to_string(),
            notes,
            general: general.into_iter().map(Field::from).collect(),
            profiles: profiles.into(),
            features: features.into(),
            tests: tests.into(),
        }
    }

    /// The kinds with their titles, those without a change too.
    fn kinds(&self) -> [(&'static str, &Names); 3] {
        [
            ("profile", &self.profiles),
            ("feature", &self.features),
            ("test", &self.tests),
        ]
    }

    fn is_empty(&self) -> bool {
        let kinds = self.kinds();
        self.general.is_empty() && kinds.iter().all(|(_, names)| names.is_empty())
    }
}

impl From<NameChanges> for Names {
    fn from(changes: NameChanges) -> Self {
        let names = |changes: Vec<NameChange>| changes.into_iter().map(OneName::from).collect();
        Self {
            new: names(changes.new),
            changed: names(changes.changed),
            removed: changes.removed,
        }
    }
}

impl Names {
    fn is_empty(&self) -> bool {
        self.new.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }
}

impl From<NameChange> for OneName {
    fn from(change: NameChange) -> Self {
        Self {
            name: change.name,
            renamed_from: change.renamed_from,
            fields: change.fields.into_iter().map(Field::from).collect(),
        }
    }
}

impl From<FieldChange> for Field {
    fn from(change: FieldChange) -> Self {
        let field = change.field;
        let (before, after, added, removed) = match change.content {
            ContentChange::Value { before, after } => (before, after, Vec::new(), Vec::new()),
            ContentChange::List { added, removed } => (None, None, added, removed),
        };
        Self {
            field,
            before,
            after,
            added,
            removed,
        }
    }
}

impl Field {
    /// Of a new name: `level: extended`, `needs: Gateway, HTTPRoute`.
    fn of_new(&self) -> String {
        let value = self.after.clone().unwrap_or_else(|| self.added.join(", "));
        format!("{}: {value}", self.field)
    }

    /// `channel: standard, was experimental`, `needs: now also A and B, no longer C`
    fn of_changed(&self) -> String {
        let field = self.field;
        if self.added.is_empty() && self.removed.is_empty() {
            let after = self.after.as_deref().unwrap_or("none");
            let before = self.before.as_deref().unwrap_or("none");
            return format!("{field}: {after}, was {before}");
        }
        let part = |words: &str, names: &[String]| {
            (!names.is_empty()).then(|| format!("{words} {}", joined(names, "and")))
        };
        let parts = [
            part("now also", &self.added),
            part("no longer", &self.removed),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        format!("{field}: {}", parts.join("; "))
    }
}

/// Writes either document as JSON.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_json(document: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    super::facts::write_json(document, out)
}
