//! Tests that logs of all releases and formats prove their report, and that `gwconform verify`
//! detects changes to either.

use gwconform::workspace::{Configuration, Options, Target, VerifyError, Workspace};
use gwconform_base::files::MemoryFiles;
use gwconform_base::release::{Registry, Release};
use gwconform_base::text::diagnostic::Severity;
use gwconform_evidence::verify::{Choice, Verified};
use gwconform_report::rules::check::Selection;
use gwconform_report::statement::Verdict;
use proptest::prelude::*;

use crate::support::folder::Folder;
use crate::support::suite_run::{End, SuiteRun};
use crate::support::{has, one_in};

fn workspace() -> Workspace {
    let options = Options {
        target: Target::Texts,
        config: Configuration::Default,
        ..Options::default()
    };
    Workspace::open(MemoryFiles::new([]).unwrap(), options).unwrap()
}

pub(crate) fn try_verify(
    report: Option<&str>,
    logs: &[&[u8]],
    run: Option<usize>,
) -> Result<Verified, VerifyError> {
    let workspace = workspace();
    let logs: Vec<_> = logs
        .iter()
        .enumerate()
        .map(|(at, log)| workspace.read_log(&format!("{at}.log"), *log).unwrap())
        .collect();
    let path = workspace.base().absolute("report.yaml".as_ref());
    let report = report.map(|text| (path.as_path(), text.as_bytes().to_vec()));
    let choice = Choice {
        run,
        ..Choice::default()
    };
    workspace.verify(report, &logs, &choice, &Selection::default())
}

pub(crate) fn verify(report: &str, log: &str) -> Verified {
    try_verify(Some(report), &[log.as_bytes()], None).unwrap()
}

pub(crate) fn verdict(report: &str, log: &str) -> Verdict {
    verify(report, log).summary.verdict
}

pub(crate) fn newest() -> &'static Release {
    Registry::embedded().newest().unwrap()
}

pub(crate) fn release(version: &str) -> &'static Release {
    let mut all = SuiteRun::releases().into_iter();
    all.find(|release| release.version().to_string() == version)
        .unwrap()
}

pub(crate) fn findings(found: &Verified, least: Severity) -> Vec<String> {
    let findings = found.report.findings.iter();
    findings
        .filter(|finding| finding.severity >= least)
        .map(|finding| {
            let line = finding
                .place
                .region
                .as_ref()
                .map_or(0, |region| region.start.line);
            format!("{} {line}", finding.rule)
        })
        .collect()
}

