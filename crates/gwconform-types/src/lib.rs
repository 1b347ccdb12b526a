//! Gateway API conformance reports as Rust types.
//!
//! ```
//! use gwconform_types::Report;
//!
//! let text = "\
//! apiVersion: gateway.networking.k8s.io/v1
//! date: \"2026-03-20T10:15:30Z\"
//! gatewayAPIChannel: standard
//! gatewayAPIVersion: v1.5.1
//! implementation:
//!   contact: ['@acme/maintainers']
//!   organization: acme
//!   project: operator
//!   url: https://acme.example
//!   version: v2.14.0
//! kind: ConformanceReport
//! mode: default
//! profiles:
//! - core:
//!     result: success
//!     statistics: {Failed: 0, Passed: 33, Skipped: 0}
//!   name: GATEWAY-HTTP
//!   summary: Core tests succeeded.
//! ";
//! let Report::Current(report) = Report::from_yaml(text)? else {
//!     panic!("written by a suite before v1.1.0");
//! };
//! assert_eq!(report.implementation.project, "operator");
//! assert_eq!(report.profiles[0].core.statistics.passed, 33);
//! # Ok::<(), gwconform_types::Error>(())
//! ```
//!
//! The types are strict: unknown fields and wrong types are errors. Suites from v1.1.0 on write
//! [`ConformanceReport`]. Up to v1.0.x, they wrote [`LegacyReport`], with neither channel nor mode,
//! and one summary per level instead of per profile.

mod current;
mod legacy;
pub mod schema;
mod sets;

use std::fmt;

use serde::Deserialize;

pub use current::{
    ApiVersion, ConformanceReport, Core, Extended, Implementation, Kind, Profile, Statistics,
};
pub use legacy::{LegacyApiVersion, LegacyCore, LegacyExtended, LegacyProfile, LegacyReport};
pub use sets::{Channel, ClosedSet, TestResult};

/// Report format, which depends on the suite's release, not on `apiVersion`: suites of v1.1.x wrote
/// the newer format with `v1alpha1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Report format of suites up to v1.0.x.
    Legacy,
    /// Report format of suites v1.1.0 and newer.
    Current,
}

/// Report in one of both formats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// Written by a suite from v1.1.0 on.
    Current(ConformanceReport),
    /// Written by a suite up to v1.0.x.
    Legacy(LegacyReport),
}

impl Report {
    /// Reads a report. Reports with a channel or a mode have the current format.
    ///
    /// # Errors
    /// The text is not YAML, or not exactly one report.
    pub fn from_yaml(text: &str) -> Result<Self, Error> {
        #[derive(Deserialize)]
        struct Current {
            #[serde(rename = "gatewayAPIChannel")]
            channel: Option<serde::de::IgnoredAny>,
            mode: Option<serde::de::IgnoredAny>,
        }
        let current: Current = serde_yaml::from_str(text)?;
        Ok(if current.channel.is_some() || current.mode.is_some() {
            Self::Current(serde_yaml::from_str(text)?)
        } else {
            Self::Legacy(serde_yaml::from_str(text)?)
        })
    }

    /// Writes the report as YAML, with keys in the order of the suite.
    ///
    /// # Errors
    /// Never in practice.
    pub fn to_yaml(&self) -> Result<String, Error> {
        Ok(match self {
            Self::Current(report) => serde_yaml::to_string(report)?,
            Self::Legacy(report) => serde_yaml::to_string(report)?,
        })
    }
}

/// Reason why a text is not a report, with its position.
#[derive(Debug)]
pub struct Error(serde_yaml::Error);

impl Error {
    /// Line and column, from 1. `None` if unknown.
    pub fn position(&self) -> Option<(usize, usize)> {
        let location = self.0.location()?;
        Some((location.line(), location.column()))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Error {}

impl From<serde_yaml::Error> for Error {
    fn from(error: serde_yaml::Error) -> Self {
        Self(error)
    }
}
