//! All rules, which the crates of each input define.

use std::sync::LazyLock;

pub use gwconform_base::rules::{About, Fixes, Scope, find, hint, replacement};

/// What the pages of all rules state, sorted by id.
pub static ALL: LazyLock<Vec<&About>> = LazyLock::new(|| {
    let mut all = [
        gwconform_report::rules::ALL.as_slice(),
        gwconform_evidence::rules::evidence::ABOUT,
        gwconform_cluster::rules::needs::ABOUT,
        gwconform_cluster::rules::resource::ABOUT,
    ]
    .concat();
    all.sort_by_key(|rule| rule.id);
    all
});
