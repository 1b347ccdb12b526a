//! What statements of logs ([`crate::statement`]) add to the reports of a tree.
//!
//! A statement counts for the report with its SHA-256 and no other, and only when its tests give the
//! numbers and lists of that report by the facts of its release: one without tests proves nothing. It
//! is unsigned; who shows it has checked a signature before. A statement that a test failed which
//! the report counts as passed leaves the profile without a verdict.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::Skipped;
use crate::facts::{Block, ByLog, LevelData, Profile, ReportFacts};
use crate::model::Level;
use crate::registry::{Member, Registry, Release};
use crate::rules::evidence::failed;
use crate::statement::{Predicate, StatedResult, Statement};
use crate::suite;

/// A statement and the path of its file as it is printed.
pub type NamedStatement = (String, Statement);

/// Applies statements to the reports with their digests. What was left out, and why.
pub fn apply(
    reports: &mut [ReportFacts],
    statements: &[NamedStatement],
    registry: &Registry,
) -> Vec<Skipped> {
    let mut by_digest: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, report) in reports.iter().enumerate() {
        by_digest
            .entry(report.digest.to_string())
            .or_default()
            .push(at);
    }
    let mut left_out = Vec::new();
    for (path, statement) in statements {
        let digests = statement.digests();
        let found: Vec<usize> = digests
            .filter_map(|digest| by_digest.get(digest))
            .flatten()
            .copied()
            .collect();
        if found.is_empty() {
            left_out.push(skipped(
                path,
                "no report of the tree has the digest of this statement",
            ));
        }
        for at in found {
            if let Err(reason) = one(&mut reports[at], path, &statement.predicate, registry) {
                left_out.push(skipped(path, reason));
            }
        }
    }
    left_out
}

fn skipped(path: &str, reason: &str) -> Skipped {
    Skipped {
        path: path.to_owned(),
        reason: reason.to_owned(),
    }
}

/// The tests of a predicate.
struct Tests<'s> {
    passed: BTreeSet<&'s str>,
    warned: BTreeSet<&'s str>,
    failed: BTreeSet<&'s str>,
}

impl<'s> Tests<'s> {
    fn of(predicate: &'s Predicate) -> Self {
        let set = |names: &'s [String]| names.iter().map(String::as_str).collect();
        Self {
            passed: set(&predicate.passed_tests),
            warned: set(&predicate.warned_tests),
            failed: set(&predicate.failed_tests),
        }
    }
}

fn one(
    report: &mut ReportFacts,
    path: &str,
    predicate: &Predicate,
    registry: &Registry,
) -> Result<(), &'static str> {
    let version = report.release.version.as_ref();
    let found = version.and_then(|version| registry.release(version).release());
    let release = found
        .filter(|release| release.extended_when().is_some())
        .ok_or("the release of its report has no known facts")?;
    let tests = Tests::of(predicate);
    let blocks = contradictions(report, path, predicate, release, &tests);
    if !blocks.is_empty() {
        report.blocks.extend(blocks);
        report.by_log = None;
        return Ok(());
    }
    let fits = [true, false].into_iter().any(|counts_provisional| {
        let mut profiles = report.profiles.iter();
        profiles.all(|profile| follows(profile, release, &tests, counts_provisional))
    });
    if !fits || tests.passed.is_empty() {
        return Err("its tests do not give the numbers of its report");
    }
    // Another statement may have contradicted the report.
    let is_contradicted = report
        .blocks
        .iter()
        .any(|block| block.rule == failed::RULE.id);
    if !is_contradicted {
        let passed = tests.passed.into_iter();
        report.by_log = Some(ByLog {
            passed: passed.map(|name| registry.shared_name(name)).collect(),
        });
    }
    Ok(())
}

/// Tests that failed by the statement and not by the report, profile by profile.
fn contradictions(
    report: &ReportFacts,
    path: &str,
    predicate: &Predicate,
    release: &Release,
    tests: &Tests<'_>,
) -> Vec<Block> {
    if predicate.result != StatedResult::Failed {
        return Vec::new();
    }
    let mut blocks = Vec::new();
    for (at, profile) in report.profiles.iter().enumerate() {
        let listed = names(
            profile
                .levels()
                .flat_map(|(_, level)| &level.failed_tests)
                .flatten(),
        );
        let own = release
            .profiles()
            .filter(|one| one.report_name == profile.name_or_empty());
        let members = own.flat_map(|one| release.members(one));
        let failed: BTreeSet<&str> = members
            .map(|member| member.test.name.as_str())
            .filter(|name| tests.failed.contains(name) && !listed.contains(name))
            .collect();
        if let Some(first) = failed.first() {
            let more = match failed.len() {
                1 => String::new(),
                count => format!(" and {} more", count - 1),
            };
            blocks.push(Block {
                rule: failed::RULE.id,
                message: format!(
                    "test `{first}`{more} failed in the log of the run, by the statement {path}, but the report counts it as passed"
                ),
                profile: Some(at),
            });
        }
    }
    blocks
}

fn names<'n>(list: impl Iterator<Item = &'n crate::facts::Name>) -> BTreeSet<&'n str> {
    list.map(AsRef::as_ref).collect()
}

/// True when the tests of a statement give a profile's numbers and lists.
fn follows(
    profile: &Profile,
    release: &Release,
    tests: &Tests<'_>,
    counts_provisional: bool,
) -> bool {
    let possible = suite::expected(release, profile.name_or_empty(), &suite::Ran::default());
    possible.iter().any(|one| {
        let members: Vec<&Member> = one
            .profiles
            .iter()
            .flat_map(|profile| release.members(profile))
            .collect();
        [Level::Core, Level::Extended].into_iter().all(|level| {
            let counted = |names: &BTreeSet<&str>, is_always: bool| -> Vec<String> {
                let of_level = members.iter().filter(|member| member.level == level);
                let counted = of_level.filter(|member| {
                    let is_counted = is_always || counts_provisional || !member.test.provisional;
                    is_counted && names.contains(member.test.name.as_str())
                });
                counted.map(|member| member.test.name.clone()).collect()
            };
            let passed = counted(&tests.passed, false);
            let skipped = counted(&tests.warned, false);
            let failed = counted(&tests.failed, true);
            match profile.level(level) {
                Some(data) => is_equal(data, &passed, &skipped, &failed),
                None => passed.is_empty() && skipped.is_empty() && failed.is_empty(),
            }
        })
    })
}

fn is_equal(data: &LevelData, passed: &[String], skipped: &[String], failed: &[String]) -> bool {
    let numbers = [
        (data.passed(), passed),
        (data.skipped(), skipped),
        (data.failed(), failed),
    ];
    let lists = [(&data.skipped_tests, skipped), (&data.failed_tests, failed)];
    let is_counted = |(number, tests): (Option<u64>, &[String])| number == Some(tests.len() as u64);
    numbers.into_iter().all(is_counted)
        && lists.into_iter().all(|(list, tests)| {
            let tests: BTreeSet<&str> = tests.iter().map(String::as_str).collect();
            names(list.iter().flatten()) == tests
        })
}
