use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use super::{Digest, MAX_NAMES, MAX_PROFILES, ReportFacts};
use crate::report::model::{self, Spanned, Stated, Statistics};
use crate::report::view::{Level, List, Report};
use gwconform_base::release::Registry;

/// Feature, test or profile name. Copies share one allocation ([`Registry::shared_name`]).
pub type Name = Arc<str>;

/// Entry of `profiles`, without positions.
pub type Profile = model::Profile<Name>;

/// `core` or `extended` of a profile, without positions.
pub type LevelData = model::LevelData<Name>;

/// 1-based line numbers of a profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileLines {
    /// First line of the entry.
    pub start: u32,
    /// Line of each name in [`Profile::feature_lists`].
    pub features: Vec<u32>,
}

impl ProfileLines {
    /// First line of each listed feature, by name.
    pub fn by_feature<'p>(&self, profile: &'p Profile) -> BTreeMap<&'p str, u32> {
        let names = profile.feature_lists().flatten();
        let mut lines = BTreeMap::new();
        for (name, line) in names.zip(&self.features) {
            lines.entry(&**name).or_insert(*line);
        }
        lines
    }
}

/// Finding that prevents a verdict, regardless of its configured severity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Block {
    /// Rule ID, such as `report/date`.
    pub rule: &'static str,
    /// Message as plain text.
    pub message: String,
    /// Index of the profile; `None` for all profiles. Duplicate profiles share their blocks
    /// (`ReportFacts::blocks_of`).
    #[serde(skip)]
    pub profile: Option<usize>,
}

impl ReportFacts {
    /// Digest of the results, independent of order, spelling and unknown fields, because copies can
    /// change them without changing claims. Digest of the file if not all results are kept, and
    /// `None` without profiles.
    pub(crate) fn results(&self) -> Option<Digest> {
        if self.exceeds_bounds {
            return Some(self.digest);
        }
        let mut profiles: Vec<Vec<u8>> = self.profiles.iter().map(bytes_of).collect();
        profiles.sort();
        let mut bytes = Vec::new();
        write_all(profiles.iter().map(Vec::as_slice), &mut bytes);
        write_list(&self.succeeded_provisional, &mut bytes);
        (!profiles.is_empty()).then(|| Digest::new(&bytes))
    }

    /// Findings that prevent a verdict for a profile.
    pub(crate) fn blocks_of(&self, profile: usize) -> impl Iterator<Item = &Block> {
        let name_of = |at: usize| self.profiles.get(at).and_then(|profile| profile.name());
        let name = name_of(profile);
        self.blocks.iter().filter(move |block| match block.profile {
            None => true,
            Some(at) => at == profile || (name.is_some() && name_of(at) == name),
        })
    }
}

fn bytes_of(profile: &Profile) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(profile.name_or_empty().as_bytes(), &mut bytes);
    for (kind, level) in profile.levels() {
        let numbers = [level.passed(), level.skipped(), level.failed()];
        let texts = [
            kind.as_str().to_owned(),
            level.result.text().unwrap_or_default().to_owned(),
            format!("{numbers:?}"),
        ];
        write_all(texts.iter().map(String::as_bytes), &mut bytes);
        for (_, _, list) in level.lists() {
            write_list(list.into_iter().flatten(), &mut bytes);
        }
    }
    bytes
}

fn write_list<'n>(names: impl IntoIterator<Item = &'n Name>, bytes: &mut Vec<u8>) {
    let mut names: Vec<&[u8]> = names.into_iter().map(|name| name.as_bytes()).collect();
    names.sort_unstable();
    write_all(names.into_iter(), bytes);
}

/// Writes lengths, so that different inputs never produce the same bytes.
fn write_all<'p>(parts: impl ExactSizeIterator<Item = &'p [u8]>, bytes: &mut Vec<u8>) {
    bytes.extend((parts.len() as u64).to_le_bytes());
    parts.for_each(|part| write(part, bytes));
}

fn write(part: &[u8], bytes: &mut Vec<u8>) {
    bytes.extend((part.len() as u64).to_le_bytes());
    bytes.extend(part);
}

/// Copies profiles. The flag is true if a limit was exceeded.
pub fn profiles(report: &Report<'_>, registry: &Registry) -> (Vec<Profile>, bool) {
    let mut room = Room {
        names: MAX_NAMES,
        is_exceeded: report.profiles.len() > MAX_PROFILES,
    };
    let profiles = report
        .profiles
        .iter()
        .take(MAX_PROFILES)
        .map(|profile| {
            let mut level = |data: &Level<'_>| level(registry, data, &mut room);
            Profile {
                node: (),
                name: profile
                    .name
                    .map(|name| registry.shared_name(name.value).into()),
                summary: None,
                core: profile.core.as_ref().map(&mut level),
                extended: profile.extended.as_ref().map(&mut level),
            }
        })
        .collect();
    (profiles, room.is_exceeded)
}

fn level(registry: &Registry, level: &Level<'_>, room: &mut Room) -> LevelData {
    let mut list = |list: &Option<List<'_>>| room.list(registry, list.as_ref());
    LevelData {
        node: (),
        result: match level.result {
            Stated::Known(known) => Stated::Known(known.without_place()),
            Stated::Other(other) => Stated::Other(registry.shared_name(other.value).into()),
            Stated::Absent => Stated::Absent,
        },
        summary: None,
        statistics: level.statistics.map(|statistics| Statistics {
            node: (),
            passed: statistics.passed.map(Spanned::without_place),
            skipped: statistics.skipped.map(Spanned::without_place),
            failed: statistics.failed.map(Spanned::without_place),
        }),
        skipped_tests: list(&level.skipped_tests),
        failed_tests: list(&level.failed_tests),
        supported_features: list(&level.supported_features),
        unsupported_features: list(&level.unsupported_features),
    }
}

struct Room {
    names: usize,
    is_exceeded: bool,
}

impl Room {
    fn list(&mut self, registry: &Registry, list: Option<&List<'_>>) -> Option<model::List<Name>> {
        let items = &list?.items;
        let kept = items.len().min(self.names);
        self.names -= kept;
        self.is_exceeded |= kept < items.len();
        let names = items.iter().take(kept);
        Some(model::List::new(
            names.map(|item| registry.shared_name(item.value)),
        ))
    }
}

/// Empty if missing.
pub fn names(registry: &Registry, list: Option<&List<'_>>) -> Vec<Name> {
    let items = list.map_or(&[][..], |list| &list.items).iter();
    items.map(|item| registry.shared_name(item.value)).collect()
}

/// Empty if missing.
pub fn texts(list: Option<&List<'_>>) -> Vec<String> {
    let items = list.map_or(&[][..], |list| &list.items).iter();
    items.map(|item| item.value.to_owned()).collect()
}
