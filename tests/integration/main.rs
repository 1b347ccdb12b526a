//! Tests the program and the public library, with one module per subject. One binary avoids linking
//! the library and compiling the support code again for each subject. `tests/hostile` is separate
//! because it measures time and memory.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a panic fails a test"
)]
#![cfg_attr(
    not(unix),
    allow(
        dead_code,
        unused_imports,
        reason = "some tests cover links, modes and signals"
    )
)]

#[allow(dead_code, reason = "the command uses the rest")]
#[path = "../../examples/make_tree/maker.rs"]
mod maker;
mod support;

#[cfg(unix)]
mod action;
mod add;
mod add_outcome;
mod affected;
mod aliases;
mod badges;
mod baseline;
mod blocking;
mod catalog;
mod certify;
mod check;
mod comments;
mod coming_release;
#[cfg(unix)]
mod comment_action;
mod complete;
mod conditions;
mod conflicts;
mod config;
mod contradictions;
mod copied_report;
mod corpus;
mod crds;
mod diff;
#[cfg(unix)]
mod documented;
mod dropped;
mod earlier_names;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod entry_points;
mod everyday;
mod evidence;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod examples;
mod explain;
mod feature_support;
mod export;
mod fix;
mod fixed_rows;
mod forged;
mod formats;
mod hook;
mod identity;
mod kubectl;
mod laws;
mod locality;
mod loose;
mod locate;
mod manifests;
mod manual;
mod messages;
mod mistakes;
mod names;
mod needs;
mod needs_families;
mod needs_ingress;
mod needs_ingress_classes;
mod needs_ingress_context;
mod needs_ingress_paths;
mod needs_input;
mod needs_losses;
mod needs_oracle;
mod one_cause;
mod openapi;
mod options;
mod outlook;
mod pages;
mod plan;
mod properties;
mod public_items;
mod published;
#[cfg(unix)]
mod prow;
mod readme;
mod readme_rules;
mod registry_commands;
mod registry_import;
#[cfg(unix)]
mod registry_workflow;
#[cfg(target_os = "linux")]
mod release_files;
mod release_reviews;
mod releases;
mod resources;
mod review_page;
mod reviews;
mod rule_pages;
mod sample_tree;
mod schemas;
mod seen;
mod siblings;
mod since;
mod site_data;
mod site_elsewhere;
mod site_modules;
mod site_pages;
mod site_parts;
mod site_tests;
mod site_views;
mod site_words;
mod statements;
mod subjects;
mod subtests;
mod suite_claims;
mod suite_rules;
mod test_results;
mod trees;
mod typed_names;
mod upgrade;
mod verdict_chart;
#[cfg(unix)]
mod verdict_dates;
mod verdict_evidence;
mod verify;
mod vocabulary;
mod workspace;
