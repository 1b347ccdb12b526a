//! Rules that find unused entries in `gwconform.toml` and the baseline.

rules! {
    unused_baseline_entry,
    unused_ignore,
}

pub use unused_baseline_entry::RULE as UNUSED_BASELINE_ENTRY;
