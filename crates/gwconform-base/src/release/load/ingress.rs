use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Entries, File, FileError};
use crate::release::ingress::{
    Alone, Controllers, IngressCase, IngressController, IngressRow, IngressShape, IngressTable,
    Outcome, ValueMatch,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct Table<'a> {
    prefix: String,
    #[serde(rename = "formerPrefix")]
    former_prefix: String,
    sources: BTreeMap<String, String>,
    #[serde(rename = "configMaps")]
    config_maps: BTreeMap<String, String>,
    #[serde(rename = "redirectCodes")]
    redirect_codes: BTreeMap<String, String>,
    alone: Vec<AloneInFile>,
    #[serde(borrow)]
    tls: &'a RawValue,
    #[serde(borrow)]
    annotations: Entries<'a>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct AloneInFile {
    annotation: String,
    value: String,
    keeps: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct RowInFile {
    source: String,
    #[serde(default, rename = "once")]
    is_of_host: bool,
    #[serde(default, rename = "option")]
    is_option: bool,
    removed: Option<String>,
    cases: Vec<CaseInFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct CaseInFile {
    value: Option<String>,
    #[serde(default)]
    with: BTreeMap<String, String>,
    #[serde(default)]
    without: BTreeMap<String, String>,
    #[serde(default)]
    tls: bool,
    core: Option<String>,
    features: Option<Vec<String>>,
    #[serde(default, rename = "default")]
    defaults: BTreeMap<String, String>,
    beyond: Option<String>,
    none: Option<String>,
    shape: Option<IngressShape>,
    #[serde(default)]
    perhaps: Vec<String>,
    because: Option<String>,
    route: Option<String>,
    approximate: Option<String>,
    #[serde(default, rename = "enforces")]
    is_enforced: bool,
}

pub(super) fn read(file: &File<'_>) -> Result<IngressTable, FileError> {
    let table: Table<'_> = file.read()?;
    let mut rows = BTreeMap::new();
    let row = |part: &RawValue| -> Result<IngressRow, FileError> {
        let row: RowInFile = file.read_part(part)?;
        of_row(row, &table.sources).map_err(|message| file.error(file.line_of(part), message))
    };
    for (name, &part) in &table.annotations.0 {
        rows.insert(name.clone(), row(part)?);
    }
    let alone = table.alone.into_iter().map(|one| {
        let value = condition(&one.value)?;
        Ok(Alone {
            annotation: one.annotation,
            value,
            keeps: one.keeps,
        })
    });
    let alone: Result<_, String> = alone.collect();
    Ok(IngressTable {
        tls: Some(row(table.tls)?),
        prefix: table.prefix,
        former_prefix: table.former_prefix,
        config_maps: table.config_maps,
        redirect_codes: table.redirect_codes,
        alone: alone.map_err(|message| file.error(1, message))?,
        rows,
    })
}

fn of_row(row: RowInFile, sources: &BTreeMap<String, String>) -> Result<IngressRow, String> {
    let named = sources.iter().find_map(|(name, url)| {
        let rest = row.source.strip_prefix(name.as_str())?;
        Some(format!("{url}{}", rest.trim_start_matches('/')))
    });
    let source = named.ok_or_else(|| format!("`{}` is not one of the sources", row.source))?;
    let cases: Result<_, String> = row.cases.into_iter().map(of_case).collect();
    let cases = cases?;
    Ok(IngressRow {
        source,
        is_of_host: row.is_of_host,
        is_option: row.is_option,
        removed: row.removed,
        cases,
    })
}

fn of_case(case: CaseInFile) -> Result<IngressCase, String> {
    let conditions = |of: BTreeMap<String, String>| -> Result<Vec<_>, String> {
        of.into_iter()
            .map(|(name, text)| Ok((name, condition(&text)?)))
            .collect()
    };
    let possible = (!case.perhaps.is_empty()).then(|| Outcome::Extended(Vec::new()));
    let mut outcomes = [
        case.core.map(Outcome::Core),
        case.features.map(Outcome::Extended),
        case.beyond.map(Outcome::Beyond),
        case.none.map(Outcome::NoEquivalent),
        case.shape.map(Outcome::Shape),
    ]
    .into_iter()
    .flatten();
    let (Some(outcome), None) = (outcomes.next().or(possible), outcomes.next()) else {
        return Err("expected one of `core`, `features`, `beyond`, `none` or `shape`".to_owned());
    };
    let perhaps = match (case.perhaps.is_empty(), case.because) {
        (true, None) => None,
        (false, Some(because)) => Some((case.perhaps, because)),
        _ => return Err("expected `because` next to `perhaps`, and only there".to_owned()),
    };
    Ok(IngressCase {
        value: condition(case.value.as_deref().unwrap_or("*"))?,
        with: conditions(case.with)?,
        without: conditions(case.without)?,
        needs_tls: case.tls,
        outcome,
        defaults: case.defaults,
        perhaps,
        route: case.route,
        approximate: case.approximate,
        is_enforced: case.is_enforced,
    })
}

fn condition(text: &str) -> Result<ValueMatch, String> {
    ValueMatch::parse(text).ok_or_else(|| format!("`{text}` is not a condition on a value"))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct ControllersInFile {
    kept: BTreeMap<String, String>,
    ingress: Vec<ControllerInFile>,
    kinds: BTreeMap<String, Option<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct ControllerInFile {
    name: String,
    #[serde(default)]
    annotations: Vec<String>,
    #[serde(default)]
    keys: Vec<String>,
    #[serde(default)]
    controllers: Vec<String>,
    #[serde(default)]
    classes: Vec<String>,
    #[serde(default)]
    groups: Vec<String>,
    provider: Option<String>,
}

pub(super) fn read_controllers(file: &File<'_>) -> Result<Controllers, FileError> {
    let found: ControllersInFile = file.read()?;
    let ingress = found.ingress.into_iter().map(|one| IngressController {
        name: one.name,
        annotations: one.annotations,
        keys: one.keys,
        controllers: one.controllers,
        classes: one.classes,
        groups: one.groups,
        provider: one.provider,
    });
    Ok(Controllers {
        kept: found.kept,
        ingress: ingress.collect(),
        kinds: found.kinds,
    })
}
