//! Applies log statements ([`crate::statement`]) to the reports of a tree.
//!
//! A statement applies only to the report with the same SHA-256, and only if the statement's tests
//! match the report. Statements are not signed, so verify signatures before you add files to the
//! folder. A contradicting statement prevents a verdict if the log prints the report and a test
//! result differs.

use std::collections::{BTreeMap, BTreeSet};

use crate::report::facts::{Block, ByLog, LevelData, Profile, ReportFacts};
use crate::report::suite;
use crate::rules::check::Skipped;
use crate::statement::{Predicate, Statement, Verdict};
use gwconform_base::api::Level;
use gwconform_base::release::{Member, Registry, Release};

/// Statement with the printed path of its file.
pub type NamedStatement = (String, Statement);

/// Returns the unused statements with reasons.
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
    let mut contradicted = BTreeSet::new();
    for (path, statement) in statements {
        let Some(digest) = statement.digest() else {
            left_out.push(leave_out(
                path,
                "expected one subject, the report, with its SHA-256",
            ));
            continue;
        };
        let Some(found) = by_digest.get(digest) else {
            left_out.push(leave_out(
                path,
                "no report of the tree has the digest of this statement",
            ));
            continue;
        };
        for &at in found {
            match one(&reports[at], path, statement, registry) {
                Ok(Outcome::Proved(by_log)) => reports[at].by_log = Some(by_log),
                Ok(Outcome::Contradicted(blocks)) => {
                    contradicted.insert(at);
                    reports[at].blocks.extend(blocks);
                }
                Err(reason) => left_out.push(leave_out(path, reason)),
            }
        }
    }
    // A contradicting statement outweighs statements that prove the report.
    for at in contradicted {
        reports[at].by_log = None;
    }
    left_out
}

enum Outcome {
    Proved(ByLog),
    Contradicted(Vec<Block>),
}

fn leave_out(path: &str, reason: &str) -> Skipped {
    Skipped {
        path: path.to_owned(),
        reason: reason.to_owned(),
    }
}

struct Tests<'s> {
    passed: BTreeSet<&'s str>,
    warned: BTreeSet<&'s str>,
    failed: BTreeSet<&'s str>,
}

impl<'s> Tests<'s> {
    fn new(predicate: &'s Predicate) -> Self {
        let set = |names: &'s [String]| names.iter().map(String::as_str).collect();
        Self {
            passed: set(&predicate.passed_tests),
            warned: set(&predicate.warned_tests),
            failed: set(&predicate.failed_tests),
        }
    }

    fn is_consistent(&self, predicate: &Predicate) -> bool {
        let lists = [
            &predicate.passed_tests,
            &predicate.warned_tests,
            &predicate.failed_tests,
        ];
        let all: BTreeSet<&str> = [&self.passed, &self.warned, &self.failed]
            .into_iter()
            .flatten()
            .copied()
            .collect();
        all.len() == lists.into_iter().map(Vec::len).sum::<usize>()
    }

    fn ran(&self, name: &str) -> bool {
        let lists = [&self.passed, &self.warned, &self.failed];
        lists.into_iter().any(|list| list.contains(name))
    }
}

fn one(
    report: &ReportFacts,
    path: &str,
    statement: &Statement,
    registry: &Registry,
) -> Result<Outcome, &'static str> {
    let version = report.release.version.as_ref();
    let found = version.and_then(|version| registry.release(version).release());
    let release = found
        .filter(|release| release.extended_when().is_some())
        .ok_or("the release data of its report is unknown")?;
    let predicate = &statement.predicate;
    let tests = Tests::new(predicate);
    if !tests.is_consistent(predicate) {
        return Err("it lists a test more than once");
    }
    let verdict = statement
        .verdict()
        .ok_or("its verdict is not one that `gwconform verify` writes")?;
    if predicate.result != predicate.expected_result(verdict) {
        return Err("its result does not match its verdict and tests");
    }
    match verdict {
        Verdict::Proved => {}
        Verdict::NotProved => {
            return Err("the log does not prove the report: results are missing");
        }
        Verdict::Contradicted => {
            if statement.prints_report() != Some(true) {
                return Err(
                    "it contradicts its report, but its log does not print the report: the log may belong to another run",
                );
            }
            let blocks = contradictions(report, path, release, &tests);
            if blocks.is_empty() {
                return Err(
                    "it contradicts its report, but names no test whose result differs from the report",
                );
            }
            return Ok(Outcome::Contradicted(blocks));
        }
    }
    let fits = [Provisional::Counted, Provisional::LeftOut]
        .into_iter()
        .any(|provisional| {
            let mut profiles = report.profiles.iter();
            profiles.all(|profile| follows(profile, release, &tests, provisional))
        });
    if !fits || report.profiles.is_empty() || tests.passed.is_empty() {
        return Err("its tests do not match the numbers and features of its report");
    }
    let own = report
        .profiles
        .iter()
        .flat_map(|profile| members(profile, release));
    let own = own.map(|member| member.test.name.as_str());
    let passed = own.filter(|name| tests.passed.contains(name));
    Ok(Outcome::Proved(ByLog {
        passed: passed.map(|name| registry.shared_name(name)).collect(),
    }))
}

