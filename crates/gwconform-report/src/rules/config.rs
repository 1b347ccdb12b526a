//! Rules that find unused entries in `gwconform.toml` and the baseline.

rules! {
    RULES: Rule<ConfigContext> {
        unused_baseline_entry,
        unused_ignore,
    }
}

use crate::rules::{ConfigContext, Rule, rules};

pub use unused_baseline_entry::RULE as UNUSED_BASELINE_ENTRY;
