//! Advice about a report, in one sentence each. A report is never edited (reports README,
//! "Reports"), so there are only three kinds: submit it unmodified, run the suite again with another
//! argument, or run the suite of another release.

use crate::api::{SUBJECT, Version};
use crate::text::message::texts;
use crate::text::shell;

texts! {
    /// What to do about a report.
    pub enum Remedy {
        /// It was edited, or written by something else.
        SubmitUnmodified => "submit the report exactly as the suite wrote it",
        /// The run itself has to be repeated.
        Rerun => "run the suite again and submit the new report",
        /// A flag of the suite gets another value.
        RerunWith {
            /// The flag with its value, quoted for a shell.
            argument: String,
        } => "run the suite again with {argument} and submit the new report",
        /// The same, where the value cannot be printed.
        RerunWithout {
            /// The flag.
            flag: String,
        } => "run the suite again with another {flag} and submit the new report",
        /// The suite of the release was not the one that ran.
        RerunFromTag {
            /// The tag of the release.
            tag: Version,
        } => "build the suite from tag {tag}, run it again and submit the new report",
        /// The suite reads the field from the cluster.
        RerunWithCrds => "run the suite again, without `--allow-crds-mismatch`, on a cluster with the CRDs of one release and channel, and submit the new report",
    }
}

impl Remedy {
    /// Another value for a flag, quoted for a shell.
    pub fn with(flag: &str, value: &str) -> Self {
        match shell::flag(flag, value) {
            Some(argument) => Self::RerunWith { argument },
            None => Self::RerunWithout {
                flag: format!("--{flag}"),
            },
        }
    }

    /// Another value for a flag, described by a placeholder in angle brackets.
    pub fn like(flag: &str, placeholder: &str) -> Self {
        Self::RerunWith {
            argument: format!("--{flag}={placeholder}"),
        }
    }

    /// How to correct a field of the report: by the flag that fills it, by other CRDs, or, where the
    /// suite fills it by itself, not at all.
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

/// The suite's flag that fills a field, and a placeholder for its value.
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
