//! Rules about gwconform.toml and the baseline.

rules! {
    unused_baseline_entry,
    unused_ignore,
}

#[cfg(feature = "cli")]
pub(crate) use unused_baseline_entry::RULE as UNUSED_BASELINE_ENTRY;