type Variant = (&'static str, fn(&SuiteRun) -> String);

pub(crate) fn each_line(text: &str, mut change: impl FnMut(&str) -> String) -> String {
    text.lines().map(|line| change(line) + "\n").collect()
}

const VARIANTS: [Variant; 20] = [
    ("go test -v", |run| run.text()),
    ("go test -json", |run| run.json()),
    ("raw log of GitHub", |run| {
        each_line(&run.text(), |line| {
            format!("2026-10-10T20:56:27.1234567Z {line}")
        })
    }),
    ("gh run view --log", |run| {
        each_line(&run.text(), |line| {
            format!("conformance\tRun tests\t2026-10-10T20:56:27.1234567Z {line}")
        })
    }),
    ("kubectl logs --prefix", |run| {
        each_line(&run.text(), |line| {
            format!("[pod/conformance-x7k2p/conformance] {line}")
        })
    }),
    ("kubectl logs --prefix, events", |run| {
        each_line(&run.json(), |line| {
            format!("[pod/conformance-x7k2p/conformance] {line}")
        })
    }),
    ("two carriage returns", |run| {
        run.text().replace('\n', "\r\r\n")
    }),
    ("lines of a program that look like results", |run| {
        let test = run.release.tests().next().unwrap();
        let name = format!("TestConformance/{}", test.name);
        let begin = format!("=== RUN   {name}\n");
        let lines = ["", "    ", "\t", "    x.go:1: "]
            .map(|before| format!("{before}--- FAIL: {name} (0.00s)\n"));
        let lines = lines.concat();
        run.text().replace(&begin, &format!("{begin}{lines}"))
    }),
    ("messages that look like results of a deeper root", |run| {
        let root = "TestE2E/Conformance";
        let run = SuiteRun {
            root,
            ..run.clone()
        };
        let test = &run.release.tests().next().unwrap().name;
        let begin = format!("=== RUN   {root}/{test}\n");
        let message =
            format!("    x.go:1: of another run:\n        --- FAIL: {root}/{test} (0.00s)\n");
        run.text().replace(&begin, &format!("{begin}{message}"))
    }),
    ("events behind times", |run| {
        each_line(&run.json(), |line| {
            format!("2026-10-10T20:56:27.1234567Z {line}")
        })
    }),
    ("CRLF", |run| run.text().replace('\n', "\r\n")),
    ("a byte order mark", |run| format!("\u{feff}{}", run.text())),
    ("frames glued to text", |run| {
        let glued = "WARNING: Mesh feature \"X\" should not be populated in GatewayClass, skipping...=== RUN   ";
        run.text().replace(
            "=== RUN   TestConformance/",
            &format!("{glued}TestConformance/"),
        )
    }),
    ("output between frames", |run| {
        let text = run.text();
        text.replace(
            "=== RUN   TestConformance/",
            "2026-10-10T20:56:27Z\tINFO\tstarting\n=== RUN   TestConformance/",
        )
    }),
    ("a root of another name and depth", |run| {
        let run = SuiteRun {
            root: "TestE2E/Gateway_API/Conformance",
            ..run.clone()
        };
        run.text()
    }),
    ("another root, as events", |run| {
        let run = SuiteRun {
            root: "TestE2E/Conformance",
            ..run.clone()
        };
        run.json()
    }),
    ("a report under another heading", |run| {
        run.text().replace(
            "conformance.go:156: Conformance report:",
            "suite.go:9: --- ConformanceReport ---",
        )
    }),
    ("a report as plain YAML on standard output", |run| {
        let quiet = SuiteRun {
            prints_no_report: true,
            ..run.clone()
        };
        let printed = format!("INFO: final report\n{}INFO: done\n", run.printed());
        quiet
            .text()
            .replacen("=== NAME", &format!("{printed}=== NAME"), 1)
    }),
    ("other tests around it", |run| {
        let around = "=== RUN   TestUnit\n=== RUN   TestUnit/HTTPRouteWeight\n--- PASS: TestUnit (0.00s)\n    --- PASS: TestUnit/HTTPRouteWeight (0.00s)\n";
        let text = run.text();
        let (before, after) = text.rsplit_once("\nPASS\n").unwrap_or((&text, ""));
        format!("{around}{before}\n=== RUN   TestAfter\n--- PASS: TestAfter (0.00s)\nPASS\n{after}")
    }),
    ("kubectl logs --prefix --timestamps", |run| {
        each_line(&run.text(), |line| {
            format!("[pod/conformance-x7k2p/conformance] 2026-10-10T20:56:27.1234567Z {line}")
        })
    }),
];

/// Covers a third of the combinations, but every log format for the newest release. `.ci/long`
/// covers all.
#[test]
fn each_release_is_proved_in_each_form() {
    let releases = SuiteRun::releases();
    assert!(releases.len() > 10);
    for (nth, release) in releases.into_iter().enumerate() {
        let run = SuiteRun::of(release);
        let step = if release.version() == newest().version() {
            1
        } else {
            one_in(3)
        };
        for (name, log) in VARIANTS.into_iter().skip(nth % step).step_by(step) {
            let found = verify(&run.report(), &log(&run));
            let which = format!("{} as {name}", release.version());
            assert_eq!(
                found.summary.verdict,
                Verdict::Proved,
                "{which}: {}",
                found.summary.reason
            );
            assert_eq!(
                findings(&found, Severity::Warning),
                Vec::<String>::new(),
                "{which}"
            );
            assert_eq!(
                found.summary.result_count,
                release.tests().count(),
                "{which}"
            );
        }
    }
}

#[test]
fn compares_a_lone_log_with_the_report_it_prints() {
    for release in SuiteRun::releases() {
        let run = SuiteRun::of(release);
        for log in [run.text(), run.json()] {
            let found = try_verify(None, &[log.as_bytes()], None).unwrap();
            assert_eq!(
                found.summary.verdict,
                Verdict::Proved,
                "{}",
                found.summary.reason
            );
        }
    }
}

#[test]
fn findings_in_a_printed_report_are_at_the_line_of_the_log() {
    let run = SuiteRun::of(newest()).profile("GATEWAY-HTTP");
    let text = run
        .text()
        .replacen("          Passed: ", "          Passed: 1", 1);
    let line = 1 + text
        .lines()
        .position(|line| line.contains("Passed: 1"))
        .unwrap();
    let folder = Folder::new();
    folder.file("run.log", &text);
    let output = folder.run("verify --log run.log");
    assert_eq!(output.code, 1, "{output:?}");
    output.stdout_has(&format!("--> run.log:{line}:23\n"));
    let found = folder.findings("verify --log run.log");
    assert_eq!(found, [format!("evidence/count run.log {line}:23")]);
}

fn mixed() -> SuiteRun {
    SuiteRun::of(newest())
        .profile("GATEWAY-HTTP")
        .end("HTTPRouteWeight", End::Fail)
        .end("HTTPRouteMatching", End::Skip)
        .end("HTTPRouteHeaderMatching", End::Fail)
}

#[test]
fn each_number_result_and_summary_that_is_changed_is_found_at_its_line() {
    let mut run = mixed();
    run.prints_no_report = true;
    let (report, log) = (run.report(), run.text());
    assert_eq!(verdict(&report, &log), Verdict::Proved);
    let mut changed = 0;
    for (at, line) in report.lines().enumerate() {
        let other = if let Some((field, number)) = line
            .split_once("ed: ")
            .filter(|(field, _)| field.starts_with("      "))
        {
            format!("{field}ed: {}", number.parse::<u32>().unwrap() + 1)
        } else if line.contains("result: ") {
            let other = if line.contains("failure") {
                "success"
            } else {
                "failure"
            };
            format!("{}: {other}", line.split_once(':').unwrap().0)
        } else if line.contains("summary: ") {
            line.replace("succeeded", "nearly succeeded")
                .replace("failed", "succeeded")
        } else {
            continue;
        };
        let edited: String = report
            .lines()
            .enumerate()
            .map(|(nth, line)| {
                if nth == at {
                    format!("{other}\n")
                } else {
                    format!("{line}\n")
                }
            })
            .collect();
        let found = verify(&edited, &log);
        assert_eq!(found.summary.verdict, Verdict::Contradicted, "{other}");
        assert_eq!(
            findings(&found, Severity::Error),
            [format!("evidence/count {}", at + 1)],
            "{other}"
        );
        changed += 1;
    }
    assert_eq!(changed, 9, "two results, six numbers and a summary");
}

#[test]
fn each_name_that_is_taken_out_of_a_list_is_found() {
    let mut run = mixed();
    let printing = run.text();
    run.prints_no_report = true;
    let (report, log) = (run.report(), run.text());
    let untested = verify(&report, &log);
    assert_eq!(untested.summary.verdict, Verdict::Proved);
    let mut removed = 0;
    let mut rules = std::collections::BTreeSet::new();
    for (at, line) in report.lines().enumerate() {
        let Some(name) = line.strip_prefix("    - ") else {
            continue;
        };
        let lines = report.lines().enumerate().filter(|(nth, _)| *nth != at);
        let edited: String = lines.map(|(_, line)| format!("{line}\n")).collect();
        let found = verify(&edited, &log);
        assert_eq!(found.summary.verdict, Verdict::Contradicted, "{name}");
        let messages = found
            .report
            .findings
            .iter()
            .map(|finding| finding.message.to_string());
        let mut messages = messages.filter(|message| message.contains(&format!("`{name}`")));
        assert!(messages.next().is_some(), "{name}");
        rules.extend(found.report.findings.iter().map(|finding| finding.rule));
        let found = findings(&verify(&edited, &printing), Severity::Error);
        assert!(
            found
                .iter()
                .any(|one| one.starts_with("evidence/report-differs")),
            "{name}"
        );
        removed += 1;
    }
    assert!(removed > 30, "{removed}");
    let expected = [
        "evidence/failed",
        "evidence/feature",
        "evidence/no-report",
        "evidence/skipped",
    ];
    assert!(
        expected.iter().all(|rule| rules.contains(rule)),
        "{rules:?}"
    );
}

#[test]
fn finds_features_moved_to_another_list() {
    let mut run = SuiteRun::of(newest()).profile("GATEWAY-HTTP");
    run.prints_no_report = true;
    let (report, log) = (run.report(), run.text());
    let features = run.profiles[0].extended.clone();
    let mut by_rule = std::collections::BTreeMap::new();
    for feature in features {
        let mut other = run.clone();
        if !other.supported.remove(&feature) {
            other.supported.insert(feature.clone());
        }
        let lists = |text: &str| {
            let start = text.find("    supportedFeatures:").unwrap();
            let end = text.find("  name: ").unwrap();
            (start, end)
        };
        let (start, end) = lists(&report);
        let of_other = other.report();
        let (other_start, other_end) = lists(&of_other);
        let edited = format!(
            "{}{}{}",
            &report[..start],
            &of_other[other_start..other_end],
            &report[end..]
        );
        let line = 1 + edited
            .lines()
            .position(|line| line == format!("    - {feature}"))
            .unwrap();
        let found = findings(&verify(&edited, &log), Severity::Warning);
        let rule = found.iter().find(|one| one.ends_with(&format!(" {line}")));
        let rule = rule
            .unwrap_or_else(|| panic!("{feature}: {found:?}"))
            .split_once(' ')
            .unwrap()
            .0;
        *by_rule.entry(rule.to_owned()).or_insert(0) += 1;
    }
    assert!(by_rule["evidence/feature"] > 20, "{by_rule:?}");
}

#[test]
fn each_result_that_is_changed_in_the_log_is_found() {
    let mut run = SuiteRun::of(release("v1.6.2")).profile("GATEWAY-HTTP");
    run.prints_no_report = true;
    let report = run.report();
    let tests = run.release.members(run.profiles[0]);
    let mut changed = 0;
    for member in tests {
        let is_run = member.needs.iter().all(|need| run.supported.contains(need));
        if !is_run {
            continue;
        }
        for (end, rule) in [
            (End::Fail, "evidence/failed"),
            (End::Skip, "evidence/skipped"),
        ] {
            let other = run.clone().end(&member.test.name, end);
            for log in [other.text(), other.json()] {
                let found = verify(&report, &log);
                assert_eq!(found.summary.verdict, Verdict::Contradicted);
                let findings: Vec<_> = found
                    .report
                    .findings
                    .iter()
                    .filter(|one| one.rule == rule)
                    .collect();
                assert_eq!(findings.len(), 1, "{}", member.test.name);
                let place = &findings[0].labels[0].place;
                let line = place.region.as_ref().unwrap().start.line as usize;
                let text = log.lines().nth(line - 1).unwrap();
                assert!(text.contains(&member.test.name), "{text}");
            }
        }
        changed += 1;
    }
    assert!(changed > 40, "{changed}");
}

#[test]
fn a_parallel_test_that_fails_after_the_report_contradicts_it() {
    let early = SuiteRun::of(release("v1.6.1")).profile("GATEWAY-HTTP");
    let run = early
        .clone()
        .end("BackendTLSPolicy", End::Fail)
        .end("GatewayInvalidRouteKind", End::Fail);
    let found = verify(&run.report(), &run.text());
    assert_eq!(found.summary.verdict, Verdict::Contradicted);
    let helps: Vec<String> = found
        .report
        .findings
        .iter()
        .filter(|finding| finding.rule == "evidence/failed")
        .map(|finding| finding.help.as_ref().unwrap().to_string())
        .collect();
    assert!(!helps.is_empty());
    for help in helps {
        assert!(
            help.contains("the suite of v1.6.1 wrote the report before this test ran"),
            "{help}"
        );
    }
    // The suite of the next patch writes the report after the tests.
    let later = SuiteRun {
        release: release("v1.6.2"),
        ..run
    };
    assert_eq!(verdict(&later.report(), &later.text()), Verdict::Proved);
}

#[test]
fn a_run_that_skips_provisional_tests_is_proved_and_said() {
    for version in ["v1.3.0", "v1.5.1", "v1.6.2"] {
        let mut run = SuiteRun::of(release(version));
        let all = run
            .profiles
            .iter()
            .flat_map(|profile| profile.extended.clone());
        run.supported = all.collect();
        run.skips_provisional = true;
        let found = verify(&run.report(), &run.text());
        assert_eq!(
            found.summary.verdict,
            Verdict::Proved,
            "{}",
            found.summary.reason
        );
        assert!(
            found.summary.reason.contains("--skip-provisional-tests"),
            "{}",
            found.summary.reason
        );
    }
}

/// Cuts at line ends and every 97 bytes; without `.ci/long`, only at every fifth place and the last
/// hundred.
#[test]
fn proves_no_truncated_log() {
    let run = SuiteRun::of(release("v1.3.0")).profile("MESH-HTTP");
    for (log, end) in [
        (run.text(), "\nPASS\n"),
        (
            run.json(),
            "\"Action\":\"pass\",\"Package\":\"example.com/acme\",\"Time\"",
        ),
    ] {
        let whole = log.rfind(end).unwrap_or(log.len());
        let mut cuts: Vec<usize> = log.match_indices('\n').map(|(at, _)| at).collect();
        cuts.extend((0..whole).step_by(97));
        cuts.retain(|cut| *cut < whole);
        cuts.sort_unstable();
        let last = cuts.split_off(cuts.len().saturating_sub(100));
        for cut in cuts.into_iter().step_by(one_in(5)).chain(last) {
            let cut = log.floor_char_boundary(cut);
            match try_verify(Some(&run.report()), &[&log.as_bytes()[..cut]], None) {
                Ok(found) => assert_eq!(
                    found.summary.verdict,
                    Verdict::NotProved,
                    "{cut}: {}",
                    found.summary.reason
                ),
                Err(VerifyError::Input(_)) => {}
                Err(error) => panic!("{error}"),
            }
        }
        assert_eq!(verdict(&run.report(), &log), Verdict::Proved);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn proves_any_mix_of_results(seed in any::<u64>(), nth in 0_usize..20, is_json in any::<bool>()) {
        let releases = SuiteRun::releases();
        let mut run = SuiteRun::of(releases[nth % releases.len()]);
        let mut state = seed | 1;
        let mut next = |below: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % below
        };
        let mut late_failures = 0;
        for test in run.release.tests() {
            let end = match next(6) {
                0 => End::Fail,
                1 => End::Skip,
                _ => End::Pass,
            };
            run.ends.insert(test.name.clone(), end);
        }
        let extended: Vec<String> = run.profiles.iter().flat_map(|profile| profile.extended.clone()).collect();
        run.supported = extended.into_iter().filter(|_| next(3) > 0).collect();
        let kept = next(1 << 8);
        let mut at = 0;
        run.profiles.retain(|_| { at += 1; kept >> at & 1 == 1 || at == 1 });
        let log = if is_json { run.json() } else { run.text() };
        let found = verify(&run.report(), &log);
        for difference in &found.report.findings {
            if difference.rule == "evidence/failed" || difference.rule == "evidence/provisional" {
                late_failures += 1;
            }
        }
        let is_early = run.release.tests().any(|test| test.parallel);
        let errors = findings(&found, Severity::Error).len();
        if is_early {
            // Only failures after the report was written are errors.
            prop_assert_eq!(errors, late_failures);
        } else {
            prop_assert_eq!(found.summary.verdict, Verdict::Proved, "{}", found.summary.reason);
            prop_assert_eq!(errors, 0);
        }
    }
}

#[test]
fn of_several_runs_the_one_that_prints_the_report_is_taken() {
    let first = SuiteRun::of(newest()).profile("GATEWAY-GRPC");
    let second = SuiteRun {
        date: "2026-10-10T22:00:00Z",
        ..SuiteRun::of(newest()).profile("GATEWAY-HTTP")
    };
    let both = format!("{}{}", first.text(), second.text());
    for (report, number) in [(first.report(), 1), (second.report(), 2)] {
        let found = verify(&report, &both);
        assert_eq!(
            found.summary.verdict,
            Verdict::Proved,
            "{}",
            found.summary.reason
        );
        assert!(
            found.summary.reason.contains(&format!("run {number} of 2")),
            "{}",
            found.summary.reason
        );
    }
    let logs = [first.text(), second.json()];
    let found = try_verify(
        Some(&second.report()),
        &[logs[0].as_bytes(), logs[1].as_bytes()],
        None,
    )
    .unwrap();
    assert_eq!(
        (found.summary.verdict, found.summary.run_number),
        (Verdict::Proved, 2)
    );
    let one = first.json();
    let other = second
        .json()
        .replace("example.com/acme", "example.com/other");
    let mixed: String = one
        .lines()
        .zip(other.lines().chain(std::iter::repeat("")))
        .map(|(a, b)| format!("{a}\n{b}\n"))
        .collect();
    let rest: String = other
        .lines()
        .skip(one.lines().count())
        .map(|line| format!("{line}\n"))
        .collect();
    let mixed = format!("{mixed}{rest}");
    for report in [first.report(), second.report()] {
        assert_eq!(verdict(&report, &mixed), Verdict::Proved);
    }
    let third = SuiteRun {
        date: "2026-10-10T23:00:00Z",
        ..first.clone()
    };
    let error = try_verify(Some(&third.report()), &[both.as_bytes()], None)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("--run") && error.contains("2 runs (1: TestConformance at 0.log:1"),
        "{error}"
    );
    let found = try_verify(Some(&first.report()), &[both.as_bytes()], Some(2)).unwrap();
    assert_eq!(found.summary.verdict, Verdict::Contradicted);
}

