//! What a report says of its profiles, kept compactly.

use std::sync::Arc;

use super::{MAX_NAMES, MAX_PROFILES, ReportFacts};
use crate::registry::Registry;
use crate::report::view::{Level, List, Number, Report};

/// The name of a feature, test or profile. Known names share their text
/// ([`Registry::shared_name`]).
pub type Name = Arc<str>;

/// One entry of `profiles`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileFacts {
    /// `name`.
    pub name: Option<Name>,
    /// `core`.
    pub core: Option<LevelFacts>,
    /// `extended`; absent also when it is null.
    pub extended: Option<LevelFacts>,
}

/// `core` or `extended` of a profile.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LevelFacts {
    /// `result`.
    pub result: Option<Name>,
    /// `statistics.Passed`, in tests.
    pub passed: Option<u64>,
    /// `statistics.Skipped`, in tests.
    pub skipped: Option<u64>,
    /// `statistics.Failed`, in tests.
    pub failed: Option<u64>,
    /// `skippedTests`.
    pub skipped_tests: Vec<Name>,
    /// `failedTests`.
    pub failed_tests: Vec<Name>,
    /// `supportedFeatures`.
    pub supported: Vec<Name>,
    /// `unsupportedFeatures`.
    pub unsupported: Vec<Name>,
}

/// A finding that leaves a report, or one of its profiles, without a verdict. It is kept whatever
/// the command line and the configuration say about the severity of its rule: a verdict does not
/// depend on how findings are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The rule's id.
    pub rule: &'static str,
    /// What it says.
    pub message: String,
    /// The profile by its place in the report; `None`: all of them. Of a profile that the report
    /// has twice neither result counts ([`ReportFacts::blocks_of`]).
    pub profile: Option<usize>,
}

impl ReportFacts {
    /// What leaves a profile, by its place in the report, without a verdict.
    pub fn blocks_of(&self, profile: usize) -> impl Iterator<Item = &Block> {
        let name_of = |at: usize| {
            self.profiles
                .get(at)
                .and_then(|profile| profile.name.as_ref())
        };
        let name = name_of(profile);
        self.blocks.iter().filter(move |block| match block.profile {
            None => true,
            Some(at) => at == profile || (name.is_some() && name_of(at) == name),
        })
    }
}

impl ProfileFacts {
    /// What a report says of each profile, in its order, up to [`MAX_PROFILES`] and [`MAX_NAMES`];
    /// true when it has more.
    pub fn of(report: &Report<'_>, registry: &Registry) -> (Vec<Self>, bool) {
        let mut room = Room {
            names: MAX_NAMES,
            is_exceeded: report.profiles.len() > MAX_PROFILES,
        };
        let profiles = report.profiles.iter().take(MAX_PROFILES);
        let profiles = profiles
            .map(|profile| {
                let mut level = |level: &Level<'_>| LevelFacts::of(registry, level, &mut room);
                Self {
                    name: profile.name.map(|name| registry.shared_name(name.value)),
                    core: profile.core.as_ref().map(&mut level),
                    extended: profile.extended.as_ref().map(&mut level),
                }
            })
            .collect();
        (profiles, room.is_exceeded)
    }

    /// Core and extended, those that are there, with their names.
    pub fn levels(&self) -> impl Iterator<Item = (&'static str, &LevelFacts)> {
        let core = self.core.as_ref().map(|level| ("core", level));
        let extended = self.extended.as_ref().map(|level| ("extended", level));
        core.into_iter().chain(extended)
    }
}

impl LevelFacts {
    fn of(registry: &Registry, level: &Level<'_>, room: &mut Room) -> Self {
        let number = |number: Option<Number>| number.map(|number| number.value);
        let statistics = level.statistics;
        Self {
            result: level
                .result
                .map(|result| registry.shared_name(result.value)),
            passed: statistics.and_then(|numbers| number(numbers.passed)),
            skipped: statistics.and_then(|numbers| number(numbers.skipped)),
            failed: statistics.and_then(|numbers| number(numbers.failed)),
            skipped_tests: room.names(registry, level.skipped_tests.as_ref()),
            failed_tests: room.names(registry, level.failed_tests.as_ref()),
            supported: room.names(registry, level.supported_features.as_ref()),
            unsupported: room.names(registry, level.unsupported_features.as_ref()),
        }
    }
}

/// How many names there is room for.
struct Room {
    names: usize,
    is_exceeded: bool,
}

impl Room {
    fn names(&mut self, registry: &Registry, list: Option<&List<'_>>) -> Vec<Name> {
        let items = list.map_or(&[][..], |list| &list.items);
        let kept = items.len().min(self.names);
        self.names -= kept;
        self.is_exceeded |= kept < items.len();
        let items = items[..kept].iter();
        items.map(|item| registry.shared_name(item.value)).collect()
    }
}

/// The names of a list; none when there is no list.
pub fn names(registry: &Registry, list: Option<&List<'_>>) -> Vec<Name> {
    let items = list.map_or(&[][..], |list| &list.items).iter();
    items.map(|item| registry.shared_name(item.value)).collect()
}

/// The texts of a list; none when there is no list.
pub fn texts(list: Option<&List<'_>>) -> Vec<String> {
    let items = list.map_or(&[][..], |list| &list.items).iter();
    items.map(|item| item.value.to_owned()).collect()
}
