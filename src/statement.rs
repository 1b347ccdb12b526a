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
    /// Of `gwconform`: what it found. A statement counts for its report only with `proved`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
}

/// Why a file is not a statement that can be read, as a clause that follows "not checked:".
#[derive(Debug, thiserror::Error)]
pub enum StatementError {
    /// It is signed: a DSSE envelope, or a bundle with one.
    #[error(
        "it is signed; check it with `gh attestation verify REPORT --format json`, and keep the statement that this prints: `jq '.[0].verificationResult.statement'`"
    )]
    Signed,
    /// It is a statement about something else.
    #[error("it is a statement of another kind; expected the predicate type {PREDICATE_TYPE}")]
    OtherKind,
    /// It is something else.
    #[error("not a statement of `gwconform verify`: {0}")]
    Other(serde_json::Error),
}

/// What tells the kind of a file that is not a statement.
#[derive(Deserialize)]
struct Kind {
    #[serde(rename = "predicateType")]
    predicate_type: Option<String>,
    #[serde(rename = "payloadType")]
    payload_type: Option<serde::de::IgnoredAny>,
    #[serde(rename = "dsseEnvelope")]
    envelope: Option<serde::de::IgnoredAny>,
    bundle: Option<serde::de::IgnoredAny>,
    attestation: Option<serde::de::IgnoredAny>,
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

impl Predicate {
    /// The result that a verdict and the lists of tests lead to.
    pub fn expected_result(&self, verdict: Verdict) -> StatedResult {
        match verdict {
            Verdict::Contradicted => StatedResult::Failed,
            _ if !self.failed_tests.is_empty() => StatedResult::Failed,
            Verdict::Proved if self.warned_tests.is_empty() => StatedResult::Passed,
            _ => StatedResult::Warned,
        }
    }
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
        let mut predicate = Predicate {
            result: StatedResult::Warned,
            configuration: configuration(claim, verdict),
            url: None,
            passed_tests,
            warned_tests,
            failed_tests,
        };
        predicate.result = predicate.expected_result(verdict);
        Self {
            kind: STATEMENT_TYPE.to_owned(),
            subject: vec![resource(
                claim.source.path(),
                Some(claim.source.digest()),
                None,
            )],
            predicate_type: PREDICATE_TYPE.to_owned(),
            predicate,
        }
    }

    /// Reads a statement of this kind.
    ///
    /// # Errors
    /// When it is anything else: a signed one, one of another kind, no JSON, a key twice.
    pub fn parse(bytes: &[u8]) -> Result<Self, StatementError> {
        match serde_json::from_slice::<Self>(bytes) {
            Ok(statement)
                if statement.kind == STATEMENT_TYPE
                    && statement.predicate_type == PREDICATE_TYPE =>
            {
                Ok(statement)
            }
            Ok(_) => Err(StatementError::OtherKind),
            Err(error) => Err(kind_of_other(bytes).unwrap_or(StatementError::Other(error))),
        }
    }

    /// What `gwconform verify` found; `None` where the statement does not have that.
    pub fn verdict(&self) -> Option<Verdict> {
        let configuration = self.predicate.configuration.iter();
        let own = configuration.filter(|one| one.name == PROGRAM);
        let mut verdicts = own.map(|own| own.annotations.as_ref()?.verdict);
        match (verdicts.next(), verdicts.next()) {
            (Some(verdict), None) => verdict,
            _ => None,
        }
    }

    /// The SHA-256 of the report that it is about; `None` unless it is about one alone, as a run
    /// writes one report.
    pub fn digest(&self) -> Option<&str> {
        match &self.subject[..] {
            [one] => one.digest.as_ref().map(|digest| digest.sha256.as_str()),
            _ => None,
        }
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

/// What a file is that is not a statement of this kind. A file with one attestation a line is read to
/// the end of its first one.
fn kind_of_other(bytes: &[u8]) -> Option<StatementError> {
    let first: serde_json::Result<Option<OneOrMore>> = serde_json::Deserializer::from_slice(bytes)
        .into_iter()
        .next()
        .transpose();
    let kind = match first.ok().flatten()? {
        OneOrMore::One(kind) => kind,
        OneOrMore::More(kinds) => kinds.into_iter().next()?,
    };
    let signed = [
        &kind.payload_type,
        &kind.envelope,
        &kind.bundle,
        &kind.attestation,
    ];
    if signed.into_iter().any(Option::is_some) {
        return Some(StatementError::Signed);
    }
    let is_other = |kind: &String| kind != PREDICATE_TYPE;
    let other = kind.predicate_type.filter(is_other);
    other.map(|_| StatementError::OtherKind)
}

/// A file of one attestation, or a list of them as `gh attestation verify` prints it.
#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(Kind),
    More(Vec<Kind>),
}

/// The name of this program among what a statement rests on.
const PROGRAM: &str = "gwconform";

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

fn configuration(claim: &Claim<'_>, verdict: Verdict) -> Vec<Resource> {
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
        ..Annotations::default()
    };
    let program = Annotations {
        version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        verdict: Some(verdict),
        ..Annotations::default()
    };
    vec![
        resource("log", Some(claim.log.digest), None),
        resource("gateway-api", None, Some(release)),
        resource(PROGRAM, None, Some(program)),
    ]
}
