//! Checks `served.json`, which may be edited by hand.

use std::collections::BTreeSet;

use gwconform_schema::REGISTRY;
use serde_json::value::RawValue;

use super::{Entries, File, FileError, SERVED, Trust};
use crate::api::{Channel, Version};
use crate::release::served::{ServedKind, Versions, most_stable_first};
use crate::release::{Match, Registry, Release};

/// Problems in `served.json`, in `files` or embedded. The loader reports unparsable files.
pub fn served_problems(registry: &Registry, files: &[(String, String)]) -> Vec<FileError> {
    let own = files.iter().find(|(name, _)| name == SERVED);
    let own = own.map(|(_, text)| text.as_str());
    let embedded = REGISTRY.iter().find(|(name, _)| *name == SERVED);
    let Some(text) = own.or(embedded.map(|(_, text)| *text)) else {
        return Vec::new();
    };
    let mut checking = Checking {
        file: File {
            name: SERVED,
            text,
            trust: Trust::None,
        },
        registry,
        problems: Vec::new(),
        known: BTreeSet::new(),
    };
    checking.file();
    checking.problems.sort();
    checking.problems
}

struct Checking<'f> {
    file: File<'f>,
    registry: &'f Registry,
    problems: Vec<FileError>,
    known: BTreeSet<String>,
}

impl<'f> Checking<'f> {
    fn add(&mut self, part: &RawValue, message: String) {
        let line = self.file.line_of(part);
        self.problems.push(self.file.error(line, message));
    }

    fn file(&mut self) {
        let Ok(entries) = self.file.read::<Entries<'f>>() else {
            return;
        };
        let parsed = entries.0.iter();
        let mut releases: Vec<(Version, &'f RawValue)> = parsed
            .filter_map(|(name, &part)| Some((Version::parse(name)?, part)))
            .collect();
        releases.sort_by(|a, b| a.0.cmp(&b.0));
        self.order(
            releases
                .iter()
                .map(|(version, part)| (version.to_string(), *part)),
        );
        for (version, part) in releases {
            match self.registry.release(&version) {
                Match::Exact(release) => self.release(release, part),
                _ => self.add(part, format!("{version} is not a release of this registry")),
            }
        }
    }

    fn order(&mut self, entries: impl Iterator<Item = (String, &'f RawValue)>) {
        let mut last: Option<(String, &RawValue)> = None;
        for (name, part) in entries {
            if let Some((before, place)) = &last
                && part.get().as_ptr() < place.get().as_ptr()
            {
                self.add(
                    part,
                    format!("`{name}` is out of order; expected it after `{before}`"),
                );
            }
            last = Some((name, part));
        }
    }

    fn release(&mut self, release: &Release, part: &'f RawValue) {
        let Ok(kinds) = serde_json::from_str::<Entries<'f>>(part.get()) else {
            return;
        };
        self.order(kinds.0.iter().map(|(kind, part)| (kind.clone(), *part)));
        let mut plurals = [BTreeSet::new(), BTreeSet::new()];
        for (kind, &part) in &kinds.0 {
            let Ok(found) = self.file.read_part::<ServedKind>(part) else {
                continue;
            };
            self.kind(kind, &found, part);
            if let Some(before) = &found.renamed_from
                && (kinds.0.contains_key(before) || !self.known.contains(before))
            {
                let text = format!(
                    "`{kind}` is renamed from `{before}`; expected a kind of an earlier release that this one does not have"
                );
                self.add(part, text);
            }
            for (channel, plurals) in CHANNELS.into_iter().zip(&mut plurals) {
                if found.versions(channel).is_some() {
                    plurals.insert(plural(kind));
                    if !release.crds(channel).contains(&plural(kind)) {
                        let version = release.version();
                        let text = format!("`{kind}` is not among the {channel} CRDs of {version}");
                        self.add(part, text);
                    }
                }
            }
        }
        for (channel, plurals) in CHANNELS.into_iter().zip(&plurals) {
            // Names with an underscore are other resources, not CRDs.
            let crds = release
                .crds(channel)
                .iter()
                .filter(|name| !name.contains('_'));
            for missing in crds.filter(|name| !plurals.contains(*name)) {
                self.add(part, format!("no kind of the {channel} CRD `{missing}`"));
            }
        }
        self.known.extend(kinds.0.into_keys());
    }

