//! Fuzzes README rules with arbitrary bytes. The findings must satisfy the invariants.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/integration/support/promises.rs"]
mod promises;

const REPORT: &str = "gatewayAPIVersion: v1.5.1\ngatewayAPIChannel: standard\nmode: gateway-namespace\nimplementation:\n  organization: acme\n  project: operator\n  version: v2.14.0\n";

fuzz_target!(|bytes: &[u8]| {
    if promises::is_one_of(64, bytes) {
        promises::check_submission("v1.5", bytes, REPORT.as_bytes());
    } else {
        promises::look_at_submission("v1.5", bytes, REPORT.as_bytes());
    }
});
