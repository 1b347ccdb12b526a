//! Tests logs that are expensive to read, or that pretend to prove results.

use super::bounded::{Call, last_line};
use super::support::folder::Folder;
use super::table::{Case, in_two_sizes};

/// Memory limit far below the size of the largest logs here, because logs are read as streams.
const MOST_MEMORY: &str = "ulimit -v 500000";

const REPORT: &str = include_str!("../../examples/verify/report.yaml");
const LOG: &str = include_str!("../../examples/verify/conformance.log");

fn log(name: &str, what: &str, text: impl Fn() -> Vec<u8> + Send + Sync + 'static) -> Case {
    Case::new(name, what, move || {
        let folder = Folder::new();
        folder.file("report.yaml", REPORT).file("run.log", text());
        let call = Call::new(folder.path(), "verify report.yaml --log run.log");
        let ran = call.limit(MOST_MEMORY).run();
        match ran.code {
            0 | 1 => last_line(ran.text()),
            code => format!("exit {code}: {}", ran.stderr.trim_end()),
        }
    })
}

fn with(text: &str) -> Vec<u8> {
    LOG.replace("\nPASS\n", &format!("\n{text}\nPASS\n"))
        .into_bytes()
}

fn event(fields: &str) -> String {
    format!("{{\"Action\":\"output\",\"Package\":\"p\",{fields}}}\n")
}

fn lines(count: usize, line: fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

fn in_sizes() -> impl Iterator<Item = Case> {
    let million = [("100,000", 100_000), ("a million", 1_000_000)];
    let subtests = in_two_sizes(million, |written, count| {
        log(
            &format!("{written} subtests"),
            "of one test of the suite",
            move || {
                with(&lines(count, |n| {
                    format!("=== RUN   TestConformance/MeshBasic/{n}\n")
                }))
            },
        )
    });
    let results = in_two_sizes(million, |written, count| {
        log(
            &format!("{written} results"),
            "of subtests that fail",
            move || {
                let parent = "    --- PASS: TestConformance/MeshBasic (0.42s)\n";
                let failed = lines(count, |n| {
                    format!("        --- FAIL: TestConformance/MeshBasic/{n} (0.00s)\n")
                });
                LOG.replace(parent, &format!("{parent}{failed}"))
                    .into_bytes()
            },
        )
    });
    let pieces = in_two_sizes(million, |written, count| {
        log(
            &format!("a line in {written} pieces"),
            "events that never end it",
            move || with(&event("\"Output\":\"0123456789abcdef0123456789abcdef\"").repeat(count)),
        )
    });
    let report = in_two_sizes(
        [("5 MB", 500_000), ("50 MB", 5_000_000)],
        |written, count| {
            log(&format!("a report of {written}"), "printed", move || {
                with(&format!(
                    "    apiVersion: gateway.networking.k8s.io/v1\n{}",
                    "    a: b\n".repeat(count)
                ))
            })
        },
    );
    let reports = in_two_sizes(million, |written, count| {
        log(&format!("{written} reports"), "printed", move || {
            with(
                &"apiVersion: gateway.networking.k8s.io/v1\nkind: ConformanceReport\n\n"
                    .repeat(count),
            )
        })
    });
    let headings = in_two_sizes(million, |written, count| {
        log(&format!("{written} headings"), "of runs", move || {
            with(&"    a.go:1: Running conformance tests with:\n    a.go:1:   Supported Features: [A]\n".repeat(count / 2))
        })
    });
    [subtests, results, pieces, report, reports, headings]
        .into_iter()
        .flatten()
}

pub fn cases() -> Vec<Case> {
    let mut cases = vec![
        log("a line of 100 MB", "in a right log", || {
            with(&"x".repeat(100_000_000))
        }),
        log("only a line of 100 MB", "without a line end", || {
            vec![b'['; 100_000_000]
        }),
        log("a million tests", "each of its own", move || {
            lines(1_000_000, |n| format!("=== RUN   Test{n}\n")).into_bytes()
        }),
        log("a million runs", "of one test", move || {
            lines(1_000_000, |_| "=== RUN   TestConformance\n".to_owned()).into_bytes()
        }),
        log("40,000 roots", "with a test of the suite each", move || {
            with(&lines(40_000, |n| {
                format!("=== RUN   Test{n}\n=== RUN   Test{n}/MeshBasic\n")
            }))
        }),
        log("a name of 60 KB", "100 times", move || {
            with(&lines(100, |n| {
                format!("=== RUN   TestConformance/{}{n}\n", "a".repeat(60_000))
            }))
        }),
        log("a name of 30,000 parts", "of one letter each", || {
            with(&format!("=== RUN   {}", "a/".repeat(30_000)))
        }),
        log("nested JSON", "`{\"a\":` 10,000 times in an event", || {
            with(&format!(
                "{{\"Action\":\"run\",\"x\":{}",
                "{\"a\":".repeat(10_000)
            ))
        }),
        log(
            "100,000 packages",
            "with the beginning of a line each",
            move || {
                with(&lines(100_000, |n| {
                    format!("{{\"Action\":\"output\",\"Package\":\"p{n}\",\"Output\":\"x\"}}\n")
                }))
            },
        ),
        log("broken UTF-8", "in each line", || {
            let broken = with("x");
            broken
                .split_inclusive(|byte| *byte == b'\n')
                .flat_map(|line| [line, b"\xff\xfe\xc3\n"].concat())
                .collect()
        }),
        log("control characters", "in the name of a test", || {
            with("=== RUN   TestConformance/\u{1b}]0;x\u{7}\u{202e}a")
        }),
        log("unclosed escapes", "a million", || {
            with(&"\u{1b}[".repeat(1_000_000))
        }),
        log("results in messages", "of tests that fail", || {
            with(
                "    a.go:1: --- FAIL: TestConformance/MeshBasic (0.00s)\n        --- FAIL: TestConformance/MeshBasic (0.00s)",
            )
        }),
        log("an archive", "gzip", || b"\x1f\x8b\x08\0".to_vec()),
        log("nothing", "0 bytes", Vec::new),
    ];
    cases.extend(in_sizes());
    cases
}