    fn kind(&mut self, kind: &str, found: &ServedKind, part: &RawValue) {
        let mut wrong: Vec<String> = Vec::new();
        if found.versions(Channel::Experimental).is_none() {
            wrong.push(format!(
                "`{kind}` is missing in the experimental channel, which has all kinds"
            ));
        }
        for channel in CHANNELS {
            if let Some(versions) = found.versions(channel) {
                wrong.extend(wrong_versions(&format!("{channel} `{kind}`"), versions));
            }
        }
        let has_both = CHANNELS
            .into_iter()
            .all(|channel| found.versions(channel).is_some());
        if !has_both && !found.experimental_fields.is_empty() {
            wrong.push(format!(
                "`{kind}` has experimental fields; expected both channels to have the kind"
            ));
        }
        for (name, fields) in [
            ("experimentalFields", &found.experimental_fields),
            ("added", &found.added),
            ("removed", &found.removed),
        ] {
            if !fields.is_sorted_by(|a, b| a < b) {
                wrong.push(format!(
                    "`{name}` of `{kind}` is not in order, or has a field twice"
                ));
            }
            let others = fields.iter().filter(|field| !field.starts_with("spec."));
            wrong.extend(others.map(|field| format!("`{field}` of `{kind}` is not below `spec`")));
        }
        for message in wrong {
            self.add(part, message);
        }
    }
}

const CHANNELS: [Channel; 2] = [Channel::Standard, Channel::Experimental];

fn wrong_versions(of: &str, versions: &Versions) -> Vec<String> {
    let mut wrong = Vec::new();
    if versions.served.is_empty() {
        wrong.push(format!("{of} serves no version"));
    }
    let all: Vec<&String> = versions.served.iter().chain(&versions.unserved).collect();
    for version in &all {
        if !is_version(version) {
            wrong.push(format!(
                "{of}: `{version}` is not a version; expected a version such as v1 or v1alpha2"
            ));
        }
    }
    if all.iter().collect::<BTreeSet<_>>().len() < all.len() {
        wrong.push(format!("{of} has a version twice"));
    }
    for (name, list) in [
        ("served", &versions.served),
        ("unserved", &versions.unserved),
    ] {
        let mut sorted = list.clone();
        most_stable_first(&mut sorted);
        if sorted != *list {
            let expected = sorted.join(", ");
            wrong.push(format!(
                "{of}: `{name}` is not in order; expected {expected}"
            ));
        }
    }
    for (version, instead) in &versions.deprecated {
        if !all.contains(&version) {
            wrong.push(format!(
                "{of}: the deprecated `{version}` is neither served nor unserved"
            ));
        }
        let is_wrong = |instead: &&String| !versions.served.contains(instead);
        if let Some(instead) = instead.as_ref().filter(is_wrong) {
            wrong.push(format!(
                "{of}: `{instead}`, the replacement of `{version}`, is not served"
            ));
        }
    }
    wrong
}

fn is_version(text: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let Some(rest) = text.strip_prefix('v') else {
        return false;
    };
    let parts = rest.split_once("alpha").or_else(|| rest.split_once("beta"));
    match parts {
        Some((major, number)) => is_number(major) && is_number(number),
        None => is_number(rest),
    }
}

/// Plural, such as `gatewayclasses`, `xmeshes` or `backendtlspolicies`.
fn plural(kind: &str) -> String {
    let name = kind.to_ascii_lowercase();
    match name.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if name.ends_with(['s', 'h']) => format!("{name}es"),
        _ => format!("{name}s"),
    }
}
