//! Rules that check the contents of reports.

rules! {
    RULES: Rule<ReportContext> {
        api_version,
        claim_without_its_need,
        claimed_feature_skipped,
        contact,
        core_tests_missing,
        date,
        date_before_release,
        date_in_future,
        empty_value,
        extended_absent,
        failed_tests,
        feature_in_both_lists,
        field_case,
        gateway_api_version,
        implementation_name,
        invisible_character,
        key_order,
        kind,
        list_order,
        lists_contradict_statistics,
        missing_field,
        misspelled_name,
        mixed_script_name,
        newer_suite,
        old_feature_name,
        other_project,
        partial_core,
        partial_without_skip,
        placeholder,
        prerelease,
        provisional_contradicts_lists,
        release_without_profiles,
        repeated_name,
        repeated_profile,
        result_contradicts_statistics,
        results_of_other_profile,
        suite_facts,
        summary_contradicts_result,
        unknown_field,
        unknown_name,
        unknown_profile,
        unknown_release,
        unquoted_date,
        url,
        url_scheme,
        value_not_allowed,
        version_is_branch,
        version_is_prerelease,
        version_not_semver,
        wrong_type,
    }
}

use crate::rules::{ReportContext, Rule, rules};

pub(super) use date_in_future::is_too_late;
pub(super) use other_project::{
    RULE as OTHER_PROJECT, name as name_of_other_project, of_tree as of_tree_of_other_project,
};

pub(super) mod invisible;
mod profiles;
mod schema;
