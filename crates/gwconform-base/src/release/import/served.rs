//! Imports CRDs (`config/crd/<channel>/*.yaml`) into `served.json` and `fields.json`.
//!
//! Names are validated, because messages print names without quotes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_yaml::{Mapping, Value};

use crate::api::{Channel, SUBJECT, Version};
use crate::files::name_of;
use crate::files::{Folder, system_error};
use crate::release::api_fields::{Fields, Scalar};
use crate::release::document;
use crate::release::served::{
    GROUP, Served, ServedKind, ServedRelease, Versions, X_GROUP, most_stable_first,
};
use crate::text::source::MAX_FILE_BYTES;
use gwconform_yaml as yaml;
use gwconform_yaml::{NodeId, Yaml};

const CRDS: &str = "config/crd";
const VERSION: &str = SUBJECT.release_annotation;
const UPGRADE: &str = "upgrade to ";

/// CRDs of one release, read from its sources.
#[derive(Clone, Debug)]
pub struct ReleaseCrds {
    version: Version,
    named: Version,
    kinds: BTreeMap<String, KindCrds>,
}

#[derive(Clone, Debug, Default)]
struct KindCrds {
    group: String,
    channels: BTreeMap<Channel, Crd>,
}

#[derive(Clone, Debug, Default)]
struct Crd {
    versions: Versions,
    fields: AllowedValues,
}

/// Fields such as `spec.rules[].name`, with the values that the CRD allows, or none for any value.
type AllowedValues = BTreeMap<String, BTreeSet<Scalar>>;

impl ReleaseCrds {
    /// Release that was imported.
    pub fn version(&self) -> &Version {
        &self.version
    }

    /// Release in the annotation of the CRDs.
    pub fn named(&self) -> &Version {
        &self.named
    }

    /// Reads the CRDs of a checkout. `version` defaults to the release in the annotations.
    ///
    /// # Errors
    /// The first unsupported or contradictory content, with its file.
    pub fn read(checkout: &Folder, version: Option<Version>) -> Result<Self, String> {
        let mut read = Reading::default();
        for &channel in Channel::ALL {
            let folder = format!("{CRDS}/{}", channel.as_str());
            let entries = checkout.folder(Path::new(&folder));
            let entries = entries.and_then(|folder| folder.entries());
            let entries = entries.map_err(|error| format!("{folder}: {}", system_error(&error)))?;
            for entry in entries {
                let name = name_of(entry.path());
                if !name.ends_with(".yaml") {
                    continue;
                }
                let path = format!("{folder}/{name}");
                let bytes = checkout.read(Path::new(&path), MAX_FILE_BYTES);
                let bytes = bytes.map_err(|error| format!("{path}: {error}"))?;
                read.file(&bytes, channel)
                    .map_err(|error| format!("{path}: {error}"))?;
            }
        }
        let named = read.version;
        let named = named.ok_or_else(|| format!("{CRDS}: no CRDs with a bundle version"))?;
        Ok(Self {
            version: version.unwrap_or_else(|| named.clone()),
            named,
            kinds: read.kinds,
        })
    }
}

#[derive(Default)]
struct Reading {
    version: Option<Version>,
    kinds: BTreeMap<String, KindCrds>,
}

impl Reading {
    fn file(&mut self, bytes: &[u8], channel: Channel) -> Result<(), String> {
        let text = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8")?;
        let yaml = yaml::load(text);
        if let Some(issue) = yaml.issues.iter().find(|issue| issue.kind.stops_reading()) {
            return Err(issue.message.to_string());
        }
        for document in &yaml.documents {
            let Some(root) = document.root else { continue };
            if text_at(&yaml, root, &["kind"]) != Some("CustomResourceDefinition") {
                continue;
            }
            self.crd(&yaml, root, channel)?;
        }
        Ok(())
    }

    fn crd(&mut self, yaml: &Yaml<'_>, root: NodeId, channel: Channel) -> Result<(), String> {
        let stated = text_at(yaml, root, &["metadata", "annotations", VERSION]);
        let stated = stated.ok_or_else(|| format!("a CRD has no annotation {VERSION}"))?;
        let version = Version::parse(stated)
            .ok_or_else(|| format!("{VERSION}: `{stated}` is not a release"))?;
        match &self.version {
            Some(other) if *other != version => {
                return Err(format!("{VERSION}: {version}; others have {other}"));
            }
            _ => self.version = Some(version),
        }
        let group = text_at(yaml, root, &["spec", "group"]).unwrap_or_default();
        if ![GROUP, X_GROUP].contains(&group) {
            return Err(format!(
                "spec.group: `{group}`; expected {GROUP} or {X_GROUP}"
            ));
        }
        let kind = name(
            "spec.names.kind",
            text_at(yaml, root, &["spec", "names", "kind"]),
        )?;
        let crd = Crd::read(yaml, root)?;
        let entry = self.kinds.entry(kind.to_owned()).or_default();
        if !entry.group.is_empty() && entry.group != group {
            return Err(format!(
                "{kind} is in the groups {} and {group}",
                entry.group
            ));
        }
        group.clone_into(&mut entry.group);
        match entry.channels.insert(channel, crd) {
            Some(_) => Err(format!("a second CRD of {kind} in the {channel} channel")),
            None => Ok(()),
        }
    }
}

