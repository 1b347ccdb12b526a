use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Entries, File, FileError};
use crate::release::{
    How, NeedEntry, NeedsTable, Pattern, ReferenceFields, Shape, UncoveredField, Where,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", expecting = "an object")]
struct Needs<'a> {
    #[serde(borrow)]
    features: Entries<'a>,
    #[serde(borrow)]
    uncovered: Entries<'a>,
    #[serde(borrow)]
    beyond: Entries<'a>,
    #[serde(borrow, default)]
    references: Entries<'a>,
}

/// Patterns by kind. A key may list several kinds, separated by spaces.
type Patterns = BTreeMap<String, Vec<String>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", expecting = "an object")]
struct FeatureInFile {
    how: How,
    of: Option<String>,
    mesh_of: Option<String>,
    #[serde(default, rename = "where")]
    certain: Patterns,
    #[serde(default)]
    perhaps: Patterns,
    #[serde(default)]
    apart: bool,
    shape: Option<Shape>,
    #[serde(default)]
    values: Vec<String>,
    because: Option<String>,
    #[serde(default)]
    covers: Patterns,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct Uncovered {
    fields: Patterns,
    #[serde(default)]
    experimental: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct References {
    kinds: Vec<String>,
    fields: Patterns,
}

pub(super) fn read(file: &File<'_>) -> Result<NeedsTable, FileError> {
    let needs: Needs<'_> = file.read()?;
    let mut features = BTreeMap::new();
    for (name, &part) in &needs.features.0 {
        let entry: FeatureInFile = file.read_part(part)?;
        features.insert(name.clone(), of_entry(file, part, entry)?);
    }
    let mut uncovered = Vec::new();
    for (name, &part) in &needs.uncovered.0 {
        let entry: Uncovered = file.read_part(part)?;
        uncovered.push(UncoveredField {
            name: name.clone(),
            fields: patterns(file, part, &entry.fields)?,
            is_experimental: entry.experimental,
        });
    }
    let mut beyond = Vec::new();
    for (name, &part) in &needs.beyond.0 {
        let fields: Patterns = file.read_part(part)?;
        beyond.push((name.clone(), patterns(file, part, &fields)?));
    }
    let mut references = Vec::new();
    for (name, &part) in &needs.references.0 {
        let entry: References = file.read_part(part)?;
        references.push(ReferenceFields {
            name: name.clone(),
            fields: patterns(file, part, &entry.fields)?,
            kinds: entry.kinds,
        });
    }
    let table = NeedsTable::new(features, uncovered, beyond, references);
    table.map_err(|message| file.error(1, message))
}

fn of_entry(
    file: &File<'_>,
    part: &RawValue,
    entry: FeatureInFile,
) -> Result<NeedEntry, FileError> {
    let wrong = |message: &str| Err(file.error(file.line_of(part), message));
    if (entry.how == How::Alias) != entry.of.is_some() {
        return wrong("expected `of` in an alias, and only there");
    }
    let is_seen = !entry.certain.is_empty()
        || !entry.perhaps.is_empty()
        || entry.shape.is_some()
        || entry.mesh_of.is_some();
    if is_seen != matches!(entry.how, How::Certain | How::Perhaps) {
        return wrong(
            "expected `where`, `perhaps`, `shape` or `meshOf` where it is certain or perhaps, and only there",
        );
    }
    let is_guessed = matches!(entry.how, How::Perhaps | How::Never) || !entry.perhaps.is_empty();
    if is_guessed && entry.because.is_none() {
        return wrong("expected `because`: why it is perhaps needed, or never seen");
    }
    Ok(NeedEntry {
        how: entry.how,
        of: entry.of,
        mesh_of: entry.mesh_of,
        certain: patterns(file, part, &entry.certain)?,
        perhaps: patterns(file, part, &entry.perhaps)?,
        is_apart: entry.apart,
        shape: entry.shape,
        values: entry.values,
        because: entry.because,
        covers: patterns(file, part, &entry.covers)?,
    })
}

fn patterns(file: &File<'_>, part: &RawValue, by_kind: &Patterns) -> Result<Vec<Where>, FileError> {
    let mut found = Vec::new();
    for (kinds, patterns) in by_kind {
        for kind in kinds.split(' ') {
            for text in patterns {
                let pattern = Pattern::parse(text)
                    .map_err(|message| file.error(file.line_of(part), message))?;
                found.push(Where {
                    kind: kind.to_owned(),
                    pattern,
                });
            }
        }
    }
    Ok(found)
}
