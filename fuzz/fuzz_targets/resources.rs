//! Any bytes as resources of a cluster: their check keeps its promises.
//!
//! `cargo +nightly fuzz run resources`

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/support/promises.rs"]
mod promises;

/// What is there already, so that what is made up has something to contradict.
const AROUND: &str = include_str!("../../tests/support/dump.yaml");

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else {
        return;
    };
    // The first byte chooses between a file of its own and a part of a cluster.
    if first % 2 == 0 {
        promises::check_dump(rest);
    } else {
        promises::check_dump(&[AROUND.as_bytes(), b"---\n", rest].concat());
    }
});