impl Crd {
    fn read(yaml: &Yaml<'_>, root: NodeId) -> Result<Self, String> {
        let mut crd = Self::default();
        let versions = yaml.at_pointer(root, ["spec", "versions"]);
        for &one in versions.map_or(&[][..], |versions| yaml.items(versions)) {
            let version = name("spec.versions.name", text_at(yaml, one, &["name"]))?.to_owned();
            let is_true = |field| text_at(yaml, one, &[field]) == Some("true");
            let list = if is_true("served") {
                &mut crd.versions.served
            } else {
                &mut crd.versions.unserved
            };
            list.push(version.clone());
            if is_true("deprecated") {
                let warning = text_at(yaml, one, &["deprecationWarning"]);
                let instead = warning.and_then(named_instead);
                let instead = instead.map(|text| name("deprecationWarning", Some(text)));
                let instead = instead.transpose()?.map(str::to_owned);
                crd.versions.deprecated.insert(version.clone(), instead);
            }
            let schema = ["schema", "openAPIV3Schema", "properties", "spec"];
            if let Some(spec) = yaml.at_pointer(one, schema) {
                add_fields(yaml, spec, "spec", &mut crd.fields)?;
            }
        }
        most_stable_first(&mut crd.versions.served);
        most_stable_first(&mut crd.versions.unserved);
        if crd.versions.served.is_empty() && crd.versions.unserved.is_empty() {
            Err("spec.versions: no versions".to_owned())
        } else {
            Ok(crd)
        }
    }
}

/// Recommended version, such as `v1` in `Please upgrade to v1.`
fn named_instead(warning: &str) -> Option<&str> {
    let (_, after) = warning.rsplit_once(UPGRADE)?;
    let version = after.split_whitespace().next()?;
    Some(version.trim_end_matches('.'))
}

fn name<'t>(what: &str, text: Option<&'t str>) -> Result<&'t str, String> {
    let is_name = |text: &&str| {
        let mut bytes = text.bytes();
        bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic())
            && bytes.all(|byte| byte.is_ascii_alphanumeric())
    };
    match text {
        None => Err(format!("{what} is missing")),
        Some(text) => Some(text)
            .filter(is_name)
            .ok_or_else(|| format!("{what}: `{text}` is not a name of letters and digits")),
    }
}

fn text_at<'y>(yaml: &'y Yaml<'_>, root: NodeId, path: &[&str]) -> Option<&'y str> {
    yaml.text(yaml.at_pointer(root, path.iter().copied())?)
}

/// Collects fields. The YAML nesting limit bounds the recursion.
fn add_fields(
    yaml: &Yaml<'_>,
    schema: NodeId,
    path: &str,
    fields: &mut AllowedValues,
) -> Result<(), String> {
    if let Some(items) = yaml.get(schema, "items") {
        add_fields(yaml, items.value, &format!("{path}[]"), fields)?;
    }
    let Some(properties) = yaml.get(schema, "properties") else {
        return Ok(());
    };
    for entry in yaml.entries(properties.value) {
        let field = name(path, yaml.key_name(entry.key))?;
        let path = format!("{path}.{field}");
        add_fields(yaml, entry.value, &path, fields)?;
        let items = yaml.get(entry.value, "items");
        let schema = items.map_or(entry.value, |items| items.value);
        let allowed = yaml.get(schema, "enum");
        let allowed = allowed.map_or(&[][..], |allowed| yaml.items(allowed.value));
        let allowed = allowed.iter().map(|&value| Scalar::of(yaml.kind(value)));
        let values = fields.entry(path).or_default();
        values.extend(allowed.flatten());
    }
    Ok(())
}

/// Builds `served.json` and `fields.json`. Copies `renamedFrom`, which is entered by hand, from
/// `known`.
pub fn files(mut releases: Vec<ReleaseCrds>, known: &Served) -> (String, String) {
    releases.sort_by(|a, b| a.version.cmp(&b.version));
    let mut compiled: Vec<ServedRelease> = Vec::new();
    let mut before: Option<&ReleaseCrds> = None;
    for release in &releases {
        compiled.push(compile(release, before, known));
        before = Some(release);
    }
    let fields = before.map_or_else(Fields::default, |newest| fields(newest, &compiled));
    (text(&compiled), fields.text())
}

