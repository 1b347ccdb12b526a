//! Fuzzes `check` with arbitrary bytes as a report in a valid submission. The findings must satisfy
//! the invariants.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/integration/support/promises.rs"]
mod promises;

const README: &str = "# Acme\n\n## Table of contents\n\n| API channel | Implementation version | Mode | Report |\n|---|---|---|---|\n| standard | v2.14.0 | default | [v2.14.0 report](./standard-v2.14.0-default-report.yaml) |\n\n## Reproduce\n\nmake\n";

fuzz_target!(|bytes: &[u8]| {
    // The first byte selects the legacy or the current report format.
    let (release, report) = match bytes.split_first() {
        Some((first, report)) if first % 2 == 0 => ("v1.0.0", report),
        Some((_, report)) => ("v1.5", report),
        None => return,
    };
    if promises::is_one_of(64, bytes) {
        promises::check_submission(release, README.as_bytes(), report);
    } else {
        promises::look_at_submission(release, README.as_bytes(), report);
    }
});