pub(crate) fn folder_with(report: &str, log: &str) -> Folder {
    let folder = Folder::new();
    folder.file("report.yaml", report).file("run.log", log);
    folder
}

#[test]
fn exit_codes_and_the_last_line_tell_the_verdict() {
    let run = SuiteRun::of(newest()).profile("GATEWAY-HTTP");
    let tests = newest().tests().count();
    let version = newest().version();
    let cut = run.text().replace(
        "    --- PASS: TestConformance/HTTPRouteWeight (0.41s)\n",
        "",
    );
    let failed = run.clone().end("HTTPRouteWeight", End::Fail);
    let last = |log: &str, arguments: &str| {
        let output = folder_with(&run.report(), log)
            .run(&format!("verify report.yaml --log run.log{arguments}"));
        let last = output
            .stdout
            .lines()
            .next_back()
            .unwrap_or_default()
            .to_owned();
        (output.code, last, output.stderr)
    };
    let proved = format!(
        "proved: {tests} results (suite {version}): every number, list and feature follows from the log"
    );
    assert_eq!(last(&run.text(), ""), (0, proved.clone(), String::new()));
    assert_eq!(
        last(&run.text(), " --fail-on info"),
        (0, proved, String::new())
    );
    let mut quiet = failed;
    quiet.prints_no_report = true;
    let (code, line, _) = last(&quiet.text(), "");
    assert_eq!(
        (code, line.as_str()),
        (1, "contradicted: 1 test failed, contrary to the report")
    );
    assert_eq!(last(&quiet.text(), " --fail-on never").0, 0);
    assert_eq!(last(&quiet.text(), " --select evidence/date").0, 1);
    let (code, line, _) = last(&cut, "");
    assert_eq!(
        (code, line.as_str()),
        (
            1,
            "not proved: 1 test has no result: the run ended without it"
        )
    );
    let json = folder_with(&run.report(), &cut).json("verify report.yaml --log run.log");
    assert_eq!(json["evidence"]["verdict"], "not-proved");
    assert_eq!(json["evidence"]["run_number"], 1);
}

