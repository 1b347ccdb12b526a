use std::collections::BTreeSet;

use super::reviews::day_of;
use serde::Serialize;

use crate::report::facts::{self, Block, LevelData, Name, Profile, ReportFacts};
use crate::report::model::{List, Stated};
use gwconform_base::api::{Family, Level, SUBJECT};
use gwconform_base::api::{TestResult, closed_set};
use gwconform_base::release::stated::{ComparedFacts, release_of_prerelease, was_out};
use gwconform_base::release::{Registry, Release, Seen};
use gwconform_base::text::{counted, examples};

closed_set! {
    // Ordered from worst to best.
    /// Verdict on a profile in a report.
    pub enum Status {
        /// The result is missing or cannot be read.
        Unreadable = "unreadable",
        /// The report contradicts itself, its folder or its release, which prevents a verdict.
        Contradictory = "contradictory",
        /// The report is for a prerelease or an unknown release, or the run precedes the first
        /// release of its minor, so its counts cannot be checked.
        Unverified = "unverified",
        /// A test failed, too many were skipped, or no core test passed.
        Failing = "failing",
        /// Tests were skipped, but none failed.
        Partial = "partial",
        /// All tests passed.
        Conformant = "conformant",
    }
}

impl Status {
    /// False for statuses that prevent a verdict.
    pub fn is_verdict(self) -> bool {
        match self {
            Self::Unreadable | Self::Contradictory | Self::Unverified => false,
            Self::Failing | Self::Partial | Self::Conformant => true,
        }
    }
}

/// Verdict on a profile in a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[schemars(rename = "ProfileResult")]
pub struct ProfileVerdict {
    /// Profile name; empty if the report does not name the profile.
    pub profile: Name,
    /// Family of the profile; null if no release has the profile.
    pub family: Option<Family>,
    /// Status of the profile, based on its test results.
    pub status: Status,
    /// Reason for the status as an English phrase.
    pub reason: String,
    /// Findings that prevent a verdict. Empty unless the status is `contradictory`.
    #[serde(rename = "blocked_by")]
    pub blocks: Vec<Block>,
    /// Number of skipped core and extended tests in the statistics.
    #[serde(skip)]
    pub skipped: u64,
    /// Tests that the statistics count as passed before they finished.
    #[serde(skip)]
    pub unseen: UnseenByLevel,
}

/// Number of unseen test results in a profile, by level.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UnseenByLevel {
    /// Core tests.
    pub core: u64,
    /// Extended tests.
    pub extended: u64,
    /// The report is for an unknown patch, so some of these tests may have finished.
    pub is_uncertain: bool,
}

impl UnseenByLevel {
    /// Number of unseen results of a level.
    pub fn of(self, level: Level) -> u64 {
        match level {
            Level::Core => self.core,
            Level::Extended => self.extended,
        }
    }

    /// `not seen`, or `possibly unfinished` for an unknown patch.
    pub fn word(self) -> &'static str {
        if self.is_uncertain {
            "possibly unfinished"
        } else {
            "not seen"
        }
    }
}

/// Verdict on each profile, in report order.
pub fn judge(report: &ReportFacts, registry: &Registry) -> Vec<ProfileVerdict> {
    let profiles = report.profiles.iter().enumerate();
    profiles
        .map(|(at, profile)| {
            let blocks: Vec<Block> = report.blocks_of(at).cloned().collect();
            let unseen = unseen(report, profile, registry);
            let (status, reason) = status(report, profile, &blocks, unseen, registry);
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
                unseen,
                profile: name,
            }
        })
        .collect()
}

