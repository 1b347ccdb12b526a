//! Unsigned in-toto statement: statement v1 with predicate `test-result` v0.1
//! (<https://github.com/in-toto/attestation>). The bytes depend only on report, log and release
//! data.

use serde::{Deserialize, Serialize};

use gwconform_base::api::closed_set;
use gwconform_base::text::source::Digest;

const STATEMENT_TYPE: &str = "https://in-toto.io/Statement/v1";

const PREDICATE_TYPE: &str = "https://in-toto.io/attestation/test-result/v0.1";

closed_set! {
    /// Result of verifying a report.
    #[schemars(rename = "EvidenceVerdict")]
    pub enum Verdict {
        /// All computed values follow from the log.
        Proved = "proved",
        /// The report differs from the log.
        Contradicted = "contradicted",
        /// The log lacks results, but does not contradict the report.
        NotProved = "not-proved",
    }
}

impl Verdict {
    /// Verdict in words, such as `not proved`.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Proved | Self::Contradicted => self.as_str(),
            Self::NotProved => "not proved",
        }
    }
}

/// Statement by `gwconform verify --out`.
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
    /// Verification results.
    pub predicate: Predicate,
}

/// File or program, with name and digest.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Resource {
    /// Name; the path for a report.
    pub name: String,
    /// Digest; absent if not a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<DigestSet>,
    /// Additional data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
}

/// File digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct DigestSet {
    /// Hexadecimal SHA-256.
    #[schemars(extend("pattern" = "^[0-9a-f]{64}$"))]
    pub sha256: String,
}

/// Inputs and result of the verification.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Annotations {
    /// For `log`: whether it prints the report. If not, it may belong to another run and cannot
    /// contradict the report.
    #[serde(
        rename = "printsReport",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub prints_report: Option<bool>,
    /// For `log`: tests without a result, by name.
    #[serde(
        rename = "testsWithoutResult",
        default,
        skip_serializing_if = "Vec::is_empty"
    )]
    pub tests_without_result: Vec<String>,
    /// For `log`: report fields without evidence.
    #[serde(rename = "notCovered", default, skip_serializing_if = "Vec::is_empty")]
    pub not_covered: Vec<String>,
    /// For `gateway-api`: release whose data is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub release: Option<String>,
    /// For `gateway-api`: file with the release data, if not built in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts: Option<String>,
    /// For `gateway-api`: channel of the report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// For `gateway-api`: profiles of the report.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub profiles: Vec<String>,
    /// For `gwconform`: version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// For `gwconform`: result. Only `proved` counts as evidence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
}

/// Why a statement cannot be read, as a clause after "not checked:".
#[derive(Debug, thiserror::Error)]
pub enum StatementError {
    /// DSSE envelope or bundle.
    #[error(
        "it is signed; check it with `gh attestation verify REPORT --format json`, and keep the statement that this prints: `jq '.[0].verificationResult.statement'`"
    )]
    Signed,
    /// Statement with another predicate type.
    #[error("it is a statement of another kind; expected the predicate type {PREDICATE_TYPE}")]
    OtherKind,
    /// Any other content.
    #[error("not a statement of `gwconform verify`: {0}")]
    Other(serde_json::Error),
}

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

/// Test results of the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Predicate {
    /// `PASSED`: proved, and all tests passed. `WARNED`: proved with skipped tests, or not proved.
    /// `FAILED`: contradicted, or a test failed.
    pub result: StatedResult,
    /// The log, the release and gwconform.
    pub configuration: Vec<Resource>,
    /// Log URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Passed tests, by name.
    #[serde(rename = "passedTests")]
    pub passed_tests: Vec<String>,
    /// Skipped tests with supported features.
    #[serde(rename = "warnedTests")]
    pub warned_tests: Vec<String>,
    /// Failed tests.
    #[serde(rename = "failedTests")]
    pub failed_tests: Vec<String>,
}

impl Predicate {
    /// Result for a verdict and the test lists.
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
    /// Result of the predicate.
    pub enum StatedResult {
        /// All tests passed.
        Passed = "PASSED",
        /// Tests were skipped or have no result.
        Warned = "WARNED",
        /// A test failed, or the report is contradicted.
        Failed = "FAILED",
    }
}

impl Resource {
    /// Creates a resource; only files have a digest.
    pub fn new(name: &str, digest: Option<Digest>, annotations: Option<Annotations>) -> Self {
        let sha256 = |digest: Digest| DigestSet {
            sha256: digest.to_string(),
        };
        Self {
            name: name.to_owned(),
            digest: digest.map(sha256),
            annotations,
        }
    }
}

impl Statement {
    /// Creates a statement about a report.
    pub fn new(report: Resource, predicate: Predicate) -> Self {
        Self {
            kind: STATEMENT_TYPE.to_owned(),
            subject: vec![report],
            predicate_type: PREDICATE_TYPE.to_owned(),
            predicate,
        }
    }

    /// Parses a statement.
    ///
    /// # Errors
    /// If the bytes are not a statement.
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

    /// Result of the verification, if present.
    pub fn verdict(&self) -> Option<Verdict> {
        self.annotation(PROGRAM, |own| own.verdict)
    }

    /// Whether the log contains the printed report. `None` if the statement does not record this.
    pub fn prints_report(&self) -> Option<bool> {
        self.annotation(LOG, |own| own.prints_report)
    }

    fn annotation<T>(&self, name: &str, value: fn(&Annotations) -> Option<T>) -> Option<T> {
        let configuration = self.predicate.configuration.iter();
        let own = configuration.filter(|one| one.name == name);
        let mut values = own.map(|own| value(own.annotations.as_ref()?));
        match (values.next(), values.next()) {
            (Some(value), None) => value,
            _ => None,
        }
    }

    /// SHA-256 of the report, which must be the only subject.
    pub fn digest(&self) -> Option<&str> {
        match &self.subject[..] {
            [one] => one.digest.as_ref().map(|digest| digest.sha256.as_str()),
            _ => None,
        }
    }

    /// Formats the statement as JSON.
    ///
    /// # Errors
    /// Never in practice.
    pub fn to_json(&self) -> serde_json::Result<String> {
        let mut text = gwconform_base::text::json::to_string_pretty(self)?;
        text.push('\n');
        Ok(text)
    }
}

/// Files may contain one attestation per line, so only the first value is read.
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

/// `gh attestation verify` prints a list.
#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(StatementKind),
    More(Vec<StatementKind>),
}

/// Name of the program in the configuration of a predicate.
pub const PROGRAM: &str = "gwconform";

/// Name of the log in the configuration of a predicate.
pub const LOG: &str = "log";