#[test]
fn reports_unreadable_logs() {
    let run = SuiteRun::of(newest()).profile("GATEWAY-HTTP");
    let of = |log: &[u8]| {
        let folder = Folder::new();
        folder
            .file("report.yaml", run.report())
            .file("run.log", log);
        let output = folder.run("verify report.yaml --log run.log");
        (output.code, output.stderr)
    };
    let (code, error) = of(b"PASS\nok  \texample.com/acme\t3.1s\n");
    assert!(
        code == 3 && error.contains("run `go test` with -v"),
        "{error}"
    );
    let (code, error) = of(b"make: nothing to be done\n");
    assert!(
        code == 3 && error.contains("no conformance run found; expected lines such as"),
        "{error}"
    );
    let (code, error) = of(b"\x1f\x8b\x08\0");
    assert!(
        code == 2 && error.contains("compressed (gzip); unpack it first"),
        "{error}"
    );
    let (code, error) = of(b"PK\x03\x04");
    assert!(code == 2 && error.contains("zip"), "{error}");
    for packed in [b"BZh91AY&SY".as_slice(), b"\xfd7zXZ\0"] {
        let (code, error) = of(packed);
        assert!(code == 2 && error.contains("unpack it first"), "{error}");
    }
    for text in [b"\xff\xfe=\0=\0".as_slice(), b"=\0=\0", b"\0=\0="] {
        let (code, error) = of(text);
        assert!(code == 2 && error.contains("UTF-16"), "{error}");
    }
    let (code, error) = of(b"<?xml version=\"1.0\"?>\n<testsuites/>");
    assert!(
        code == 2 && error.contains("not read: line 1: expected the output of"),
        "{error}"
    );
    let without = SuiteRun {
        prints_no_report: true,
        ..run.clone()
    };
    let folder = folder_with(&run.report(), &without.text());
    let output = folder.run("verify --log run.log");
    assert_eq!(output.code, 3, "{output:?}");
    output.stderr_has("name the report as well");
    assert_eq!(
        folder.run("verify report.yaml --log run.log --run 2").code,
        2
    );
    assert_eq!(folder.run("verify report.yaml").code, 2);
    assert_eq!(folder.run("check report.yaml --select evidence").code, 2);
    assert_eq!(
        folder
            .run("verify report.yaml --log run.log --select report")
            .code,
        2
    );
    let unknown = run
        .report()
        .replace(&newest().version().to_string(), "v1.99.0");
    let folder = folder_with(&unknown, &run.text());
    let output = folder.run("verify report.yaml --log run.log");
    assert_eq!(output.code, 2, "{output:?}");
    output.stderr_has("--registry");
}

