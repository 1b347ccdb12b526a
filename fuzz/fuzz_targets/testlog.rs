//! Fuzzes the `go test` parser with arbitrary bytes. The parser must accept the log or give a
//! reason for rejecting it, and all reported line numbers must exist.

#![no_main]

use std::collections::BTreeSet;

use gwconform_evidence::testlog::{Log, Mark};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // The seed corpus contains the first test name. The second is short enough for the fuzzer to
    // produce.
    let known = BTreeSet::from(["HTTPRouteSimpleSameNamespace", "A"]);
    let log: Log = match Log::read(bytes, &known, ()) {
        Ok(log) => log,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let is_line = |mark: &Mark| mark.line >= 1 && mark.line <= log.lines;
    for run in &log.runs {
        assert!(run.begin >= 1 && run.begin <= log.lines && run.last_line <= log.lines);
        assert!(run.outcome.iter().all(|(_, mark)| is_line(mark)));
        assert!(run.failure.iter().all(|(_, mark)| is_line(mark)));
        for test in run.tests.values() {
            assert!(test.begun.iter().all(is_line));
            assert!(test.outcome.iter().all(|(_, mark)| is_line(mark)));
        }
    }
});
