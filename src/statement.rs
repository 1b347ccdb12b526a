//! What a log has proved, as an in-toto statement that can be signed: statement v1 with the predicate
//! `test-result` v0.1 (<https://github.com/in-toto/attestation>).
//!
//! A statement is unsigned, and its bytes depend on report, log and facts alone.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::evidence::{Claim, Comparison, Verdict};
use crate::log::{Outcome, SkipReason};
use crate::model::closed_set;
use crate::report::schema;

/// The type of the statement.
pub const STATEMENT_TYPE: &str = "https://in-toto.io/Statement/v1";

/// The type of its predicate.
pub const PREDICATE_TYPE: &str = "https://in-toto.io/attestation/test-result/v0.1";

/// A statement about a report, as `gwconform verify --statement` writes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "Statement of gwconform verify", transform = schema::with_id("statement"))]
pub struct Statement {
    /// Always `https://in-toto.io/Statement/v1`.
    #[serde(rename = "_type")]
    #[schemars(extend("const" = STATEMENT_TYPE))]
    pub kind: String,
    /// The report.
    pub subject: Vec<Resource>,
    /// Always `https://in-toto.io/attestation/test-result/v0.1`.
    #[serde(rename = "predicateType")]
    #[schemars(extend("const" = PREDICATE_TYPE))]
    pub predicate_type: String,
    /// What is stated of it.
    pub predicate: Predicate,
}

/// Something by its name and digest.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Resource {
    /// Its name: of a report its path.
    pub name: String,
    /// Its digest; absent where it is no file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<DigestSet>,
    /// What else is known of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
}

/// A digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DigestSet {
    /// SHA-256 in hexadecimal.
    #[schemars(extend("pattern" = "^[0-9a-f]{64}$"))]
    pub sha256: String,
}

/// What was verified with which version.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Annotations {
    /// Of `gateway-api`: the release whose facts count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub release: Option<String>,
    /// Of `gateway-api`: the channel of the report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// Of `gateway-api`: the profiles of the report.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub profiles: Vec<String>,
    /// Of `gwconform`: its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// The results of the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Predicate {
    /// `PASSED`: proved, and no test failed or was skipped. `WARNED`: proved with skipped tests, or not
    /// proved. `FAILED`: contradicted, or a test failed.
    pub result: StatedResult,
    /// The log, the release and this program.
    pub configuration: Vec<Resource>,
    /// Where the log is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Tests that passed, by name.
    #[serde(rename = "passedTests")]
    pub passed_tests: Vec<String>,
    /// Tests that were skipped though their features are supported, and tests without a result.
    #[serde(rename = "warnedTests")]
    pub warned_tests: Vec<String>,
    /// Tests that failed.
    #[serde(rename = "failedTests")]
    pub failed_tests: Vec<String>,
}

closed_set! {
    /// The result of a predicate.
    pub enum StatedResult {
        /// All tests passed.
        Passed = "PASSED",
        /// Some were skipped, or have no result.
        Warned = "WARNED",
        /// Some failed, or the report is contradicted.
        Failed = "FAILED",
    }
}

impl Statement {
    /// The statement of a comparison.
    pub fn of(claim: &Claim<'_>, comparison: &Comparison, verdict: Verdict) -> Self {
        let mut tests: BTreeMap<Outcome, Vec<String>> = BTreeMap::new();
        for (name, test) in &claim.run.tests {
            let outcome = test.outcome.as_ref().map(|(outcome, _)| *outcome);
            let is_not_supported = || {
                let reason = test.reason.as_ref().map(|(reason, _)| reason);
                matches!(reason, Some(SkipReason::NotSupported(_)))
            };
            if outcome == Some(Outcome::Skipped) && is_not_supported() {
                continue;
            }
            let outcome = outcome.unwrap_or(Outcome::Skipped);
            tests.entry(outcome).or_default().push(name.clone());
        }
        let mut of = |outcome| tests.remove(&outcome).unwrap_or_default();
        let passed_tests = of(Outcome::Passed);
        let failed_tests = of(Outcome::Failed);
        let mut warned_tests = of(Outcome::Skipped);
        let unnamed = comparison.gaps.iter().filter(|gap| gap.begun.is_none());
        warned_tests.extend(unnamed.map(|gap| gap.test.clone()));
        warned_tests.sort();
        let result = match verdict {
            Verdict::Contradicted => StatedResult::Failed,
            _ if !failed_tests.is_empty() => StatedResult::Failed,
            Verdict::Proved if warned_tests.is_empty() => StatedResult::Passed,
            _ => StatedResult::Warned,
        };
        Self {
            kind: STATEMENT_TYPE.to_owned(),
            subject: vec![resource(
                claim.source.path(),
                Some(claim.source.digest()),
                None,
            )],
            predicate_type: PREDICATE_TYPE.to_owned(),
            predicate: Predicate {
                result,
                configuration: configuration(claim),
                url: None,
                passed_tests,
                warned_tests,
                failed_tests,
            },
        }
    }

    /// Reads a statement of this kind; `None` for anything else.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let statement: Self = serde_json::from_slice(bytes).ok()?;
        let is_ours =
            statement.kind == STATEMENT_TYPE && statement.predicate_type == PREDICATE_TYPE;
        is_ours.then_some(statement)
    }

    /// The digests of the reports that it is about.
    pub fn digests(&self) -> impl Iterator<Item = &str> {
        let digests = self
            .subject
            .iter()
            .filter_map(|subject| subject.digest.as_ref());
        digests.map(|digest| digest.sha256.as_str())
    }

    /// The text of its file.
    ///
    /// # Errors
    /// When it cannot be written as JSON, which its types rule out.
    pub fn to_json(&self) -> serde_json::Result<String> {
        let mut text = crate::json::to_string_pretty(self)?;
        text.push('\n');
        Ok(text)
    }
}

fn resource(
    name: &str,
    digest: Option<crate::source::Digest>,
    annotations: Option<Annotations>,
) -> Resource {
    Resource {
        name: name.to_owned(),
        digest: digest.map(|digest| DigestSet {
            sha256: digest.to_string(),
        }),
        annotations,
    }
}

fn configuration(claim: &Claim<'_>) -> Vec<Resource> {
    let profiles = claim.report.profiles.iter();
    let release = Annotations {
        release: Some(claim.release.version().to_string()),
        channel: claim
            .report
            .gateway_api_channel
            .map(|channel| channel.value.to_owned()),
        profiles: profiles
            .map(|profile| profile.name_or_empty().to_owned())
            .collect(),
        version: None,
    };
    let program = Annotations {
        version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        ..Annotations::default()
    };
    vec![
        resource("log", Some(claim.log.digest), None),
        resource("gateway-api", None, Some(release)),
        resource("gwconform", None, Some(program)),
    ]
}
