//! Rules about gwconform.toml and the baseline.

pub mod unused_baseline_entry;
pub mod unused_ignore;