#[test]
fn logs_without_v_name_only_failures() {
    let run = SuiteRun::of(newest())
        .profile("GATEWAY-HTTP")
        .end("HTTPRouteWeight", End::Fail);
    let log = "--- FAIL: TestConformance (1.00s)\n    --- FAIL: TestConformance/HTTPRouteWeight (0.41s)\nFAIL\nFAIL\texample.com/acme\t1.0s\n";
    let found = verify(&run.report(), log);
    assert_eq!(found.summary.verdict, Verdict::NotProved);
    assert!(
        found.summary.reason.contains("run `go test` with -v"),
        "{}",
        found.summary.reason
    );
}

#[test]
fn a_report_that_differs_in_line_ends_alone_is_proved() {
    let run = SuiteRun::of(newest()).profile("GATEWAY-HTTP");
    let found = verify(&run.report().replace('\n', "\r\n"), &run.text());
    assert_eq!(found.summary.verdict, Verdict::Proved);
    assert_eq!(
        findings(&found, Severity::Info),
        ["evidence/report-differs 1"]
    );
}

#[test]
fn a_statement_depends_on_its_inputs_alone() {
    let run = SuiteRun::of(newest())
        .profile("GATEWAY-HTTP")
        .end("HTTPRouteMatching", End::Skip);
    let folder = folder_with(&run.report(), &run.text());
    let write = |name: &str| {
        let output = folder.run(&format!(
            "verify report.yaml --log run.log --out {name} --log-url https://ci.example/1"
        ));
        assert_eq!(output.code, 0, "{output:?}");
        folder.read(name)
    };
    let text = write("a.json");
    assert_eq!(text, write("b.json"));
    assert_eq!(text, write("a.json"));
    let statement: serde_json::Value = serde_json::from_str(&text).unwrap();
    let predicate = &statement["predicate"];
    let digest = gwconform_base::text::source::Digest::new(run.report().as_bytes()).to_string();
    assert_eq!(statement["subject"][0]["digest"]["sha256"], digest);
    assert_eq!(predicate["result"], "WARNED");
    assert_eq!(
        predicate["warnedTests"],
        serde_json::json!(["HTTPRouteMatching"])
    );
    assert_eq!(predicate["url"], "https://ci.example/1");
    let passed = predicate["passedTests"].as_array().unwrap().len();
    let numbers: usize = run
        .report()
        .lines()
        .filter_map(|line| line.trim().strip_prefix("Passed: ")?.parse::<usize>().ok())
        .sum();
    assert_eq!(
        passed, numbers,
        "one profile: what it counts is what passed"
    );
    let output = folder.run("verify report.yaml --log run.log --out report.yaml");
    assert_eq!(output.code, 2, "{output:?}");
    output.stderr_has("refusing to overwrite");
}

#[test]
fn findings_go_to_files_too() {
    let run = SuiteRun::of(newest())
        .profile("GATEWAY-HTTP")
        .end("HTTPRouteMatching", End::Skip);
    let folder = folder_with(&run.report().replace("Passed: ", "Passed: 1"), &run.text());
    let output = folder.run("verify report.yaml --log run.log --also sarif=out.sarif");
    assert_eq!(output.code, 1, "{output:?}");
    let sarif = folder.read("out.sarif");
    assert!(sarif.contains("\"evidence/count\""), "{sarif}");
    for refused in ["--also json=report.yaml", "--format suggestions"] {
        let output = folder.run(&format!("verify report.yaml --log run.log {refused}"));
        assert_eq!(output.code, 2, "{output:?}");
    }
}

pub(crate) fn unprinted(run: SuiteRun) -> (String, String) {
    let mut run = run;
    run.prints_no_report = true;
    (run.report(), run.text())
}

