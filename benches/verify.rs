//! Measures log parsing: 100 MB of `go test -json`, and a typical log of 1 MB.
//!
//! Run `cargo bench --package gwconform-benches --bench verify`. The limits are 1.5 s and 20 ms.
//! `tests/hostile` measures memory, which depends only on the number of tests.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods
)]

use std::collections::BTreeSet;
use std::fmt::Write as _;

use criterion::{
    BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};
use gwconform_base::api::NameKind;
use gwconform_base::release::Registry;
use gwconform_evidence::log::Log;

fn verify(criterion: &mut Criterion) {
    let known: BTreeSet<&str> = Registry::embedded().names(NameKind::Test);
    let mut group = criterion.benchmark_group("verify");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    for (name, text) in [
        ("json-100MB", json(100_000_000)),
        ("text-100MB", text(100_000_000)),
        ("text-1MB", text(1_000_000)),
    ] {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
            bencher.iter(|| {
                Log::read("bench.log", text.as_bytes(), &known)
                    .unwrap()
                    .runs
                    .len()
            });
        });
    }
    group.finish();
}

fn tests() -> Vec<&'static str> {
    let newest = Registry::embedded().newest().unwrap();
    newest.tests().map(|test| test.name.as_str()).collect()
}

/// Generates a `go test -json` log that covers all tests of the newest release. Most events are
/// subtest output.
fn json(bytes: usize) -> String {
    let tests = tests();
    let mut text = String::with_capacity(bytes + 1000);
    let package = "github.com/acme/operator/test/conformance";
    let mut event = |rest: &str| {
        let _ = writeln!(
            text,
            r#"{{"Time":"2026-10-10T20:56:27.363575475Z","Package":"{package}",{rest}}}"#
        );
        text.len()
    };
    event(r#""Action":"run","Test":"TestConformance""#);
    for test in &tests {
        event(&format!(
            r#""Action":"run","Test":"TestConformance/{test}""#
        ));
    }
    let mut nth = 0;
    loop {
        let test = tests[nth / 100 % tests.len()];
        let path = match nth % 3 {
            0 => format!("TestConformance/{test}"),
            _ => format!("TestConformance/{test}/{}_request_to_'/'", nth % 7),
        };
        let written = event(&format!(
            r#""Action":"output","Test":"{path}","Output":"    http.go:273: 2026-10-10T20:56:27.363575475Z: Request {nth} has not passed yet: expected \"200\"\n""#
        ));
        nth += 1;
        if written >= bytes {
            break;
        }
    }
    for test in &tests {
        event(&format!(
            r#""Action":"pass","Test":"TestConformance/{test}","Elapsed":0.4"#
        ));
    }
    event(r#""Action":"pass","Test":"TestConformance","Elapsed":912.4"#);
    event(r#""Action":"pass","Elapsed":912.4"#);
    text
}

/// Generates the same events in `go test -v` format, with GitHub Actions timestamps.
fn text(bytes: usize) -> String {
    let tests = tests();
    let mut text = String::with_capacity(bytes + 1000);
    let time = "2026-10-10T20:56:27.1234567Z";
    let _ = writeln!(text, "{time} === RUN   TestConformance");
    let mut nth = 0;
    while text.len() < bytes {
        let test = tests[nth / 100 % tests.len()];
        if nth % 100 == 0 && nth / 100 < tests.len() {
            let _ = writeln!(text, "{time} === RUN   TestConformance/{test}");
        }
        let _ = writeln!(
            text,
            "{time}     http.go:273: 2026-10-10T20:56:27.363575475Z: Request {nth} has not passed yet: expected \"200\""
        );
        nth += 1;
    }
    let _ = writeln!(text, "{time} --- PASS: TestConformance (912.41s)");
    for test in &tests {
        let _ = writeln!(text, "{time}     --- PASS: TestConformance/{test} (0.41s)");
    }
    let _ = writeln!(text, "{time} PASS");
    text
}

criterion_group!(benches, verify);
criterion_main!(benches);
