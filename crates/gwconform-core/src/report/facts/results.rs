//! The profiles of a report in a compact form.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::Serialize;

use super::{MAX_NAMES, MAX_PROFILES, ReportFacts};
use crate::api::closed_set;
use crate::release::Registry;
use crate::report::model::{self, Spanned, Stated, Statistics};
use crate::report::view::{Level, List, Report};

/// The name of a feature, test or profile. Known names share their text
/// ([`Registry::shared_name`]).
pub type Name = Arc<str>;

/// One entry of `profiles`.
pub type Profile = model::Profile<Name>;

/// `core` or `extended` of a profile.
pub type LevelData = model::LevelData<Name>;

/// Where a profile is in the file of its report. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileLines {
    /// The line of its entry.
    pub start: u32,
    /// The line of each name that is kept of its [lists of features](Profile::feature_lists), in their
    /// order.
    pub features: Vec<u32>,
}

impl ProfileLines {
    /// The line of each feature that the profile lists; of one that is there twice the first.
    pub fn by_feature<'p>(&self, profile: &'p Profile) -> BTreeMap<&'p str, u32> {
        let names = profile.feature_lists().flatten();
        let mut lines = BTreeMap::new();
        for (name, line) in names.zip(&self.features) {
            lines.entry(&**name).or_insert(*line);
        }
        lines
    }
}

/// A finding that leaves a report, or one of its profiles, without a verdict. It is kept whatever
/// the command line and the configuration say about the severity of its rule: a verdict does not
/// depend on how findings are shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Block {
    /// Id of the rule.
    pub rule: &'static str,
    /// What it says.
    pub message: String,
    /// The profile by its place in the report; `None`: all of them. Of a profile that the report
    /// has twice neither result counts ([`ReportFacts::blocks_of`]).
    #[serde(skip)]
    pub profile: Option<usize>,
}

closed_set! {
    /// What two implementations claim.
    pub enum RivalKind {
        /// A name: the names look alike.
        LookAlike = "look-alike-name",
        /// A run of the suite: the dates are the same to the second.
        SameRun = "same-run",
    }
}

/// Another implementation that claims the name or the run of a report.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
pub struct Rival {
    /// What both claim.
    pub kind: RivalKind,
    /// Organization and project of the other implementation; the organization alone if only the
    /// organizations look alike.
    #[schemars(extend("examples" = ["acme/operator"]))]
    pub name: String,
    /// True if the other implementation is the owner: the verdict is disputed.
    pub is_owner: bool,
}

impl fmt::Display for Rival {
    /// `same run as acme/operator`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = match self.kind {
            RivalKind::LookAlike => "looks like",
            RivalKind::SameRun => "same run as",
        };
        write!(f, "{how} {}", self.name)
    }
}

impl ReportFacts {
    /// The rivals that leave its profiles without a verdict, in words; `None` if there are none.
    pub fn dispute(&self) -> Option<String> {
        let owners = self.rivals.iter().filter(|rival| rival.is_owner);
        let owners: Vec<String> = owners.map(ToString::to_string).collect();
        (!owners.is_empty()).then(|| owners.join("; "))
    }

    /// What leaves a profile, by its place in the report, without a verdict.
    pub fn blocks_of(&self, profile: usize) -> impl Iterator<Item = &Block> {
        let name_of = |at: usize| self.profiles.get(at).and_then(|profile| profile.name());
        let name = name_of(profile);
        self.blocks.iter().filter(move |block| match block.profile {
            None => true,
            Some(at) => at == profile || (name.is_some() && name_of(at) == name),
        })
    }
}

/// The profiles of a report, in its order, up to [`MAX_PROFILES`] and [`MAX_NAMES`]; true when it
/// has more.
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

/// How many names there is room for.
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

/// The names of a list; empty without a list.
pub fn names(registry: &Registry, list: Option<&List<'_>>) -> Vec<Name> {
    let items = list.map_or(&[][..], |list| &list.items).iter();
    items.map(|item| registry.shared_name(item.value)).collect()
}

/// The texts of a list; empty without a list.
pub fn texts(list: Option<&List<'_>>) -> Vec<String> {
    let items = list.map_or(&[][..], |list| &list.items).iter();
    items.map(|item| item.value.to_owned()).collect()
}
