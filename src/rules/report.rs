//! Rules about what a report says.

pub mod api_version;
pub mod claimed_feature_skipped;
pub mod contact;
pub mod core_tests_missing;
pub mod date;
pub mod date_before_release;
pub mod empty_value;
pub mod extended_absent;
pub mod failed_tests;
pub mod feature_in_both_lists;
pub mod field_case;
pub mod gateway_api_version;
pub mod invisible_character;
pub mod kind;
pub mod list_order;
pub mod lists_contradict_statistics;
pub mod missing_field;
pub mod misspelled_name;
pub mod mixed_script_name;
pub mod old_feature_name;
pub mod partial_core;
pub mod partial_without_skip;
pub mod release_without_profiles;
pub mod repeated_name;
pub mod repeated_profile;
pub mod result_contradicts_statistics;
pub mod suite_facts;
pub mod summary_contradicts_result;
pub mod unknown_field;
pub mod unknown_name;
pub mod unknown_profile;
pub mod unknown_release;
pub mod url;
pub mod value_not_allowed;
pub mod version_is_branch;
pub mod version_not_semver;
pub mod wrong_type;

use crate::text::shell;

/// What to say about a field that the suite fills from a flag: how to run it again. A report is
/// never edited (reports README, "Reports").
pub fn rerun_with(flag: &str, value: &str) -> String {
    match shell::flag(flag, value) {
        Some(argument) => rerun(&format!("`{argument}`")),
        None => rerun(&format!("another `--{flag}`")),
    }
}

/// The same with a placeholder in angle brackets for the value.
pub fn rerun_like(flag: &str, placeholder: &str) -> String {
    rerun(&format!("`--{flag}={placeholder}`"))
}

fn rerun(with: &str) -> String {
    format!("run the suite again with {with}; a report is submitted as the suite wrote it")
}

/// How to get a field right, by its name: which flag fills it, or that the suite does by itself.
pub fn rerun_for(field: &str) -> String {
    if let Some((flag, value)) = flag_of(field) {
        return rerun_like(flag, value);
    }
    match field {
        "gatewayAPIChannel" | "gatewayAPIVersion" => {
            "the suite reads it from the installed CRDs: run it again, without `--allow-crds-mismatch`, on a cluster that has the CRDs of one release and channel".to_owned()
        }
        _ => "the suite writes it by itself: submit the report as it was written".to_owned(),
    }
}

/// The suite's flag that fills a field, and what to give it.
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
