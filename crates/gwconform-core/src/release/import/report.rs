use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::Reader;
use crate::api::{Channel, SUBJECT};
use gwconform_go::evaluate::{Context, types};
use gwconform_go::file::{File, What};
use gwconform_go::program::Package;
use gwconform_go::token::Kind;
use gwconform_go::value::Value;
use gwconform_go::{EntryKind, Result, Unread, parse};

const REPORTS: &str = "conformance/apis";
const CRDS: &str = "config/crd";
const CONSTS: &str = "pkg/consts";
const BUNDLE_VERSION: &str = "BundleVersion";
const ANNOTATED: (&str, &str) = ("config/crd/standard", "_gatewayclasses.yaml");

const FIELDS: [&str; 24] = [
    "contact",
    "core",
    "date",
    "extended",
    "Failed",
    "failedTests",
    SUBJECT.channel_field,
    SUBJECT.release_field,
    "implementation",
    "mode",
    "name",
    "organization",
    "Passed",
    "profiles",
    "project",
    "result",
    "Skipped",
    "skippedTests",
    "statistics",
    "succeededProvisionalTests",
    "summary",
    "supportedFeatures",
    "unsupportedFeatures",
    "url",
];

impl Reader<'_> {
    pub(super) fn crds(&self) -> Result<BTreeMap<Channel, Vec<String>>> {
        let mut all = BTreeMap::new();
        for &channel in Channel::ALL {
            let folder = format!("{CRDS}/{}", channel.as_str());
            let Some(entries) = self.program.entries(&folder)? else {
                return Err(Rc::new(Unread::of_file(&folder, "no such folder")));
            };
            let mut crds = Vec::new();
            for (name, kind) in entries {
                let Some(plural) = plural(&name) else {
                    continue;
                };
                if kind != EntryKind::File {
                    let reason = format!("it is {kind}; expected a regular file");
                    return Err(Rc::new(Unread::of_file(
                        &format!("{folder}/{name}"),
                        reason,
                    )));
                }
                crds.push(plural.to_owned());
            }
            if crds.is_empty() {
                return Err(Rc::new(Unread::of_file(&folder, "no CRDs in this folder")));
            }
            crds.sort_unstable();
            all.insert(channel, crds);
        }
        Ok(all)
    }

    pub(super) fn bundle_version(&self) -> Result<Option<String>> {
        if self.program.has_folder(CONSTS)? {
            let package = self.program.package(CONSTS)?;
            let value = self.program.member(&package, BUNDLE_VERSION, &package)?;
            if let Some(Value::Text(version)) = value {
                return Ok(Some(version.to_string()));
            }
        }
        let (folder, end) = ANNOTATED;
        let file = format!("{}{end}", SUBJECT.group);
        let entries = self.program.entries(folder)?.unwrap_or_default();
        let is_there =
            |(name, kind): &(String, EntryKind)| *kind == EntryKind::File && *name == file;
        if !entries.iter().any(is_there) {
            return Ok(None);
        }
        let text = self.program.text(&format!("{folder}/{file}"))?;
        let mut lines = text.lines().filter_map(|line| {
            let version = line.trim().strip_prefix(SUBJECT.release_annotation)?;
            version.strip_prefix(':')
        });
        Ok(lines
            .next()
            .map(|version| version.trim().trim_matches(['"', '\'']).to_owned()))
    }

    pub(super) fn report_api_version(&self, suite: &Rc<Package>) -> Result<String> {
        let mut found: Option<String> = None;
        for file in &suite.files {
            for at in 0..file.tokens.len() {
                if file.word(at) != "ConformanceReport" || file.word(at + 1) != "{" {
                    continue;
                }
                let inside = at + 2..file.behind(at + 1) - 1;
                for at in inside.clone() {
                    if file.word(at) != "APIVersion" || file.word(at + 1) != ":" {
                        continue;
                    }
                    let version = self.api_version(suite, file, at + 2)?;
                    if found.as_ref().is_some_and(|found| *found != version) {
                        return Err(file.error(at..at + 3, "another apiVersion of reports"));
                    }
                    found = Some(version);
                }
            }
        }
        found.ok_or_else(|| {
            let reason = "no `ConformanceReport{…}` with an `APIVersion`";
            Rc::new(Unread::of_file(&suite.folder, reason))
        })
    }

    fn api_version(&self, suite: &Rc<Package>, file: &Rc<File>, start: usize) -> Result<String> {
        let mut end = start;
        while !matches!(file.word(end), "," | "}" | "") {
            end = match file.word(end) {
                "(" | "[" | "{" => file.behind(end),
                _ => end + 1,
            };
        }
        let node = parse::expression(file, &(start..end))?;
        match self.program.evaluate(&Context::of(suite, file), &node)? {
            Value::Text(version) => Ok(version.to_string()),
            _ => Err(file.error(start..end, "expected a text")),
        }
    }

    pub(super) fn report_fields(&self) -> Result<()> {
        let mut unknown = BTreeSet::new();
        for (name, kind) in self.program.entries(REPORTS)?.unwrap_or_default() {
            if kind != EntryKind::Folder || !name.starts_with("v1") {
                continue;
            }
            let package = self.program.package(&format!("{REPORTS}/{name}"))?;
            self.warn_of_left_out(&package);
            for (file, declaration) in package.declarations() {
                let What::Type { definition } = &declaration.what else {
                    continue;
                };
                if file.word(definition.start) == "struct" {
                    let inner = definition.start + 2..definition.end.saturating_sub(1);
                    unknown.extend(unknown_fields(file, &inner));
                }
            }
        }
        for name in unknown {
            self.warn(format!("reports have an unknown field `{name}`"));
        }
        Ok(())
    }
}

fn plural(name: &str) -> Option<&str> {
    let (group, plural) = name.strip_suffix(".yaml")?.split_once('_')?;
    let is_plural = !plural.is_empty() && plural.bytes().all(|byte| byte.is_ascii_lowercase());
    (group.contains('.') && is_plural).then_some(plural)
}

fn unknown_fields(file: &File, inner: &std::ops::Range<usize>) -> Vec<String> {
    let mut unknown = Vec::new();
    for line in types::lines(file, inner) {
        let last = line.end - 1;
        let tag = match file.tokens[last].kind {
            Kind::Text => parse::text_of(file.word(last)).unwrap_or_default(),
            _ => String::new(),
        };
        let stated = tag
            .split_once("json:\"")
            .and_then(|(_, rest)| rest.split(['"', ',']).next());
        let is_embedded = line.len() == 1 || file.word(line.start + 1) == ".";
        let name = match stated {
            Some("-") => continue,
            Some("") | None if is_embedded || tag.contains("inline") => continue,
            Some("") | None => file.word(line.start),
            Some(name) => name,
        };
        if !FIELDS.contains(&name) && name != "version" {
            unknown.push(name.to_owned());
        }
    }
    unknown
}

#[cfg(test)]
mod unit {
    use super::plural;

    #[test]
    fn names_of_files_are_those_of_crds() {
        assert_eq!(
            plural("gateway.networking.k8s.io_gateways.yaml"),
            Some("gateways")
        );
        assert_eq!(
            plural("gateway.networking.x-k8s.io_xmeshes.yaml"),
            Some("xmeshes")
        );
        for other in [
            "kustomization.yaml",
            "gateway.networking.k8s.io_vap_safeupgrades.yaml",
            "gateway.networking.k8s.io_.yaml",
            "a_b.yaml",
            "README.md",
        ] {
            assert_eq!(plural(other), None, "{other}");
        }
    }
}
