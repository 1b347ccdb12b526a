//! Advice about a report. Reports must never be edited (reports README, "Reports"), so it is to
//! submit the original or to run the suite again.

use crate::api::{SUBJECT, Version};
use crate::text::message::texts;
use crate::text::shell;

texts! {
    /// Advice about a report.
    pub enum Remedy {
        /// The report was edited or not written by the suite.
        SubmitUnmodified => "submit the report exactly as the suite wrote it",
        /// Run the suite again.
        Rerun => "run the suite again and submit the new report",
        /// Run the suite again with another flag.
        RerunWith {
            /// Flag and value, quoted for a shell.
            argument: String,
        } => "run the suite again with {argument} and submit the new report",
        /// Like `RerunWith`, if the value cannot be printed.
        RerunWithout {
            /// Flag without a value.
            flag: String,
        } => "run the suite again with another {flag} and submit the new report",
        /// Run the suite of the right release.
        RerunFromTag {
            /// Tag of the release.
            tag: Version,
        } => "build the suite from tag {tag}, run it again and submit the new report",
        /// Run the suite on a cluster with the right CRDs.
        RerunWithCrds => "run the suite again, without `--allow-crds-mismatch`, on a cluster with the CRDs of one release and channel, and submit the new report",
    }
}

impl Remedy {
    /// Quotes the value for a shell.
    pub fn with(flag: &str, value: &str) -> Self {
        match shell::flag(flag, value) {
            Some(argument) => Self::RerunWith { argument },
            None => Self::RerunWithout {
                flag: format!("--{flag}"),
            },
        }
    }

    /// Uses a placeholder in angle brackets as the value.
    pub fn like(flag: &str, placeholder: &str) -> Self {
        Self::RerunWith {
            argument: format!("--{flag}={placeholder}"),
        }
    }

    /// Depends on whether a flag, the CRDs or the suite sets the field.
    pub fn of_field(field: &str) -> Self {
        if let Some((flag, placeholder)) = flag_of(field) {
            return Self::like(flag, placeholder);
        }
        match field {
            CHANNEL_FIELD | RELEASE_FIELD => Self::RerunWithCrds,
            _ => Self::SubmitUnmodified,
        }
    }
}

const CHANNEL_FIELD: &str = SUBJECT.channel_field;
const RELEASE_FIELD: &str = SUBJECT.release_field;

/// Flag that sets a field, and a placeholder for its value.
pub fn flag_of(field: &str) -> Option<(&'static str, &'static str)> {
    Some(match field {
        "organization" => ("organization", "<name>"),
        "project" => ("project", "<name>"),
        "mode" => ("mode", "<name>"),
        "url" => ("url", "<https://…>"),
        "version" => ("version", "<release>"),
        "contact" => ("contact", "<@org/team>"),
        "profiles" => ("conformance-profiles", "<GATEWAY-HTTP,…>"),
        _ => return None,
    })
}