/// All fields of the newest release, and those that earlier releases had.
fn fields(newest: &ReleaseCrds, releases: &[ServedRelease]) -> Fields {
    let mut fields = Fields::default();
    for (kind, crds) in &newest.kinds {
        for (path, values) in crds.channels.values().flat_map(|crd| &crd.fields) {
            fields.add(kind, path, values);
        }
    }
    let kinds = || releases.iter().flat_map(|release| &release.kinds);
    for (kind, served) in kinds() {
        let earlier = [&served.removed, &served.added, &served.experimental_fields];
        for path in earlier.into_iter().flatten() {
            fields.add(kind, path, &BTreeSet::new());
        }
    }
    for (kind, served) in kinds() {
        if let Some(former) = &served.renamed_from
            && let Some(content) = fields.0.get(kind).cloned()
            && format!("X{kind}") == *former
        {
            fields.0.insert(former.clone(), content);
        }
    }
    fields
}

/// True if the text is a valid `served.json`.
pub fn is_served_file(text: &str) -> bool {
    serde_json::from_str::<BTreeMap<String, BTreeMap<String, ServedKind>>>(text).is_ok()
}

/// True if the text is a valid `fields.json`.
pub fn is_fields_file(text: &str) -> bool {
    serde_json::from_str::<Fields>(text).is_ok()
}

fn compile(release: &ReleaseCrds, before: Option<&ReleaseCrds>, known: &Served) -> ServedRelease {
    let known = known.release(&release.version);
    let kinds = release.kinds.iter().map(|(kind, crds)| {
        let earlier = before.and_then(|before| before.kinds.get(kind));
        let by_hand = known
            .and_then(|known| known.kinds.get(kind))
            .and_then(|known| known.renamed_from.clone());
        let versions = |channel| crds.channels.get(&channel).map(|crd| crd.versions.clone());
        let fields = |channel| crds.channels.get(&channel).map(|crd| &crd.fields);
        let experimental_fields = match (fields(Channel::Standard), fields(Channel::Experimental)) {
            (Some(standard), Some(experimental)) => outermost(experimental, standard),
            _ => Vec::new(),
        };
        let (mut added, mut removed) = (Vec::new(), Vec::new());
        if let Some(earlier) = earlier {
            let (now, then) = (crds.fields(), earlier.fields());
            added = outermost(&now, &then);
            removed = outermost(&then, &now);
        }
        let served = ServedKind {
            group: (crds.group != GROUP).then(|| crds.group.clone()),
            renamed_from: by_hand.or_else(|| graduated_from(kind, release, before)),
            standard: versions(Channel::Standard),
            experimental: versions(Channel::Experimental),
            experimental_fields,
            added,
            removed,
        };
        (kind.clone(), served)
    });
    ServedRelease {
        version: release.version.clone(),
        kinds: kinds.collect(),
    }
}

/// Graduation drops the prefix `X` and changes the group (GEP-3949, API).
fn graduated_from(
    kind: &str,
    release: &ReleaseCrds,
    before: Option<&ReleaseCrds>,
) -> Option<String> {
    let before = before?;
    let older = format!("X{kind}");
    let is_new = !before.kinds.contains_key(kind);
    let was_there = before.kinds.contains_key(&older) && !release.kinds.contains_key(&older);
    (is_new && was_there).then_some(older)
}

impl KindCrds {
    fn fields(&self) -> AllowedValues {
        let channels = self.channels.values();
        channels.flat_map(|crd| crd.fields.clone()).collect()
    }
}

fn outermost(fields: &AllowedValues, without: &AllowedValues) -> Vec<String> {
    let mut kept = Vec::new();
    for field in fields.keys().filter(|field| !without.contains_key(*field)) {
        let parents = field.match_indices(['.', '[']).map(|(at, _)| &field[..at]);
        let is_below = |parent: &str| fields.contains_key(parent) && !without.contains_key(parent);
        if !parents.clone().any(is_below) {
            kept.push(field.clone());
        }
    }
    kept
}

fn text(releases: &[ServedRelease]) -> String {
    let releases = releases.iter().map(|release| {
        let kinds = serde_yaml::to_value(&release.kinds).unwrap_or_default();
        (Value::from(release.version.to_string()), kinds)
    });
    document::text(&Mapping::from_iter(releases), 2, document::LINE)
}

#[cfg(test)]
mod tests;
