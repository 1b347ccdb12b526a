//! The conformance rules, their inputs, and the engine that runs them.
//!
//! A rule is a `.rs` file with a check and a `.md` file with its page. `gwconform explain` prints
//! the page, and its examples are tests. [`ALL`] lists every rule.

pub mod baseline;
pub mod blocking;
pub mod check;
pub mod configuration;
pub mod confusable;
mod configured;
pub mod conflicts;
pub mod context;
pub mod differences;
pub mod unknown_names;
pub mod recomputed;
pub mod remedy;
mod file_renames;
pub mod message_parts;

pub use configured::ConfiguredNames;
pub use context::{
    Alteration, AlteredInput, ChangeContext, ConfigContext, EntryContext, InputsContext, Known,
    MovedAddress, Owner, Pair, ReadmeContext, Rename, ReportContext, SideBySide, SubmissionContext,
    TextContext, TreeContext, YamlContext,
};
pub use gwconform_base::rules::{
    About, Findings, Fixes, Input, MAX_FINDINGS, Rule, Scope, find, hint, is_selector, joined,
    replacement, rule, rule_of, rules,
};
pub use readme::Listing;
pub use remedy::Remedy;

use std::sync::LazyLock;

pub mod change;
pub mod config;
pub mod readme;
pub mod report;
pub mod text;
pub mod tree;
pub mod yaml;

/// Rules about reports trees, sorted by id.
pub static ALL: LazyLock<Vec<&About>> = LazyLock::new(|| {
    joined(&[
        change::ABOUT,
        config::ABOUT,
        readme::ABOUT,
        report::ABOUT,
        text::ABOUT,
        tree::ABOUT,
        yaml::ABOUT,
    ])
});
