//! Rules about what a report says.

pub mod contact;
pub mod date;
pub mod empty_value;
pub mod failed_tests;
pub mod field_case;
pub mod gateway_api_version;
pub mod kind;
pub mod lists_contradict_statistics;
pub mod missing_field;
pub mod partial_without_skip;
pub mod result_contradicts_statistics;
pub mod unknown_field;
pub mod unknown_release;
pub mod url;
pub mod value_not_allowed;
pub mod version_is_branch;
pub mod version_not_semver;
pub mod wrong_type;

/// What to say about a field that the suite fills from a flag: how to run it again. A report is
/// never edited (reports README, "Reports").
pub fn rerun_with(flag: &str, value: &str) -> String {
    format!(
        "run the suite again with `--{flag}={value}`; a report is submitted as the suite wrote it"
    )
}

/// How to get a field right, by its name: which flag fills it, or that the suite does by itself.
pub fn rerun_for(field: &str) -> String {
    match field {
        "organization" | "project" => rerun_with(field, "NAME"),
        "url" => rerun_with(field, "https://…"),
        "version" => rerun_with(field, "v1.2.3"),
        "contact" => rerun_with(field, "@org/team"),
        "mode" => rerun_with(field, "default"),
        "profiles" => rerun_with("conformance-profiles", "GATEWAY-HTTP,…"),
        "gatewayAPIChannel" | "gatewayAPIVersion" => {
            "the suite reads it from the installed CRDs: run it again, without `--allow-crds-mismatch`, on a cluster that has the CRDs of one release and channel".to_owned()
        }
        _ => "the suite writes it by itself: submit the report as it was written".to_owned(),
    }
}
