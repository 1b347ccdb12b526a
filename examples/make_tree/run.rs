//! A suite run, and the report that the suite writes.

use std::collections::BTreeSet;

use gwconform_base::api::{Channel, Minor};
use gwconform_base::release::{self, Release, Test};
use gwconform_report::report::suite::{Ran, expected};
use gwconform_types::{
    ApiVersion, ConformanceReport, Core, Extended, Implementation, Kind, LegacyApiVersion,
    LegacyCore, LegacyExtended, LegacyProfile, LegacyReport, Profile, Statistics, TestResult,
};

use super::yaml;

#[derive(Clone, Debug)]
pub struct Run {
    pub release: &'static Release,
    pub channel: Channel,
    pub mode: String,
    pub date: String,
    pub implementation: Implementation,
    pub profiles: Vec<String>,
    pub claims: BTreeSet<String>,
    pub skipped: BTreeSet<String>,
    pub without_provisional: bool,
    /// `None` to derive the file name from the run.
    pub file_name: Option<String>,
}

impl Run {
    /// True up to v1.0.x. These reports have no channel or mode, and use other names.
    pub fn is_legacy(&self) -> bool {
        self.release.version().minor() <= Minor { major: 1, minor: 0 }
    }

    pub fn release_folder(&self) -> String {
        let minor = self.release.version().minor();
        if minor >= (Minor { major: 1, minor: 5 }) {
            minor.to_string()
        } else {
            self.release.version().to_string()
        }
    }

    /// Follows the sections "Table of Contents" and "Rules exceptions" of the reports README.
    pub fn file_name(&self) -> String {
        let version = &self.implementation.version;
        match &self.file_name {
            Some(name) => name.clone(),
            None if self.is_legacy() => format!("{version}-report.yaml"),
            None => format!(
                "{}-{version}-{}-report.yaml",
                self.channel.as_str(),
                self.mode
            ),
        }
    }

    pub fn lacks(&self, feature: &str) -> bool {
        let profiles = self
            .profiles
            .iter()
            .filter_map(|name| self.release.profile(name));
        let mut holding = profiles.filter(|profile| profile.is_extended(feature));
        !self.claims.contains(feature) && holding.next().is_some()
    }

    pub fn report(&self) -> String {
        let provisional = self.provisional();
        let ran = Ran {
            supported: self.claims.iter().map(String::as_str).collect(),
            provisional: provisional.iter().map(|test| test.name.as_str()).collect(),
        };
        let mut names = self.profiles.clone();
        names.sort();
        let results: Vec<_> = names.iter().map(|name| self.result(name, &ran)).collect();
        if self.is_legacy() {
            return yaml::text(&LegacyReport {
                api_version: LegacyApiVersion::V1Alpha1,
                kind: Kind::ConformanceReport,
                date: self.date.clone(),
                gateway_api_version: self.release.version().to_string(),
                implementation: self.implementation.clone(),
                profiles: results.into_iter().map(legacy).collect(),
            });
        }
        let passed = provisional
            .iter()
            .filter(|test| !self.skipped.contains(&test.name));
        let passed: Vec<_> = passed.map(|test| test.name.clone()).collect();
        yaml::text(&ConformanceReport {
            api_version: match self.release.report_api_version() {
                Some("gateway.networking.k8s.io/v1") => ApiVersion::V1,
                _ => ApiVersion::V1Alpha1,
            },
            kind: Kind::ConformanceReport,
            date: self.date.clone(),
            gateway_api_channel: self.channel,
            gateway_api_version: self.release.version().to_string(),
            implementation: self.implementation.clone(),
            mode: self.mode.clone(),
            profiles: results,
            succeeded_provisional_tests: (!passed.is_empty()).then_some(passed),
        })
    }