pub(crate) fn without(text: &str, is: impl Fn(&str) -> bool) -> String {
    let kept = text.lines().filter(|line| !is(line));
    kept.map(|line| format!("{line}\n")).collect()
}

#[test]
fn requires_fields_that_the_suite_always_writes() {
    let (report, log) = unprinted(mixed());
    let core = report.find("- core:\n").unwrap();
    let changes: [(&str, &str, &str); 19] = [
        ("      Passed: ", "      Passed: many #", "count"),
        ("      Passed: ", "      Passed: -", "count"),
        ("      Passed: ", "      Passed: 0.", "count"),
        ("      Passed: ", "      Passed: # ", "count"),
        ("      Passed: ", "      Won: ", "count"),
        ("      Skipped: ", "      Left: ", "count"),
        ("    statistics:\n", "    numbers:\n", "count"),
        ("    result: failure", "    result: splendid", "count"),
        ("    result: failure", "    result:", "count"),
        ("    result: failure", "    end: failure", "count"),
        ("  summary: ", "  in-short: ", "count"),
        ("  summary: ", "  summary: # ", "count"),
        ("- core:\n", "- first:\n", "count"),
        ("  extended:\n", "  second:\n", "count"),
        ("  name: GATEWAY-HTTP", "  name: ACME", "count"),
        ("  name: GATEWAY-HTTP", "  title: GATEWAY-HTTP", "count"),
        (
            "    - HTTPRouteWeight\n",
            "    - HTTPRouteWeight\n    - HTTPRouteWeight\n",
            "count",
        ),
        (
            "    skippedTests:\n",
            "    skippedTests:\n    - HTTPRouteWeight\n",
            "count",
        ),
        ("upportedFeatures:\n", "upported:\n", "feature"),
    ];
    for (old, new, rule) in changes {
        let edited = format!("{}{}", &report[..core], report[core..].replace(old, new));
        assert_ne!(edited, report, "{old}");
        let found = verify(&edited, &log);
        assert_eq!(found.summary.verdict, Verdict::Contradicted, "{new}");
        let errors = findings(&found, Severity::Error);
        let rule = format!("evidence/{rule} ");
        assert!(
            errors.iter().any(|one| one.starts_with(&rule)),
            "{new}: {errors:?}"
        );
    }
}

#[test]
fn profiles_must_be_those_of_the_release_once_each_and_at_least_one() {
    let (report, log) = unprinted(mixed());
    let (head, profile) = report.split_once("profiles:\n").unwrap();
    let end = profile.find("succeededProvisionalTests:");
    let (profile, rest) = profile.split_at(end.unwrap_or(profile.len()));
    let verdict = |profiles: &str| {
        let text = format!("{head}profiles:\n{profiles}{rest}");
        verdict(&text, &log)
    };
    assert_eq!(verdict(profile), Verdict::Proved);
    assert_eq!(verdict(&profile.repeat(2)), Verdict::Contradicted);
    let invented = "- core:\n    result: success\n    statistics:\n      Failed: 0\n      Passed: 99\n      Skipped: 0\n  name: ACME\n  summary: Core tests succeeded.\n";
    assert_eq!(
        verdict(&format!("{invented}{profile}")),
        Verdict::Contradicted
    );
    for none in ["", "profiles: []\n", "profiles:\n"] {
        let found = verify(&format!("{head}{none}"), &log);
        assert_eq!(found.summary.verdict, Verdict::NotProved, "{none}");
    }
}

#[test]
fn a_report_with_a_key_twice_is_not_read() {
    let (report, log) = unprinted(mixed());
    let number = report
        .lines()
        .find(|line| line.starts_with("      Passed: "))
        .unwrap();
    for edited in [
        report.replacen(number, &format!("      Passed: 999\n{number}"), 1),
        format!("profiles: []\n{report}"),
    ] {
        let error = try_verify(Some(&edited), &[log.as_bytes()], None).unwrap_err();
        assert!(error.to_string().contains("gwconform check"), "{error}");
    }
}

#[test]
fn a_profile_that_was_run_and_is_not_reported_is_not_proved() {
    let mut run = SuiteRun::of(newest());
    run.profiles
        .retain(|profile| ["GATEWAY-HTTP", "GATEWAY-GRPC"].contains(&profile.name.as_str()));
    let (_, log) = unprinted(run.clone().end("GRPCExactMethodMatching", End::Fail));
    run.profiles
        .retain(|profile| profile.name == "GATEWAY-HTTP");
    let found = verify(&run.report(), &log);
    assert_eq!(found.summary.verdict, Verdict::NotProved);
    assert!(
        found.summary.reason.contains("options of the run"),
        "{}",
        found.summary.reason
    );
}

#[test]
fn a_provisional_test_that_the_log_does_not_have_is_not_proved() {
    let (mut report, log) = unprinted(SuiteRun::of(release("v1.5.1")).profile("GATEWAY-HTTP"));
    let other = release("v1.5.1")
        .tests()
        .find(|test| test.provisional && test.features.iter().any(|name| name == "GRPCRoute"));
    let other = &other.unwrap().name;
    if !report.contains("succeededProvisionalTests:") {
        report.push_str("succeededProvisionalTests:\n");
    }
    let claimed = format!("{report}- {other}\n");
    assert_eq!(verdict(&claimed, &log), Verdict::Contradicted);
    let log = without(&log, |line| line.contains(other.as_str()));
    assert_eq!(verdict(&report, &log), Verdict::Proved);
    assert_eq!(verdict(&claimed, &log), Verdict::NotProved);
}

#[test]
fn ignores_lines_that_look_like_results() {
    for root in ["TestConformance", "TestE2E/Conformance"] {
        let run = SuiteRun {
            root,
            ..SuiteRun::of(newest()).profile("GATEWAY-HTTP")
        };
        let (report, log) = unprinted(run);
        let name = format!("{root}/HTTPRouteWeight");
        let result = format!("--- PASS: {name} (0.41s)");
        let log = without(&log, |line| line.trim_start() == result);
        assert_eq!(verdict(&report, &log), Verdict::NotProved);
        let begin = format!("=== RUN   {name}\n");
        for before in ["", "    ", "        ", "\t", "x: "] {
            let log = log.replace(&begin, &format!("{begin}{before}{result}\n"));
            assert_eq!(verdict(&report, &log), Verdict::NotProved, "{before:?}");
        }
    }
}

