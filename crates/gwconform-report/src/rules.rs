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
pub mod names;
pub mod recomputed;
pub mod remedy;
mod renames;
pub mod verify;
pub mod words;

pub use configured::ConfiguredNames;
pub use context::{
    Alteration, AlteredInput, ChangeContext, ConfigContext, EntryContext, InputsContext, Known,
    MovedAddress, Owner, Pair, ReadmeContext, ReadmeLinks, Rename, ReportContext, SideBySide,
    SubmissionContext, TextContext, TreeContext, YamlContext,
};
pub use evidence::EvidenceContext;
pub use gwconform_base::rules::{
    About, Findings, Fixes, Input, MAX_FINDINGS, Rule, Scope, find, hint, is_selector, replacement,
    rule, rule_of, rules,
};
pub use needs::NeedsContext;
pub use readme::Listing;
pub use remedy::Remedy;
pub use resource::{Basis, ReleaseChoice, RequestedRelease, ResourceContext};

use std::sync::LazyLock;

pub mod change;
pub mod config;
pub mod evidence;
pub mod needs;
pub mod readme;
pub mod report;
pub mod resource;
pub mod text;
pub mod tree;
pub mod yaml;

/// Rules about reports trees, sorted by id.
pub static OF_REPORTS: LazyLock<Vec<&About>> = LazyLock::new(|| {
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

/// What the pages of all rules state, sorted by id.
pub static ALL: LazyLock<Vec<&About>> =
    LazyLock::new(|| joined(&[&OF_REPORTS, evidence::ABOUT, needs::ABOUT, resource::ABOUT]));

fn joined(groups: &[&[&'static About]]) -> Vec<&'static About> {
    let mut all = groups.concat();
    all.sort_by_key(|rule| rule.id);
    all
}
