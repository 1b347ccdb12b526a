//! Arbitrary bytes as cluster resources: the check satisfies its invariants.
//!
//! `cargo +nightly fuzz run resources`

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/integration/support/promises.rs"]
mod promises;

/// Existing resources that generated ones can contradict.
const AROUND: &str = include_str!("../../tests/integration/support/dump.yaml");

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else {
        return;
    };
    // The first byte selects between a separate file and an addition to the existing resources.
    let around = [AROUND.as_bytes(), b"---\n", rest].concat();
    let dump = if first % 2 == 0 { rest } else { &around };
    if promises::is_one_of(64, bytes) {
        promises::check_dump(dump);
    } else {
        promises::look_at_dump(dump);
    }
});
