//! The verdict on one profile of one report.

use crate::facts::{self, Block, LevelData, Name, Profile, ReportFacts};
use crate::model::{List, Stated, TestResult, closed_set};
use crate::registry::{Family, Level, Match, Registry, Release};
use crate::suite;
use crate::text::counted;

closed_set! {
    // A better one is greater.
    /// The status of a profile by a report.
    pub enum Status {
        /// Without a readable result.
        Unreadable = "unreadable",
        /// The report contradicts itself or lacks core tests, so it has no verdict.
        Contradictory = "contradictory",
        /// A test failed, or too many were skipped.
        Failing = "failing",
        /// Tests were skipped, none failed.
        Partial = "partial",
        /// All tests passed.
        Conformant = "conformant",
    }
}

/// The verdict on one profile of one report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileVerdict {
    /// The profile's name as the report has it; empty when it has none.
    pub profile: Name,
    /// Gateway or mesh; `None` for a profile that no release has.
    pub family: Option<Family>,
    /// The verdict.
    pub status: Status,
    /// Why, in words.
    pub reason: String,
    /// The findings that leave it without a verdict; only when it is contradictory.
    pub blocks: Vec<Block>,
    /// Skipped tests, core and extended, as its statistics count them.
    pub skipped: u64,
    /// Core tests that always show as passed, and all core tests of the profile: the suites of
    /// v1.6.0 and v1.6.1 write the report before the tests marked parallel have run. `None` where
    /// there are none of them.
    pub always_passed: Option<(usize, usize)>,
}

/// The verdicts on the profiles of a report, in its order.
pub fn judge(report: &ReportFacts, registry: &Registry) -> Vec<ProfileVerdict> {
    let profiles = report.profiles.iter().enumerate();
    profiles
        .map(|(at, profile)| {
            let blocks: Vec<Block> = report.blocks_of(at).cloned().collect();
            let (status, reason) = status(report, profile, &blocks, registry);
            let name = profile
                .name
                .as_ref()
                .map_or_else(|| Name::from(""), |name| Name::clone(&name.value));
            let is_blocked = status == Status::Contradictory;
            let known = registry.profile(&name);
            ProfileVerdict {
                family: known.map(|profile| profile.family),
                status,
                reason,
                blocks: if is_blocked { blocks } else { Vec::new() },
                skipped: profile
                    .levels()
                    .filter_map(|(_, level)| level.skipped())
                    .fold(0, u64::saturating_add),
                always_passed: always_passed(report, &name, registry),
                profile: name,
            }
        })
        .collect()
}

fn status(
    report: &ReportFacts,
    profile: &Profile,
    blocks: &[Block],
    registry: &Registry,
) -> (Status, String) {
    if report.is_cut {
        let reason = "the file could not be read completely".to_owned();
        return (Status::Unreadable, reason);
    }
    if report.exceeds_bounds {
        let reason = format!(
            "more than {} profiles or {} names",
            facts::MAX_PROFILES,
            facts::MAX_NAMES
        );
        return (Status::Unreadable, reason);
    }
    if profile.name.is_none() {
        return (Status::Unreadable, "the profile has no name".to_owned());
    }
    let Some(core) = &profile.core else {
        return (Status::Unreadable, "no core result".to_owned());
    };
    let mut levels = Vec::new();
    for (name, level) in profile.levels() {
        match LevelCounts::of(level) {
            Ok(counted) => levels.push((name, counted)),
            Err(what) => return (Status::Unreadable, format!("{name} has {what}")),
        }
    }
    if !blocks.is_empty() {
        let messages: Vec<_> = blocks.iter().map(|block| block.message.as_str()).collect();
        return (Status::Contradictory, messages.join("; "));
    }
    let ran = levels.iter().map(|(_, counted)| counted.total());
    if ran.fold(0, u64::saturating_add) == 0 {
        let reason = "no test was run".to_owned();
        return (Status::Contradictory, reason);
    }
    let failed: Vec<_> = levels.iter().filter(|(_, level)| level.fails()).collect();
    if !failed.is_empty() {
        let reasons: Vec<_> = failed
            .iter()
            .map(|(name, level)| {
                level.tests(
                    *name,
                    "failed",
                    level.failed,
                    level.level.failed_tests.as_ref(),
                )
            })
            .collect();
        return (Status::Failing, reasons.join("; "));
    }
    let minor = report
        .release
        .version
        .as_ref()
        .map(|version| version.minor());
    let most = minor.and_then(|minor| registry.most_core_skips(minor));
    if let (Some(most), Some(skipped)) = (most, core.skipped())
        && skipped > u64::from(most)
    {
        let tests = counted(skipped, "core test");
        let reason = format!("{tests} skipped; at most {most} allowed");
        return (Status::Failing, reason);
    }
    let partial: Vec<_> = levels
        .iter()
        .filter(|(_, level)| level.is_partial())
        .collect();
    if !partial.is_empty() {
        let reasons: Vec<_> = partial
            .iter()
            .map(|(name, level)| level.partial(*name))
            .collect();
        return (Status::Partial, reasons.join("; "));
    }
    (Status::Conformant, passed(&levels))
}