    fn provisional(&self) -> Vec<&'static Test> {
        let tests = self.release.tests().filter(|test| test.provisional);
        tests
            .filter(|test| !self.without_provisional && self.has_features_of(test))
            .collect()
    }

    /// True if the suite runs the test. The suite selects tests by features, not by profiles.
    pub fn has_features_of(&self, test: &Test) -> bool {
        let profiles = self
            .profiles
            .iter()
            .filter_map(|name| self.release.profile(name));
        let mut features = test.features.iter();
        features.all(|feature| {
            self.claims.contains(feature)
                || profiles.clone().any(|profile| profile.is_core(feature))
        })
    }

    fn result(&self, name: &str, ran: &Ran<'_>) -> Profile {
        let mut possible = expected(self.release, name, ran).into_iter();
        // v1.1.x reports two profiles under one name. In the first result, only one of them ran.
        let expected = possible
            .next()
            .unwrap_or_else(|| panic!("{} has no {name}", self.release.version()));
        let core = self.level(&expected.core);
        let extended = (!expected.extended.is_empty()).then(|| self.level(&expected.extended));
        let summary = match &extended {
            None => sentence("Core", &core),
            Some(extended) => {
                format!(
                    "{} {}",
                    sentence("Core", &core),
                    sentence("Extended", extended)
                )
            }
        };
        let own = expected.profiles[0];
        let mut claims: BTreeSet<&String> = expected.features.iter().collect();
        claims.retain(|feature| self.claims.contains(*feature) || own.is_core(feature));
        while let Some(untested) = self.untested(own, &claims) {
            claims.remove(untested);
        }
        let features = expected.features.iter().cloned();
        let (supported, unsupported): (Vec<_>, Vec<_>) =
            features.partition(|feature| claims.contains(feature));
        Profile {
            core,
            extended: extended.map(|level| Extended {
                failed_tests: None,
                result: level.result,
                skipped_tests: level.skipped_tests,
                statistics: level.statistics,
                supported_features: (!supported.is_empty()).then_some(supported),
                unsupported_features: (!unsupported.is_empty()).then_some(unsupported),
            }),
            name: name.to_owned(),
            summary,
        }
    }

    /// Finds a claimed feature whose tests all require unclaimed features. Real implementations do
    /// not claim such features.
    fn untested<'c>(
        &self,
        own: &release::Profile,
        claims: &BTreeSet<&'c String>,
    ) -> Option<&'c String> {
        let members = self.release.members(own);
        claims.iter().copied().find(|&claim| {
            let of_claim = || {
                members
                    .iter()
                    .filter(|member| member.test.features.contains(claim))
            };
            let is_run = |test: &Test| {
                let mut needs = test.features.iter();
                needs.all(|need| own.is_core(need) || claims.contains(need))
            };
            of_claim().next().is_some() && !of_claim().any(|member| is_run(&member.test))
        })
    }

    fn level(&self, tests: &[&Test]) -> Core {
        let skipped = tests
            .iter()
            .filter(|test| self.skipped.contains(&test.name));
        let skipped: Vec<_> = skipped
            .inspect(|test| {
                let is_late = test.parallel;
                assert!(
                    !is_late,
                    "{} always shows as passed in {}",
                    test.name,
                    self.release.version()
                );
            })
            .map(|test| test.name.clone())
            .collect();
        Core {
            failed_tests: None,
            result: if skipped.is_empty() {
                TestResult::Success
            } else {
                TestResult::Partial
            },
            statistics: Statistics {
                failed: 0,
                passed: (tests.len() - skipped.len()) as u32,
                skipped: skipped.len() as u32,
            },
            skipped_tests: (!skipped.is_empty()).then_some(skipped),
        }
    }
}

/// Repeats the grammar mistakes of `buildSummary` in the suite.
fn sentence(level: &str, result: &Core) -> String {
    match result.statistics.skipped {
        0 => format!("{level} tests succeeded."),
        skipped => format!("{level} tests partially succeeded with {skipped} test skips."),
    }
}

/// Suites up to v1.0.x left the summary of each level empty.
fn legacy(profile: Profile) -> LegacyProfile {
    let Profile {
        core,
        extended,
        name,
        ..
    } = profile;
    LegacyProfile {
        core: LegacyCore {
            failed_tests: core.failed_tests,
            result: core.result,
            skipped_tests: core.skipped_tests,
            statistics: core.statistics,
            summary: String::new(),
        },
        extended: extended.map(|extended| LegacyExtended {
            failed_tests: extended.failed_tests,
            result: extended.result,
            skipped_tests: extended.skipped_tests,
            statistics: extended.statistics,
            summary: String::new(),
            supported_features: extended.supported_features,
            unsupported_features: extended.unsupported_features,
        }),
        name,
    }
}
