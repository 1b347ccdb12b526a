//! Fuzzes `gwconform_yaml` with arbitrary text. The resulting tree must satisfy the invariants.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/gwconform-yaml/tests/invariants/mod.rs"]
mod invariants;
#[path = "../../tests/integration/support/promises.rs"]
mod promises;

fuzz_target!(|bytes: &[u8]| {
    if let Some(chunk) = bytes.utf8_chunks().next() {
        invariants::look_at(chunk.valid());
        if promises::is_one_of(32, bytes) {
            invariants::is_stable(chunk.valid());
        }
    }
});