/// The result and the numbers of a level that has all of them.
struct LevelCounts<'f> {
    level: &'f LevelData,
    result: TestResult,
    passed: u64,
    skipped: u64,
    failed: u64,
}

impl<'f> LevelCounts<'f> {
    /// # Errors
    /// The missing value, in words that follow "core has".
    fn of(level: &'f LevelData) -> Result<Self, String> {
        let result = match level.result {
            Stated::Known(result) => result.value,
            Stated::Other(_) => return Err("an invalid result".to_owned()),
            Stated::Absent => return Err("no result".to_owned()),
        };
        let number = |name: &str, number: Option<u64>| {
            number.ok_or_else(|| format!("no number under `statistics.{name}`"))
        };
        Ok(Self {
            level,
            result,
            passed: number("Passed", level.passed())?,
            skipped: number("Skipped", level.skipped())?,
            failed: number("Failed", level.failed())?,
        })
    }

    fn total(&self) -> u64 {
        let passed = self.passed.saturating_add(self.skipped);
        passed.saturating_add(self.failed)
    }

    fn fails(&self) -> bool {
        self.failed > 0 || self.result == TestResult::Failure
    }

    fn is_partial(&self) -> bool {
        self.skipped > 0 || self.result == TestResult::Partial
    }

    fn partial(&self, name: Level) -> String {
        if self.skipped == 0 {
            return format!("the {name} result is partial, but no test was skipped");
        }
        self.tests(
            name,
            "skipped",
            self.skipped,
            self.level.skipped_tests.as_ref(),
        )
    }

    /// `2 of 33 core tests skipped: A, B`
    fn tests(&self, name: Level, what: &str, count: u64, tests: Option<&List<Name>>) -> String {
        let total = self.total();
        let listed = listed(tests);
        let colon = if listed.is_empty() { "" } else { ": " };
        format!(
            "{count} of {} {what}{colon}{listed}",
            counted(total, &format!("{name} test"))
        )
    }
}

/// How many names a reason tells before it counts the rest.
const MAX_NAMES: usize = 5;

fn listed(names: Option<&List<Name>>) -> String {
    let count = names.map_or(0, |names| names.items.len());
    let first = names.into_iter().flatten().take(MAX_NAMES);
    let named = first.map(AsRef::as_ref).collect::<Vec<_>>().join(", ");
    match count.saturating_sub(MAX_NAMES) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

fn passed(levels: &[(Level, LevelCounts<'_>)]) -> String {
    let passed: Vec<_> = levels
        .iter()
        .map(|(name, level)| counted(level.passed, &format!("{name} test")))
        .collect();
    let silent = if levels.len() == 1 {
        "; no extended features listed"
    } else {
        ""
    };
    format!("{} passed{silent}", passed.join(" and "))
}

/// The release whose facts a report can be compared with.
pub(crate) fn facts<'r>(report: &ReportFacts, registry: &'r Registry) -> Option<&'r Release> {
    match registry.release(report.release.version.as_ref()?) {
        Match::Exact(release) | Match::NearestLowerPatch(release) => Some(release),
        Match::NewerThanKnown | Match::Unknown => None,
    }
}

fn always_passed(report: &ReportFacts, name: &str, registry: &Registry) -> Option<(usize, usize)> {
    let release = facts(report, registry)?;
    let profile = release.profile(name)?;
    release.tests().find(|test| test.parallel)?;
    // Provisional tests count when they ran: then the report names them.
    let has_run = |test: &str| {
        let levels = report.profiles.iter().flat_map(Profile::levels);
        let mut named = levels
            .flat_map(|(_, level)| level.named_tests())
            .chain(&report.succeeded_provisional);
        named.any(|named| &**named == test)
    };
    let core = release.tests().filter(|test| {
        let is_core = suite::level(release, profile, test) == Some(Level::Core);
        is_core && (!test.provisional || has_run(&test.name))
    });
    let (all, parallel) = core.fold((0, 0), |(all, parallel), test| {
        (all + 1, parallel + usize::from(test.parallel))
    });
    (parallel > 0).then_some((parallel, all))
}

/// A profile's name within its family: `HTTP` for `GATEWAY-HTTP` and `MESH-HTTP`.
pub fn short_name(profile: &str) -> &str {
    let short = profile.strip_prefix("GATEWAY-");
    short
        .or_else(|| profile.strip_prefix("MESH-"))
        .unwrap_or(profile)
}
