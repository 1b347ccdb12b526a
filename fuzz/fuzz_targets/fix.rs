//! Fuzzes fixes of READMEs with arbitrary bytes. Fixes must not change reports or add findings, and
//! must be idempotent.

#![no_main]

use gwconform_report::rules::check::Applicability;
use libfuzzer_sys::fuzz_target;

#[path = "../../tests/integration/support/promises.rs"]
mod promises;

const REPORT: &str = "gatewayAPIVersion: v1.5.1\ngatewayAPIChannel: standard\nmode: gateway-namespace\nimplementation:\n  organization: acme\n  project: operator\n  url: https://github.com/acme/operator\n  version: v2.14.0\n";

fuzz_target!(|bytes: &[u8]| {
    let Some((first, readme)) = bytes.split_first() else {
        return;
    };
    // The first byte selects the release, which determines rules for names and rows, and the fix
    // level.
    let release = if first % 8 == 0 { "v1.0.0" } else { "v1.5" };
    let level = if first & 16 == 0 {
        Applicability::Safe
    } else {
        Applicability::Unsafe
    };
    promises::fix_submission_at(level, release, readme, REPORT.as_bytes());
});