#[test]
fn a_test_whose_subtest_failed_has_failed() {
    let run = SuiteRun::of(newest()).profile("GATEWAY-HTTP");
    let (report, log) = unprinted(run.clone());
    let subtest = "TestConformance/HTTPRouteWeight/Requests_should_have_it";
    let failed = log.replace(
        &format!("--- PASS: {subtest}"),
        &format!("--- FAIL: {subtest}"),
    );
    assert_eq!(verdict(&report, &failed), Verdict::Contradicted);
    let event = format!(r#"{{"Action":"fail","Package":"example.com/acme","Test":"{subtest}"}}"#);
    let end = r#""Action":"pass","Package":"example.com/acme","Test":"TestConformance""#;
    let json = run.json();
    let at = json[..json.find(end).unwrap()].rfind('\n').unwrap();
    let failed = format!("{}\n{event}{}", &json[..at], &json[at..]);
    assert_eq!(verdict(&report, &failed), Verdict::Contradicted);
}

/// Combines two runs below one test, with the unique test names that `go test` generates.
fn below_one_root(first: &SuiteRun, second: &SuiteRun) -> String {
    let (first, second) = (first.text(), second.text());
    let split = |text: &str| {
        let (body, results) = text.split_once("\n--- ").unwrap();
        let (root, results) = results.split_once('\n').unwrap();
        let (results, end) = results.split_at(
            results
                .find("\nPASS\n")
                .or(results.find("\nFAIL\n"))
                .unwrap(),
        );
        let parts = [body, root, results, end];
        parts.map(str::to_owned)
    };
    let mut other = split(&second);
    for text in &mut other {
        let named = text
            .split("TestConformance/")
            .enumerate()
            .map(|(at, part)| {
                let end = part.find(|c: char| !c.is_ascii_alphanumeric());
                let (name, rest) = part.split_at(end.unwrap_or(part.len()));
                match at {
                    0 => part.to_owned(),
                    _ => format!("TestConformance/{name}#01{rest}"),
                }
            });
        *text = named.collect();
    }
    let [body, root, results, end] = split(&first);
    let [again, _, more, _] = other;
    let (_, again) = again.split_once('\n').unwrap();
    format!("{body}\n{again}\n--- {root}\n{results}\n{more}{end}")
}

#[test]
fn distinguishes_runs_below_one_test() {
    let first = SuiteRun::of(newest()).profile("GATEWAY-GRPC");
    let second = SuiteRun {
        date: "2026-10-10T22:00:00Z",
        ..SuiteRun::of(newest()).profile("GATEWAY-HTTP")
    };
    let log = below_one_root(&first, &second);
    for (run, number) in [(&first, 1), (&second, 2)] {
        let found = verify(&run.report(), &log);
        let summary = &found.summary;
        assert_eq!(summary.verdict, Verdict::Proved, "{}", summary.reason);
        assert_eq!(summary.run_number, number);
    }
    let mut passed = first.clone();
    passed.prints_no_report = true;
    let failed = passed.clone().end("GRPCExactMethodMatching", End::Fail);
    let log = below_one_root(&passed, &failed);
    let error = try_verify(Some(&first.report()), &[log.as_bytes()], None).unwrap_err();
    assert!(
        error.to_string().contains("choose one with --run"),
        "{error}"
    );
}

fn interleaved(first: &SuiteRun, second: &SuiteRun, is_json: bool) -> String {
    if is_json {
        let (first, second) = (first.json(), second.json());
        let mut lines = first.lines().zip(second.lines());
        let mut mixed: String = lines.by_ref().map(|(a, b)| format!("{a}\n{b}\n")).collect();
        let shorter = first.lines().count().min(second.lines().count());
        for text in [&first, &second] {
            mixed.extend(text.lines().skip(shorter).map(|line| format!("{line}\n")));
        }
        return mixed;
    }
    let (first, second) = (first.text(), second.text());
    let blocks = |text: &str| -> Vec<String> {
        let (body, _) = text.split_once("\n--- ").unwrap();
        let mut blocks: Vec<String> = Vec::new();
        for line in body.lines() {
            match blocks.last_mut() {
                Some(block) if !line.starts_with("===") => block.push_str(&format!("{line}\n")),
                _ => blocks.push(format!("{line}\n")),
            }
        }
        blocks
    };
    let (a, b) = (blocks(&first), blocks(&second));
    let mut mixed = String::new();
    for at in 0..a.len().max(b.len()) {
        mixed.extend(
            [&a, &b]
                .into_iter()
                .filter_map(|blocks| blocks.get(at))
                .cloned(),
        );
    }
    for text in [&first, &second] {
        let (_, results) = text.split_once("\n--- ").unwrap();
        mixed.push_str(&format!("--- {results}"));
    }
    mixed
}

#[test]
fn distinguishes_concurrent_roots() {
    let gateway = SuiteRun {
        root: "TestGateway",
        ..SuiteRun::of(newest()).profile("GATEWAY-HTTP")
    };
    let mesh = SuiteRun {
        root: "TestMesh",
        date: "2026-10-10T20:56:40Z",
        ..SuiteRun::of(newest()).profile("MESH-HTTP")
    };
    let early = SuiteRun::of(release("v1.6.1")).profile("GATEWAY-HTTP");
    let failing = SuiteRun {
        root: "TestGateway",
        ..early.clone().end("GatewayInvalidRouteKind", End::Fail)
    };
    let passing = SuiteRun {
        root: "TestMesh",
        date: "2026-10-10T20:56:40Z",
        ..early
    };
    for is_json in [false, true] {
        for log in [
            interleaved(&gateway, &mesh, is_json),
            interleaved(&mesh, &gateway, is_json),
        ] {
            for run in [&gateway, &mesh] {
                let found = verify(&run.report(), &log);
                assert_eq!(
                    (found.summary.verdict, found.summary.root.as_str()),
                    (Verdict::Proved, run.root),
                    "{}",
                    found.summary.reason
                );
            }
        }
        for log in [
            interleaved(&failing, &passing, is_json),
            interleaved(&passing, &failing, is_json),
        ] {
            let found = verify(&failing.report(), &log);
            assert_eq!(found.summary.verdict, Verdict::Contradicted);
            assert_eq!(verdict(&passing.report(), &log), Verdict::Proved);
        }
    }
}

#[test]
fn a_report_that_names_no_release_is_not_compared_with_one() {
    let run = SuiteRun::of(release("v1.6.1"));
    for stated in ["UNDEFINED", "''", "v0.0.0-dev", "v1.6.0-rc.1"] {
        let with = |text: String| {
            text.replace(
                "gatewayAPIVersion: v1.6.1",
                &format!("gatewayAPIVersion: {stated}"),
            )
        };
        let (report, log) = (with(run.report()), with(run.text()));
        assert_ne!(report, run.report());
        let found = try_verify(Some(&report), &[log.as_bytes()], None);
        let error = found
            .map(|found| found.summary.verdict)
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("names no known release"),
            "{stated}: {error}"
        );
    }
}

