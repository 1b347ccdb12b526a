//! Advice on replacing an invalid report. Reports must never be edited (reports README, "Reports").

use gwconform_base::api::{SUBJECT, Version};
use gwconform_base::text::message::texts;
use gwconform_base::text::shell;

texts! {
    /// Advice on how to replace an invalid report.
    pub enum Remedy {
        /// The report was edited or not written by the suite.
        SubmitUnmodified => "submit the report exactly as the suite wrote it",
        /// The run itself is unusable.
        Rerun => "run the suite again and submit the new report",
        /// A flag had the wrong value.
        RerunWith {
            /// Flag and value, quoted for a shell.
            argument: String,
        } => "run the suite again with {argument} and submit the new report",
        /// A flag had the wrong value, and the correct value cannot be printed.
        RerunWithout {
            /// Flag without a value.
            flag: String,
        } => "run the suite again with another {flag} and submit the new report",
        /// The suite belongs to another release.
        RerunFromTag {
            /// Tag of the release.
            tag: Version,
        } => "build the suite from tag {tag}, run it again and submit the new report",
        /// The cluster had CRDs of another release or channel.
        RerunWithCrds => "run the suite again, without `--allow-crds-mismatch`, on a cluster with the CRDs of one release and channel, and submit the new report",
    }
}

impl Remedy {
    /// Advice with a known value for a flag.
    pub fn with(flag: &str, value: &str) -> Self {
        match shell::flag(flag, value) {
            Some(argument) => Self::RerunWith { argument },
            None => Self::RerunWithout {
                flag: format!("--{flag}"),
            },
        }
    }

    /// Advice with a placeholder in angle brackets for the value of a flag.
    pub fn like(flag: &str, placeholder: &str) -> Self {
        Self::RerunWith {
            argument: format!("--{flag}={placeholder}"),
        }
    }

    /// Advice for a field, depending on whether a flag, the CRDs or the suite sets the field.
    pub(crate) fn of_field(field: &str) -> Self {
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