fn status(
    report: &ReportFacts,
    profile: &Profile,
    blocks: &[Block],
    unseen: UnseenByLevel,
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
        match LevelCounts::try_new(level) {
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
    if let Some(reason) = prerelease(report, registry).or_else(|| too_early(report, registry)) {
        return (Status::Unverified, reason);
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
    if core.passed() == Some(0) {
        let skipped = counted(core.skipped().unwrap_or_default(), "core test");
        let reason = format!("no core test passed; {skipped} skipped");
        return (Status::Failing, reason);
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
    // Failures are certain without release data, but `all passed` requires the total number of
    // tests.
    let caveat = match facts_of_counts(report, registry) {
        KnownFacts::Own => "",
        KnownFacts::OfNeighbour(caveat) => &format!("; {caveat}"),
        KnownFacts::None(reason) => return (Status::Unverified, reason),
    };
    let partial: Vec<_> = levels
        .iter()
        .filter(|(_, level)| level.is_partial())
        .collect();
    if !partial.is_empty() {
        let reasons: Vec<_> = partial
            .iter()
            .map(|(name, level)| level.partial(*name))
            .collect();
        let others = match report.by_log {
            Some(_) => "; the others passed, as its log shows",
            None => "",
        };
        return (Status::Partial, reasons.join("; ") + others + caveat);
    }
    let passed = if report.by_log.is_some() {
        passed_in_log(&levels)
    } else if unseen != UnseenByLevel::default() {
        counted_as_passed(&levels, unseen)
    } else {
        format!("{} passed{}", counts(&levels), silent(&levels))
    };
    (Status::Conformant, passed + caveat)
}

fn prerelease(report: &ReportFacts, registry: &Registry) -> Option<String> {
    let version = report.release.version.as_ref()?;
    version.pre()?;
    Some(match release_of_prerelease(version, registry) {
        Some(release) => format!(
            "{version} is a prerelease of {}, which has been released",
            release.version()
        ),
        None => format!("{version} is a prerelease: counts not checked"),
    })
}

/// Reason why the run cannot have tested its minor, which had no published release yet.
fn too_early(report: &ReportFacts, registry: &Registry) -> Option<String> {
    let minor = report.release.version.as_ref()?.minor();
    let (first, day) = (registry.first_patch_of(minor)?, day_of(report)?);
    let released = first.date().filter(|_| !was_out(first, day))?;
    let version = first.version();
    Some(format!(
        "run on {day}, before {version} was released on {released}"
    ))
}

enum KnownFacts {
    Own,
    /// Data of an earlier patch, which the text names.
    OfNeighbour(String),
    /// Reason why no data is known.
    None(String),
}

/// If the release is newer than the registry, its counts cannot be checked. An unknown patch is
/// compared with an earlier patch, because patches are released more often than gwconform.
fn facts_of_counts(report: &ReportFacts, registry: &Registry) -> KnownFacts {
    let Some(version) = &report.release.version else {
        return KnownFacts::None("the release is unknown".to_owned());
    };
    match ComparedFacts::new(version, day_of(report), registry) {
        ComparedFacts::Own(_) | ComparedFacts::Undated(_) => KnownFacts::Own,
        ComparedFacts::OfOlderPatch(release) => KnownFacts::OfNeighbour(format!(
            "{version} was released after this run: counts compared with {}",
            release.version()
        )),
        ComparedFacts::OfPatchBelow(release) => KnownFacts::OfNeighbour(format!(
            "{version} is not in the release data: counts compared with {}",
            release.version()
        )),
        ComparedFacts::NewerThanKnown => KnownFacts::None(format!(
            "{} is newer than the built-in release data: counts not checked",
            version.minor()
        )),
        ComparedFacts::ImplausiblePatch | ComparedFacts::Unknown => KnownFacts::None(format!(
            "{version} is not in the release data: counts not checked"
        )),
    }
}

struct LevelCounts<'f> {
    level: &'f LevelData,
    result: TestResult,
    passed: u64,
    skipped: u64,
    failed: u64,
}

impl<'f> LevelCounts<'f> {
    fn try_new(level: &'f LevelData) -> Result<Self, String> {
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

    fn tests(&self, name: Level, what: &str, count: u64, tests: Option<&List<Name>>) -> String {
        let total = self.total();
        let tests: Vec<&str> = tests.into_iter().flatten().map(AsRef::as_ref).collect();
        let colon = if tests.is_empty() { "" } else { ": " };
        let tests = examples(&tests);
        format!(
            "{count} of {} {what}{colon}{tests}",
            counted(total, &format!("{name} test"))
        )
    }
}

/// Results of skipped and failed tests are always known, and a log proves the others.
fn unseen(report: &ReportFacts, profile: &Profile, registry: &Registry) -> UnseenByLevel {
    let mut unseen = UnseenByLevel::default();
    let compared = compared(report, registry);
    let release = compared.release().filter(|_| report.by_log.is_none());
    let known = release.zip(profile.name());
    let known = known.and_then(|(release, name)| Some((release, release.profile(name)?)));
    let Some((release, known)) = known else {
        return unseen;
    };
    let members = release.members(known).iter();
    let with_seen = members.map(|member| (member, compared.seen(&member.test, registry)));
    let possible: Vec<_> = with_seen.filter(|(_, seen)| *seen != Seen::Yes).collect();
    if possible.is_empty() {
        return unseen;
    }
    let levels = || profile.levels().map(|(_, level)| level);
    let supported = levels().flat_map(|level| &level.supported_features);
    let supported: BTreeSet<&str> = supported.flatten().map(AsRef::as_ref).collect();
    let named: BTreeSet<&str> = levels()
        .flat_map(LevelData::named_tests)
        .map(AsRef::as_ref)
        .collect();
    for (member, seen) in possible {
        let is_counted = !member.test.provisional
            && !named.contains(member.test.name.as_str())
            && member
                .needs
                .iter()
                .all(|need| supported.contains(need.as_str()));
        if is_counted {
            unseen.is_uncertain |= seen == Seen::NotKnown;
            match member.level {
                Level::Core => unseen.core += 1,
                Level::Extended => unseen.extended += 1,
            }
        }
    }
    unseen
}

fn counts(levels: &[(Level, LevelCounts<'_>)]) -> String {
    let passed: Vec<_> = levels
        .iter()
        .map(|(name, level)| counted(level.passed, &format!("{name} test")))
        .collect();
    passed.join(" and ")
}

fn passed_in_log(levels: &[(Level, LevelCounts<'_>)]) -> String {
    let is_one = levels.first().is_some_and(|(_, level)| level.passed == 1);
    let all = if is_one { "" } else { "all " };
    let (counts, silent) = (counts(levels), silent(levels));
    format!("{all}{counts} passed, as its log shows{silent}")
}

/// `37 core tests, 10 not seen; 23 extended tests`
fn counted_as_passed(levels: &[(Level, LevelCounts<'_>)], unseen: UnseenByLevel) -> String {
    let level = |(name, level): &(Level, LevelCounts<'_>)| {
        let tests = counted(level.passed, &format!("{name} test"));
        match unseen.of(*name) {
            0 => tests,
            count => format!("{tests}, {count} {}", unseen.word()),
        }
    };
    let levels_in_words: Vec<_> = levels.iter().map(level).collect();
    levels_in_words.join("; ") + silent(levels)
}

fn silent(levels: &[(Level, LevelCounts<'_>)]) -> &'static str {
    match levels.len() {
        1 => "; no extended features listed",
        _ => "",
    }
}

pub(crate) fn compared<'r>(report: &ReportFacts, registry: &'r Registry) -> ComparedFacts<'r> {
    match &report.release.version {
        Some(version) if version.pre().is_none() => {
            ComparedFacts::new(version, day_of(report), registry)
        }
        _ => ComparedFacts::Unknown,
    }
}

/// Data of the release that a report is compared with.
pub fn facts<'r>(report: &ReportFacts, registry: &'r Registry) -> Option<&'r Release> {
    compared(report, registry).release()
}

/// Profile name without the family, such as `HTTP` for `GATEWAY-HTTP` and `MESH-HTTP`.
pub fn short_name(profile: &str) -> &str {
    SUBJECT.profile(profile).map_or(profile, |(_, short)| short)
}
