//! What a log has proved, as an in-toto statement that can be signed: statement v1 with the predicate
//! `test-result` v0.1 (<https://github.com/in-toto/attestation>).
//!
//! A statement is unsigned, and its bytes depend on report, log and facts alone.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::api::closed_set;
use crate::evidence::log::{Outcome, SkipReason};
use crate::evidence::{Claim, Comparison, Verdict};

/// The type of the statement.
const STATEMENT_TYPE: &str = "https://in-toto.io/Statement/v1";

/// The type of its predicate.
const PREDICATE_TYPE: &str = "https://in-toto.io/attestation/test-result/v0.1";

/// A statement about a report, as `gwconform verify --statement` writes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(title = "Statement of gwconform verify")]
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
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct DigestSet {
    /// SHA-256 in hexadecimal.
    #[schemars(extend("pattern" = "^[0-9a-f]{64}$"))]
    pub sha256: String,
}

/// What was verified with which version.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Annotations {
    /// Of `log`: true if it prints the report. Without that it may be the log of another run, and
    /// cannot contradict the report.
    #[serde(
        rename = "printsReport",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub prints_report: Option<bool>,
    /// Of `log`: tests of the report's profiles whose result it does not show, by name.
    #[serde(
        rename = "testsWithoutResult",
        default,
        skip_serializing_if = "Vec::is_empty"
    )]
    pub tests_without_result: Vec<String>,
    /// Of `log`: fields of the report that it does not cover.
    #[serde(rename = "notCovered", default, skip_serializing_if = "Vec::is_empty")]
    pub not_covered: Vec<String>,
    /// Of `gateway-api`: the release whose facts count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub release: Option<String>,
    /// Of `gateway-api`: the file with these facts, if they do not come with gwconform. The digest is
    /// that of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts: Option<String>,
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
struct StatementKind {
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
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
    /// Tests that were skipped though their features are supported.
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
    pub fn new(claim: &Claim<'_>, comparison: &Comparison, verdict: Verdict) -> Self {
        let mut tests: BTreeMap<Outcome, Vec<String>> = BTreeMap::new();
        for (name, test) in &claim.run.tests {
            let Some((outcome, _)) = test.outcome else {
                continue;
            };
            let is_counted = match test.reason.as_ref().map(|(reason, _)| reason) {
                Some(SkipReason::NotSupported(_)) => false,
                Some(SkipReason::Explicit) => true,
                None => claim.lists_as_skipped(name),
            };
            if outcome != Outcome::Skipped || is_counted {
                tests.entry(outcome).or_default().push(name.clone());
            }
        }
        let mut of = |outcome| tests.remove(&outcome).unwrap_or_default();
        let mut predicate = Predicate {
            result: StatedResult::Warned,
            configuration: configuration(claim, comparison, verdict),
            url: None,
            passed_tests: of(Outcome::Passed),
            warned_tests: of(Outcome::Skipped),
            failed_tests: of(Outcome::Failed),
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
        self.annotation(PROGRAM, |own| own.verdict)
    }

    /// True if the log prints the report; `None` where the statement does not have that.
    pub fn prints_report(&self) -> Option<bool> {
        self.annotation(LOG, |own| own.prints_report)
    }

    /// What is annotated to the one entry of a name in the configuration.
    fn annotation<T>(&self, name: &str, value: fn(&Annotations) -> Option<T>) -> Option<T> {
        let configuration = self.predicate.configuration.iter();
        let own = configuration.filter(|one| one.name == name);
        let mut values = own.map(|own| value(own.annotations.as_ref()?));
        match (values.next(), values.next()) {
            (Some(value), None) => value,
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
        let mut text = crate::text::json::to_string_pretty(self)?;
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
    One(StatementKind),
    More(Vec<StatementKind>),
}

/// The name of this program among what a statement rests on.
const PROGRAM: &str = "gwconform";

/// The name of the log there.
const LOG: &str = "log";

fn resource(
    name: &str,
    digest: Option<crate::text::source::Digest>,
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

fn configuration(claim: &Claim<'_>, comparison: &Comparison, verdict: Verdict) -> Vec<Resource> {
    let facts = claim.registry.added(claim.release.version());
    let gaps = comparison.gaps.iter();
    let log = Annotations {
        prints_report: Some(comparison.is_of_printing_run(claim)),
        tests_without_result: gaps.map(|gap| gap.test.clone()).collect(),
        not_covered: comparison.not_covered().map(str::to_owned).collect(),
        ..Annotations::default()
    };
    let profiles = claim.report.profiles.iter();
    let release = Annotations {
        release: Some(claim.release.version().to_string()),
        facts: facts.map(|facts| facts.path.clone()),
        channel: claim.report.channel.map(|channel| channel.value.to_owned()),
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
        resource(LOG, Some(claim.log.digest), Some(log)),
        resource(
            "gateway-api",
            facts.map(|facts| facts.digest),
            Some(release),
        ),
        resource(PROGRAM, None, Some(program)),
    ]
}