const PREFIXES: [&str; 5] = [
    "",
    "2026-10-10T20:56:27.1234567Z ",
    "conformance\tRun tests\t2026-10-10T20:56:27.1234567Z ",
    "[pod/conformance-x7k2p/conformance] ",
    "[pod/conformance-x7k2p/conformance] 2026-10-10T20:56:27.1234567Z ",
];

#[test]
fn rejects_lines_of_go_test_with_another_prefix() {
    let run = SuiteRun::of(newest()).profile("GATEWAY-HTTP");
    let failed = run.clone().end("HTTPRouteWeight", End::Fail);
    let logs = |run: &SuiteRun| [run.text(), run.json()];
    let joined = logs(&run).into_iter().zip(logs(&failed));
    for (passed, failed) in joined {
        for before in PREFIXES {
            for other in PREFIXES.into_iter().filter(|other| *other != before) {
                let with =
                    |log: &str, prefix: &str| each_line(log, |line| format!("{prefix}{line}"));
                let log = with(&passed, before) + &with(&failed, other);
                let read = workspace().read_log("0.log", log.as_bytes());
                let error = read.map(|log| log.lines).unwrap_err().to_string();
                assert!(error.contains(": expected the output of"), "{error}");
            }
        }
    }
}

#[test]
fn reads_lines_of_other_programs_with_any_form() {
    let run = SuiteRun::of(newest()).profile("GATEWAY-HTTP");
    for prefix in PREFIXES {
        let log = each_line(&run.text(), |line| {
            format!("{prefix}{line}\na further line of a message\n\n2026-10-10T20:56:27Z hello")
        });
        let log = log + "error: unexpected EOF\n";
        assert_eq!(verdict(&run.report(), &log), Verdict::Proved, "{prefix:?}");
    }
}

#[test]
fn reads_a_failure_in_an_unfinished_last_line() {
    let run = SuiteRun::of(newest()).profile("GATEWAY-HTTP");
    let log = run.text().replace("\nPASS\n", "\n");
    let (log, _) = log.rsplit_once("ok  \t").unwrap();
    let ended = |end: &str| verdict(&run.report(), &format!("{log}{end}"));
    assert_eq!(ended("PASS\n"), Verdict::Proved);
    assert_eq!(ended("FAIL\texample.com/acme\t1.0s"), Verdict::NotProved);
}

#[test]
fn rejects_a_log_with_an_unknown_prefix() {
    let run = SuiteRun::of(newest());
    let mut letters = "abcdefghijklmnopqrstuvwxyz".chars().cycle();
    let log = each_line(&run.text(), |line| {
        let names: String = letters.by_ref().take(5).collect();
        format!("<{names}> {line}")
    });
    let read = workspace().read_log("0.log", log.as_bytes());
    let error = read.map(|log| log.lines).unwrap_err().to_string();
    assert!(
        error.starts_with("line 1: expected the output of"),
        "{error}"
    );
}

/// The reason is in the log, above the result of the root test.
#[test]
fn a_run_that_failed_in_its_setup_is_named() {
    let run = SuiteRun::of(newest());
    let folder = Folder::new();
    folder.file("report.yaml", run.report());
    for root in ["TestConformance", "TestGatewayAPIConformance"] {
        let log = format!(
            "=== RUN   {root}\n    suite.go:168: Test Setup: Ensuring GatewayClass has been accepted\n    helpers.go:145: error waiting for acme GatewayClass\n--- FAIL: {root} (180.00s)\nFAIL\nFAIL\tacme.example/conformance\t180.812s\n"
        );
        folder.file("run.log", log);
        let output = folder.run("verify report.yaml --log run.log").exits(1);
        let found = folder.found("verify report.yaml --log run.log", "{rule} {line}");
        assert_eq!(found, ["evidence/run-failed 4"]);
        output.stdout_has(&format!(
            "not proved: {root} failed in its setup: no test ran (line 4)\n"
        ));
    }
}

#[test]
fn a_log_of_another_suite_is_named() {
    let folder = Folder::new();
    folder.file("report.yaml", SuiteRun::of(newest()).report());
    let log = |package: &str| {
        format!(
            "=== RUN   TestConformance\n=== RUN   TestConformance/GatewayFollowingEPPRouting\n--- PASS: TestConformance (1.00s)\n    --- PASS: TestConformance/GatewayFollowingEPPRouting (1.00s)\nPASS\nok  \t{package}\t1.812s\n"
        )
    };
    for (package, suite) in [
        (
            "sigs.k8s.io/gateway-api-inference-extension/conformance",
            "the suite of the Gateway API Inference Extension",
        ),
        ("acme.example/conformance", "another suite"),
    ] {
        folder.file("run.log", log(package));
        let error = folder.run("verify report.yaml --log run.log").fails(3);
        let expected = format!(
            "run.log: the tests are those of {suite}: GatewayFollowingEPPRouting is not a test of Gateway API"
        );
        has(error, &expected);
    }
}
