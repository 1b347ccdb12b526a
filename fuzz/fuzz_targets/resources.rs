//! Fuzzes `resources` with arbitrary bytes. The findings must satisfy the invariants.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/integration/support/promises.rs"]
mod promises;

/// Valid resources that the generated resources can contradict.
const AROUND: &str = include_str!("../../tests/integration/support/dump.yaml");

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else {
        return;
    };
    // The first byte determines whether the input is a separate file or is added to the existing
    // resources.
    let around = [AROUND.as_bytes(), b"---\n", rest].concat();
    let dump = if first % 2 == 0 { rest } else { &around };
    if promises::is_one_of(64, bytes) {
        promises::check_dump(dump);
    } else {
        promises::look_at_dump(dump);
    }
});