/// Several profiles of a release can share a reported name.
fn members<'r>(profile: &Profile, release: &'r Release) -> impl Iterator<Item = &'r Member> {
    let name = profile.name_or_empty();
    let own: Vec<_> = release
        .profiles()
        .filter(|one| one.report_name == name)
        .collect();
    own.into_iter().flat_map(|one| release.members(one))
}

fn contradictions(
    report: &ReportFacts,
    path: &str,
    release: &Release,
    tests: &Tests<'_>,
) -> Vec<Block> {
    let mut blocks = Vec::new();
    for profile in &report.profiles {
        let levels = || profile.levels().map(|(_, level)| level);
        let failed = names(levels().flat_map(|level| &level.failed_tests).flatten());
        let skipped = names(levels().flat_map(|level| &level.skipped_tests).flatten());
        for (rule, what, of_log, listed) in [
            ("evidence/failed", "failed", &tests.failed, &failed),
            ("evidence/skipped", "was skipped", &tests.warned, &skipped),
        ] {
            let is_other = |member: &&Member| {
                let name = member.test.name.as_str();
                of_log.contains(name) && !listed.contains(name) && counts(report, profile, member)
            };
            let other = members(profile, release).filter(is_other);
            let other: BTreeSet<&str> = other.map(|member| member.test.name.as_str()).collect();
            let Some(first) = other.first() else {
                continue;
            };
            let (more, what) = match (other.len(), what) {
                (1, what) => (String::new(), what),
                (count, "failed") => (format!(" and {} more", count - 1), "failed"),
                (count, _) => (format!(" and {} more", count - 1), "were skipped"),
            };
            blocks.push(Block {
                rule,
                message: format!(
                    "test `{first}`{more} {what} in the log of the run according to the statement {path}, but the report counts it as passed"
                ),
                profile: None,
            });
        }
    }
    blocks
}

fn counts(report: &ReportFacts, profile: &Profile, member: &Member) -> bool {
    let is_counted = |level: &LevelData| {
        let supported = names(level.supported_features.iter().flatten());
        let unsupported = names(level.unsupported_features.iter().flatten());
        let is_claimed = |need: &String| {
            supported.contains(need.as_str()) || !unsupported.contains(need.as_str())
        };
        member.needs.iter().all(is_claimed)
    };
    let has_run = || {
        let succeeded = &report.succeeded_provisional;
        !member.test.provisional || succeeded.iter().any(|name| **name == *member.test.name)
    };
    profile.level(member.level).is_some_and(is_counted) && has_run()
}

fn names<'n>(list: impl Iterator<Item = &'n crate::report::facts::Name>) -> BTreeSet<&'n str> {
    list.map(AsRef::as_ref).collect()
}

#[derive(Clone, Copy, PartialEq)]
enum Provisional {
    Counted,
    LeftOut,
}

fn follows(
    profile: &Profile,
    release: &Release,
    tests: &Tests<'_>,
    provisional: Provisional,
) -> bool {
    let possible = suite::expected(release, profile.name_or_empty(), &suite::Ran::default());
    possible.iter().any(|one| {
        let members: Vec<&Member> = one
            .profiles
            .iter()
            .flat_map(|profile| release.members(profile))
            .collect();
        if !has_run_what_is_claimed(profile, &members, tests) {
            return false;
        }
        [Level::Core, Level::Extended].into_iter().all(|level| {
            let counted = |names: &BTreeSet<&str>, provisional: Provisional| -> Vec<String> {
                let of_level = members.iter().filter(|member| member.level == level);
                let counted = of_level.filter(|member| {
                    let is_counted =
                        provisional == Provisional::Counted || !member.test.provisional;
                    is_counted && names.contains(member.test.name.as_str())
                });
                counted.map(|member| member.test.name.clone()).collect()
            };
            let passed = counted(&tests.passed, provisional);
            let skipped = counted(&tests.warned, provisional);
            let failed = counted(&tests.failed, Provisional::Counted);
            match profile.level(level) {
                Some(data) => is_equal(data, &passed, &skipped, &failed),
                None => passed.is_empty() && skipped.is_empty() && failed.is_empty(),
            }
        })
    })
}

/// True if exactly the tests of claimed features ran. Suites up to v1.0.0 wrote no lists if all
/// features were enabled.
fn has_run_what_is_claimed(profile: &Profile, members: &[&Member], tests: &Tests<'_>) -> bool {
    let Some(extended) = &profile.extended else {
        return true;
    };
    let (supported, unsupported) = (&extended.supported_features, &extended.unsupported_features);
    if supported.is_none() && unsupported.is_none() {
        return true;
    }
    let supported = names(supported.iter().flatten());
    let unsupported = names(unsupported.iter().flatten());
    members.iter().all(|member| {
        // Up to v1.3.0 the suite lists exempt features as both supported and unsupported.
        let is_claimed = |need: &String| {
            supported.contains(need.as_str()) && !unsupported.contains(need.as_str())
        };
        tests.ran(&member.test.name) == member.needs.iter().all(is_claimed)
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
