//! Fuzzes `needs` with arbitrary bytes as manifests. The results must satisfy the invariants, with
//! aliases and for a target report.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/integration/support/promises.rs"]
mod promises;

/// Manifests that require nearly every feature. Generated resources can refer to these resources.
const AROUND: &str = include_str!("../../examples/needs/redirects.yaml");

/// A report with proved, claimed and missing features.
const REPORT: &str = include_str!("../../examples/verify/report.yaml");

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else {
        return;
    };
    let around = [AROUND.as_bytes(), b"---\n", rest].concat();
    let manifests = if first % 2 == 0 { rest } else { &around };
    let outcome = promises::outcome_of("v1.6.1", b"", REPORT.as_bytes());
    promises::look_at_needs(manifests, outcome.reports.first());
});
