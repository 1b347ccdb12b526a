//! Rules about gwconform.toml and the baseline.

rules! {
    unused_baseline_entry,
    unused_ignore,
}
