//! All rules, which the crates of each input define.

use std::sync::LazyLock;

use gwconform_base::rules::joined;
pub use gwconform_base::rules::{About, Fixes, Scope, find, hint, replacement};

/// What the pages of all rules state, sorted by id.
pub static ALL: LazyLock<Vec<&About>> = LazyLock::new(|| {
    joined(&[
        &gwconform_report::rules::ALL,
        gwconform_cluster::rules::needs::ABOUT,
        gwconform_cluster::rules::resource::ABOUT,
        gwconform_evidence::rules::evidence::ABOUT,
    ])
});
